internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import HistoryComparison
internal import OrderComparison
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

/// What random scripts found, each in its shortest form.
@Suite("Rules of orders", .timeLimit(.minutes(20)))
struct OrderRuleTests {
    private static let person = AdminActionCause(actor: "uid:0", reason: "a test")

    private func order(
        _ shop: Shop, _ account: AccountID, _ product: ProductID = "coins", appleID: String? = nil
    ) async throws -> OrderID {
        let request = OrderRequest(
            account: account, product: product,
            appleID: appleID.map { AppleIDKey(unchecked: $0) }, actor: "uid:7")
        guard case .done(let history) = try await shop.engine.makeOrder(request).report else {
            throw CancellationError()
        }
        return history.id
    }

    private func state(_ shop: Shop, _ order: OrderID) throws -> OrderState? {
        try shop.engine.questions.order(order, at: shop.clock.now())?.state
    }

    private func report(
        _ shop: Shop, _ order: OrderID, _ kind: OrderEventKind, naming transaction: TransactionID
    ) async throws {
        _ = try await shop.engine.report(
            OrderEventRequest(
                order: order, kind: kind, transaction: transaction, actor: "uid:7"))
    }

    private func coins(
        _ shop: Shop, _ id: String, _ change: (inout SimulatedTransaction) -> Void = { _ in }
    ) throws -> [UInt8] {
        try shop.purchase("coins", .consumable, id: id, at: "2026-03-01", changing: change)
    }

    /// Alice's order, which she has named bob's purchase for.
    private func paidByBobs(_ shop: Shop) async throws -> OrderID {
        let id = try await order(shop, "alice")
        try await shop.present(try coins(shop, "501"), as: "bob")
        try await report(shop, id, .paying, naming: "501")
        #expect(try state(shop, id) == .paid)
        return id
    }

    @Test("an Apple ID that an order names by a lineage is compared as the Apple ID that it is")
    func appleIDs() async throws {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase("unlock", .nonConsumable, id: "900") { $0.appTransactionID = "701" },
            as: "alice")
        let same = try await order(shop, "alice", appleID: "otx:production:900")
        let other = try await order(shop, "alice", appleID: "atx:production:702")
        try await shop.present(
            try coins(shop, "501") { $0.appTransactionID = "701" }, as: "alice")
        #expect(try state(shop, same) == .delivered)
        #expect(try state(shop, other) == .created)
        try shop.engine.close()
    }

    @Test("what a client has named for an order in review may still pay another one")
    func namedInReview() async throws {
        let shop = try await Shop()
        let (first, second) = (try await order(shop, "alice"), try await order(shop, "alice"))
        try await report(shop, first, .paying, naming: "502")
        try await shop.present(try coins(shop, "501"), as: "alice")
        #expect(try state(shop, first) == .review)
        #expect(try state(shop, second) == .review)
        let third = try await order(shop, "alice")
        try await shop.present(
            try coins(shop, "502") { $0.appAccountToken = third.text }, as: "alice")
        #expect(try state(shop, third) == .delivered)
        try shop.engine.close()
    }

    @Test("a gift goes when a person settles the order by its payment")
    func giftAndPayment() async throws {
        let shop = try await Shop()
        let id = try await order(shop, "alice")
        _ = try await shop.engine.rule(on: id, .settle(nil), Self.person)
        try await shop.present(try coins(shop, "501"), as: "bob")
        try await report(shop, id, .finished, naming: "501")
        #expect(try state(shop, id) == .paid)
        #expect(try shop.coins("alice") == 100)
        _ = try await shop.engine.rule(on: id, .settle("501"), Self.person)
        #expect(try state(shop, id) == .delivered)
        #expect(try shop.coins("alice") == 100)
        #expect(try shop.coins("bob") == 0)
        try shop.engine.close()
    }

    @Test("what is an order's by the time its refund is reversed is delivered then")
    func reversedRefund() async throws {
        let shop = try await Shop()
        let id = try await paidByBobs(shop)
        let refunded = try coins(shop, "501") {
            $0.revocation = Revocation(date: shop.clock.now(), reason: 0)
            $0.signedDate = $0.signedDate.advanced(byMilliseconds: 1_000)
        }
        try await shop.present(refunded, as: nil)
        #expect(try state(shop, id) == .refunded)
        let claims = try shop.engine.questions.report(on: "bob", at: shop.clock.now()).claims
        _ = try await shop.engine.rule(
            RulingRequest(
                verb: .transfer, claim: try #require(claims.first).claim, account: "alice",
                cause: Self.person))
        let reversed = try coins(shop, "501") {
            $0.signedDate = $0.signedDate.advanced(byMilliseconds: 2_000)
        }
        try await shop.present(reversed, as: nil)
        #expect(try state(shop, id) == .delivered)
        #expect(try shop.coins("alice") == 100)
        try shop.engine.close()
    }

    @Test("a paid order that is given to the owner of its payment is delivered")
    func reassigned() async throws {
        let shop = try await Shop()
        let id = try await paidByBobs(shop)
        _ = try await shop.engine.rule(on: id, .reassign("bob"), Self.person)
        #expect(try state(shop, id) == .delivered)
        try shop.engine.close()
    }

    @Test("two spellings of a UUID are two accounts, unless the policy says otherwise")
    func spellings() async throws {
        let shop = try await Shop()
        let accounts: [AccountID] = [
            "00000000-0000-4000-8000-00000000000c", "00000000-0000-4000-8000-00000000000C",
        ]
        for account in accounts {
            let request = OrderRequest(account: account, product: "gold", actor: "uid:7")
            guard case .done = try await shop.engine.makeOrder(request).report else {
                Issue.record("an order of another account is returned")
                continue
            }
        }
        for account in accounts {
            let told = try shop.engine.questions.orders(
                of: account, at: shop.clock.now(), limit: 10)
            #expect(told.orders.map(\.account) == [account])
        }
        try shop.engine.close()
    }

    @Test(
        "the order of a second payment has the account as it is spelled by then, merged or not",
        arguments: [false, true])
    func spellingOfSecond(isMerged: Bool) async throws {
        let now = try #require(Instant(rfc3339: "2026-03-01T01:00:00Z"))
        let (upper, lower): (AccountID, AccountID) = (
            "00000000-0000-4000-8000-00000000000C", "00000000-0000-4000-8000-00000000000c"
        )
        func payment(_ id: TransactionID) -> OrderStep {
            var sale = ScriptedSale("coins", .consumable, transactionID: id, purchaseDate: now)
            sale.token = .order(.made(0))
            return .submit(ScriptedEvidence(sales: [sale], isReceipt: false, account: lower))
        }
        var steps: [OrderStep] = [
            .make(0, ScriptedOrder(account: upper, product: "coins")),
            .policy(ScriptedPolicy(accountToken: .isAccountID)), payment("501"),
        ]
        if isMerged { steps.append(.merge(from: lower, into: "alice")) }
        let script = OrderScript(
            seed: 0, firstPolicy: ScriptedPolicy(),
            steps: (steps + [payment("502")]).map { Dated($0, recordedAt: now) })
        let comparison = await OrderScriptComparison.of(script)
        #expect(comparison.disagreements == [])
        #expect((comparison.orders, comparison.paid) == (2, 2))
    }

    @Test("a payment that leaves its order to another one is presented by nobody")
    func displaced() async throws {
        let now = try #require(Instant(rfc3339: "2026-03-01T01:00:00Z"))
        let first = ScriptedSale("coins", .consumable, transactionID: "501", purchaseDate: now)
        var second = ScriptedSale("coins", .consumable, transactionID: "502", purchaseDate: now)
        second.token = .order(.made(0))
        let steps: [OrderStep] = [
            .make(0, ScriptedOrder(account: "alice", product: "coins")),
            .submit(ScriptedEvidence(sales: [first], isReceipt: false, account: "carol")),
            .report(.made(0), .paying, "501", storeCode: nil),
            .submit(ScriptedEvidence(sales: [second], isReceipt: false, account: "bob")),
        ]
        let script = OrderScript(
            seed: 0, firstPolicy: ScriptedPolicy(),
            steps: steps.map { Dated($0, recordedAt: now) })
        let comparison = await OrderScriptComparison.of(script)
        #expect(comparison.disagreements == [])
        #expect((comparison.orders, comparison.paid) == (2, 2))
    }

    @Test("what was given instead of a change of plan is paid by the next purchase, however late")
    func giftOfPlan() async throws {
        let day: Int64 = 86_400_000
        let now = try #require(Instant(rfc3339: "2026-03-01T01:00:00Z"))
        let late = now.advanced(byMilliseconds: 40 * day)
        let silver = ScriptedSale(
            "silver", .autoRenewable, transactionID: "501", purchaseDate: now,
            expiresDate: now.advanced(byMilliseconds: 30 * day))
        let gold = ScriptedSale(
            "gold", .autoRenewable, transactionID: "502", purchaseDate: late,
            expiresDate: late.advanced(byMilliseconds: 30 * day))
        let ordered = now.advanced(byMilliseconds: 60_000)
        let steps: [Dated<OrderStep>] = [
            Dated(
                .submit(ScriptedEvidence(sales: [silver], isReceipt: false, account: "alice")),
                recordedAt: now),
            Dated(
                .make(0, ScriptedOrder(account: "alice", product: "gold")), recordedAt: ordered),
            Dated(
                .inform(ScriptedRenewal(of: silver, as: "gold", isOn: true, signedDate: ordered)),
                recordedAt: ordered),
            Dated(.settle(.made(0), nil), recordedAt: ordered),
            Dated(
                .submit(ScriptedEvidence(sales: [gold], isReceipt: false, account: "alice")),
                recordedAt: late),
        ]
        let comparison = await OrderScriptComparison.of(
            OrderScript(seed: 0, firstPolicy: ScriptedPolicy(), steps: steps))
        #expect(comparison.disagreements == [])
        #expect((comparison.orders, comparison.paid) == (1, 1))
    }

    @Test("a purchase that a release took from whom its token names may be another one's payment")
    func released() async throws {
        let now = try #require(Instant(rfc3339: "2026-03-01T01:00:00Z"))
        var sale = ScriptedSale("coins", .consumable, transactionID: "501", purchaseDate: now)
        sale.token = .other("00000000-0000-4000-8000-00000000000d")
        func submit(as account: AccountID) -> OrderStep {
            .submit(ScriptedEvidence(sales: [sale], isReceipt: false, account: account))
        }
        let steps: [OrderStep] = [
            submit(as: "bob"), .make(0, ScriptedOrder(account: "carol", product: "coins")),
            .transfer(sale.key, nil), submit(as: "alice"),
        ]
        let script = OrderScript(
            seed: 0, firstPolicy: ScriptedPolicy(accountToken: .isAccountID),
            steps: steps.map { Dated($0, recordedAt: now) })
        let comparison = await OrderScriptComparison.of(script)
        #expect(comparison.disagreements == [])
        #expect(comparison.coverage.visits["payment of one account, order of another"] == 1)
    }

    @Test("what is impossible pays no order that was named with it")
    func impossible() async throws {
        let now = try #require(Instant(rfc3339: "2026-03-01T01:00:00Z"))
        let sale = ScriptedSale(
            "gold", .autoRenewable, transactionID: "501", purchaseDate: now,
            expiresDate: now.advanced(byMilliseconds: -1))
        var evidence = ScriptedEvidence(sales: [sale], isReceipt: false, account: "bob")
        evidence.order = .made(0)
        let steps: [OrderStep] = [
            .make(0, ScriptedOrder(account: "bob", product: "gold")), .submit(evidence),
        ]
        let script = OrderScript(
            seed: 0, firstPolicy: ScriptedPolicy(),
            steps: steps.map { Dated($0, recordedAt: now) })
        let comparison = await OrderScriptComparison.of(script)
        #expect(comparison.disagreements == [])
        #expect((comparison.orders, comparison.paid) == (1, 0))
    }

    @Test("what nobody owns pays no order of whoever owns another purchase in the receipt")
    func receipt() async throws {
        let now = try #require(Instant(rfc3339: "2026-03-01T01:00:00Z"))
        let first = ScriptedSale("coins", .consumable, transactionID: "501", purchaseDate: now)
        let second = ScriptedSale("pass", .nonRenewing, transactionID: "502", purchaseDate: now)
        let steps: [OrderStep] = [
            .submit(ScriptedEvidence(sales: [first], isReceipt: false, account: "alice")),
            .make(0, ScriptedOrder(account: "alice", product: "pass")),
            .submit(ScriptedEvidence(sales: [first, second], isReceipt: true, account: nil)),
        ]
        let script = OrderScript(
            seed: 0, firstPolicy: ScriptedPolicy(),
            steps: steps.map { Dated($0, recordedAt: now) })
        let comparison = await OrderScriptComparison.of(script)
        #expect(comparison.disagreements == [])
        #expect((comparison.orders, comparison.paid) == (1, 0))
    }

    @Test("a settlement is undone under whichever name the purchase has by then")
    func renamed() async throws {
        let now = try #require(Instant(rfc3339: "2026-03-01T01:00:00Z"))
        let first = ScriptedSale("coins", .consumable, transactionID: "880", purchaseDate: now)
        var again = first
        again.transactionID = TransactionID(unchecked: "38")
        again.originalTransactionID = first.originalTransactionID
        let steps: [OrderStep] = [
            .make(0, ScriptedOrder(account: "bob", product: "coins")),
            .submit(ScriptedEvidence(sales: [first], isReceipt: false, account: nil)),
            .settle(.made(0), first.transactionID),
            .submit(ScriptedEvidence(sales: [again], isReceipt: false, account: "alice")),
            .undo(.made(0)),
        ]
        let script = OrderScript(
            seed: 0, firstPolicy: ScriptedPolicy(),
            steps: steps.map { Dated($0, recordedAt: now) })
        let comparison = await OrderScriptComparison.of(script)
        #expect(comparison.disagreements == [])
        #expect(comparison.coverage.visits["order ruling undone: settled"] == 1)
    }

    /// By its own date, and although its product is sold no longer.
    @Test("a payment in the sandbox counts as what it is", arguments: [false, true])
    func ofTheSandbox(isWithdrawn: Bool) async throws {
        let shop = try await Shop(policyGuard: .warn)
        let policy = Shop.policy(
            trusting: shop.store,
            rules: "access: [{name: testers, when: {environment: sandbox, "
                + "purchased: from 2026-03-05}, then: grant}]")
        _ = try await shop.engine.activate(policy)
        func pay(_ id: String, at date: String, until end: String, for order: OrderID?) throws
            -> [UInt8]
        {
            try shop.purchase("gold", .autoRenewable, id: id, at: date, until: end) {
                $0.environment = .sandbox
                $0.originalTransactionID = "501"
                $0.appAccountToken = order?.text
            }
        }
        try await shop.present(
            pay("501", at: "2026-03-01", until: "2026-03-02", for: nil), as: "alice")
        try shop.clock.set("2026-03-05")
        let order = try await order(shop, "alice", "gold")
        if isWithdrawn {
            try shop.clock.set("2026-03-06")
            let text = String(decoding: policy[0].bytes, as: UTF8.self)
            let gold = try #require(text.firstRange(of: "  gold: {"))
            let next = try #require(text.firstRange(of: "  unlock: {"))
            let rest = text[..<gold.lowerBound] + text[next.lowerBound...]
            _ = try await shop.engine.activate(
                [PolicyText(path: "policy.yaml", text: String(rest))] + policy.dropFirst())
        }
        try await shop.present(
            pay("502", at: "2026-03-05", until: "2026-03-12", for: order), as: "alice")
        #expect(try state(shop, order) == .delivered)
        try shop.engine.close()
    }
}
