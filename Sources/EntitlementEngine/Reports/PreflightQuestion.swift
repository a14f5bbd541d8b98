package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// Looks at a purchase before the payment sheet is shown. Records nothing. Blocks.
    package func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(EngineError) -> PreflightAnswer {
        try ledger.reading { reader throws(LedgerError) in
            let facts = try preflightFacts(of: request.account, on: request.appleID, reader)
            return PreflightAnswer(
                request, at: instant,
                verdict: VerdictAnswer(policy.deriver.preflight(request, at: instant, facts)),
                policy: policy.digest, revision: try reader.head().sequence)
        }
    }

    /// The account's facts, and those of the Apple ID that is going to pay.
    func preflightFacts(
        of account: AccountID, on appleID: AppleIDKey?, _ reader: any LedgerReading
    ) throws(LedgerError) -> FactSet {
        var facts = policy.folding(try reader.facts(forAccount: account))
        guard let appleID, let lineage = try AppleIDName(appleID)?.lineages(in: reader).first
        else { return facts }
        facts.merge(policy.folding(try reader.facts(forLineage: lineage)))
        return facts
    }
}
