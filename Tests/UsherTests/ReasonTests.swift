internal import Foundation
internal import TestSupport
internal import Testing

/// What a person reads of why a right ended (spec 1.10).
@Suite("Reasons", .timeLimit(.minutes(20)))
struct ReasonTests {
    private static let play = """
        usher: 1
        story: Rights that end for different reasons
        ids: reasons
        products:
          gold: {id: gold, kind: auto-renewable, group: "1", period: 1mo}
          silver: {id: silver, kind: auto-renewable, group: "1", period: 1mo}
          sports: {id: sports, kind: auto-renewable, group: "2", period: 1mo}
        steps:
          - 2026-01-02: ana buys gold with Apple ID family-ipad as G
          - 2026-01-03: G is shared with bo as B
          - 2026-01-04: cleo buys gold with Apple ID cleo-ipad as C
          - 2026-01-06: B is unshared
          - 2026-01-07: dan buys sports with Apple ID family-ipad as D without presenting it
          - 2026-01-08: eve buys gold with Apple ID eve-ipad as E
          - 2026-01-11: C downgrades to silver
          - 2026-02-04: C renews
        """

    @Test("are the family's, a change of product, and silence; unclaimed payments are told beside")
    func causes() throws {
        let folder = try TemporaryFolder()
        let service = try Self.service(in: folder)
        func usher(_ line: String, _ language: String = "en") throws -> String {
            let words = line.split(separator: " ").map(String.init)
            return try Program.run(
                words + ["--lang", language], environment: ["USHER_SOCKETS": service.sockets],
                folder: folder.path
            ).output
        }
        for (line, english, chinese) in [
            (
                "explain bo premium --at 2026-01-08",
                "removed from Family Sharing by the organiser on 2026-01-06T00:00:00Z",
                "已被组织者移出家人共享（2026-01-06T00:00:00Z）"
            ),
            (
                "explain cleo hd --at 2026-02-20", "the subscription changed from gold to silver",
                "该订阅已由 gold 变更为 silver"
            ),
            (
                "explain eve premium --at 2026-05-01",
                "expired: no message from Apple since 2026-01-08T00:00:00Z",
                "自 2026-01-08T00:00:00Z 起未收到 Apple 的消息"
            ),
        ] {
            // Long lines are folded.
            let words = try usher(line).split(whereSeparator: \.isWhitespace)
            #expect(words.joined(separator: " ").contains(english))
            #expect(try usher(line, "zh").contains(chinese))
        }
        #expect(try !usher("explain cleo hd --at 2026-01-20").contains("from gold to silver"))
        let key = try #require(try usher("show ana").firstMatch(of: /atx:[a-z]+:[0-9]+/)).output
        let title = "payments on this Apple ID that no account has claimed"
        let explain = "explain ana premium --at 2026-01-09"
        #expect(try usher(explain + " --apple-id \(key)").contains(title))
        #expect(try !usher(explain).contains(title))
        #expect(try usher("findings").contains("no findings"))
        #expect(service.stop() == 0)
    }

    private static func service(in folder: TemporaryFolder) throws -> RunningService {
        try folder.write(play, to: "play.yaml")
        let played = try Program.run(
            ["simulate", "play", "play.yaml", "--out", "out"], folder: folder.path)
        #expect(played.status == 0, "\(played.errors)")
        let policies = folder.path + "/policies"
        let manager = FileManager.default
        try manager.copyItem(atPath: Repository.path("fixtures/plays/policy"), toPath: policies)
        for name in ["root.pem", "receipt-root.pem"] {
            try manager.copyItem(
                atPath: folder.path + "/out/" + name, toPath: policies + "/" + name)
        }
        let service = try RunningService(folder: folder.path, policies: policies)
        let taken = try Program.run(
            ["ingest", "out/evidence.jsonl", "--sockets", service.sockets], folder: folder.path)
        #expect(taken.status == 0, "\(taken.output)")
        return service
    }
}
