internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import TestSupport
internal import Testing

private let support = AdminActionCause(actor: "uid:0", reason: "a test")
private let game = CreditCause(actor: "uid:7")

/// Several credits in one spend, and what refunds leave of odd shares.
@Suite("Several credits", .timeLimit(.minutes(20)))
struct SeveralCreditsTests {
    /// Ten coins and three gems.
    private static func shop(onRefund: String = "debt") async throws -> Shop {
        let shop = try await Shop(
            coins: "title: Coins, on_refund: \(onRefund)}, gems: {title: Gems")
        for (credit, units) in [("coins", 10), ("gems", 3)] as [(CreditName, Int64)] {
            _ = try await shop.engine.grant(
                GrantRequest(
                    id: GrantID(unchecked: "g-\(credit)"), account: "alice",
                    gift: .credit(credit, units: units), cause: support))
        }
        return shop
    }

    private static func spend(
        _ coins: Int64, _ gems: Int64, key: String, in shop: Shop, until: Instant? = nil
    ) async throws -> CreditReport {
        try await shop.engine.spend(
            SpendRequest(
                account: "alice", parts: [CreditPart("coins", coins), CreditPart("gems", gems)],
                until: until, key: key, cause: game))
    }

    private static func left(_ shop: Shop) throws -> [String] {
        try shop.engine.account("alice").packed.balances(in: .production, at: shop.clock.now())
            .map { "\($0.credit) \($0.balance) \($0.held)" }.sorted()
    }

    @Test(
        "where one of them is too little nothing is spent of any, and the first one is named",
        arguments: [
            (10, 4, "gems", 3), (11, 3, "coins", 10), (11, 4, "coins", 10),
        ] as [(Int64, Int64, CreditName, Int128)], [false, true])
    func insufficient(
        amounts: (coins: Int64, gems: Int64, named: CreditName, balance: Int128), holds: Bool
    ) async throws {
        let shop = try await Self.shop()
        let revision = shop.engine.revision
        let until = holds ? shop.clock.now().advanced(byMilliseconds: 60_000) : nil
        let report = try await Self.spend(
            amounts.coins, amounts.gems, key: "a", in: shop, until: until)
        #expect(
            report.rejection == .insufficient(amounts.named, balance: amounts.balance))
        #expect(shop.engine.revision == revision)
        #expect(try Self.left(shop) == ["coins 10 0", "gems 3 0"])
        // The key of what was not done is free.
        #expect(
            try await Self.spend(10, 3, key: "a", in: shop).done?.balances.map(\.balance) == [0, 0])
    }

    @Test("all of them are spent, held, captured in part and given back in part")
    func all() async throws {
        let shop = try await Self.shop()
        let spent = try #require(try await Self.spend(4, 1, key: "a", in: shop).done)
        #expect(spent.balances.map { "\($0.credit) \($0.balance)" } == ["coins 6", "gems 2"])
        let until = shop.clock.now().advanced(byMilliseconds: 60_000)
        let held = try #require(try await Self.spend(5, 2, key: "h", in: shop, until: until).done)
        #expect(held.balances.map(\.held) == [5, 2])
        #expect(try Self.left(shop) == ["coins 1 5", "gems 0 2"])
        let captured = try await shop.engine.endHold(
            HoldEndRequest(
                hold: try #require(held.id), captured: [CreditPart("gems", 2)], cause: game))
        #expect(captured.done != nil)
        #expect(try Self.left(shop) == ["coins 6 0", "gems 0 0"])
        _ = try await shop.engine.reverse(
            ReversalRequest(
                spend: try #require(spent.id), parts: [CreditPart("gems", 1)], key: "r",
                cause: game))
        #expect(try Self.left(shop) == ["coins 6 0", "gems 1 0"])
    }

    @Test("one that is frozen or blocked keeps all of them, and the other is spent alone")
    func stopped() async throws {
        let shop = try await Self.shop(onRefund: "freeze")
        let revoked = shop.clock.now().advanced(byMilliseconds: -60_000)
        try await shop.present(
            shop.purchase("coins", .consumable, id: "1") {
                $0.revocation = Revocation(date: revoked, percentage: 50_000)
            }, as: "alice")
        #expect(try await Self.spend(1, 1, key: "a", in: shop).rejection == .frozen("coins"))
        _ = try await shop.engine.block(
            "alice", scope: BlockScope(entitlements: [], credits: ["gems"]), id: "b", support)
        // A person's stop comes first.
        #expect(try await Self.spend(1, 1, key: "a", in: shop).rejection == .blocked("gems"))
        #expect(try Self.left(shop) == ["coins 60 0", "gems 3 0"])
        _ = try await shop.engine.liftBlock("b", support)
        let gems = SpendRequest(
            account: "alice", parts: [CreditPart("gems", 1)], key: "a", cause: game)
        #expect(try await shop.engine.spend(gems).done?.balances.map(\.balance) == [2])
    }

    @Test(
        "a refund never takes more than its share, and a line says what it took",
        arguments: [
            (nil, 1, 100), (100_000, 3, 300), (1, 1, 0), (999, 1, 0), (1_000, 1, 1),
            (33_333, 1, 33), (33_333, 3, 99), (66_667, 3, 200), (99_999, 1, 99), (50_001, 7, 350),
        ] as [(Int64?, Int64, Int64)])
    func share(percentage: Int64?, quantity: Int64, taken: Int64) async throws {
        let shop = try await Shop()
        let revoked = shop.clock.now().advanced(byMilliseconds: -60_000)
        try await shop.present(
            shop.purchase("coins", .consumable, id: "1") {
                $0.quantity = quantity
                $0.revocation = Revocation(date: revoked, percentage: percentage)
            }, as: "alice")
        #expect(taken * 100_000 <= 100 * quantity * (percentage ?? 100_000))
        let (packed, _) = try shop.engine.account("alice")
        let found = packed.balances(in: .production, at: shop.clock.now())
        let lines = found.flatMap(\.entries).map { "\($0.cause.rawValue) \($0.units)" }
        let delivered = "delivery \(100 * quantity)"
        #expect(lines == (taken == 0 ? [delivered] : [delivered, "claw-back \(-taken)"]))
        #expect(found.map(\.balance) == [Int128(100 * quantity - taken)])
    }
}

extension CreditReport {
    fileprivate var done: CreditActionAnswer? {
        guard case .done(let answer) = self else { return nil }
        return answer
    }

    fileprivate var rejection: CreditRejection? {
        guard case .rejected(let rejection) = self else { return nil }
        return rejection
    }
}
