internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import TestSupport
internal import Testing

@Suite("What clients report of orders", .timeLimit(.minutes(20)))
struct OrderReportTests {
    private func order(_ shop: Shop) async throws -> OrderID {
        let request = OrderRequest(account: "alice", product: "coins", actor: "uid:7")
        guard case .done(let history) = try await shop.engine.makeOrder(request).report else {
            throw CancellationError()
        }
        return history.id
    }

    private func report(
        _ shop: Shop, _ order: OrderID, naming transaction: TransactionID
    ) async throws -> String {
        let report = try await shop.engine.report(
            OrderEventRequest(
                order: order, kind: .paying, transaction: transaction, actor: "uid:7"))
        switch report {
        case .done(let history), .inFlight(let history): return history.recordedState.rawValue
        case .rejected(let rejection): return rejection.code.rawValue
        }
    }

    @Test("twenty reported transactions wait to be presented, and no more")
    func mostReported() async throws {
        let shop = try await Shop()
        let order = try await order(shop)
        for number in 501...520 {
            let id = TransactionID(unchecked: "\(number)")
            #expect(try await report(shop, order, naming: id) == "paying")
        }
        let other = try await self.order(shop)
        #expect(try await report(shop, other, naming: "521") == "order.too-many-reported")
        // What waits already is no other one.
        #expect(try await report(shop, other, naming: "520") == "paying")
        try await shop.present(
            try shop.purchase("coins", .consumable, id: "530", at: "2026-03-01"), as: "bob")
        // What is known waits for nobody: whose order it pays is seen at once.
        #expect(try await report(shop, other, naming: "530") == "paid")
        try await shop.present(
            try shop.purchase("coins", .consumable, id: "501", at: "2026-03-01"), as: "alice")
        let third = try await self.order(shop)
        #expect(try await report(shop, third, naming: "521") == "paying")
        try shop.engine.close()
    }

    @Test("a payment of an order that a person has settled is found by all who look for it")
    func presentedByOther() async throws {
        let shop = try await Shop()
        let order = try await order(shop)
        try await shop.present(
            try shop.purchase("coins", .consumable, id: "501", at: "2026-03-01"), as: "bob")
        let page = try shop.engine.questions.findings(
            of: .orderPresentedByOther, after: nil, at: shop.clock.now(), limit: 10)
        let finding = try #require(page.findings.first)
        #expect(finding.accounts == ["alice", "bob"])
        let told = try shop.engine.questions.order(order, at: shop.clock.now())
        #expect(told?.state == .created)
        #expect(told?.events.last?.event == .seen)
        #expect(told?.events.last?.presenter == "bob")
        #expect(told?.events.last?.transaction == "501")
        try shop.engine.close()
    }
}
