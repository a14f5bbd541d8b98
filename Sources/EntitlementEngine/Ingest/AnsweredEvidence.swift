internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// A piece of what Apple has answered, with the verdict on it.
struct AnsweredEvidence: Sendable {
    let submission: EvidenceSubmission
    let verdict: EvidenceVerdict
}

extension EntitlementEngine {
    /// Verifies what Apple has signed and answered, like anybody's evidence; writes nothing. It is
    /// presented by nobody.
    ///
    /// - Parameter kind: what it has to be; nil for what it says it is.
    func verify(answered text: String, as kind: EvidenceKind? = nil) -> AnsweredEvidence {
        let payload = Array(text.utf8)
        let (verifier, now) = (policy.verifier, now())
        return AnsweredEvidence(
            submission: EvidenceSubmission(payload: payload),
            verdict: verifier.verify(payload, asIfAny: kind, at: now))
    }

    /// Records it as anything else that is handed in; returns only after the commit is durable.
    func record(_ pieces: [AnsweredEvidence]) async throws(EngineError) {
        guard !pieces.isEmpty else { return }
        let called = clock.now()
        _ = try await commit(calledAt: called) { [refusals] ledger throws(LedgerError) in
            var recorder = EvidenceRecorder(ledger, calledAt: called, refusals: refusals)
            for piece in pieces { try recorder.record(piece.submission, piece.verdict) }
            return ((), recorder.touched)
        }
    }
}
