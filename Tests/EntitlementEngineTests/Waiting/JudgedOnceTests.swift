internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite("A ticket is judged once", .timeLimit(.minutes(20)))
struct JudgedOnceTests {
    private let text = String(decoding: WaitingShop.oldReceipt(), as: UTF8.self)

    /// Entries of the kinds that tell of judging.
    private func judgements(in shop: WaitingShop) throws -> [String] {
        let ledger = try shop.ledger.openForReading()
        return try ledger.read { reader in
            try reader.entries(after: .zero, limit: 1_000).compactMap { entry in
                switch entry.value {
                case .claim: "claim"
                case .ticketClosed: "closed"
                default: nil
                }
            }
        }
    }

    @Test("by two that ask at the same time")
    func twoWorkers() async throws {
        let barrier = Barrier(2)
        let appStore = ScriptedAppStore { await barrier.wait() }
        let shop = try await WaitingShop(appStore: appStore)
        appStore.change { $0.receipts[text] = shop.answer() }
        _ = try await shop.ask(WaitingShop.oldReceipt())
        // On one ledger in memory, as two services must never be: both have the answer at once.
        let other = try await shop.another(closingFirst: false)
        // What waited before a start is asked about when its turn comes.
        shop.clock.set(shop.clock.now().advanced(byMilliseconds: 60_000))
        async let first = shop.engine.askApple()
        async let second = other.askApple()
        _ = await (first, second)
        #expect(appStore.calls.count == 2)
        #expect(try judgements(in: shop) == ["claim", "closed"])
        #expect(await shop.engine.askApple().attempts == 0)
        #expect(await other.askApple().attempts == 0)
    }

    @Test("by one engine, however many ask it to look")
    func oneEngine() async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { $0.receipts[text] = shop.answer() }
        _ = try await shop.ask(WaitingShop.oldReceipt())
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 1...8 { tasks.addTask { _ = await shop.engine.askApple() } }
        }
        #expect(shop.appStore.calls == ["verifyReceipt"])
        #expect(try judgements(in: shop) == ["claim", "closed"])
    }

    @Test("when the program ends between Apple's answer and the commit")
    func killed() async throws {
        // The first engine gets its answer too late to record it.
        let gate = Barrier(2)
        let stopped = ScriptedAppStore { await gate.wait() }
        let shop = try await WaitingShop(appStore: stopped)
        stopped.change { $0.receipts[text] = shop.answer() }
        let ticket = try #require(try await shop.ask(WaitingShop.oldReceipt()).ticket)
        let asking = Task { await shop.engine.askApple() }
        let appStore = ScriptedAppStore()
        appStore.change { $0.receipts[text] = shop.answer() }
        let engine = try await shop.another(appStore, closingFirst: false)
        await shop.pass(60_000, engine)
        #expect(appStore.calls == ["verifyReceipt"])
        #expect(try engine.questions.ticket(ticket)?.state == .judged)
        await gate.wait()
        _ = await asking.value
        #expect(try judgements(in: shop) == ["claim", "closed"])
    }

    @Test("when the ledger does not take the answer: it is asked for again, a little later")
    func unrecorded() async throws {
        let ledger = FailingLedger()
        let shop = try await WaitingShop()
        var options = EngineOptions(
            ledger: ledger, policyTexts: Shop.policy(trusting: shop.store), clock: shop.clock)
        options.appStore = shop.appStore
        let engine = try await EntitlementEngine.open(options)
        shop.appStore.change { $0.receipts[text] = shop.answer() }
        let reports = try await engine.submit([
            EvidenceSubmission(
                payload: WaitingShop.oldReceipt(), account: "alice", asksApple: true)
        ])
        let ticket = try #require(reports.first?.ticket)
        ledger.failsNextWrites(1)
        let failed = await engine.askApple()
        #expect(failed.error?.code == "ledger.test")
        #expect(try engine.questions.ticket(ticket)?.state == .waiting)
        #expect(await engine.askApple().attempts == 0)
        await shop.pass(31_000, engine)
        #expect(try engine.questions.ticket(ticket)?.state == .judged)
        #expect(engine.appStoreAttempts[.unrecorded] == 1)
        #expect(engine.appStoreAttempts[.answered] == 1)
    }
}

/// Lets all go on once so many have come.
private actor Barrier {
    private let size: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false

    init(_ size: Int) {
        self.size = size
    }

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            guard waiting.count == size else { return }
            isOpen = true
            for waiting in waiting { waiting.resume() }
            waiting = []
        }
    }
}
