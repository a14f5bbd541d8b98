internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import Testing

/// Threats G14 and H15: whatever the clock is set to, what has ended stays ended.
@Suite("A clock that is set", .timeLimit(.minutes(20)))
struct ClockStepTests {
    private static let right = RightKey(.production, EntitlementName("premium"))

    /// Alice's gold has ended; the newest entry is of the first of April.
    private func shop() async throws -> Shop {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        try shop.clock.set("2026-04-01")
        try await shop.present(shop.purchase("coins", .consumable, id: "2"), as: "bob")
        return shop
    }

    private func mayUse(_ engine: EntitlementEngine) throws -> Bool {
        let (packed, revision) = try engine.account(AccountID("alice"))
        return try ToldAnswer(
            packed.answer(Self.right, at: engine.now(), revision: revision)
        ).decision
    }

    @Test(
        "answers as of no earlier than five minutes before the newest entry",
        arguments: [
            ("2025-04-01", "2026-03-31T23:55:00Z", true),
            ("2026-03-10", "2026-03-31T23:55:00Z", true),
            ("2026-03-31T23:54:59.999Z", "2026-03-31T23:55:00Z", true),
            ("2026-03-31T23:55:00Z", "2026-03-31T23:55:00Z", false),
            ("2026-03-31T23:58:00Z", "2026-03-31T23:58:00Z", false),
            ("2036-04-01", "2036-04-01", false),
        ])
    func answers(shown: String, instant: String, isBehind: Bool) async throws {
        let shop = try await shop()
        #expect(try !mayUse(shop.engine))
        try shop.clock.set(shown)
        #expect(shop.engine.now() == Instant(rfc3339: instant))
        #expect(shop.engine.isClockBehind == isBehind)
        #expect(try !mayUse(shop.engine))
        let reopened = try await shop.reopened()
        #expect(try !mayUse(reopened))
        try reopened.close()
    }

    @Test("every kind of entry moves the floor on: an admin action and a policy, too")
    func everyEntry() async throws {
        let shop = try await shop()
        try shop.clock.set("2026-05-01")
        _ = try await shop.engine.activate(Shop.policy(trusting: shop.store, leeway: "2h"))
        try shop.clock.set("2026-02-21")
        #expect(shop.engine.now() == Instant(rfc3339: "2026-04-30T23:55:00Z"))
        #expect(try !mayUse(shop.engine))
    }

    @Test("what is recorded under a clock that was set back is recorded no earlier than the rest")
    func recording() async throws {
        let shop = try await shop()
        let before = try shop.engine.ledgerCondition()
        try shop.clock.set("2026-02-25")
        let report = try await shop.present(
            shop.purchase("coins", .consumable, id: "3"), as: "bob")
        #expect(report.judged != nil)
        let after = try shop.engine.ledgerCondition()
        #expect(after.head.sequence > before.head.sequence)
        #expect(after.head.recordedAt == before.head.recordedAt)
    }
}
