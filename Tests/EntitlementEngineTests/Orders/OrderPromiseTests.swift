internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

@Suite("What orders promise", .timeLimit(.minutes(20)))
struct OrderPromiseTests {
    private static let person = AdminActionCause(actor: "uid:0", reason: "a test")

    /// Gives twice the coins, and a right more with the unlocking.
    private func promotion(_ shop: Shop) -> [PolicyText] {
        let promises = Shop.policy(trusting: shop.store, rules: "orders: {promise: 7d}")
        let text = String(decoding: promises[0].bytes, as: UTF8.self)
            .replacing("units: 100", with: "units: 200")
            .replacing("grants: [forever]", with: "grants: [forever, weekly]")
        return [PolicyText(path: "policy.yaml", text: text)] + promises.dropFirst()
    }

    /// A shop whose promotion ended a day after these orders were made.
    private func shop(
        orders: [(AccountID, ProductID)]
    ) async throws -> (shop: Shop, orders: [OrderID]) {
        let shop = try await Shop(now: "2026-03-01", policyGuard: .warn)
        _ = try await shop.engine.activate(promotion(shop))
        var ids: [OrderID] = []
        for (account, product) in orders {
            let request = OrderRequest(account: account, product: product, actor: "uid:7")
            guard case .done(let history) = try await shop.engine.makeOrder(request).report else {
                throw CancellationError()
            }
            ids.append(history.id)
        }
        try shop.clock.set("2026-03-02")
        _ = try await shop.engine.activate(Shop.policy(trusting: shop.store))
        return (shop, ids)
    }

    private func pay(
        _ shop: Shop, _ product: String, _ kind: ProductKind, at date: String, id: String,
        for order: OrderID?, as account: String
    ) async throws {
        try shop.clock.set(date)
        let payment = try shop.purchase(product, kind, id: id, at: date) {
            $0.appAccountToken = order?.text
        }
        try await shop.present(payment, as: account)
    }

    private func told(_ shop: Shop, _ order: OrderID) throws -> OrderAnswer {
        try #require(try shop.engine.questions.order(order, at: shop.clock.now()))
    }

    @Test("holds for a payment in time, and for nobody else")
    func inTime() async throws {
        let (shop, orders) = try await shop(orders: [
            ("alice", "coins"), ("bob", "coins"), ("alice", "unlock"),
        ])
        #expect(try told(shop, orders[0]).promisedUntil?.rfc3339 == "2026-03-08T00:00:00.000Z")
        try await pay(
            shop, "coins", .consumable, at: "2026-03-07T23:59:59.999Z", id: "501",
            for: orders[0], as: "alice")
        try await pay(
            shop, "unlock", .nonConsumable, at: "2026-03-07T23:59:59.999Z", id: "502",
            for: orders[2], as: "alice")
        try await pay(
            shop, "coins", .consumable, at: "2026-03-08", id: "503", for: orders[1], as: "bob")
        try await pay(
            shop, "unlock", .nonConsumable, at: "2026-03-08", id: "504", for: nil, as: "carol")
        #expect(try shop.coins("alice") == 200)
        #expect(try shop.coins("bob") == 100)
        #expect(try shop.answer("alice", "weekly").decision)
        #expect(try shop.answer("alice", "forever").decision)
        #expect(try !shop.answer("carol", "weekly").decision)
        #expect(try orders.map { try told(shop, $0).isPromiseKept } == [true, false, true])
        // A new start reads the same from the ledger.
        let again = try await shop.reopened(policyGuard: .warn)
        let (account, _) = try again.account("alice")
        #expect(account.balances(in: .production, at: shop.clock.now()).first?.balance == 200)
        try again.close()
    }

    @Test("ends where the payment leaves the order")
    func undone() async throws {
        let (shop, orders) = try await shop(orders: [("alice", "coins")])
        try shop.clock.set("2026-03-03")
        // Another account's purchase, which a person gives to the order and takes back.
        try await pay(
            shop, "coins", .consumable, at: "2026-03-03", id: "501", for: nil, as: "bob")
        #expect(try shop.coins("bob") == 100)
        _ = try await shop.engine.rule(on: orders[0], .settle("501"), Self.person)
        #expect(try shop.coins("alice") == 200)
        #expect(try told(shop, orders[0]).isPromiseKept == true)
        _ = try await shop.engine.rule(on: orders[0], .undo, Self.person)
        #expect(try shop.coins("alice") ?? 0 == 0)
        #expect(try shop.coins("bob") == 100)
        try shop.engine.close()
    }
}
