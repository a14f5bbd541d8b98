internal import EntitlementModel

/// Denied claims, for the claimant and for the owners (spec 1.6): a new purchase that gives its
/// buyer nothing matters more than an attempt to switch accounts, and only a new payment is a new
/// purchase. A finding ends when the claimant owns the unit, or when a person refuses the claim.
/// Those of one piece of evidence that end together are one.
///
/// - Parameter account: Nil for those of all accounts; else those that concern this one: its own
///   claims, and those of others on what it owned then.
func deniedClaims(
    concerning account: AccountID?, units: [DerivedUnit], view: FactView
) -> [Finding] {
    let denials = view.facts.decisions.filter { $0.value.isReported }
    guard !denials.isEmpty else { return [] }
    var claims: [LedgerSequence: Recorded<Claim>] = [:]
    for claim in view.facts.claims { claims[claim.sequence] = claim }
    let presented = AcceptedPresentations(view.facts)
    let owners = Dictionary(units.map { ($0.unit, $0.ownership) }) { first, _ in first }
    var refusals: [LedgerSequence: Instant] = [:]
    for ruling in view.facts.rulings where ruling.value.verb == .refuse {
        guard let claim = ruling.value.claim else { continue }
        refusals[claim] = min(refusals[claim] ?? ruling.recordedAt, ruling.recordedAt)
    }
    let conflicts = Set(view.facts.caseConflicts)
    var groups = DenialGroups()
    for decision in denials where !conflicts.contains(decision.sequence) {
        guard let claim = claims[decision.value.cause] else { continue }
        let isConcerned = account.map {
            $0 == claim.value.account || decision.value.ownersBefore.contains($0)
        }
        guard isConcerned ?? true else { continue }
        let unit = view.currentName(
            of: decision.value.unit, presenting: decision.value.transactionID)
        let owning = owners[unit]?.changes.first {
            $0.sequence > decision.sequence && $0.value.ownersAfter.contains(claim.value.account)
        }
        let end = Interval.earlier(owning?.recordedAt, refusals[claim.sequence])
        guard let interval = Interval(from: decision.recordedAt, to: end) else { continue }
        groups.insert(
            Finding(
                kind: view.presentsNewPurchase(claim, presented)
                    ? .paidWithoutRight : .accountSwitch,
                environment: unit.environment, interval: interval,
                accounts: [claim.value.account] + decision.value.ownersBefore,
                units: [unit], facts: [decision.value.cause, decision.sequence]),
            by: claim.value.evidence)
    }
    return groups.findings
}

/// Findings that differ in nothing but who presented the same evidence, and what of it.
private struct DenialGroups {
    private struct Key: Hashable {
        let kind: Finding.Kind
        let evidence: LedgerSequence
        let end: Instant?
    }

    private struct Group {
        let first: Finding
        var count: Int64 = 1
        var accounts: Set<AccountID>
        var units: Set<OwnedUnit>
        /// Of the last one.
        var facts: [LedgerSequence] = []
    }

    private var groups: [Group] = []
    private var places: [Key: Int] = [:]

    mutating func insert(_ finding: Finding, by evidence: LedgerSequence?) {
        let key = evidence.map {
            Key(kind: finding.kind, evidence: $0, end: finding.interval.end)
        }
        if let key, let place = places[key] {
            groups[place].count += 1
            groups[place].accounts.formUnion(finding.accounts)
            groups[place].units.formUnion(finding.units)
            groups[place].facts = finding.facts
            return
        }
        if let key { places[key] = groups.count }
        groups.append(
            Group(first: finding, accounts: Set(finding.accounts), units: Set(finding.units)))
    }

    /// With the facts of the first and of the last: a flood is not listed entry by entry.
    var findings: [Finding] {
        groups.map { group in
            var finding = group.first
            finding.accounts = group.accounts.sorted()
            guard group.count > 1 else { return finding }
            finding.count = group.count
            finding.units = group.units.sorted(by: OwnedUnit.precedes)
            finding.facts += group.facts
            return finding
        }
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

/// For each transaction, the first accepted claim that presented it.
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

extension OwnershipDecision {
    /// Whether it is a denial that is reported.
    fileprivate var isReported: Bool {
        guard case .denied(let refusal) = outcome else { return false }
        return refusal != .ownedByOther && refusal != .accountClosed && !rule.isOfAPersonsWord
    }
}

/// Lineages that continue one of an account, but had another owner before that was known (spec
/// 1.4): for both accounts. A finding ends when an owner of the older lineage owns the newer one.
func deniedSuccessions(
    concerning account: AccountID?, units: [DerivedUnit], view: FactView
) -> [Finding] {
    guard view.facts.decisions.contains(where: \.value.isDeniedSuccession) else { return [] }
    let owners = Dictionary(units.map { ($0.unit, $0.ownership) }) { first, _ in first }
    let ownerships = OwnershipIndex(view)
    return view.facts.decisions.compactMap { decision in
        guard decision.value.isDeniedSuccession else { return nil }
        let heirs = view.heirs(of: decision, ownerships)
        let accounts = Set(heirs + decision.value.ownersBefore)
        guard !heirs.isEmpty, account.map(accounts.contains) ?? true else { return nil }
        let unit = view.currentName(
            of: decision.value.unit, presenting: decision.value.transactionID)
        let owning = (owners[unit] ?? ownerships.ownership(of: unit)).changes.first { change in
            change.sequence > decision.sequence
                && heirs.contains { change.value.ownersAfter.contains($0) }
        }
        return Interval(from: decision.recordedAt, to: owning?.recordedAt).map {
            Finding(
                kind: .accountSwitch, environment: unit.environment, interval: $0,
                accounts: accounts.sorted(), units: [unit],
                facts: [decision.value.cause, decision.sequence])
        }
    }
}

extension OwnershipDecision {
    fileprivate var isDeniedSuccession: Bool {
        rule == .succession && outcome == .denied(.kept)
    }
}

extension FactView {
    /// Owners of the older lineage at the decision that did not own the newer one.
    fileprivate func heirs(
        of decision: Recorded<OwnershipDecision>, _ ownerships: OwnershipIndex
    ) -> [AccountID] {
        let statement = facts.transactions.first { $0.sequence == decision.value.cause }?.value
        guard let statement, let named = statement.previousOriginalTransactionID else { return [] }
        let predecessor = OwnedUnit.lineage(LineageKey(statement.environment, named))
        let change = ownerships.ownership(of: predecessor).changes.last {
            $0.sequence < decision.sequence
        }
        return (change?.value.ownersAfter ?? []).filter {
            !decision.value.ownersBefore.contains($0)
        }
    }
}
