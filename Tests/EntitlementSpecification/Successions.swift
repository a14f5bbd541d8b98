package import EntitlementModel

/// One lineage that goes on from another (spec 1.4).
struct Succession: Sendable {
    let newer: LineageKey
    let older: LineageKey
    /// The newer lineage's first period.
    let first: Purchase
    /// The entry that says so.
    let statement: LedgerSequence

    /// What the newest statement of each lineage names, if that is an older subscription.
    static func all(
        among purchases: [OwnedUnit: [Purchase]], _ kinds: [OwnedUnit: Stated<ProductKind>],
        policy: Policy, facts: FactSet
    ) -> [Succession] {
        func firstPeriod(_ lineage: LineageKey) -> Purchase? {
            guard kinds[.lineage(lineage)]?.known == .autoRenewable else { return nil }
            return PaidPeriod.inOrder(purchases[.lineage(lineage)] ?? []).first?.purchase
        }
        let statements = facts.transactions.filter {
            let named = $0.value.previousOriginalTransactionID
            return $0.value.hasEffect(under: policy) && named != nil
                && named != $0.value.originalTransactionID
        }
        let byLineage = Dictionary(grouping: statements) {
            LineageKey($0.value.environment, $0.value.originalTransactionID)
        }
        return byLineage.compactMap { newer, statements -> Succession? in
            let newest = statements.sorted {
                if $0.value.isNewer(than: $1.value) { return true }
                if $1.value.isNewer(than: $0.value) { return false }
                return $0.sequence < $1.sequence
            }[0]
            guard let named = newest.value.previousOriginalTransactionID else { return nil }
            let older = LineageKey(newer.environment, named)
            guard let first = firstPeriod(newer), let before = firstPeriod(older),
                before.start < first.start
            else { return nil }
            return Succession(
                newer: newer, older: older, first: first, statement: newest.sequence)
        }.sorted { ($0.first.start, $0.newer) < ($1.first.start, $1.newer) }
    }
}

/// What a succession comes to when it becomes known.
package struct SpecifiedSuccession: Hashable, Sendable {
    package var cause: LedgerSequence
    package var unit: OwnedUnit
    package var transactionID: TransactionID
    package var outcome: ClaimOutcome
    package var ownersBefore: [AccountID]
    package var ownersAfter: [AccountID]
    package var from: Instant

    package init(
        cause: LedgerSequence, unit: OwnedUnit, transactionID: TransactionID,
        outcome: ClaimOutcome, ownersBefore: [AccountID], ownersAfter: [AccountID], from: Instant
    ) {
        self.cause = cause
        self.unit = unit
        self.transactionID = transactionID
        self.outcome = outcome
        self.ownersBefore = ownersBefore
        self.ownersAfter = ownersAfter
        self.from = from
    }
}

extension Specification {
    /// The first one to be decided once `told`, the newest entry, is known: a lineage that has
    /// not gone on from another until now. Asked again until nothing is left to decide, since each
    /// may give the next one its owners.
    package func nextSuccession(
        after told: Recorded<TransactionSnapshot>
    ) -> SpecifiedSuccession? {
        var before = recorded
        before.transactions.removeAll { $0.sequence == told.sequence }
        let earlier = Specification(policies: policies, facts: before)
        for succession in successions
        where !earlier.successions.contains(where: { $0.newer == succession.newer }) {
            if let decided = outcome(of: succession, recordedAt: told.recordedAt) {
                return decided
            }
        }
        return nil
    }

    private func outcome(
        of succession: Succession, recordedAt: Instant
    ) -> SpecifiedSuccession? {
        let unit = OwnedUnit.lineage(succession.newer)
        let heirs = lastOwners(of: .lineage(succession.older)).sorted()
        let isDecided = facts.decisions.contains {
            $0.value.rule.name == "succession" && self.unit(decidedBy: $0.value) == unit
        }
        if heirs.isEmpty || isDecided { return nil }
        let owners = lastOwners(of: unit)
        var decided = SpecifiedSuccession(
            cause: succession.statement, unit: unit, transactionID: succession.first.name,
            outcome: .accepted, ownersBefore: [], ownersAfter: heirs, from: .distantPast)
        if changes(of: unit).isEmpty { return decided }
        // It had an owner before this was known.
        if owners.isEmpty || owners.isSuperset(of: heirs) { return nil }
        decided.outcome = .denied(.kept)
        decided.ownersBefore = owners.sorted()
        decided.ownersAfter = owners.sorted()
        decided.from = recordedAt
        return decided
    }

    /// For a person to look at, until one that had the older lineage has the newer one.
    package func deniedSuccessions() -> [(
        facts: [LedgerSequence], accounts: [AccountID], interval: Interval
    )] {
        facts.decisions.compactMap { decision in
            guard decision.value.rule.name == "succession",
                decision.value.outcome == .denied(.kept),
                let said = facts.transactions.first(where: {
                    $0.sequence == decision.value.cause
                })?.value,
                let named = said.previousOriginalTransactionID
            else { return nil }
            let older = OwnedUnit.lineage(LineageKey(said.environment, named))
            let owned = decisions(on: older).last { $0.sequence < decision.sequence }
            let heirs = Set(owned?.value.ownersAfter ?? []).subtracting(
                decision.value.ownersBefore)
            guard !heirs.isEmpty else { return nil }
            let settled = decisions(on: unit(decidedBy: decision.value)).first {
                $0.sequence > decision.sequence && !heirs.isDisjoint(with: $0.value.ownersAfter)
            }
            let interval = Interval(from: decision.recordedAt, to: settled?.recordedAt)
            return interval.map {
                (
                    [decision.value.cause, decision.sequence],
                    heirs.union(decision.value.ownersBefore).sorted(), $0
                )
            }
        }
    }
}
