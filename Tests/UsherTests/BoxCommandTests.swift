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
