internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import TestSupport
internal import Testing

@Suite("Orders, asked for and reported again", .timeLimit(.minutes(20)))
struct OrderRepetitionTests {
    private func order(
        _ shop: Shop, _ product: ProductID, key: String? = nil, price: Int64? = nil
    ) async throws -> (history: OrderHistory?, isInFlight: Bool, code: String?) {
        let report = try await shop.engine.makeOrder(
            OrderRequest(
                account: "alice", product: product,
                price: price.map { Price(milliunits: $0, currency: "USD") }, key: key,
                actor: "uid:7")
        ).report
        switch report {
        case .done(let history): return (history, false, nil)
        case .inFlight(let history): return (history, true, nil)
        case .rejected(let rejection): return (nil, false, rejection.code.rawValue)
        }
    }

    private func report(
        _ shop: Shop, _ order: OrderID, _ kind: OrderEventKind, code: String? = nil
    ) async throws -> String {
        let report = try await shop.engine.report(
            OrderEventRequest(order: order, kind: kind, storeCode: code, actor: "uid:7"))
        switch report {
        case .done(let history):
            return "\(history.recordedState.rawValue) \(history.events.count)"
        case .inFlight: return "in flight"
        case .rejected(let rejection): return rejection.code.rawValue
        }
    }

    @Test("an open order is found behind any number of newer ones", arguments: [5, 220])
    func manyOrders(count: Int) async throws {
        let shop = try await Shop()
        let open = try #require(try await order(shop, "gold").history)
        #expect(try await report(shop, open.id, .deferred) == "deferred 1")
        for _ in 1...count { _ = try await order(shop, "coins") }
        let again = try await order(shop, "gold")
        #expect(again.isInFlight)
        #expect(again.history?.id == open.id)
        // The same for a payment that names none.
        try shop.clock.set("2026-03-01T01:00:00Z")
        try await shop.present(
            try shop.purchase(
                "gold", .autoRenewable, id: "501", at: "2026-03-01T00:30:00Z",
                until: "2026-04-01"),
            as: "alice")
        let told = try shop.engine.questions.order(open.id, at: shop.clock.now())
        #expect(told?.state == .delivered)
        try shop.engine.close()
    }

    @Test("an open order is found behind an abandoned one of which something was seen since")
    func seenSince() async throws {
        let shop = try await Shop()
        let abandoned = try #require(try await order(shop, "gold").history)
        try shop.clock.set("2026-03-08")
        let open = try #require(try await order(shop, "gold").history)
        #expect(open.id != abandoned.id)
        try await shop.present(
            try shop.purchase(
                "gold", .autoRenewable, id: "501", at: "2026-03-08", until: "2026-04-08"
            ) {
                $0.environment = .sandbox
                $0.appAccountToken = abandoned.id.text
            },
            as: "alice")
        let told = try shop.engine.questions.order(abandoned.id, at: shop.clock.now())
        #expect(told?.events.last?.event == .seen)
        let again = try await order(shop, "gold")
        #expect(again.isInFlight && again.history?.id == open.id)
        try shop.engine.close()
    }

    @Test("a key that was answered with the open order gets it again, whatever became of it")
    func inFlightKey() async throws {
        let shop = try await Shop()
        let first = try #require(try await order(shop, "gold", key: "k-1").history)
        let second = try await order(shop, "gold", key: "k-2", price: 990)
        #expect(second.isInFlight && second.history?.id == first.id)
        #expect(try await report(shop, first.id, .cancelled) == "cancelled 1")
        let again = try await order(shop, "gold", key: "k-2", price: 990)
        #expect(again.isInFlight && again.history?.id == first.id)
        #expect(again.history?.recordedState == .cancelled)
        let other = try await order(shop, "gold", key: "k-2", price: 1_990)
        #expect(other.code == "order.conflict")
        // A new key is a new wish.
        let third = try await order(shop, "gold", key: "k-3")
        #expect(!third.isInFlight && third.history?.id != first.id)
        try shop.engine.close()
    }

    @Test("a report that was made before is no other one, whatever was said in between")
    func repeatedReports() async throws {
        let shop = try await Shop()
        let first = try #require(try await order(shop, "coins").history).id
        var told: [String] = []
        for (kind, code) in [
            (OrderEventKind.paying, nil), (.deferred, nil), (.paying, nil), (.failed, "2"),
            (.paying, nil), (.deferred, nil), (.failed, "2"), (.failed, "3"),
        ] as [(OrderEventKind, String?)] {
            told.append(try await report(shop, first, kind, code: code))
        }
        #expect(
            told == [
                "paying 1", "deferred 2", "deferred 2", "failed 3", "failed 3", "failed 3",
                "failed 3", "failed 4",
            ])
        // Once it is paid too, where nothing but 'finished' could happen.
        let paid = try #require(try await order(shop, "coins").history).id
        #expect(try await report(shop, paid, .paying) == "paying 1")
        try await shop.present(
            try shop.purchase("coins", .consumable, id: "501", at: "2026-03-01") {
                $0.appAccountToken = paid.text
            }, as: "alice")
        #expect(try await report(shop, paid, .finished) == "finished 4")
        #expect(try await report(shop, paid, .paying) == "finished 4")
        #expect(try await report(shop, paid, .cancelled) == "order.state")
        // After a ruling, the client may begin anew.
        let ruled = try #require(try await order(shop, "coins").history).id
        #expect(try await report(shop, ruled, .paying) == "paying 1")
        for ruling in [OrderRuling.refuse, .undo, .reassign("bob")] {
            _ = try await shop.engine.rule(
                on: ruled, ruling, AdminActionCause(actor: "uid:0", reason: "a test"))
        }
        #expect(try await report(shop, ruled, .paying) == "paying 5")
        try shop.engine.close()
    }

    @Test("a paid order is delivered when its account claims the subscription by a renewal")
    func renewal() async throws {
        let shop = try await Shop(
            rules: """
                account_switch:
                  - name: restores move
                    when: {kind: auto-renewable, moment: restore}
                    then: transfer
                """)
        func gold(_ id: String, _ month: Int) throws -> [UInt8] {
            try shop.purchase(
                "gold", .autoRenewable, id: id, at: "2026-0\(month)-01",
                until: "2026-0\(month + 1)-01"
            ) {
                $0.originalTransactionID = "501"
                if id != "501" { $0.reason = .renewal }
            }
        }
        let open = try #require(try await order(shop, "gold").history)
        try await shop.present(try gold("501", 3), as: "bob")
        func send(_ payload: [UInt8], _ moment: ClaimMoment, _ order: OrderID?) async throws {
            let submission = EvidenceSubmission(
                payload: payload, account: "alice", moment: moment, order: order)
            _ = try await shop.engine.submit([submission])
        }
        func state() throws -> OrderState? {
            try shop.engine.questions.order(open.id, at: shop.clock.now())?.state
        }
        try await send(try gold("501", 3), .purchase, open.id)
        #expect(try state() == .paid)
        try shop.clock.set("2026-04-02")
        try await send(try gold("502", 4), .restore, nil)
        #expect(try state() == .delivered)
        #expect(try shop.answer("alice", "premium").decision)
        try shop.engine.close()
    }

    @Test("what the payment says otherwise is a finding until it is refunded")
    func mismatch() async throws {
        let shop = try await Shop()
        let request = OrderRequest(
            account: "alice", product: "coins",
            price: Price(milliunits: 990, currency: "USD"), actor: "uid:7")
        guard case .done(let made) = try await shop.engine.makeOrder(request).report else {
            Issue.record("no order")
            return
        }
        func payment(refunded: Bool) throws -> [UInt8] {
            try shop.purchase("coins", .consumable, id: "501", at: "2026-03-01") {
                $0.appAccountToken = made.id.text
                $0.price = Price(milliunits: 1_990, currency: "USD")
                if refunded {
                    $0.revocation = Revocation(date: shop.clock.now())
                    $0.signedDate = shop.clock.now()
                }
            }
        }
        try await shop.present(try payment(refunded: false), as: "alice")
        func mismatches() throws -> [Finding] {
            let page = try shop.engine.questions.findings(
                of: .orderMismatch, after: nil, at: shop.clock.now(), limit: 10)
            return page.findings
        }
        let finding = try #require(try mismatches().first)
        #expect(finding.accounts == ["alice"])
        #expect(finding.product == "coins")
        let told = try shop.engine.questions.order(made.id, at: shop.clock.now())
        #expect(told?.differences == [.price])
        var kept = try shop.engine.findings(
            of: nil, after: nil, at: shop.clock.now(), limit: 10)
        try waitUntil("the list is complete") {
            kept = try shop.engine.findings(
                of: nil, after: nil, at: shop.clock.now(), limit: 10)
            return kept.isComplete
        }
        #expect(kept.findings == [finding])
        try shop.clock.set("2026-03-02")
        try await shop.present(try payment(refunded: true), as: "alice")
        #expect(try mismatches() == [])
        try shop.engine.close()
    }
}
