internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import TestSupport
internal import Testing

/// Keys from before users had names in the ledger, and those of a service that has another number on
/// each machine (spec 3.1).
@Suite("A key that was used under a number", .timeLimit(.minutes(5)))
struct FormerActorTests {
    private static let account: AccountID = "alice"
    private static let number = "uid:7"
    /// The same user with its name, here and on a machine where it has another number.
    private static let named = ("user:shop", "uid:7")
    private static let elsewhere = ("user:shop", "uid:9")
    private static let stranger = ("user:other", "uid:8")

    private func cause(_ actor: (String, String)) -> AdminActionCause {
        AdminActionCause(actor: actor.0, formerActor: actor.1, reason: "a test")
    }

    private func spend(
        _ shop: Shop, _ cause: CreditCause, key: String, units: Int64 = 1, until: Instant? = nil
    ) async throws -> CreditReport {
        try await shop.engine.spend(
            SpendRequest(
                account: Self.account, parts: [CreditPart("coins", units)], until: until,
                key: key, cause: cause))
    }

    private func credit(_ actor: (String, String)) -> CreditCause {
        CreditCause(actor: actor.0, formerActor: actor.1)
    }

    private func sequence(_ report: CreditReport) -> LedgerSequence? {
        guard case .done(let answer) = report else { return nil }
        return answer.id
    }

    @Test("is that user's for grants and blocks, and nobody else's")
    func admin() async throws {
        let shop = try await Shop()
        func grant(_ key: GrantID, _ cause: AdminActionCause) async throws -> GrantRecord? {
            let report = try await shop.engine.grant(
                GrantRequest(
                    id: key, account: Self.account, gift: .credit("coins", units: 5),
                    cause: cause))
            guard case .done(let record) = report else { return nil }
            return record
        }
        func block(_ account: AccountID, _ cause: AdminActionCause) async throws -> BlockRecord? {
            let report = try await shop.engine.block(account, id: "b", cause)
            guard case .done(let record) = report else { return nil }
            return record
        }
        let before = AdminActionCause(actor: Self.number, reason: "a test")
        let someone = AdminActionCause(actor: "uid:1", reason: "a test")
        let first = try #require(try await grant("g", before))
        // Under a name that another one's key has made longer.
        _ = try await grant("h", someone)
        let second = try #require(try await grant("h", before))
        #expect(second.grant.value.id.text == "h@uid:7")
        let blocked = try #require(try await block("bob", before))
        let revision = shop.engine.revision
        let named = cause(Self.named)
        #expect(try await grant("g", named) == first)
        #expect(try await grant("h", named) == second)
        #expect(try await block("bob", named) == blocked)
        // The key stands for something else.
        #expect(try await block("carol", named) == nil)
        #expect(shop.engine.revision == revision)
        let theirs = try #require(try await grant("g", cause(Self.stranger)))
        #expect(theirs.grant.value.id.text == "g@user:other")
        // What is new is the name's, whatever the number.
        let new = try #require(try await grant("n", named))
        #expect(new.grant.value.actor == "user:shop")
        #expect(try await grant("n", cause(Self.elsewhere)) == new)
        try shop.engine.close()
    }

    @Test("is that user's for spends, holds and reversals, and nobody else's")
    func credits() async throws {
        let shop = try await Shop()
        _ = try await shop.engine.grant(
            GrantRequest(
                id: "g", account: Self.account, gift: .credit("coins", units: 100),
                cause: cause(Self.stranger)))
        let before = CreditCause(actor: Self.number)
        let until = shop.clock.now().advanced(byMilliseconds: 60_000)
        let spent = try #require(sequence(try await spend(shop, before, key: "s")))
        let held = try #require(sequence(try await spend(shop, before, key: "h", until: until)))
        func reverse(_ cause: CreditCause) async throws -> LedgerSequence? {
            sequence(
                try await shop.engine.reverse(
                    ReversalRequest(spend: spent, parts: nil, key: "r", cause: cause)))
        }
        let reversed = try #require(try await reverse(before))
        let revision = shop.engine.revision
        let named = credit(Self.named)
        #expect(sequence(try await spend(shop, named, key: "s")) == spent)
        #expect(sequence(try await spend(shop, named, key: "h", until: until)) == held)
        #expect(try await reverse(named) == reversed)
        // The key stands for something else.
        #expect(sequence(try await spend(shop, named, key: "s", units: 2)) == nil)
        #expect(shop.engine.revision == revision)
        #expect(sequence(try await spend(shop, credit(Self.stranger), key: "s")) != spent)
        let new = try #require(sequence(try await spend(shop, named, key: "n")))
        #expect(sequence(try await spend(shop, credit(Self.elsewhere), key: "n")) == new)
        try shop.engine.close()
    }

    @Test("is that user's for orders, and nobody else's")
    func orders() async throws {
        let shop = try await Shop()
        func order(_ key: String, _ actor: String, _ former: String?) async throws -> OrderID? {
            let report = try await shop.engine.makeOrder(
                OrderRequest(
                    account: Self.account, product: "coins", key: key, actor: actor,
                    formerActor: former)
            ).report
            guard case .done(let made) = report else { return nil }
            return made.id
        }
        let first = try #require(try await order("k", Self.number, nil))
        let revision = shop.engine.revision
        #expect(try await order("k", Self.named.0, Self.named.1) == first)
        #expect(shop.engine.revision == revision)
        // Another caller's key is another key.
        #expect(try await order("k", Self.stranger.0, Self.stranger.1) != first)
        #expect(shop.engine.revision > revision)
        try shop.engine.close()
    }
}
