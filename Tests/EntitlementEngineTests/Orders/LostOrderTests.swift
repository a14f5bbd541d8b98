internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import TestSupport
internal import Testing

@Suite("Lost orders", .timeLimit(.minutes(20)))
struct LostOrderTests {
    private func make(
        _ shop: Shop, _ account: AccountID, _ product: ProductID = "coins"
    ) async throws -> OrderID {
        let report = try await shop.engine.makeOrder(
            OrderRequest(account: account, product: product, actor: "uid:7")
        ).report
        guard case .done(let history) = report else {
            Issue.record("no order")
            throw CancellationError()
        }
        return history.id
    }

    private func listed(
        _ shop: Shop, after place: LedgerSequence = .zero, limit: Int = 100
    ) throws -> LostOrderPage {
        try shop.engine.questions.lostOrders(
            after: place, at: shop.clock.now(), limit: limit)
    }

    @Test("come page by page, the oldest first, orders and payments together")
    func pages() async throws {
        let shop = try await Shop()
        var expected: [String] = []
        for number in 0..<7 {
            try shop.clock.set("2026-03-01T0\(number):00:00Z")
            if number == 3 {
                try await shop.present(
                    try shop.purchase("coins", .consumable, id: "900", at: "2026-03-01") {
                        $0.price = Price(milliunits: 990, currency: "USD")
                        $0.appTransactionID = "9001"
                    }, as: nil)
                expected.append("900")
            } else {
                expected.append(try await make(shop, "alice").text)
            }
        }
        try shop.clock.set("2026-03-01T06:29:59Z")
        var found: [LostOrder] = []
        var place: LedgerSequence? = .zero
        while let next = place {
            let page = try listed(shop, after: next, limit: 2)
            #expect(page.orders.count <= 2)
            found += page.orders
            place = page.next
        }
        // The newest is not due yet.
        #expect(
            found.map { $0.id?.text ?? $0.transaction?.text ?? "" }
                == Array(expected.dropLast()))
        #expect(found.map(\.ageSeconds) == [6, 5, 4, 3, 2, 1].map { $0 * 3_600 + 1_799 })
        let payment = found[3]
        #expect(payment.reason == .unclaimedPayment)
        #expect(payment.price?.milliunits == 990)
        #expect(payment.appleID?.text.hasSuffix("9001") == true)
        #expect(payment.command == "usher claims give 900 ACCOUNT --reason '…'")
        #expect(found[0].command == "usher orders refuse \(expected[0]) --reason '…'")
        let counts = try shop.engine.lostCounts(at: shop.clock.now())
        #expect(counts[.neverPaid]?.count == 5)
        #expect(counts[.neverPaid]?.oldestSeconds == 23_399)
        #expect(counts[.unclaimedPayment]?.count == 1)
        #expect(try listed(shop).next == nil)
        try shop.engine.close()
    }

    @Test("keep the time limit of the policy under which they were made")
    func policies() async throws {
        let shop = try await Shop(rules: "orders: {pay_within: 2h}", policyGuard: .warn)
        let patient = try await make(shop, "alice")
        let texts = Shop.policy(trusting: shop.store, rules: "orders: {pay_within: 10m}")
        let isActive = await shop.engine.activate(loaded: texts)
        #expect(isActive)
        let hasty = try await make(shop, "bob")
        try shop.clock.set("2026-03-01T00:10:00Z")
        #expect(try listed(shop).orders.map(\.id) == [hasty])
        try shop.clock.set("2026-03-01T02:00:00Z")
        #expect(try listed(shop).orders.map(\.id) == [patient, hasty])
        let counts = try shop.engine.lostCounts(at: shop.clock.now())
        #expect(counts[.neverPaid]?.count == 2)
        try shop.engine.close()
    }

    @Test("have the money of the payment where the order has none, and keep their age")
    func money() async throws {
        let shop = try await Shop()
        let order = try await make(shop, "alice")
        try await shop.present(
            try shop.purchase("coins", .consumable, id: "501", at: "2026-03-01") {
                $0.appAccountToken = order.text
                $0.price = Price(milliunits: 1_990, currency: "EUR")
            }, as: "alice")
        #expect(try listed(shop).orders.isEmpty)
        try shop.clock.set("2026-03-01T00:30:00Z")
        let lost = try #require(try listed(shop).orders.first)
        #expect(lost.reason == .notFinished)
        #expect(lost.price?.price == Price(milliunits: 1_990, currency: "EUR"))
        _ = try await shop.engine.report(
            OrderEventRequest(order: order, kind: .finished, actor: "uid:7"))
        #expect(try listed(shop).orders.isEmpty)
        try shop.engine.close()
    }

    @Test("that a page passes over do not end it: refunded, and the family's")
    func passedOver() async throws {
        let shop = try await Shop()
        for number in 1...4 {
            try await shop.present(
                try shop.purchase(
                    "unlock", .nonConsumable, id: "90\(number)", at: "2026-03-01"
                ) {
                    if number == 1 { $0.revocation = Revocation(date: shop.clock.now()) }
                    if number == 2 { $0.ownership = "FAMILY_SHARED" }
                }, as: nil)
        }
        try shop.clock.set("2026-03-01T00:30:00Z")
        let first = try listed(shop, limit: 1)
        #expect(first.orders.map(\.transaction?.text) == ["903"])
        let next = try #require(first.next)
        let second = try listed(shop, after: next, limit: 1)
        #expect(second.orders.map(\.transaction?.text) == ["904"])
        #expect(second.next == nil)
        try shop.engine.close()
    }
}
