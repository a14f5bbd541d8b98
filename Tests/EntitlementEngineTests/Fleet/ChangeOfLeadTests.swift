internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import MemoryLedger
internal import PolicyLoading
internal import StoreBox
internal import StrictJSON
internal import Synchronization
internal import Testing

/// What time drives is done by the node that leads, and done once, when the lead changes in the
/// middle of it (docs/FLEET.md).
@Suite("A change of lead", .timeLimit(.minutes(5)))
struct ChangeOfLeadTests {
    // MARK: Scheduled policies

    private func applyDue(_ engine: EntitlementEngine) async throws -> String? {
        switch try await engine.applyDueSchedule() {
        case nil: nil
        case .changed: "changed"
        case .applied: "applied"
        case .ended(_, let end): end.outcome.rawValue
        }
    }

    @Test(
        "a scheduled policy comes into force once, by the node that leads",
        arguments: [true, false])
    func scheduledPolicy(unnoticed: Bool) async throws {
        let shop = try await SharedShop()
        let texts = Shop.policy(trusting: shop.store, leeway: "2h")
        let due = try #require(Instant(rfc3339: "2026-03-02"))
        let report = try await shop.first.schedulePolicy(
            ScheduleRequest(
                texts: texts, due: due, acceptLoss: 0,
                cause: AdminActionCause(actor: "uid:7", reason: "a test")))
        guard case .scheduled(let scheduled, _, _, _) = report else {
            Issue.record("not scheduled: \(report)")
            return
        }
        #expect(shop.second.policySchedules.pending.map(\.place) == [scheduled.place])
        shop.clock.set(due)
        shop.moveLead(unnoticed: unnoticed)
        // Whoever does not lead any more changes nothing, even where it does not know that.
        await #expect {
            try await shop.first.applyDueSchedule()
        } throws: {
            ($0 as? EngineError)?.code == "ledger.not-leader"
        }
        #expect(shop.first.policy.digest == shop.second.policy.digest)
        #expect(try await applyDue(shop.second) == "applied")
        #expect(try await applyDue(shop.second) == nil)
        #expect(try await applyDue(shop.first) == nil, "it has learned of it")
        let applied = try shop.entries().filter { entry in
            guard case .policyActivation(let activation) = entry else { return false }
            return activation.schedule == scheduled.place
        }
        #expect(applied.count == 1)
        for engine in [shop.first, shop.second] {
            #expect(engine.policy.digest == policyDigest(texts))
            #expect(engine.policySchedules.pending.isEmpty)
            #expect(engine.policySchedules.ended.map(\.ending) == [.applied])
        }
        try shop.audit()
    }

    // MARK: The waiting room

    private func receipt(_ engine: EntitlementEngine) async throws -> LedgerSequence {
        let submission = EvidenceSubmission(
            payload: WaitingShop.oldReceipt(), account: "alice", asksApple: true)
        let report = try #require(try await engine.submit([submission]).first)
        return try #require(report.ticket)
    }

    private func closings(_ shop: SharedShop) throws -> Int {
        try shop.entries().filter { if case .ticketClosed = $0 { true } else { false } }.count
    }

    private func drain(_ engine: EntitlementEngine) async -> Int64 {
        var attempts: Int64 = 0
        while true {
            let step = await engine.askApple()
            attempts += Int64(step.attempts)
            if step.attempts == 0 { return attempts }
        }
    }

    @Test("what waits for Apple waits at the node that leads, and nowhere else")
    func appStoreQueue() async throws {
        let shop = try await SharedShop()
        shop.appStore.change { $0.failure = AppStoreFailure(.unavailable, httpStatus: 503) }
        let ticket = try await receipt(shop.first)
        #expect(await drain(shop.first) > 0)
        #expect(await drain(shop.second) == 0)
        // A node that starts while something waits does not ask either.
        let third = try await shop.open(shop.fleet.node("third"))
        shop.pass(milliseconds: 86_400_000)
        #expect(await drain(third) == 0)
        shop.moveLead()
        shop.appStore.change { $0.failure = nil }
        shop.pass(milliseconds: 86_400_000)
        #expect(await drain(shop.first) == 0)
        #expect(await drain(shop.second) > 0)
        // Apple does not know the receipt: that ends it, once.
        #expect(try closings(shop) == 1)
        for engine in [shop.first, shop.second, third] {
            #expect(try engine.questions.ticket(ticket)?.state != .waiting)
        }
        try shop.audit()
    }

    @Test("what Apple answers a node that was deposed meanwhile is asked for by the next one")
    func attemptUnderWay() async throws {
        let moves = Mutex<@Sendable () -> Void>({})
        let shop = try await SharedShop(
            appStore: ScriptedAppStore { moves.withLock(\.self)() })
        _ = try await receipt(shop.first)
        moves.withLock { move in move = { shop.moveLead(unnoticed: true) } }
        let step = await shop.first.askApple()
        moves.withLock { $0 = {} }
        #expect(step.attempts == 1)
        #expect(step.error?.code == "ledger.not-leader")
        #expect(try closings(shop) == 0)
        shop.pass(milliseconds: 86_400_000)
        #expect(await drain(shop.second) == 1)
        #expect(try closings(shop) == 1)
        // It asks once more, since it does not know that it was deposed, and records nothing.
        _ = await drain(shop.first)
        #expect(try closings(shop) == 1)
        try shop.audit()
    }

    // MARK: Refunds

    @Test("Apple is told the same of a refund by the next node, and it is recorded once")
    func refundAnswer() async throws {
        let moves = Mutex<@Sendable () -> Void>({})
        let shop = try await SharedShop(
            rules: RefundShop.rules, appStore: ScriptedAppStore { moves.withLock(\.self)() })
        var bought = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "coins", kind: .consumable,
            transactionID: "7", purchaseDate: try #require(Instant(rfc3339: "2026-02-20")),
            expiresDate: nil)
        bought.price = Price(milliunits: 9_990, currency: "USD")
        let signed = shop.store.sign(bought.payload)
        _ = try await shop.first.submit([EvidenceSubmission(payload: signed, account: "alice")])
        _ = try await shop.first.record(
            RefundConsent(account: "alice", isGiven: true, actor: "uid:7", reason: "terms"))
        var request = SimulatedNotification(
            type: "CONSUMPTION_REQUEST", uuid: "00000000-0000-4000-8000-000000000001",
            bundleID: "com.example.shop", appAppleID: 77, signedDate: shop.clock.now())
        request.transaction = signed
        request.otherFields = [JSONMember("consumptionRequestReason", "OTHER")]
        _ = try await shop.first.submit([
            EvidenceSubmission(payload: shop.store.sign(request.payload))
        ])
        // What Apple is going to be told is recorded; while it is told, another node takes over.
        moves.withLock { move in move = { shop.moveLead(unnoticed: true) } }
        let step = await shop.first.answerRefunds()
        moves.withLock { $0 = {} }
        #expect(step.looks == 1)
        #expect(step.error?.code == "ledger.not-leader")
        while await shop.second.answerRefunds().looks > 0 {}
        let told = try #require(shop.appStore.consumption["7"])
        #expect(told.count == 2 && told[0] == told[1])
        let answers = try shop.entries().compactMap { entry in
            if case .refundAnswer(let answer) = entry { answer.outcome } else { nil }
        }
        #expect(answers == [.begun, .sent])
        shop.pass(milliseconds: 60_000)
        while await shop.first.answerRefunds().looks > 0 {}
        #expect(shop.appStore.consumption["7"]?.count == 2)
        try shop.audit()
    }

    // MARK: The clock

    /// A purchase of a day before the shop's beginning, signed now.
    private func coins(_ shop: SharedShop, id: String) throws -> [UInt8] {
        let bought = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "coins", kind: .consumable,
            transactionID: id, purchaseDate: try #require(Instant(rfc3339: "2026-02-20")),
            expiresDate: nil)
        return shop.store.sign(bought.payload)
    }

    @Test(
        "a node whose clock is wrong leads by the time of the ledger",
        arguments: [-7_200_000, 7_200_000] as [Int64])
    func wrongClock(error: Int64) async throws {
        let shop = try await SharedShop()
        let node = shop.fleet.node("third")
        let wrong = SetClock(shop.clock.now().advanced(byMilliseconds: error))
        let third = try await shop.open(node, clock: wrong)
        let before = try shop.fleet.memory.read { try $0.head() }
        #expect(third.isClockBehind == (error < 0))
        shop.fleet.lead(node, after: shop.nodes.first)
        for number in 1...3 {
            let evidence = EvidenceSubmission(
                payload: try coins(shop, id: "\(number)"), account: "alice")
            let report = try #require(try await third.submit([evidence]).first)
            #expect(report.judged != nil, "\(report)")
        }
        let after = try shop.fleet.memory.read { try $0.head() }
        #expect(after.recordedAt == Swift.max(before.recordedAt, wrong.now()))
        // The others, whose clocks are right, answer as of the ledger's time and lead again.
        shop.fleet.lead(shop.nodes.first, after: node)
        let evidence = EvidenceSubmission(payload: try coins(shop, id: "4"), account: "alice")
        #expect(try await shop.first.submit([evidence]).first?.judged != nil)
        let last = try shop.fleet.memory.read { try $0.head() }
        #expect(last.recordedAt >= after.recordedAt)
        #expect(shop.first.isClockBehind == (error > 0))
        #expect(shop.first.now() >= after.recordedAt.advanced(byMilliseconds: -300_000))
        let (ours, theirs) = (try shop.first.account("alice"), try third.account("alice"))
        let (key, now) = (CreditKey(.production, "coins"), shop.clock.now())
        #expect(ours.0.balance(key, at: now) > 0)
        #expect(ours.0.balance(key, at: now) == theirs.0.balance(key, at: now))
        #expect(ours.1 == theirs.1)
        try shop.audit()
    }

    // MARK: Reconciliation

    @Test("the schedule goes by what any node has run, and what was not begun is not begun later")
    func reconciliation() async throws {
        let world = try await ReconciledShop(customers: 3)
        let (first, second) = (world.reconciler(), world.reconciler())
        #expect(second.requestIfDue(everyHours: 24))
        second.endPending()
        #expect(second.last?.state == .stopped && second.last?.code == "ledger.not-leader")
        #expect(await !second.runPending())
        #expect(first.requestIfDue(everyHours: 24))
        #expect(await first.runPending())
        #expect(first.last?.state == .finished)
        // It has looked before, and knows nothing of that.
        #expect(second.requestIfDue(everyHours: 24))
        second.endPending()
        second.beginToLead()
        #expect(!second.requestIfDue(everyHours: 24))
    }
}
