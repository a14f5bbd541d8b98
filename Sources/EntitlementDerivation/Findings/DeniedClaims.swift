internal import EntitlementModel

/// Claims that were denied, for the claimant and for the owners (spec 1.6): a new purchase that
/// gives its buyer nothing is worse than an attempt to switch accounts, and only whoever paid
/// again has bought one. A finding ends when the claimant comes to own the unit, or when a person
/// refuses the claim. Those of one piece of evidence that end together are one.
func deniedClaims(
    concerning account: AccountID?, units: [DerivedUnit], view: FactView
) -> [Finding] {
    let isAnyDenied = view.facts.decisions.contains { $0.value.outcome.isDenied }
    guard isAnyDenied else { return [] }
    var claims: [LedgerSequence: Recorded<Claim>] = [:]
    for claim in view.facts.claims { claims[claim.sequence] = claim }
    let presented = AcceptedPresentations(view.facts)
    let owners = Dictionary(units.map { ($0.unit, $0.ownership) }) { first, _ in first }
    var denials = DenialGroups()
    for decision in view.facts.decisions {
        guard case .denied(let refusal) = decision.value.outcome,
            refusal != .ownedByOther, !decision.value.rule.isOfAPersonsWord,
            !view.facts.caseConflicts.contains(decision.sequence),
            let claim = claims[decision.value.cause]
        else { continue }
        let unit = view.currentName(
            of: decision.value.unit, presenting: decision.value.transactionID)
        let end = resolution(of: decision, claim.value, owners[unit], view.facts)
        guard let interval = Interval(from: decision.recordedAt, to: end) else { continue }
        denials.insert(
            Finding(
                kind: view.presentsNewPurchase(claim, presented)
                    ? .paidWithoutRight : .accountSwitch,
                environment: unit.environment, interval: interval,
                accounts: Set([claim.value.account] + decision.value.ownersBefore).sorted(),
                units: [unit], facts: [decision.value.cause, decision.sequence]),
            by: claim.value.evidence)
    }
    return denials.findings.filter { finding in
        account.map { finding.accounts.contains($0) } ?? true
    }
}

/// Findings that differ in nothing but who presented the same evidence, and what of it.
private struct DenialGroups {
    private struct Key: Hashable {
        let kind: Finding.Kind
        let evidence: LedgerSequence
        let end: Instant?
    }

    private(set) var findings: [Finding] = []
    private var places: [Key: Int] = [:]

    mutating func insert(_ finding: Finding, by evidence: LedgerSequence?) {
        let key = evidence.map {
            Key(kind: finding.kind, evidence: $0, end: finding.interval.end)
        }
        guard let key, let place = places[key] else {
            if let key { places[key] = findings.count }
            findings.append(finding)
            return
        }
        var group = findings[place]
        group.count = (group.count ?? 1) + 1
        group.accounts = Set(group.accounts + finding.accounts).sorted()
        group.units = Set(group.units + finding.units).sorted(by: OwnedUnit.precedes)
        // Of the first and of the last: a flood is not listed entry by entry.
        group.facts = group.facts.prefix(2) + finding.facts
        findings[place] = group
    }
}

/// Decisions that judged two spellings of one account against each other, until a person has ruled
/// on the unit (spec 1.1).
func caseConflicts(of account: AccountID?, view: FactView) -> [Finding] {
    guard !view.facts.caseConflicts.isEmpty else { return [] }
    var claims: [LedgerSequence: Claim] = [:]
    for claim in view.facts.claims { claims[claim.sequence] = claim.value }
    return view.facts.decisions.compactMap { decision in
        guard view.facts.caseConflicts.contains(decision.sequence),
            let claimant = claims[decision.value.cause]?.account,
            account == nil || account == claimant
        else { return nil }
        let unit = view.currentName(
            of: decision.value.unit, presenting: decision.value.transactionID)
        let ruling = view.facts.rulings.filter {
            $0.sequence > decision.sequence && $0.value.unit == unit
        }.min { $0.sequence < $1.sequence }
        return Interval(from: decision.recordedAt, to: ruling?.recordedAt).map {
            Finding(
                kind: .accountCaseConflict, environment: unit.environment, interval: $0,
                accounts: [claimant], units: [unit],
                facts: [decision.value.cause, decision.sequence])
        }
    }
}

/// Where each transaction was first presented by a claim that was accepted.
struct AcceptedPresentations {
    private var first: [TransactionKey: LedgerSequence] = [:]

    init(_ facts: FactSet) {
        var claims: [LedgerSequence: TransactionKey] = [:]
        for claim in facts.claims { claims[claim.sequence] = claim.value.transaction }
        for decision in facts.decisions where decision.value.outcome == .accepted {
            guard let key = claims[decision.value.cause] else { continue }
            first[key] = min(first[key] ?? decision.sequence, decision.sequence)
        }
    }

    func contain(_ key: TransactionKey, before sequence: LedgerSequence) -> Bool {
        first[key].map { $0 < sequence } ?? false
    }
}

extension FactView {
    /// Whether the claim presented what its account had just paid for: made by the customer, at
    /// most 24 hours old, never presented by an accepted claim, and not shared by the family. What
    /// becomes of the claim later, by a ruling on another one, changes nothing in that.
    fileprivate func presentsNewPurchase(
        _ claim: Recorded<Claim>, _ accepted: AcceptedPresentations
    ) -> Bool {
        let transaction = claim.value.transaction
        guard let lineage = lineage(of: transaction),
            let (purchase, earlier) = purchases(of: lineage).named(transaction.transactionID),
            purchase.isCustomerMade(after: earlier, view: self),
            purchase.ownership(in: self) != .familyShared,
            claim.recordedAt.milliseconds(since: purchase.start) <= 86_400_000
        else { return false }
        return !purchase.transactionIDs.contains {
            accepted.contain(TransactionKey(transaction.environment, $0), before: claim.sequence)
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
    fileprivate var isDenied: Bool {
        if case .denied = self { true } else { false }
    }
}
