package import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel

/// Keeps the list of findings up to date. Readers of the list never wait for it. It rests much
/// longer than it works, so that entries are handled together.
struct FindingJob: Job {
    weak let engine: EntitlementEngine?
    var kind: JobKind { .findings }
    /// How many times as long as it has worked it rests, and for how long at most.
    private static let (rest, mostRest) = (9, Duration.seconds(5))

    init(engine: EntitlementEngine) {
        self.engine = engine
    }

    func run() async -> JobPause {
        guard let engine else { return JobPause() }
        let looked = ContinuousClock().measure {
            while !engine.jobs.hasStopped, engine.advanceFindings() {}
        }
        return JobPause(rest: min(looked * Self.rest, Self.mostRest))
    }
}

extension EntitlementEngine {
    /// Begins to keep the list of all findings in the background. Without it, readers derive the
    /// list.
    package func keepFindings() { jobs.start(FindingJob(engine: self)) }

    /// If the ledger cannot be read, the list stays as it is until the next entry.
    fileprivate func advanceFindings() -> Bool {
        let hasMore = try? findings.advance(ledger, by: policy, at: now()) { [jobs] in
            jobs.hasStopped
        }
        return hasMore ?? false
    }

    /// The findings of the whole ledger that are open at the instant, by kind and age. Blocks.
    ///
    /// New entries are handled first, as far as that is quick.
    package func findings(
        of kind: Finding.Kind?, after place: FindingPosition?, at instant: Instant, limit: Int
    ) throws(EngineError) -> FindingPage {
        for _ in 0..<3 {
            guard try findings.advance(ledger, by: policy, at: now()) else { break }
        }
        return findings.page(of: kind, after: place, at: instant, limit: limit, by: policy)
    }

    /// The number of open findings of each kind, without a derivation.
    package func findingCounts(
        at instant: Instant
    ) -> (counts: [Finding.Kind: Int], isComplete: Bool) {
        findings.counts(at: instant)
    }
}

extension LedgerQuestions {
    /// The findings of a whole ledger, derived for this page. Blocks.
    package func findings(
        of kind: Finding.Kind?, after place: FindingPosition?, at instant: Instant, limit: Int
    ) throws(EngineError) -> FindingPage {
        let findings = LedgerFindings()
        while try findings.advance(ledger, by: policy, at: instant) {}
        return findings.page(of: kind, after: place, at: instant, limit: limit, by: policy)
    }
}
