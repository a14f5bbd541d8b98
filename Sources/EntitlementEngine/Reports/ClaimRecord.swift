package import EntitlementModel

/// A claim with what became of it so far: for lists, reports and explanations.
package struct ClaimRecord: Hashable, Sendable {
    package let claim: Recorded<Claim>
    /// The newest decision on it; nil for a claim whose transaction was not known yet.
    package let decision: Recorded<OwnershipDecision>?
    /// The ruling that approved it; what it did stands in a decision of its own.
    package let approval: Recorded<Ruling>?

    /// Whether a person has to rule on it (spec 1.6).
    package var isWaiting: Bool {
        approval == nil && decision?.value.outcome == .denied(.waiting)
    }

    /// How it stands, in one word for programs.
    package var outcome: String {
        if approval != nil { return "approved" }
        return decision?.value.outcome.code ?? "unknown-transaction"
    }
}

extension FactSet {
    /// All claims, in the ledger's order.
    var claimRecords: [ClaimRecord] {
        var newest: [LedgerSequence: Recorded<OwnershipDecision>] = [:]
        for decision in decisions.sorted(by: { $0.sequence < $1.sequence }) {
            newest[decision.value.cause] = decision
        }
        var approvals: [LedgerSequence: Recorded<Ruling>] = [:]
        for ruling in rulings where ruling.value.verb == .approve {
            if let claim = ruling.value.claim { approvals[claim] = ruling }
        }
        return claims.sorted { $0.sequence < $1.sequence }.map { claim in
            ClaimRecord(
                claim: claim, decision: newest[claim.sequence],
                approval: approvals[claim.sequence])
        }
    }
}
