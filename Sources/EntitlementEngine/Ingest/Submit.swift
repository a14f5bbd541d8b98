internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerStore

/// Handing in evidence.
extension EntitlementEngine {
    /// Verifies each submission, records what is new, decides the claims, and reports. Returns
    /// only after the commit is durable; submissions of one call share it.
    package func submit(
        _ submissions: [EvidenceSubmission]
    ) async throws(EngineError) -> [SubmissionReport] {
        let (called, now) = (clock.now(), now())
        let verifier = policy.verifier
        let verdicts = submissions.map { verifier.verify($0.payload, at: now) }
        let written = try await ledger.writing(
            { [self] transaction throws(LedgerStoreError) in
                var recorder = try EvidenceRecorder(
                    ledger: transaction, policy: active.policy(for: transaction),
                    calledAt: called, refusals: refusals)
                for (submission, verdict) in zip(submissions, verdicts) {
                    try recorder.record(submission, verdict)
                }
                return WrittenSubmissions(
                    outcomes: recorder.outcomes, touched: recorder.touched,
                    head: try transaction.head())
            },
            committed: { [self] written in
                publish(touched: written.touched, head: written.head)
            })
        return try zip(submissions, written.outcomes).map { pair throws(EngineError) in
            try report(pair.1, on: pair.0)
        }
    }

    /// Adds what is true after the commit.
    private func report(
        _ outcome: SubmissionReport, on submission: EvidenceSubmission
    ) throws(EngineError) -> SubmissionReport {
        guard case .judged(var judged) = outcome else { return outcome }
        judged.revision = revision
        if let account = judged.mergedInto ?? submission.account {
            let (sheet, revision) = try self.account(account)
            judged.sheet = sheet
            judged.revision = revision
            judged.isAccountUnused = judged.kind.isForNoAccount
        }
        return .judged(judged)
    }
}

extension EvidenceKind {
    /// What Apple tells of a purchase says nothing of who presents it.
    fileprivate var isForNoAccount: Bool { self == .notification || self == .renewalInfo }
}

/// What one commit has written.
private struct WrittenSubmissions: Sendable {
    let outcomes: [SubmissionReport]
    let touched: Set<AccountID>
    let head: LedgerHead
}
