internal import EntitlementModel
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("usher ingest", .timeLimit(.minutes(20)))
struct IngestCommandTests {
    /// What happens while the first of two batches is with the service.
    enum Trouble: String, CaseIterable {
        case interrupted
        case hungUp
    }

    @Test(
        "what was interrupted says how far it came, and goes on from there",
        arguments: Trouble.allCases)
    func resumes(trouble: Trouble) throws {
        let folder = try TemporaryFolder()
        let lines = (1...250).map { #"{"payload": "piece \#($0)"}"# + "\n" }
        try folder.write(lines.joined(), to: "all.jsonl")
        let stub = try ServiceStub()
        let command = [
            "ingest", folder.path + "/all.jsonl", "--sockets", stub.sockets, "--lang", "en",
        ]
        let first = try Program.run(command) { process in
            try stub.answer { body in
                if trouble == .interrupted {
                    kill(process.id, SIGTERM)
                    try process.wait(for: "stopping after")
                }
                return try Self.accepting(body, from: "piece 1")
            }
            if trouble == .hungUp { try stub.answer { _ in nil } }
        }
        #expect(first.status == 2)
        #expect(
            first.output
                == "100 submitted: 100 accepted, 0 quarantined, 0 refused; claims denied: 0\n")
        let way =
            "stopped after 100: repeat the command with --skip 100 to continue; submitting "
            + "everything again is safe, known evidence is not recorded twice\n"
        #expect(first.errors.hasSuffix(way))
        let isFirst = first.errors.hasPrefix("stopping after the current batch")
        #expect(isFirst == (trouble == .interrupted))
        let second = try Program.run(command + ["--skip", "100"]) { _ in
            try stub.answer { try Self.accepting($0, from: "piece 101") }
            try stub.answer { try Self.accepting($0, from: "piece 201") }
        }
        #expect(second.status == 0, "\(second.errors)")
        #expect(
            second.output
                == "150 submitted: 150 accepted, 0 quarantined, 0 refused; claims denied: 0\n")
    }

    /// Accepts a batch that begins with a piece.
    private static func accepting(_ body: String, from payload: String) throws -> String {
        let pieces = try #require(parseJSON(Array(body.utf8)).elements)
        #expect(pieces.first?["payload"]?.string == payload)
        return JSONValue.array(pieces.map { _ in ServiceStub.report() }).text
    }

    @Test("a page of the App Store Server API, saved as a file, is taken apart")
    func page() throws {
        let folder = try TemporaryFolder()
        let page = #"{"signedTransactions":["piece 1","piece 2"],"hasMore":false}"#
        try folder.write(page, to: "page.json")
        try folder.write(#"{"account": "ann", "file": "page.json"}"# + "\n", to: "all.jsonl")
        let stub = try ServiceStub()
        let files = ["/page.json", "/all.jsonl"].map { folder.path + $0 }
        let run = try Program.run(
            ["ingest"] + files + ["--sockets", stub.sockets, "--lang", "en"]
        ) { _ in
            try stub.answer { body in
                let pieces = try #require(parseJSON(Array(body.utf8)).elements)
                #expect(pieces.map { $0["account"]?.string } == [nil, nil, "ann", "ann"])
                return try Self.accepting(body, from: "piece 1")
            }
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("4 submitted: 4 accepted"))
    }

    @Test("the report groups what was refused by why, with the first places of each")
    func report() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let good = try shop.purchase("unlock", .nonConsumable, id: 1)
        var lines = ["alice", "mallory"].map {
            #"{"account": "\#($0)", "moment": "restore", "payload": "\#(good)"}"#
        }
        lines += (1...5).map { _ in #"{"payload": "\#(good.dropLast(8))AAAAAAAA"}"# }
        lines += [
            #"{"acount": "alice", "payload": "misspelt"}"#, "{", #"{"file": "none.jws"}"#,
            #"{"payload": "\#(good)", "recorded_at": "2020-01-01T00:00:00Z"}"#, "",
        ]
        try shop.folder.write(lines.joined(separator: "\n"), to: "all.jsonl")
        let file = shop.folder.path + "/all.jsonl"
        let sockets = ["--sockets", service.sockets, "--lang"]
        let run = try Program.run(["ingest", file] + sockets + ["en"])
        #expect(run.status == 1)
        #expect(
            run.output == """
                refused, 1: the file cannot be read [ingest.file]
                  \(file):10
                refused, 2: this is not a line of evidence [ingest.line]
                  \(file):8
                  \(file):9
                refused, 1: recorded_at is only for imports into a ledger (--ledger)
                  [ingest.not-imported]
                  \(file):11
                refused, 5: invalid signature [jws.signature]
                  \(file):3
                  \(file):4
                  \(file):5
                  and 2 more
                claims, 1: denied: the owner keeps it [kept]
                  \(file):2
                11 submitted: 2 accepted, 0 quarantined, 9 refused; claims denied: 1

                """)
        let json = try Program.run(["ingest", file, "--json"] + sockets + ["zh"])
        #expect(json.status == 1)
        let results = try json.output.split(separator: "\n").map { try parseJSON(Array($0.utf8)) }
        #expect(results.count == 12)
        #expect(
            results.last?["summary"]?.text
                == #"{"submitted":11,"accepted":2,"claims_denied":1,"quarantined":0,"refused":9}"#)
        #expect(results.count { $0["result"]?["code"]?.string == "jws.signature" } == 5)
        let chinese = try Program.run(["ingest", file, "--skip", "7"] + sockets + ["zh"])
        #expect(chinese.output.hasSuffix("共提交 4 条：接受 0 条，隔离 0 条，拒绝 4 条；认领被拒绝 0 项\n"))
        #expect(service.stop() == 0)
    }

    @Test(
        "the bar tells how much, how fast and how long yet",
        arguments: [
            (1_000, 0, 250, 50, 10, "██████░░░░░░░░░░░░░░░░░░ 25%  50 submitted  5/s  0:30 left"),
            (1_000, 500, 750, 50, 10, "██████████████████░░░░░░ 75%  50 submitted  5/s  0:10 left"),
            (1_000, 0, 1, 1, 9, "░░░░░░░░░░░░░░░░░░░░░░░░ 0%  1 submitted  0/s  2:29:51 left"),
            (nil, 0, 250, 50, 10, "50 submitted  5/s"),
            (0, 0, 0, 0, 0, "0 submitted  0/s"),
        ] as [(Int?, Int, Int, Int, Int, String)])
    func bar(
        total: Int?, skipped: Int, bytes: Int, pieces: Int, seconds: Int, line: String
    ) {
        let progress = IngestProgress(total: total, skipped: skipped, language: .english)
        let elapsed = Duration.seconds(seconds)
        #expect(progress.line(pieces: pieces, refused: 0, bytes: bytes, after: elapsed) == line)
        let refused = progress.line(pieces: pieces, refused: 3, bytes: bytes, after: elapsed)
        #expect(refused == line + "  3 refused")
    }

    @Test(
        "a file is read line by line, wherever its chunks end",
        arguments: [[], [1], [1, 1], [0, 0, 1], [70_000, 1], [65_535, 65_536], [200_000]],
        [true, false])
    func lines(lengths: [Int], endsWithLineEnd: Bool) throws {
        let folder = try TemporaryFolder()
        let lines = lengths.map { String(repeating: "x", count: $0) }
        let isEnded = endsWithLineEnd && !lines.isEmpty
        let text = lines.joined(separator: "\n") + (isEnded ? "\n" : "")
        try folder.write(text, to: "lines")
        var file = try LineFile(folder.path + "/lines")
        var read: [Int] = []
        while let line = try file.next() { read.append(line.count) }
        #expect(read == lengths)
        #expect(file.bytesRead == text.utf8.count)
        #expect(file.lineNumber == lengths.count)
    }

    @Test("a line without an end is not read for ever")
    func longLine() throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "x", count: 1_001), to: "lines")
        var file = try LineFile(folder.path + "/lines", limit: 1_000)
        #expect(throws: InputFile.Failure.tooLarge) { try file.next() }
    }
}
