internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import StoreSimulator
internal import TestSupport
internal import Testing

@Suite("Stories of orders", .timeLimit(.minutes(20)))
struct OrderStoryTests {
    private static let folder = Repository.url("fixtures/orders")
    private static let files =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasSuffix(".txt") }.sorted() ?? []

    @Test("come out as told", arguments: files)
    func story(file: String) async throws {
        var story = try await OrderStory()
        let text = try String(
            contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8)
        try await story.play(text)
    }

    @Test("are there")
    func all() {
        #expect(Self.files.count >= 25)
    }
}

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
        return rejection.code
    }

    @Test("are made once under one key, and another content is a conflict")
    func keys() async throws {
        let shop = try await Shop()
        var request = OrderRequest(account: "alice", product: "coins", key: "k-1", actor: "uid:7")
        let first = try made(try await shop.engine.makeOrder(request))
        #expect(try made(try await shop.engine.makeOrder(request)) == first)
        request.quantity = 2
        #expect(code(try await shop.engine.makeOrder(request)) == "order.conflict")
        // Another caller's key is another key (THREATS.md E6).
        request.actor = "uid:8"
        #expect(try made(try await shop.engine.makeOrder(request)).id != first.id)
        try shop.engine.close()
    }

    @Test("are for what can be bought, and for as many as can be")
    func bounds() async throws {
        let shop = try await Shop()
        func order(_ product: ProductID, _ quantity: Int64) async throws -> String? {
            code(
                try await shop.engine.makeOrder(
                    OrderRequest(
                        account: "alice", product: product, quantity: quantity, actor: "uid:7")))
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
                OrderRequest(account: "alice", product: "coins", actor: "uid:7")))
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
                    price: Price(milliunits: 990, currency: "USD"), actor: "uid:7")))
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

    @Test("of somebody else are not used, and what was handed in is kept (THREATS.md D28)")
    func foreign() async throws {
        let shop = try await Shop()
        let order = try made(
            try await shop.engine.makeOrder(
                OrderRequest(account: "alice", product: "coins", actor: "uid:7")))
        let payment = try shop.purchase("coins", .consumable, id: "501", at: "2026-03-01")
        _ = try await shop.engine.submit([
            EvidenceSubmission(payload: payment, account: "bob", order: order.id)
        ])
        #expect(try shop.coins("bob") == 100)
        let told = try #require(
            try shop.engine.questions.order(order.id, at: shop.clock.now()))
        #expect(told.state == .created)
        try shop.engine.close()
    }
}
