internal import EntitlementModel
internal import HistoryComparison
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// Sheets are packed timelines: whatever is answered from one is, byte for byte, what the
/// timeline says.
@Suite("Sheets")
struct SheetTests {
    @Test("a sheet answers as its timelines do, at every boundary and beside it")
    func answersAlike() throws {
        for seed in UInt64(1)...150 {
            let playback = Playback(History.random(seed: seed))
            let active = ActivePolicy(playback.policies)
            for account in accounts(of: playback) {
                let view = active.view(of: account, facts: playback.facts)
                let sheet = active.sheet(of: account, facts: playback.facts)
                for (key, timeline) in view.timeline.rights {
                    for instant in instants(of: timeline) {
                        expect(sheet.rights, toAnswer: view, key, instant, "seed \(seed)")
                    }
                }
            }
        }
    }

    @Test("what nothing gives is answered as nothing")
    func nothing() throws {
        let active = ActivePolicy(Playback(History.random(seed: 1)).policies)
        let view = active.view(of: "nobody", facts: FactSet())
        let sheet = active.sheet(of: "nobody", facts: FactSet())
        let key = RightKey(.production, "premium")
        expect(sheet.rights, toAnswer: view, key, HostileEvidence.now, "nobody")
        let listed = sheet.answers(in: .sandbox, at: .distantPast, revision: .zero)
        let names = playedEntitlements(active)
        #expect(listed.map(\.key) == names.map { RightKey(.sandbox, $0) })
        #expect(listed.allSatisfy { !$0.decision })
    }

    @Test("a sheet that was made before a rule was first needed keeps its texts")
    func growingTexts() throws {
        let history = Playback(History.random(seed: 7))
        let active = ActivePolicy(history.policies)
        let accounts = accounts(of: history)
        let views = accounts.map { active.view(of: $0, facts: history.facts) }
        // All are made before the first is asked.
        let sheets = accounts.map { active.sheet(of: $0, facts: history.facts) }
        for (view, sheet) in zip(views, sheets) {
            for (key, timeline) in view.timeline.rights {
                for instant in instants(of: timeline) {
                    expect(sheet.rights, toAnswer: view, key, instant, "\(view.account)")
                }
            }
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
        _ sheet: RightsSheet, toAnswer view: AccountView, _ key: RightKey, _ instant: Instant,
        _ place: String
    ) {
        let revision = LedgerSequence(7)
        var (packed, plain) = (AnswerWriter(), AnswerWriter())
        packed.append(sheet.answer(key, at: instant, revision: revision))
        plain.append(view.answer(key, at: instant, revision: revision))
        #expect(packed.bytes == plain.bytes, "\(place), \(key.entitlement) at \(instant)")
    }
}
