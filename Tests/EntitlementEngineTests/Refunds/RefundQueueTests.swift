internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox
internal import Synchronization
internal import TestSupport
internal import Testing

/// What becomes of a refund request in its twelve hours (spec 1.12).
@Suite("The twelve hours of a refund request", .timeLimit(.minutes(20)))
struct RefundQueueTests {
    @Test("an outage is tried through, and nothing is told once it lasted too long")
    func outage() async throws {
        let shop = try await RefundShop()
        try await shop.consent("ana")
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        shop.appStore.change { $0.failure = AppStoreFailure(.unavailable, httpStatus: 503) }
        try await shop.ask(about: coins)
        var lost: [LedgerSequence] = []
        for _ in 0..<(12 * 30) {
            lost += await shop.engine.answerRefunds().lost
            shop.pass(hours: 1.0 / 30)
        }
        let request = try shop.first
        lost += await shop.engine.answerRefunds().lost
        #expect(lost == [request.request])
        #expect(request.state == .lapsed)
        let calls = shop.appStore.calls.count
        #expect((10...40).contains(calls), "\(calls)")
        #expect(shop.engine.refundOutcomes == [.failed: Int64(calls), .lapsed: 1])
        shop.appStore.change { $0.failure = nil }
        await shop.answer()
        #expect(shop.appStore.calls.count == calls)
    }

    @Test("an answer that Apple takes after a failure is told once")
    func recovery() async throws {
        let shop = try await RefundShop()
        try await shop.consent("ana")
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        shop.appStore.change { $0.failure = AppStoreFailure(.network) }
        try await shop.ask(about: coins)
        await shop.answer()
        let failed = try shop.first
        #expect(failed.attempts == 1)
        #expect(failed.failure?.code == .network)
        #expect(failed.nextAttempt.map { $0 > shop.engine.now() } == true)
        shop.appStore.change { $0.failure = nil }
        shop.pass(hours: 0.5)
        await shop.answer()
        #expect(shop.appStore.consumption["10"]?.count == 1)
        #expect(try shop.first.state == .sent)
    }

    @Test("what Apple rejects is recorded, and not tried again")
    func rejected() async throws {
        let shop = try await RefundShop()
        try await shop.consent("ana")
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        shop.appStore.change {
            $0.failure = AppStoreFailure(.rejected, code: 4_000_047, httpStatus: 400)
        }
        try await shop.ask(about: coins)
        let step = await shop.engine.answerRefunds()
        let request = try shop.first
        #expect(step.lost == [request.request])
        #expect(request.state == .refused)
        #expect(request.answered?.code == "app-store.rejected")
        #expect(request.answered?.status == 4_000_047)
        shop.pass(hours: 1)
        await shop.answer()
        #expect(shop.appStore.calls.count == 1)
    }

    @Test("nothing is told that is not on the disk")
    func unwritten() async throws {
        let (ledger, shop, options) = try await asked()
        let engine = try await EntitlementEngine.open(options)
        ledger.failsNextWrites(1)
        let step = await engine.answerRefunds()
        #expect(step.error?.code == "ledger.test")
        #expect(shop.appStore.calls == [])
        #expect(try shop.requests(engine).map(\.state) == [.open])
        #expect(try shop.requests(engine).first?.begun == nil)
    }

    /// The one who is told may have been told, so it is told the same, and the ledger says so.
    @Test(
        "a crash between telling Apple and recording it repeats the same words, whatever the policy",
        arguments: ["prorate", "decline", "nothing"])
    func crash(_ word: String) async throws {
        let (ledger, shop, options) = try await asked()
        let engine = try await EntitlementEngine.open(options)
        ledger.failsNextWrites(1, after: 1)
        let step = await engine.answerRefunds()
        #expect(step.error?.code == "ledger.test")
        let begun = try #require(try shop.requests(engine).first)
        #expect(begun.state == .open)
        #expect(begun.begun?.outcome == .begun)
        #expect(begun.begun?.policy == engine.policy.digest)
        shop.pass(hours: 1)
        var changed = options
        changed.policyTexts = shop.shop.policyTexts.map { text in
            guard text.path.hasSuffix(".yaml") else { return text }
            let rules = String(decoding: text.bytes, as: UTF8.self).replacing(
                "{name: the rest, then: prorate}", with: "{name: the rest, then: \(word)}")
            return PolicyText(path: text.path, text: rules)
        }
        changed.policyGuard = .warn
        let after = try await EntitlementEngine.open(changed)
        #expect((after.policy.digest == engine.policy.digest) == (word == "prorate"))
        let open = try #require(try shop.requests(after).first)
        #expect(open.statement?.statement == begun.statement?.statement)
        #expect(open.rule == begun.rule)
        #expect(open.obstacle == nil)
        await shop.answer(after)
        await shop.answer(after)
        let told = try #require(shop.appStore.consumption["10"])
        #expect(told.count == 2)
        #expect(Set(told).count == 1)
        let sent = try #require(try shop.requests(after).first)
        #expect(sent.state == .sent)
        #expect(sent.answered?.policy == begun.begun?.policy)
        #expect(sent.begun == nil)
    }

    @Test("what was begun is not finished without consent, and a person may answer it")
    func begunAndWithdrawn() async throws {
        let (ledger, shop, options) = try await asked()
        let engine = try await EntitlementEngine.open(options)
        ledger.failsNextWrites(1, after: 1)
        _ = await engine.answerRefunds()
        _ = try await engine.record(
            RefundConsent(account: "ana", isGiven: false, actor: "uid:7", reason: "asked"))
        shop.pass(hours: 1)
        await shop.answer(engine)
        #expect(shop.appStore.consumption["10"]?.count == 1)
        #expect(try shop.requests(engine).first?.obstacle?.obstacle == .noConsent)
        let request = try #require(try shop.requests(engine).first?.request)
        let done = try await engine.recordAnswered(
            request, AdminActionCause(actor: "uid:1", reason: "Apple has it"))
        guard case .done = done else {
            Issue.record("\(done)")
            return
        }
        #expect(try shop.requests(engine).map(\.state) == [.answered])
    }

    /// A pass of ana's, who has consented and asks for a refund.
    private func asked() async throws -> (FailingLedger, RefundShop, EngineOptions) {
        let ledger = FailingLedger()
        let shop = try await RefundShop()
        var options = EngineOptions(
            ledger: ledger, policyTexts: shop.shop.policyTexts, clock: shop.shop.clock)
        options.appStore = shop.appStore
        let engine = try await EntitlementEngine.open(options)
        let pass = try shop.transaction("pass", .nonRenewing, id: "10")
        _ = try await engine.submit([
            EvidenceSubmission(payload: shop.shop.store.sign(pass.payload), account: "ana")
        ])
        _ = try await engine.record(
            RefundConsent(account: "ana", isGiven: true, actor: "uid:7", reason: "terms"))
        try await shop.ask(about: pass, to: engine)
        return (ledger, shop, options)
    }

    @Test("a reminder is answered in the place of what it reminds of")
    func reminder() async throws {
        let shop = try await RefundShop()
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        try await shop.ask(about: coins, 1)
        await shop.answer()
        shop.pass(hours: 6)
        try await shop.ask(about: coins, 2)
        try await shop.consent("ana")
        await shop.answer()
        #expect(try shop.requests().map(\.state) == [.superseded, .sent])
        #expect(shop.appStore.consumption["10"]?.count == 1)
        // What was answered is answered again where Apple asks again.
        shop.pass(hours: 6)
        try await shop.ask(about: coins, 3)
        await shop.answer()
        #expect(try shop.requests().map(\.state) == [.superseded, .sent, .sent])
        #expect(shop.appStore.consumption["10"]?.count == 2)
        #expect(shop.engine.refundOutcomes == [.superseded: 1, .sent: 2])
    }

    @Test("what Apple has decided is not answered", arguments: [true, false])
    func decided(_ isRefunded: Bool) async throws {
        let shop = try await RefundShop()
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        try await shop.ask(about: coins, 1)
        await shop.answer()
        shop.pass(hours: 1)
        var after = coins
        after.signedDate = shop.shop.clock.now()
        if isRefunded {
            after.revocation = Revocation(date: shop.shop.clock.now(), type: .known(.full))
        }
        try await shop.tell(isRefunded ? "REFUND" : "REFUND_DECLINED", of: after, 2)
        try await shop.consent("ana")
        await shop.answer()
        #expect(shop.appStore.calls == [])
        #expect(try shop.first.state == .decided)
        #expect(try shop.first.decision == (isRefunded ? .refunded : .declined))
    }

    @Test("a person answers instead, once")
    func byPerson() async throws {
        let shop = try await RefundShop()
        try await shop.consent("ana")
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        try await shop.ask(about: coins)
        let request = try shop.first.request
        let cause = AdminActionCause(actor: "uid:1", reason: "told in the console")
        let done = try await shop.engine.recordAnswered(request, cause)
        guard case .done(let answer) = done else {
            Issue.record("\(done)")
            return
        }
        let again = try await shop.engine.recordAnswered(request, cause)
        #expect(again == .done(answer))
        let other = try await shop.engine.recordAnswered(
            request, AdminActionCause(actor: "uid:2", reason: "me too"))
        #expect(other == .rejected(.refundAnswered))
        let none = try await shop.engine.recordAnswered(LedgerSequence(1), cause)
        #expect(none == .rejected(.unknownRefund))
        await shop.answer()
        #expect(shop.appStore.calls == [])
        #expect(try shop.first.state == .answered)
        #expect(try shop.first.answered?.actor == "uid:1")
    }

    @Test("without a client a person is shown what to say")
    func shown() async throws {
        let shop = try await RefundShop(isConfigured: false)
        try await shop.consent("ana")
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        try await shop.ask(about: coins)
        await shop.answer()
        #expect(try shop.first.state == .open)
        #expect(try shop.first.statement?.statement.preference == .grantFull)
        #expect(try shop.first.obstacle == nil)
        #expect(shop.engine.openRefunds == [nil: 1])
        #expect(shop.engine.secondsUntilRefundLapses(at: shop.engine.now()) == 43_200)
    }

    @Test("a finding tells of an answer that is wanted, from four hours before")
    func finding() async throws {
        let shop = try await RefundShop()
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        try await shop.ask(about: coins)
        func kinds() throws -> [Finding.Kind] {
            let page = try shop.engine.findings(
                of: .refundAnswerDue, after: nil, at: shop.engine.now(), limit: 10)
            return page.findings.map(\.kind)
        }
        for _ in 0..<20 { _ = try kinds() }
        #expect(try kinds() == [])
        shop.pass(hours: 8)
        #expect(try kinds() == [.refundAnswerDue])
        shop.pass(hours: 3.9)
        #expect(try kinds() == [.refundAnswerDue])
        try await shop.consent("ana")
        await shop.answer()
        #expect(try kinds() == [])
    }

    @Test("a request that was imported long after lapses at once, and is previewed")
    func imported() async throws {
        let shop = try await RefundShop()
        try await shop.consent("ana")
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        try await shop.tell("CONSUMPTION_REQUEST", of: coins, 1) {
            $0.signedDate = shop.engine.now().advanced(byMilliseconds: -12 * 3_600_000)
        }
        let step = await shop.engine.answerRefunds()
        #expect(step.looks == 0)
        #expect(try shop.first.state == .lapsed)
        let preview = try shop.engine.questions.previewRefunds(
            under: nil, at: shop.engine.now(), limit: 0)
        #expect(preview.requests.isEmpty)
        #expect(preview.counts.map(\.count) == [1])
    }
}
