internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import Testing

@testable internal import EntitlementEngine

/// What a schedule would change, said before (spec 3.1).
@Suite("Previews of schedules", .timeLimit(.minutes(5)))
struct SchedulePreviewTests {
    private func cause(_ intent: ActionIntent) -> AdminActionCause {
        AdminActionCause(actor: "uid:7", reason: "a test", intent: intent)
    }

    private func schedule(
        _ texts: [PolicyText], _ shop: Shop, accepting losses: Int64? = nil,
        _ intent: ActionIntent = .act
    ) async throws -> ScheduleReport {
        try await shop.engine.schedulePolicy(
            ScheduleRequest(
                texts: texts, due: try #require(Instant(rfc3339: "2026-04-01")),
                acceptLoss: losses, cause: cause(intent)))
    }

    private func preview(
        _ act: (ActionIntent) async throws -> Void
    ) async throws -> Written<EffectAnswer>? {
        let rehearsal = Rehearsal()
        try await act(.preview(rehearsal))
        return rehearsal.effect
    }

    @Test("say who loses when it is due, and how to take it back; nothing is recorded")
    func losing() async throws {
        let shop = try await Shop.withAlice()
        let head = shop.engine.revision
        let refused = try await preview { intent in
            guard case .loses(let waiting) = try await schedule(shop.narrower, shop, intent) else {
                Issue.record("a loss is scheduled without consent")
                return
            }
            #expect(waiting.losing == 1)
        }
        #expect(refused == nil)
        let effect = try #require(
            try await preview { intent in
                guard
                    case .scheduled(_, _, losing: 1, _) = try await schedule(
                        shop.narrower, shop, accepting: 1, intent)
                else {
                    Issue.record("it is not judged as the schedule itself")
                    return
                }
            })
        #expect(effect.revision == head && effect.value.takesAway)
        #expect(effect.value.impact?.losingEver == 1)
        let undo = ["usher", "policy", "unschedule", "\(head.number + 1)"]
        #expect(effect.value.undo == undo)
        #expect(shop.engine.revision == head && shop.engine.policySchedules.pending.isEmpty)
        #expect(try shop.entryCount() == head.number)
        let done = try await schedule(shop.narrower, shop, accepting: 1)
        guard case .scheduled(let scheduled, _, _, _) = done else {
            Issue.record("not scheduled: \(done)")
            return
        }
        #expect(scheduled.place.number == head.number + 1)
        let denied = try await preview { intent in
            guard
                case .denied(.instantTaken) = try await schedule(
                    shop.narrower, shop, accepting: 1, intent)
            else {
                Issue.record("two at one instant")
                return
            }
        }
        #expect(denied == nil)
        // Taken back, alice keeps it.
        let back = try #require(
            try await preview { intent in
                let report = try await shop.engine.takeBackSchedule(
                    scheduled.place, cause(intent))
                #expect(report == .success(scheduled))
            })
        #expect(!back.value.takesAway && back.value.undo == nil)
        #expect(back.value.impact?.policy == shop.engine.policy.digest)
        #expect(back.value.impact?.groups.map(\.change) == [.gains])
        #expect(shop.engine.policySchedules.pending == [scheduled])
        try shop.audit()
    }

    @Test("one by which nobody loses anything is compared too")
    func harmless() async throws {
        let shop = try await Shop.withAlice()
        let effect = try await preview { intent in
            _ = try await schedule(shop.files(shop.text(leeway: "2h")), shop, intent)
        }
        #expect(effect?.value.takesAway == false)
        #expect(effect?.value.impact?.policy == shop.digest(leeway: "2h"))
    }

    @Test("what was recorded of schedules and policies since, and nothing else, forbids it")
    func ifRevision() async throws {
        let shop = try await Shop.withAlice()
        let head = shop.engine.revision
        func isChanged(
            since revision: LedgerSequence, by kinds: [String],
            _ act: (ActionIntent) async throws -> Void
        ) async throws {
            await #expect {
                try await act(.actUnlessChanged(since: revision))
            } throws: { error in
                guard case .changedSince(let changed)? = error as? EngineError else { return false }
                return changed.map(\.kind) == kinds
            }
        }
        let first = try await shop.schedule(leeway: "2h", at: "2026-05-01")
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "3"), as: "bob")
        let texts = shop.files(shop.text(leeway: "3h"))
        try await isChanged(since: head, by: ["policySchedule"]) { intent in
            _ = try await schedule(texts, shop, intent)
        }
        let report = try await schedule(texts, shop, .actUnlessChanged(since: first))
        guard case .scheduled(let second, _, _, _) = report else {
            Issue.record("not scheduled: \(report)")
            return
        }
        try await isChanged(since: first, by: ["policySchedule"]) { intent in
            _ = try await shop.engine.takeBackSchedule(first, cause(intent))
        }
        _ = try await shop.engine.activate(shop.files(shop.text(leeway: "5h")))
        try await isChanged(since: second.place, by: ["policyActivation"]) { intent in
            _ = try await shop.engine.takeBackSchedule(first, cause(intent))
        }
        #expect(shop.engine.policySchedules.pending.count == 2)
        let taken = try await shop.engine.takeBackSchedule(
            first, cause(.actUnlessChanged(since: shop.engine.revision)))
        #expect(try taken.get().place == first)
        try shop.audit()
    }
}
