package import EntitlementModel

/// What was decided on a claim. It becomes an `OwnershipDecision` in the commit that records the
/// claim, and is never judged again (spec 1.6).
package struct JudgedClaim: Hashable, Sendable {
    package var claim: Claim
    package var unit: OwnedUnit
    package var outcome: ClaimOutcome
    package var rule: RuleReference
    /// Sorted.
    package var ownersBefore: [AccountID]
    /// Sorted.
    package var ownersAfter: [AccountID]
    /// From when `ownersAfter` own it.
    package var from: Instant
    /// False for the owner's own claim and for one that is answered as the first time: they are
    /// answered, not recorded.
    package var isRecorded: Bool

    /// The fact to append. `cause` is the ledger entry of the claim.
    package func decision(cause: LedgerSequence, policy: Digest256) -> OwnershipDecision {
        OwnershipDecision(
            cause: cause, unit: unit, transactionID: claim.transaction.transactionID,
            outcome: outcome, rule: rule, policy: policy, ownersBefore: ownersBefore,
            ownersAfter: ownersAfter, from: from)
    }
}

/// Judges a claim, once, by the policy in force and the facts recorded before it. `facts`
/// include the snapshots that came with the same evidence.
///
/// The claim itself comes first, then claims that follow from it in the same commit: a purchase
/// whose token names another account is claimed for that account. Empty for a transaction that
/// is not known or has no effect.
package func judge(
    _ claim: Claim, recordedAt: Instant, policies: PolicyHistory, facts: FactSet
) -> [JudgedClaim] {
    Deriver(policies: policies).judge(claim, recordedAt: recordedAt, facts)
}

extension Deriver {
    /// As the free function `judge(_:recordedAt:policies:facts:)`.
    package func judge(
        _ claim: Claim, recordedAt: Instant, _ facts: FactSet
    ) -> [JudgedClaim] {
        var claim = claim
        claim.account = policy.policy.name(claim.account)
        let view = FactView(facts, policy: policy)
        guard let evaluation = ClaimEvaluation(claim, recordedAt: recordedAt, view: view) else {
            return []
        }
        let judged = evaluation.judged
        guard judged.outcome == .denied(.token), judged.isRecorded,
            let named = evaluation.namedAccount
        else {
            return [judged]
        }
        let following = Claim(
            account: named, transaction: claim.transaction, moment: claim.moment,
            evidence: claim.evidence)
        let second = ClaimEvaluation(following, recordedAt: recordedAt, view: view)
        return [judged] + (second.map { [$0.judged] } ?? [])
    }
}
