internal import EntitlementEngine
internal import EntitlementModel
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

/// Looking ahead is for speed, and decides nothing.
@Suite("Questions that come together", .timeLimit(.minutes(20)))
struct TogetherTests {
    @Test("are answered as if each had come alone")
    func together() async throws {
        let shop = try await ServedShop()
        for name in ["alice", "bob", "carol"] {
            _ = try shop.engine.account(AccountID(unchecked: name))
        }
        var generator = SplitMix64(seed: 1)
        for round in 0..<200 {
            let usual = generator.pick(["alice", "bob"])
            let requests = (0..<2 + generator.below(40)).map { _ in
                // Mostly alike, so that much is looked ahead.
                generator.chance(3, in: 4)
                    ? Self.question(of: usual) : generator.pick(Self.others)
            }
            let alone = Self.answers(to: requests, from: shop.engine)
            #expect(Self.answers(to: [requests.joined()], from: shop.engine) == alone, "\(round)")
        }
        try shop.engine.close()
    }

    /// What one connection says to those pieces, one after the other.
    private static func answers(to pieces: [String], from engine: EntitlementEngine) -> String {
        var connection = Connection(
            answering: QuestionAnswering(source: engine, baseURL: ""), limits: HTTPLimits())
        var output: [UInt8] = []
        for piece in pieces {
            var next: Connection.Step? = connection.receive(Array(piece.utf8).span)
            while let step = next {
                output += connection.takeOutput()
                switch step {
                case .wait, .close: next = nil
                case .full: next = connection.proceed()
                case .cold(let work): next = connection.proceed(after: work.run())
                case .later, .stream: preconditionFailure("a question needs no task")
                }
            }
            output += connection.takeOutput()
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func question(of account: String, id: String = "7") -> String {
        let body = """
            {"subject":{"type":"account","id":"\(account)"},"action":{"name":"use"},\
            "resource":{"type":"entitlement","id":"premium"}}
            """
        return """
            POST /access/v1/evaluation HTTP/1.1\r\nHost: usher\r\nX-Request-ID: \(id)\r
            Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
    }

    private static let others = [
        question(of: "carol"), question(of: "carol", id: "8"), question(of: "no-one"),
        question(of: "a b"), question(of: #"ali\u0063e"#), question(of: ""),
        "GET /v1/accounts/alice/entitlements HTTP/1.1\r\nHost: usher\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: usher\r\n\r\n",
    ]
}
