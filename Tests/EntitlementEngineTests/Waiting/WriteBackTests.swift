internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StoreBox
internal import Synchronization
internal import Testing

@Suite("What is written to Apple, and what is looked up again", .timeLimit(.minutes(20)))
struct WriteBackTests {
    private static let bob: AccountID = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"
    private let cause = AdminActionCause(actor: "uid:7", reason: "a test")

    /// Alice has gold, Bob has claimed it, and a person gives it to him.
    private func transfer(
        in shop: WaitingShop,
        changing change: @escaping (inout SimulatedTransaction) -> Void = { _ in }
    ) async throws {
        let jws = Array(shop.jws("40", changing: change).utf8)
        for account in ["alice", Self.bob] as [AccountID] {
            _ = try await shop.engine.submit([
                EvidenceSubmission(payload: jws, account: account)
            ])
        }
        let claim = try #require(
            try shop.engine.questions.find(SoughtID(unchecked: "40")).meanings.first?.sequence)
        // The claims are behind the transaction: alice's and its decision, then bob's.
        let report = try await shop.engine.rule(
            RulingRequest(
                verb: .transfer, claim: LedgerSequence(claim.number + 3), account: Self.bob,
                cause: cause))
        guard case .done = report else {
            Issue.record("\(report)")
            return
        }
    }

    @Test("a ruling's token is set at Apple, however long that takes")
    func token() async throws {
        let shop = try await WaitingShop(accountToken: "is-account-id")
        shop.appStore.change { $0.failure = AppStoreFailure(.network) }
        try await transfer(in: shop)
        await shop.drain()
        let list = try shop.engine.questions.waitingTickets(
            after: .zero, at: shop.clock.now(), limit: 10)
        #expect(list.tickets.map(\.form) == [.accountToken])
        #expect(list.tickets.first?.account == Self.bob)
        #expect(list.tickets.first?.token?.text == Self.bob.text)
        #expect(list.tickets.first?.transaction == "40")
        // Nobody has handed anything in: it is no lost order.
        #expect(
            try shop.engine.questions.lostOrders(
                after: .zero, at: shop.clock.now(), limit: 10
            ).orders.isEmpty)
        shop.appStore.change { $0.failure = nil }
        await shop.pass(60_000)
        #expect(shop.appStore.tokens == ["40": Self.bob.text])
        #expect(try shop.ticket(#require(list.tickets.first?.ticket)).state == .judged)
    }

    /// Gives the unit to an account, by hand.
    private func rule(
        _ account: AccountID, _ claim: Int64, in shop: WaitingShop
    ) async throws {
        let report = try await shop.engine.rule(
            RulingRequest(
                verb: .transfer, claim: LedgerSequence(claim), account: account, cause: cause))
        guard case .done = report else {
            Issue.record("\(report)")
            return
        }
    }

    @Test("of two rulings the later one's token holds, whatever fails and whoever is asked first")
    func tokensRace() async throws {
        let shop = try await WaitingShop(accountToken: "is-account-id")
        let alice: AccountID = "11111111-2222-4333-8444-555555555555"
        let jws = Array(shop.jws("40") { $0.appAccountToken = alice.text }.utf8)
        for account in [alice, Self.bob] {
            _ = try await shop.engine.submit([EvidenceSubmission(payload: jws, account: account)])
        }
        let found = try shop.engine.questions.find(SoughtID(unchecked: "40")).meanings.first
        let claim = try #require(found?.sequence).number + 3
        shop.appStore.change { $0.failure = AppStoreFailure(.network) }
        try await rule(Self.bob, claim, in: shop)
        await shop.drain()
        await shop.pass(600_000, inStepsOf: 10_000)
        // Back to her, whose token the signed transaction still has: bob's may be on its way.
        try await rule(alice, claim, in: shop)
        // The older ticket's turn comes while the newer one is not due after a start.
        let engine = try await shop.another()
        shop.appStore.change { $0.failure = nil }
        await shop.pass(3_600_000 * 5 / 4, inStepsOf: 10_000, engine)
        #expect(shop.appStore.tokens == ["40": alice.text])
        #expect(shop.appStore.calls.filter { $0.hasPrefix("token") }.count >= 2)
        let closed = try engine.questions.waitingTickets(
            after: .zero, at: shop.clock.now(), limit: 10)
        #expect(closed.tickets.isEmpty)
        let codes = try shop.ledger.openForReading().read { reader in
            try reader.entries(after: .zero, limit: 1_000).compactMap { entry in
                guard case .ticketClosed(let closing) = entry.value else { return nil as String? }
                return closing.code ?? closing.outcome.rawValue
            }
        }
        #expect(codes == ["app-store.superseded", "judged"])
        try engine.close()
    }

    @Test("a token is not set while another one of the lineage is on its way")
    func tokensInTurn() async throws {
        let gate = Gate()
        let shop = try await WaitingShop(
            accountToken: "is-account-id",
            appStore: ScriptedAppStore { await gate.pass() })
        let alice: AccountID = "11111111-2222-4333-8444-555555555555"
        let jws = Array(shop.jws("40").utf8)
        for account in [alice, Self.bob] {
            _ = try await shop.engine.submit([EvidenceSubmission(payload: jws, account: account)])
        }
        let found = try shop.engine.questions.find(SoughtID(unchecked: "40")).meanings.first
        let claim = try #require(found?.sequence).number + 3
        try await rule(Self.bob, claim, in: shop)
        let first = Task { await shop.engine.askApple() }
        await gate.waitForSomebody()
        try await rule(alice, claim, in: shop)
        // The newer one has to wait for the answer to the older one.
        let attempts = await shop.engine.askApple().attempts
        #expect(attempts == 0)
        gate.open()
        _ = await first.value
        await shop.drain()
        #expect(shop.appStore.tokens == ["40": alice.text])
        #expect(shop.appStore.calls.count == 2)
    }

    @Test("an order's token is not taken for the account's own", arguments: [false, true])
    func orderToken(_ hasOwn: Bool) async throws {
        let shop = try await WaitingShop()
        let own = try #require(AppAccountToken("11111111-2222-4333-8444-555555555555"))
        if hasOwn { _ = try await shop.engine.register(own, for: Self.bob, cause) }
        // The newest token of the account is that of an order that nobody has paid.
        let request = OrderRequest(account: Self.bob, product: "coins", actor: "uid:7")
        guard case .done = try await shop.engine.makeOrder(request).report else {
            Issue.record("the order is made")
            return
        }
        try await transfer(in: shop)
        await shop.drain()
        #expect(shop.appStore.tokens == (hasOwn ? ["40": own.text] : [:]))
    }

    @Test(
        "not for what a family shares or an organisation assigns, and not without a client",
        arguments: ["FAMILY_SHARED", "ASSIGNED", nil])
    func notWritten(_ ownership: String?) async throws {
        let shop = try await WaitingShop(
            accountToken: "is-account-id", isConfigured: ownership != nil)
        try await transfer(in: shop) { transaction in
            if let ownership { transaction.ownership = ownership }
        }
        #expect(shop.engine.appStoreQueueReport(at: shop.clock.now()).tickets == 0)
        await shop.drain()
        #expect(shop.appStore.tokens.isEmpty)
    }

    @Test("a JWS from before a refund is looked up, and the refund is found")
    func refresh() async throws {
        let shop = try await WaitingShop(refreshAge: 86_400_000)
        let old = shop.jws("40") { transaction in
            transaction.signedDate = transaction.purchaseDate
        }
        _ = try await shop.engine.submit([
            EvidenceSubmission(payload: Array(old.utf8), account: "alice")
        ])
        #expect(try shop.may("alice", "premium"))
        shop.appStore.change { state in
            state.transactions["40"] = FetchedTransaction(
                environment: .production,
                signedTransaction: shop.jws("40") { transaction in
                    transaction.revocation = Revocation(
                        date: transaction.purchaseDate.advanced(byMilliseconds: 1_000))
                })
        }
        await shop.drain()
        #expect(shop.appStore.calls == ["transaction 40", "statuses 40"])
        #expect(try !shop.may("alice", "premium"))
        // The old one again changes nothing, and asks nothing.
        _ = try await shop.engine.submit([
            EvidenceSubmission(payload: Array(old.utf8), account: "alice")
        ])
        await shop.drain()
        #expect(shop.appStore.calls.count == 2)
        #expect(try !shop.may("alice", "premium"))
    }

    @Test(
        "what is new enough, or nobody presents, is not looked up",
        arguments: [
            (0, true), (6 * 86_400_000, false),
        ] as [(Int64, Bool)])
    func notRefreshed(_ age: Int64, _ isPresented: Bool) async throws {
        let shop = try await WaitingShop(refreshAge: 86_400_000)
        let jws = shop.jws("40") { transaction in
            transaction.signedDate = transaction.signedDate.advanced(byMilliseconds: -age)
        }
        _ = try await shop.engine.submit([
            EvidenceSubmission(payload: Array(jws.utf8), account: isPresented ? "alice" : nil)
        ])
        await shop.drain()
        #expect(shop.appStore.calls.isEmpty)
    }
}

@Suite("Tickets where people look", .timeLimit(.minutes(20)))
struct TicketVisibilityTests {
    @Test("among lost orders once they are old, in finds, lists and counts")
    func lists() async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { $0.failure = AppStoreFailure(.network) }
        let ticket = try #require(try await shop.ask(WaitingShop.oldReceipt()).ticket)
        await shop.drain()
        func lost() throws -> [LostOrder] {
            try shop.engine.questions.lostOrders(
                after: .zero, at: shop.clock.now(), limit: 10
            ).orders
        }
        #expect(try lost().isEmpty)
        try shop.clock.set("2026-03-02")
        let order = try #require(try lost().first)
        #expect(order.reason == .waitsForApple)
        #expect(order.ticket == ticket)
        #expect(order.account == "alice")
        #expect(order.product == nil)
        #expect(order.command == "usher evidence show \(ticket)")
        #expect(try shop.engine.lostCounts(at: shop.clock.now())[.waitsForApple]?.count == 1)
        #expect(try shop.findings() == [.evidenceWaiting])
        let found = try shop.engine.questions.find(SoughtID(unchecked: "\(ticket)"))
        #expect(found.meanings.map(\.kind) == [.ticket])
        #expect(found.meanings.first?.accounts == ["alice"])
        let report = shop.engine.appStoreQueueReport(at: shop.clock.now())
        #expect(report.tickets == 1 && report.oldestSeconds == 86_400 && report.asks)
        #expect(shop.engine.waitingTicketCounts == [.oldReceipt: 1])
        // Without the service, the file says as much as it knows.
        try shop.engine.close()
        let questions = try LedgerQuestions(shop.ledger.openForReading())
        let told = try #require(try questions.ticket(ticket))
        #expect(told.state == .waiting)
        #expect(told.failure?.code == .notConfigured)
        #expect(told.nextAttempt == nil)
    }

    @Test("a ledger whose client is gone says that nobody asks")
    func clientGone() async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { $0.failure = AppStoreFailure(.network) }
        let ticket = try #require(try await shop.ask(WaitingShop.oldReceipt()).ticket)
        try shop.engine.close()
        let options = EngineOptions(
            ledger: shop.ledger, policyTexts: Shop.policy(trusting: shop.store),
            clock: shop.clock)
        let engine = try await EntitlementEngine.open(options)
        #expect(await engine.askApple().attempts == 0)
        #expect(engine.isAppStoreOutOfReach)
        #expect(try engine.questions.ticket(ticket)?.failure?.code == .notConfigured)
        #expect(engine.appStoreQueueReport(at: shop.clock.now()).nextAttempt == nil)
        try engine.close()
    }
}

/// Lets nobody through until it is opened.
private final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (goesOn, watchers) = state.withLock { state in
                guard !state.isOpen else { return (true, [] as [CheckedContinuation<Void, Never>]) }
                state.waiting.append(continuation)
                defer { state.watchers = [] }
                return (false, state.watchers)
            }
            if goesOn { continuation.resume() }
            for watcher in watchers { watcher.resume() }
        }
    }

    func waitForSomebody() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waiting.isEmpty { state.watchers.append(continuation) }
                return !state.waiting.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
