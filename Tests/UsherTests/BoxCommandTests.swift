internal import Foundation
internal import TestSupport
internal import Testing

@Suite("usher simulate serve", .timeLimit(.minutes(5)))
struct BoxCommandTests {
    @Test(
        "says what is wrong, in both languages, and does not start",
        arguments: [
            (["--listen", "nowhere"], "'nowhere' is not an address", "“nowhere”不是地址"),
            (
                ["--notify", "https://example.com/hook"], "'https://example.com/hook' is not",
                "不是接收通知的地址"
            ),
            (["--start", "soon"], "'soon' is not an instant", "“soon”不是"),
            (["--start", "2001-01-01"], "'2001-01-01' is not an instant", "“2001-01-01”不是"),
            (["--speed", "1e10"], "the speed must be", "速度须在"),
            (["--grace", "29"], "the grace from 0 to 28 days", "宽限期须在"),
            (["--play", "no-such-file"], "cannot read no-such-file", "no-such-file"),
            (["--listen", "256.0.0.1:0"], "cannot listen on 256.0.0.1:0", "无法监听 256.0.0.1:0"),
        ])
    func mistakes(options: [String], english: String, chinese: String) throws {
        for (language, sentence) in [("en", english), ("zh", chinese)] {
            let address = options[0] == "--listen" ? [] : ["--listen", "127.0.0.1:0"]
            let run = try Program.run(
                ["simulate", "serve", "--lang", language] + address + options)
            #expect(run.status == 2, "\(run.output)")
            #expect(run.errors.contains(sentence), "\(run.errors)")
        }
    }

    @Test("signs for the app that is named, and says what app.yaml needs")
    func ownApp() throws {
        let folder = try TemporaryFolder()
        let keys = folder.path + "/keys"
        let arguments = ["--bundle-id", "com.my.app", "--app-apple-id", "42", "--keys", keys]
        let address = ["--listen", "127.0.0.1:0", "--lang", "en"]
        let first = try Self.printed(arguments + address, lines: 18)
        for line in [
            "    bundle_id: com.my.app\n", "    apple_id: 42\n", "      jws: [{file: root.pem}]\n",
        ] { #expect(first.contains(line), "\(first)") }
        let root = try String(contentsOfFile: keys + "/receipt-root.pem", encoding: .utf8)
        // As a version before wrote it.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: keys + "/root.pem")
        _ = try Self.printed(arguments + address, lines: 7)
        let rights = [
            "AuthKey.p8": 0o600, "keys.json": 0o600, "receipt-root.pem": 0o644,
            "root.pem": 0o644,
        ]
        for (name, expected) in rights {
            let file = try FileManager.default.attributesOfItem(atPath: keys + "/" + name)
            #expect(file[.posixPermissions] as? Int == expected, "\(name)")
        }
        #expect(try String(contentsOfFile: keys + "/receipt-root.pem", encoding: .utf8) == root)
        #expect(
            try String(contentsOfFile: keys + "/keys.json", encoding: .utf8).contains(
                #""runs":"2""#))
        let other = try Program.run(["simulate", "serve", "--seed", "7", "--keys", keys] + address)
        #expect(other.errors.contains("belong to seed 2026"), "\(other.errors)")
    }

    @Test("sells what a policy sells, for its app")
    func policy() throws {
        let folder = try TemporaryFolder()
        _ = try Self.printed(
            [
                "--policies", Repository.path("policies"), "--out", folder.path, "--listen",
                "127.0.0.1:0", "--lang", "en",
            ], lines: 18)
        let settings = try String(
            contentsOfFile: folder.path + "/settings.json", encoding: .utf8)
        #expect(settings.contains(#""bundle_id":"com.example.reader""#), "\(settings)")
    }

    /// What a box prints until it has printed so many lines; then it is stopped.
    private static func printed(_ arguments: [String], lines: Int) throws -> String {
        let pipe = try ChildPipe()
        let box = try ChildProcess(
            Program.path, ["simulate", "serve"] + arguments,
            streams: ChildProcess.Streams(output: pipe.writing.fileDescriptor))
        defer {
            kill(box.id, SIGTERM)
            box.waitUntilExit()
        }
        try pipe.writing.close()
        var text = ""
        while text.count(where: { $0 == "\n" }) < lines {
            let more = pipe.reading.availableData
            try #require(!more.isEmpty, "\(text)")
            text += String(decoding: more, as: UTF8.self)
        }
        return text
    }

    @Test("a play with mistakes is told line by line")
    func play() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "usher: 1\nstory: x\nsteps:\n- 2026-01-01: G is this\n", to: "play.yaml")
        let run = try Program.run(
            ["simulate", "serve", "--play", folder.path + "/play.yaml", "--lang", "en"])
        #expect(run.status == 2)
        #expect(
            run.errors.contains("play.yaml:4:20: error: 'this' cannot stand here in a step"),
            "\(run.errors)")
    }
}
