internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import Testing

@Suite("What a policy says of heirs and of limits", .timeLimit(.minutes(20)))
struct InheritanceTests {
    private static let rules = """
        account_switch:
          - {name: one Apple ID, then: inherit}
          - {name: may move, when: {moment: restore}, then: transfer,
             limits: {cooldown: 7d, else: ask}}
        """

    private static func present(
        _ id: String, as account: String?, in shop: Shop
    ) async throws -> JudgedSubmission? {
        let bytes = try shop.purchase("unlock", .nonConsumable, id: id) {
            $0.appTransactionID = "70"
            $0.reason = .renewal
        }
        return try await shop.present(bytes, as: account, moment: .restore).judged
    }

    @Test("whatever tells of it gives the heir what nobody owns, and nobody else gets it")
    func heir() async throws {
        let shop = try await Shop(rules: Self.rules, on: .file)
        _ = try await Self.present("1", as: "alice", in: shop)
        let denied = try await Self.present("2", as: "bob", in: shop)
        #expect(denied?.transactions.map(\.standing) == [.denied(.kept)])
        #expect(denied?.transactions.map(\.owners) == [[]])
        let told = try await Self.present("2", as: nil, in: shop)
        #expect(told?.transactions.map(\.owners) == [["al***"]])
        try shop.engine.close()
        let audit = try shop.ledger.audit()
        #expect(audit.problems == [])
        #expect(audit.decisions == 3)
    }

    @Test("a claim beyond a limit waits until a person rules or the limit has passed")
    func beyondALimit() async throws {
        let shop = try await Shop(rules: Self.rules, on: .file)
        _ = try await Self.present("1", as: "alice", in: shop)
        _ = try await Self.present("1", as: "bob", in: shop)
        let waiting = try await Self.present("1", as: "alice", in: shop)
        #expect(waiting?.transactions.map(\.standing) == [.denied(.waiting)])
        #expect(try shop.engine.questions.waitingClaims().claims.map(\.account) == ["alice"])
        try shop.clock.set("2026-03-08")
        let moved = try await Self.present("1", as: "alice", in: shop)
        #expect(moved?.transactions.map(\.owners) == [["alice"]])
        // It was judged anew, and waits no longer.
        #expect(try shop.engine.questions.waitingClaims().claims.isEmpty)
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems == [])
    }
}
