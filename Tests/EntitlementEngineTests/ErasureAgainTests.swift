internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import Testing

@testable internal import EntitlementEngine

private let first = ErasureReference(unchecked: "request-1")
private let second = ErasureReference(unchecked: "request-2")

extension Shop {
    fileprivate func ask(
        _ account: AccountID, _ reference: ErasureReference, days: Int64 = 0, isNew: Bool = false,
        id: BlockID = "h1", meant intent: ActionIntent = .act
    ) async throws -> AdminActionReport<ErasureAnswer> {
        var request = ErasureRequest(account, for: reference)
        (request.holdDays, request.isNew) = (days, isNew)
        return try await engine.erase(
            request, id: id, AdminActionCause(actor: "uid:7", reason: "asked", intent: intent))
    }

    fileprivate func buy(_ id: String, as account: String, at date: String) async throws {
        try await present(
            try purchase("gold", .autoRenewable, id: id, at: date, until: "2026-04-20"),
            as: account)
    }
}

extension AdminActionReport {
    fileprivate var finished: Done? { if case .done(let done) = self { done } else { nil } }
}

/// What is answered to whoever asks for an erasure again, or by mistake (spec 1.14).
@Suite("Asking for an erasure again", .timeLimit(.minutes(20)))
struct ErasureAgainTests {
    @Test("the same reference gets the same certificate, another one is told of the first")
    func certificate() async throws {
        let shop = try await Shop(on: .file)
        try await shop.buy("1", as: "ann", at: "2026-02-20")
        let done = try #require(try await shop.ask("ann", first).finished)
        #expect(done.wasKnown && done.digest != nil && !done.entries.isEmpty)
        try await shop.buy("2", as: "bob", at: "2026-02-21")
        let revision = shop.engine.revision
        #expect(done.anchor.hasPrefix("\(done.erasure):") && revision > done.erasure)
        for days in [Int64(0), 7] {
            #expect(try await shop.ask("ann", first, days: days) == .done(done))
            let other = try await shop.ask("ann", second, days: days, isNew: true)
            #expect(other == .rejected(.erasedBefore(done.erasure, first)))
        }
        let rehearsal = Rehearsal()
        _ = try await shop.ask("ann", first, days: 7, meant: .preview(rehearsal))
        let effect = try #require(rehearsal.effect?.value)
        #expect(effect.erasure?.certificate == done && effect.erasure?.entries == [])
        #expect(!effect.takesAway && effect.undo == nil)
        #expect(shop.engine.revision == revision)
        try shop.engine.close()
    }

    @Test("who came back is erased once more, and each reference has its certificate")
    func twice() async throws {
        let shop = try await Shop(on: .file)
        var done: [ErasureAnswer] = []
        var between = LedgerSequence.zero
        for (reference, id) in [(first, "1"), (second, "2")] {
            try await shop.buy(id, as: "ann", at: "2026-02-20")
            between = shop.engine.revision
            let frame = try shop.engine.questions.report(on: "ann", at: shop.clock.now()).frame
            #expect(frame.erased == nil && frame.lastErasure?.erasure == done.last?.erasure)
            #expect(frame.lastErasure?.recordedAt == done.last?.recordedAt)
            done.append(try #require(try await shop.ask("ann", reference).finished))
        }
        #expect(try await shop.ask("ann", first) == .done(done[0]))
        #expect(try await shop.ask("ann", second) == .done(done[1]))
        let third = try await shop.ask("ann", ErasureReference(unchecked: "request-3"))
        #expect(third == .rejected(.erasedBefore(done[1].erasure, second)))
        // What was known between the two is gone with the second.
        let past = try shop.engine.questions.asKnown(at: between)
        let key = RightKey(.production, "premium")
        #expect(throws: EngineError.self) {
            _ = try past.answer(key, of: "ann", at: shop.clock.now())
        }
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems.map(\.code) == [])
    }

    @Test("during a hold the same reference is told of it, and another one refused")
    func held() async throws {
        let shop = try await Shop(on: .file)
        try await shop.buy("1", as: "ann", at: "2026-02-20")
        let held = try #require(try await shop.ask("ann", first, days: 7).finished)
        let again = try #require(try await shop.ask("ann", first, days: 2, id: "h2").finished)
        #expect(again.erasure == held.erasure && again.due == held.due && held.due != nil)
        for days in [Int64(0), 7] {
            let other = try await shop.ask("ann", second, days: days, id: "h3")
            #expect(other == .rejected(.waitsForErasure(held.erasure, first)))
        }
        let rehearsal = Rehearsal()
        _ = try await shop.ask("ann", first, days: 2, meant: .preview(rehearsal))
        #expect(rehearsal.effect?.value.erasure?.due == held.due)
        #expect(rehearsal.effect?.value.undo == ["usher", "reopen", "ann"])
        #expect(try shop.engine.erasureCounts() == (1, 0))
        shop.clock.set(try #require(held.due))
        #expect(try shop.engine.erasureCounts() == (1, 1))
        guard case .erased(let certificate) = try await shop.engine.eraseWhatIsDue() else {
            Issue.record("not erased")
            return
        }
        #expect(try shop.engine.erasureCounts() == (0, 0))
        #expect(certificate.reference == first && certificate.digest != nil)
        #expect(try await shop.ask("ann", first, days: 7) == .done(certificate))
        try shop.engine.close()
    }

    @Test(
        "a hold is ended at once by the same reference, and a preview says until when one would be")
    func sooner() async throws {
        let shop = try await Shop(on: .file)
        try await shop.buy("1", as: "ann", at: "2026-02-20")
        let rehearsal = Rehearsal()
        _ = try await shop.ask("ann", first, days: 7, meant: .preview(rehearsal))
        #expect(rehearsal.effect?.value.erasure?.due == Instant(rfc3339: "2026-03-08"))
        _ = try await shop.ask("ann", first, meant: .preview(rehearsal))
        #expect(rehearsal.effect?.value.erasure?.due == nil)
        #expect(rehearsal.effect?.value.undo == nil)
        #expect(try await shop.ask("ann", first, days: 7).finished?.due != nil)
        let done = try #require(try await shop.ask("ann", first).finished)
        #expect(done.due == nil && done.digest != nil)
        try shop.engine.close()
    }

    @Test("an account of which nothing is known is erased only where that is meant")
    func unknown() async throws {
        let shop = try await Shop(on: .file)
        let revision = shop.engine.revision
        for days in [Int64(0), 7] {
            let report = try await shop.ask("nobody", first, days: days)
            #expect(report == .rejected(.unknownAccount))
        }
        let report = try await shop.ask("nobody", first, meant: .preview(Rehearsal()))
        #expect(report == .rejected(.unknownAccount))
        #expect(shop.engine.revision == revision)
        let done = try #require(
            try await shop.ask("nobody", first, days: 7, isNew: true).finished)
        #expect(!done.wasKnown && done.due == nil && done.entries.isEmpty)
        #expect(try await shop.ask("nobody", first, days: 7) == .done(done))
        try shop.engine.close()
    }

    @Test(
        "a reference does not have the name in it, nor that of an account that was merged into it")
    func naming() async throws {
        let shop = try await Shop(on: .file)
        try await shop.buy("1", as: "guest", at: "2026-02-20")
        _ = try await shop.engine.merge(
            AccountMerge(from: "guest", into: "ann", actor: "uid:7", reason: "the same person"))
        let revision = shop.engine.revision
        for name in ["ann", "request-ANN", "of-guest-1"] {
            let report = try await shop.ask("ann", ErasureReference(unchecked: name), days: 7)
            #expect(report == .rejected(.referenceNamesAccount), "\(name)")
        }
        #expect(shop.engine.revision == revision)
        try shop.engine.close()
    }

    @Test(
        "a number within a longer one is another number",
        arguments: [
            ("8", "request-118", false), ("118", "request-118", true), ("118", "118-a", true),
            ("18", "118", false), ("11", "118", false), ("ann", "hannah", true),
            ("u1", "u12", false), ("bob", "request-1", false),
        ])
    func names(_ account: AccountID, _ reference: String, _ isNamed: Bool) {
        #expect(ErasureReference(unchecked: reference).names(account) == isNamed)
    }

    @Test("without the key, an account of which nothing is known may have been erased")
    func withoutKey() async throws {
        let shop = try await Shop(on: .file)
        try await shop.buy("1", as: "ann", at: "2026-02-20")
        try await shop.buy("1", as: "bob", at: "2026-02-20")
        try await shop.buy("2", as: "bob", at: "2026-02-20")
        let before = shop.engine.revision
        _ = try await shop.ask("ann", first)
        let now = shop.clock.now()
        var questions = shop.engine.questions
        questions.privacyKey = nil
        let keys: [PrivacyKey?] = [
            nil, PrivacyKey([UInt8](repeating: 9, count: PrivacyKey.length)),
        ]
        for key in keys {
            questions.privacyKey = key
            let frame = try questions.report(on: "ann", at: now).frame
            #expect(frame.isMaybeErased == true && frame.erased == nil)
            #expect(try questions.report(on: "bob", at: now).frame.isMaybeErased == nil)
            let past = try questions.asKnown(at: before)
            var code = ""
            do throws(EngineError) {
                _ = try past.answer(RightKey(.production, "premium"), of: "ann", at: now)
            } catch {
                code = error.code
            }
            #expect(code == "account.maybe-erased")
            #expect(try past.answer(RightKey(.production, "premium"), of: "bob", at: now).decision)
        }
        try shop.engine.close()
    }

    @Test("what stands in the place of an erased account is said to be that")
    func pseudonym() async throws {
        let shop = try await Shop(on: .file)
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: "ann")
        try await shop.present(gold, as: "bob", moment: .restore)
        _ = try await shop.ask("ann", first)
        let owner = try #require(
            try shop.engine.questions.report(on: "bob", at: shop.clock.now()).claims
                .compactMap { $0.decision?.ownersAfter.first }.first)
        let frame = try shop.engine.questions.report(on: owner, at: shop.clock.now()).frame
        #expect(frame.isPseudonym == true && frame.account != "ann")
        #expect(
            try shop.engine.questions.report(on: "bob", at: shop.clock.now()).frame.isPseudonym
                == nil)
        try shop.engine.close()
    }
}
