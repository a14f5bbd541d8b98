internal import EntitlementModel
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// A start loads accounts before anybody asks, those asked about last first.
@Suite("Accounts loaded after a start", .timeLimit(.minutes(20)))
struct WarmUpTests {
    private static let owners: [AccountID] = ["alice", "bob", "carol", "dora"]

    private static func shop() async throws -> Shop {
        let shop = try await Shop()
        for (place, owner) in owners.enumerated() {
            try await shop.present(
                shop.purchase("unlock", .nonConsumable, id: "\(place + 1)"), as: owner.text)
        }
        return shop
    }

    @Test("everybody is in memory though nobody has asked, the last ones as recently asked about")
    func loads() async throws {
        let shop = try await Self.shop()
        let hint = LinesInMemory()
        shop.engine.warmUp(by: hint)
        await shop.engine.rederivation.finished()
        #expect(Self.owners.allSatisfy { shop.engine.cachedAccount($0) != nil })
        let engine = try await shop.reopened()
        #expect(hint.count == 1, "the stop has remembered them")
        engine.warmUp(by: hint)
        await engine.rederivation.finished()
        #expect(Set(engine.cache.recent.accounts) == Set(Self.owners))
        let key = RightKey(.production, "forever")
        for owner in Self.owners {
            let (packed, revision) = try #require(engine.cachedAccount(owner))
            #expect(packed.answer(key, at: engine.now(), revision: revision).decision)
        }
        try engine.close()
    }

    @Test(
        "a hint that is wrong, or of another ledger, does no harm",
        arguments: ["", "1 1 1", "9999 -4 0 2", "x 1.5 99999999999999999999999 2", "\u{0}"])
    func wrongHints(line: String) async throws {
        let shop = try await Self.shop()
        let hint = LinesInMemory()
        hint.replace(with: [Array(line.utf8), Array("2".utf8)])
        shop.engine.warmUp(by: hint)
        await shop.engine.rederivation.finished()
        for owner in Self.owners {
            let packed = try #require(shop.engine.cachedAccount(owner)).packed
            #expect(packed.account == owner)
        }
        try shop.engine.close()
    }

    @Test("no more are loaded than there is room for")
    func room() async throws {
        let shop = try await Self.shop()
        try shop.engine.close()
        var options = EngineOptions(
            ledger: shop.ledger, policyTexts: Shop.policy(trusting: shop.store), clock: shop.clock,
            accountsInMemory: 2)
        options.creditsInMemory = 0
        let engine = try await EntitlementEngine.open(options)
        engine.warmUp(by: LinesInMemory())
        await engine.rederivation.finished()
        #expect((1...2).contains(engine.accountsInMemory))
        try engine.close()
    }
}
