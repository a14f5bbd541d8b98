internal import EntitlementDerivation
internal import EntitlementModel
internal import HistoryComparison
internal import LedgerModel
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

@Suite("The version of the rules", .timeLimit(.minutes(20)))
struct RulesTests {
    /// Of the answers about many histories, by the version of the rules that gave them.
    ///
    /// If this fails because the same questions are answered otherwise: raise
    /// `DerivationRules.version` and add the digest, since answers that were kept are not made
    /// again as they were. If only the histories have changed, replace the digest.
    private static let digests: [Int64: String] = [
        1: "43928d81fab46edfb292ba70a0d51e3c1b2db8602550a81dea947d0c09b9af1a"
    ]

    @Test("the same rules give the same answers")
    func sameAnswers() {
        var writer = AnswerWriter()
        var granted = 0
        for seed in 1...60 as ClosedRange<UInt64> {
            let playback = Playback(History.random(seed: seed))
            let policy = ActivePolicy(playback.policies)
            let derived = derive(policies: playback.policies, facts: playback.facts).accounts
            for (_, timeline) in derived.sorted(by: { $0.key < $1.key }) {
                let packed = policy.packed(timeline)
                let spans = timeline.rights.values.flatMap(\.spans)
                for instant in Set(spans.map(\.interval.start)).sorted() {
                    for environment in StoreEnvironment.allCases {
                        for answer in packed.answers(
                            in: environment, at: instant, revision: LedgerSequence(1))
                        {
                            granted += answer.decision ? 1 : 0
                            writer.append(answer)
                        }
                    }
                }
            }
        }
        #expect(granted > 1_000)
        let digest = EntryHash.digest(of: writer.bytes).hexadecimal
        #expect(digest == Self.digests[DerivationRules.version])
    }
}
