internal import EntitlementAnswers
internal import EntitlementModel
internal import HistoryComparison
internal import PolicyAnalysis
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// Packed accounts are packed timelines: whatever is answered from one is, byte for byte, what the
/// timeline says.
@Suite("Packed accounts", .timeLimit(.minutes(20)))
struct PackedRightsTests {
    @Test("a packed account answers as its timelines do, at every boundary and beside it")
    func answersAlike() throws {
        for seed in UInt64(1)...150 {
            let playback = Playback(History.random(seed: seed))
            let active = ActivePolicy(playback.policies)
            for account in accounts(of: playback) {
                let view = active.view(of: account, facts: playback.facts)
                let packed = active.packed(of: account, facts: playback.facts)
                for (key, timeline) in view.timeline.rights {
                    for instant in instants(of: timeline) {
                        expect(packed.rights, toAnswer: view, key, instant, "seed \(seed)")
                    }
                }
            }
        }
    }

    @Test("what nothing gives is answered as nothing")
    func nothing() throws {
        let active = ActivePolicy(Playback(History.random(seed: 1)).policies)
        let view = active.view(of: "nobody", facts: FactSet())
        let packed = active.packed(of: "nobody", facts: FactSet())
        let key = RightKey(.production, "premium")
        expect(packed.rights, toAnswer: view, key, HostileEvidence.now, "nobody")
        let listed = packed.answers(in: .sandbox, at: .distantPast, revision: .zero)
        let names = playedEntitlements(active)
        #expect(listed.map(\.key) == names.map { RightKey(.sandbox, $0) })
        #expect(listed.allSatisfy { !$0.decision })
    }

    @Test("a packed account that was made before a rule was first needed keeps its texts")
    func growingTexts() throws {
        let history = Playback(History.random(seed: 7))
        let active = ActivePolicy(history.policies)
        let accounts = accounts(of: history)
        let views = accounts.map { active.view(of: $0, facts: history.facts) }
        // All are made before the first is asked.
        let packedAccounts = accounts.map { active.packed(of: $0, facts: history.facts) }
        for (view, packed) in zip(views, packedAccounts) {
            for (key, timeline) in view.timeline.rights {
                for instant in instants(of: timeline) {
                    expect(packed.rights, toAnswer: view, key, instant, "\(view.account)")
                }
            }
        }
    }

    @Test("places hold through several policies, also where two rules come to be written alike")
    func continuedPlaces() {
        var first = Playback(History.random(seed: 1)).policies.current
        let reference = RuleReference(name: "x", file: "f.yaml", line: 5)
        let lower = RuleReference(name: "x", file: "f.yaml", line: 9)
        first.accessRules = [AccessRule(reference: reference, when: Condition(), effect: .grant)]
        first.openRights = [OpenRight(reference: lower, entitlements: [], windows: [])]
        var second = first
        second.accessRules = []
        second.openRights[0].reference = reference
        let texts = AnswerTexts(first, epoch: 1)
        let later = texts.continued(by: second, RuleCorrespondence(from: first, to: second))
            .continued(by: second, RuleCorrespondence(from: second, to: second))
        #expect(texts.isPart(of: texts) && !texts.isPart(of: later))
        #expect(!first.products.isEmpty)
        for product in first.products.keys {
            #expect(later.place(of: .product(product)) == texts.place(of: .product(product)))
        }
    }

    private func accounts(of playback: Playback) -> [AccountID] {
        let facts = playback.facts
        return Set(facts.claims.map(\.value.account) + facts.grants.map(\.value.account)).sorted()
    }

    private func instants(of timeline: RightTimeline) -> [Instant] {
        timeline.spans.flatMap { span in
            let start = span.interval.start
            return start == .distantPast
                ? [start]
                : [start.advanced(byMilliseconds: -1), start, start.advanced(byMilliseconds: 1)]
        }
    }

    private func playedEntitlements(_ policy: ActivePolicy) -> [EntitlementName] {
        policy.history.current.entitlements.keys.sorted()
    }

    private func expect(
        _ packed: PackedRights, toAnswer view: AccountView, _ key: RightKey, _ instant: Instant,
        _ place: String
    ) {
        let revision = LedgerSequence(7)
        var found = AnswerWriter()
        found.append(packed.answer(key, at: instant, revision: revision))
        let expected = view.answer(key, at: instant, revision: revision).json
        #expect(found.bytes == expected, "\(place), \(key.entitlement) at \(instant)")
    }
}
