internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import StoreBox
internal import TestSupport
internal import Testing

@Suite("Orders", .timeLimit(.minutes(20)))
struct OrderTests {
    private func made(_ report: OrderReport) throws -> OrderHistory {
        switch report {
        case .done(let history), .inFlight(let history): return history
        case .rejected(let rejection):
            Issue.record("rejected: \(rejection.code)")
            throw CancellationError()
        }
    }

    private func code(_ report: OrderReport) -> String? {
        guard case .rejected(let rejection) = report else { return nil }
        return rejection.code.rawValue
    }

    @Test("are made once under one key, and another content is a conflict")
    func keys() async throws {
        let shop = try await Shop()
        var request = OrderRequest(account: "alice", product: "coins", key: "k-1", actor: "uid:7")
        let first = try made(try await shop.engine.makeOrder(request).report)
        #expect(try made(try await shop.engine.makeOrder(request).report) == first)
        request.quantity = 2
        #expect(code(try await shop.engine.makeOrder(request).report) == "order.conflict")
        // Another caller's key is another key (THREATS.md E6).
        request.actor = "uid:8"
        #expect(try made(try await shop.engine.makeOrder(request).report).id != first.id)
        try shop.engine.close()
    }

    @Test("are for what can be bought, and for as many as can be")
    func bounds() async throws {
        let shop = try await Shop()
        func order(_ product: ProductID, _ quantity: Int64) async throws -> String? {
            code(
                try await shop.engine.makeOrder(
                    OrderRequest(
                        account: "alice", product: product, quantity: quantity, actor: "uid:7")
                ).report)
        }
        #expect(try await order("coins", 1_000) == nil)
        for quantity in [0, -1, 1_001, .max] as [Int64] {
            #expect(try await order("coins", quantity) == "order.quantity")
        }
        #expect(try await order("gold", 2) == "order.quantity")
        #expect(try await order("nothing", 1) == "order.blocked")
        try shop.engine.close()
    }

    @Test("64 clients that send the same at once deliver it once, by one order")
    func races() async throws {
        let shop = try await Shop(on: .memory)
        let order = try made(
            try await shop.engine.makeOrder(
                OrderRequest(account: "alice", product: "coins", actor: "uid:7")
            ).report)
        let payments = try (1...4).map { number in
            try shop.purchase("coins", .consumable, id: "\(500 + number)", at: "2026-03-01") {
                $0.appAccountToken = order.id.text
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<64 {
                group.addTask {
                    if client % 4 == 0 {
                        _ = try await shop.engine.report(
                            OrderEventRequest(
                                order: order.id, kind: .paying,
                                transaction: TransactionID(unchecked: "501"), actor: "uid:7"))
                    }
                    try await shop.present(
                        payments[client % 4], as: client % 8 < 4 ? "alice" : nil)
                }
            }
            try await group.waitForAll()
        }
        #expect(try shop.coins("alice") == 400)
        let orders = try shop.engine.questions.orders(
            of: "alice", at: shop.clock.now(), limit: 100
        ).orders
        #expect(orders.count == 4)
        #expect(Set(orders.compactMap(\.transaction)).count == 4)
        #expect(orders.allSatisfy { $0.state == .delivered })
        for order in orders {
            #expect(order.events.filter { $0.event == .delivered }.count == 1)
        }
        try shop.engine.close()
    }

    @Test("say what the payment says otherwise, and deliver what was paid")
    func differences() async throws {
        let shop = try await Shop()
        let order = try made(
            try await shop.engine.makeOrder(
                OrderRequest(
                    account: "alice", product: "coins", quantity: 3,
                    price: Price(milliunits: 990, currency: "USD"), actor: "uid:7")
            ).report)
        try await shop.present(
            try shop.purchase("coins", .consumable, id: "501", at: "2026-03-01") {
                $0.appAccountToken = order.id.text
                $0.quantity = 2
                $0.price = Price(milliunits: 1_990, currency: "USD")
            }, as: "alice")
        let told = try #require(
            try shop.engine.questions.order(order.id, at: shop.clock.now()))
        #expect(told.events.first { $0.event == .paid }?.differences == [.quantity, .price])
        #expect(try shop.coins("alice") == 200)
        try shop.engine.close()
    }

    @Test("that evidence names are told where they were not used")
    func named() async throws {
        let shop = try await Shop()
        var orders: [OrderID] = []
        for _ in 1...2 {
            let request = OrderRequest(account: "alice", product: "coins", actor: "uid:7")
            orders.append(try made(try await shop.engine.makeOrder(request).report).id)
        }
        func send(
            _ id: String, _ order: OrderID?, token: OrderID? = nil
        ) async throws -> [String?] {
            let payment = try shop.purchase("coins", .consumable, id: id, at: "2026-03-01") {
                $0.appAccountToken = token?.text
            }
            let reports = try await shop.engine.submit([
                EvidenceSubmission(payload: payment, account: "alice", order: order)
            ])
            let report = reports.first?.judged
            return [report?.orderProblem?.rawValue, report?.transactions.first?.order?.text]
        }
        let (first, second) = (orders[0], orders[1])
        let told = try await [
            send("501", first), send("502", first, token: second),
        ]
        #expect(told == [[nil, first.text], ["order.payment", second.text]])
        let nobody = OrderID(unchecked: "00000000-0000-4000-8000-000000000000")
        // What names no purchase is nobody's payment, whatever the order.
        let renewal = SimulatedRenewal(
            originalTransactionID: "501", productID: "gold", renewalDate: nil,
            signedDate: shop.clock.now())
        let infos = try await shop.engine.submit([
            EvidenceSubmission(
                payload: shop.store.sign(renewal.payload), account: "alice", order: first)
        ])
        #expect(infos.first?.judged?.orderProblem == .payment)
        // Nor does what is quarantined pay anything.
        let impossible = try shop.purchase("coins", .consumable, id: "504", at: "2026-03-01") {
            $0.quantity = 1_001
        }
        let kept = try await shop.engine.submit([
            EvidenceSubmission(payload: impossible, account: "alice", order: first)
        ]).first?.judged
        #expect((kept?.quarantined.count, kept?.transactions.count) == (1, 0))
        #expect(kept?.orderProblem == .payment)
        let unknown = try await send("503", nobody)
        #expect(unknown == ["order.unknown", nil])
        #expect(try shop.coins("alice") == 300)
        try shop.engine.close()
    }

    @Test("are delivered where a person gives the account what it paid for")
    func ruled() async throws {
        let shop = try await Shop()
        // Bob's claim comes first, and alice's order is paid without a right.
        let payment = try shop.purchase("unlock", .nonConsumable, id: "501", at: "2026-03-01")
        try await shop.present(payment, as: "bob")
        let order = try made(
            try await shop.engine.makeOrder(
                OrderRequest(account: "alice", product: "unlock", actor: "uid:7")
            ).report)
        let report = try await shop.engine.submit([
            EvidenceSubmission(payload: payment, account: "alice", order: order.id)
        ]).first?.judged
        #expect(report?.transactions.first?.order == order.id)
        func state() throws -> OrderState? {
            let told = try shop.engine.questions.order(order.id, at: shop.clock.now())
            return told?.state
        }
        #expect(try state() == .paid)
        let claims = try shop.engine.questions.report(on: "alice", at: shop.clock.now()).claims
        let claim = try #require(claims.first { $0.account == "alice" })
        _ = try await shop.engine.rule(
            RulingRequest(
                verb: .transfer, claim: claim.claim,
                cause: AdminActionCause(actor: "uid:0", reason: "a test")))
        #expect(try state() == .delivered)
        #expect(try shop.answer("alice", "forever").decision)
        try shop.engine.close()
    }

    @Test("of somebody else are not used, and what was handed in is kept (THREATS.md D28)")
    func foreign() async throws {
        let shop = try await Shop()
        let order = try made(
            try await shop.engine.makeOrder(
                OrderRequest(account: "alice", product: "coins", actor: "uid:7")
            ).report)
        let payment = try shop.purchase("coins", .consumable, id: "501", at: "2026-03-01")
        let report = try await shop.engine.submit([
            EvidenceSubmission(payload: payment, account: "bob", order: order.id)
        ]).first?.judged
        #expect(report?.orderProblem == .owner)
        #expect(report?.transactions.first?.order == nil)
        #expect(try shop.coins("bob") == 100)
        let told = try #require(
            try shop.engine.questions.order(order.id, at: shop.clock.now()))
        #expect(told.state == .created)
        try shop.engine.close()
    }
}
