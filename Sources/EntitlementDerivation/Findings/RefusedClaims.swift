internal import EntitlementModel

/// Claims that were refused, for the claimant and for the owners (spec 1.6): a new purchase that
/// gives its buyer nothing is worse than an attempt to switch accounts. A finding ends when the
/// claimant comes to own the unit, or when a person refuses the claim.
func refusedClaims(
    concerning account: AccountID, units: [DerivedUnit], view: FactView
) -> [Finding] {
    let isAnyRefused = view.facts.decisions.contains { $0.value.outcome.isRefusal }
    guard isAnyRefused else { return [] }
    var claims: [LedgerSequence: Claim] = [:]
    for claim in view.facts.claims { claims[claim.sequence] = claim.value }
    let owners = Dictionary(units.map { ($0.unit, $0.ownership) }) { first, _ in first }
    return view.facts.decisions.compactMap { decision in
        guard case .refused = decision.value.outcome, let claim = claims[decision.value.cause],
            claim.account == account || decision.value.ownersBefore.contains(account)
        else { return nil }
        let unit = view.currentName(
            of: decision.value.unit, presenting: decision.value.transactionID)
        let end = resolution(of: decision, claim, owners[unit], view.facts)
        return Interval(from: decision.recordedAt, to: end).map { interval in
            Finding(
                kind: claim.moment == .purchase ? .paidWithoutRight : .accountSwitch,
                environment: unit.environment, interval: interval,
                accounts: Set([claim.account] + decision.value.ownersBefore).sorted(),
                units: [unit], facts: [decision.value.cause, decision.sequence])
        }
    }
}

private func resolution(
    of refused: Recorded<OwnershipDecision>, _ claim: Claim, _ ownership: UnitOwnership?,
    _ facts: FactSet
) -> Instant? {
    let owning = ownership?.changes.first {
        $0.sequence > refused.sequence && $0.value.ownersAfter.contains(claim.account)
    }
    let ruling = facts.rulings.filter {
        $0.value.verb == .refuse && $0.value.claim == refused.value.cause
    }.min { $0.sequence < $1.sequence }
    return Interval.earlier(owning?.recordedAt, ruling?.recordedAt)
}

extension ClaimOutcome {
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}
