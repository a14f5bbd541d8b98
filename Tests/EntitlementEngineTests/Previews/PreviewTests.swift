internal import EntitlementModel
internal import LedgerModel
internal import Testing

@testable internal import EntitlementAnswers
@testable internal import EntitlementEngine

/// What is said before an action, and actions that depend on nothing having changed (spec 3.1).
@Suite("Previews", .timeLimit(.minutes(2)))
struct PreviewTests {
    private static func cause(_ intent: ActionIntent = .act) -> AdminActionCause {
        AdminActionCause(actor: "uid:7", reason: "a test", intent: intent)
    }

    /// Chen owns the subscription, and mei has claimed it.
    private func shop(
        on store: TestLedger.Store = TestLedger.usual
    ) async throws -> (shop: Shop, claim: LedgerSequence) {
        let shop = try await Shop(on: store)
        let gold = try shop.purchase("gold", .autoRenewable, id: "1001", until: "2026-05-14")
        try await shop.present(gold, as: "chen")
        try await shop.present(gold, as: "mei", moment: .restore)
        let claims = try shop.engine.questions.report(on: "mei", at: shop.clock.now()).claims
        return (shop, try #require(claims.first { $0.account == "mei" }).claim)
    }

    private func preview(
        _ action: (AdminActionCause) async throws -> Void
    ) async throws -> Written<EffectAnswer> {
        let rehearsal = Rehearsal()
        try await action(Self.cause(.preview(rehearsal)))
        return try #require(rehearsal.effect)
    }

    private func transfer(
        _ claim: LedgerSequence, _ cause: AdminActionCause
    ) -> RulingRequest {
        RulingRequest(verb: .transfer, claim: claim, cause: cause)
    }

    @Test("say who loses and who gains, since when and until when, in both languages")
    func ruling() async throws {
        let (shop, claim) = try await shop()
        let head = shop.engine.revision
        let effect = try await preview { cause in
            _ = try await shop.engine.rule(transfer(claim, cause))
        }
        #expect(effect.revision == head)
        #expect(shop.engine.revision == head)
        #expect(effect.value.takesAway)
        let rights = effect.value.changes.filter { $0.kind == .right }
        let owners = effect.value.changes.first { $0.kind == .owners }
        #expect(
            owners?.sentences(in: .english, at: effect.value.at) == [
                "gold, bought 2026-02-20: from chen to mei"
            ])
        #expect(
            rights.map { $0.sentences(in: .english, at: effect.value.at)[0] } == [
                "chen loses premium from now",
                "mei has premium from now until 2026-05-14T01:00:00Z",
            ])
        #expect(
            rights.map { $0.sentences(in: .chinese, at: effect.value.at)[0] } == [
                "chen 从现在起失去 premium", "mei 从现在起拥有 premium，到 2026-05-14T01:00:00Z 为止",
            ])
        #expect(
            effect.value.told.map(\.change.kind).filter {
                $0 != .findingClosed && $0 != .findingOpened
            }
                == [.ownerChanged, .ownerChanged, .rightLost, .rightGained])
        #expect(
            effect.value.undo == [
                "usher", "claims", "undo", "\(claim)", "--decision", "\(head.number + 2)",
            ])
        try shop.engine.close()
    }

    @Test("say of a purchase that has ended that nobody has more or less, and since when")
    func ended() async throws {
        let (shop, claim) = try await shop()
        try shop.clock.set("2026-06-01T00:00:00Z")
        let effect = try await preview { cause in
            _ = try await shop.engine.rule(transfer(claim, cause))
        }.value
        #expect(effect.changes.allSatisfy(\.isAside) && !effect.changes.contains(where: \.isGain))
        #expect(
            Set(effect.changes.map { $0.sentences(in: .english, at: effect.at)[0] }).isSuperset(
                of: [
                    "gold, bought 2026-02-20: from chen to mei; it ended on 2026-05-14 "
                        + "(ended, and no renewal was received)",
                    "chen still does not have premium: no purchase (so far: expired)",
                    "mei still does not have premium: expired (so far: no purchase)",
                ]))
        try shop.engine.close()
    }

    @Test("say what blocks, consents and their ends do, though no answer changes")
    func whatIsRecorded() async throws {
        let (shop, _) = try await shop()
        func said(
            _ action: (AdminActionCause) async throws -> Void
        ) async throws -> [String] {
            let effect = try await preview(action).value
            return effect.changes.map { $0.sentences(in: .english, at: effect.at)[0] }
        }
        let begun = try await said { _ = try await shop.engine.block("zoe", id: "b", $0) }
        #expect(begun == ["zoe is blocked"])
        _ = try await shop.engine.block("zoe", id: "b", Self.cause())
        let ended = try await said { _ = try await shop.engine.liftBlock("b", $0) }
        #expect(ended == ["a block of zoe ends"])
        let consent = try await said { cause in
            let consent = RefundConsent(
                account: "zoe", isGiven: false, actor: cause.actor, reason: cause.reason)
            _ = try await shop.engine.record(consent, meant: cause.intent)
        }
        #expect(consent == ["zoe does not agree that Apple is told what was used"])
        try shop.engine.close()
    }

    @Test("of what is rejected are the rejection, and use up no idempotency key")
    func rejectedAndKeys() async throws {
        let (shop, _) = try await shop()
        let unknown = Rehearsal()
        let report = try await shop.engine.rule(
            RulingRequest(
                verb: .approve, claim: LedgerSequence(1), cause: Self.cause(.preview(unknown))))
        #expect(report == .rejected(.unknownClaim))
        var request = GrantRequest(
            id: "g", account: "chen", gift: .entitlement("forever"), cause: Self.cause())
        let effect = try await preview { cause in
            request.cause = cause
            _ = try await shop.engine.grant(request)
        }
        #expect(!effect.value.takesAway)
        #expect(effect.value.undo == ["usher", "revoke", "g"])
        request.cause = Self.cause()
        request.account = "mei"
        guard case .done = try await shop.engine.grant(request) else {
            Issue.record("the key is free")
            return
        }
        // What is done already changes nothing.
        let again = try await preview { cause in
            request.cause = cause
            _ = try await shop.engine.grant(request)
        }
        #expect(again.value.changes.isEmpty && again.value.undo == nil)
        try shop.engine.close()
    }

    @Test(
        "an action is not done if something that concerns it came since",
        arguments: TestLedger.Store.allCases)
    func ifRevision(on store: TestLedger.Store) async throws {
        let (shop, claim) = try await shop(on: store)
        let revision = shop.engine.revision
        // Others do not matter.
        _ = try await shop.engine.grant(
            GrantRequest(
                id: "other", account: "zoe", gift: .entitlement("forever"), cause: Self.cause()))
        let block = try await shop.engine.block("mei", id: "b", Self.cause())
        guard case .done(let blocked) = block else {
            Issue.record("blocked")
            return
        }
        let head = shop.engine.revision
        let cause = Self.cause(.actUnlessChanged(since: revision))
        let error = await #expect(throws: EngineError.self) {
            _ = try await shop.engine.rule(transfer(claim, cause))
        }
        guard case .changedSince(let changed)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            changed == [
                ChangedEntry(entry: blocked.block.sequence, kind: "block", account: "mei")
            ])
        #expect(shop.engine.revision == head)
        let later = Self.cause(.actUnlessChanged(since: head))
        guard case .done = try await shop.engine.rule(transfer(claim, later)) else {
            Issue.record("nothing came since")
            return
        }
        #expect(shop.engine.revision > head)
        try shop.engine.close()
    }

    @Test("a new policy concerns every action")
    func policyInBetween() async throws {
        let (shop, claim) = try await shop()
        let revision = shop.engine.revision
        _ = try await shop.engine.activate(Shop.policy(trusting: shop.store, leeway: "2h"))
        let cause = Self.cause(.actUnlessChanged(since: revision))
        let error = await #expect(throws: EngineError.self) {
            _ = try await shop.engine.rule(transfer(claim, cause))
        }
        guard case .changedSince(let changed)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(changed.map(\.kind) == ["policyActivation"])
        #expect(changed.map(\.account) == [nil])
        try shop.engine.close()
    }

    @Test(
        "between group commits leave every entry as it was written",
        arguments: TestLedger.Store.allCases)
    func underLoad(on store: TestLedger.Store) async throws {
        let (shop, claim) = try await shop(on: store)
        let head = shop.engine.revision
        let engine = shop.engine
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    _ = try await engine.grant(
                        GrantRequest(
                            id: GrantID(unchecked: "g\(number)"),
                            account: AccountID(unchecked: "a\(number % 7)"),
                            gift: .entitlement("forever"), cause: Self.cause()))
                }
                guard number % 5 == 0 else { continue }
                group.addTask {
                    let effect = try await self.preview { cause in
                        _ = try await engine.rule(self.transfer(claim, cause))
                    }
                    #expect(effect.value.takesAway)
                }
            }
            try await group.waitForAll()
        }
        #expect(engine.revision.number == head.number + 200)
        let kinds = try engine.reading { reader throws(LedgerError) in
            try reader.entries(after: head, limit: 1_000).map(\.value.registered.kind)
        }
        #expect(kinds == Array(repeating: .grant, count: 200))
        #expect(try engine.ledger.verify() == [])
        try engine.close()
    }

    @Test("of a policy count who loses and who gains, and put nothing into force")
    func policies() async throws {
        let (shop, _) = try await shop()
        let before = shop.engine.policy.digest
        let rehearsal = Rehearsal()
        _ = try await shop.engine.rollBackPolicy(Self.cause(.preview(rehearsal)))
        #expect(rehearsal.effect == nil, "there is no policy before this one")
        _ = try await shop.engine.activate(Shop.policy(trusting: shop.store, leeway: "2h"))
        let effect = try await preview { cause in
            _ = try await shop.engine.rollBackPolicy(cause)
        }
        #expect(effect.value.impact?.policy == before)
        #expect(shop.engine.policy.digest != before)
        try shop.engine.close()
    }
}
