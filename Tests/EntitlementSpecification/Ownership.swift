package import EntitlementModel

/// Owners are the fold of the decisions, in the ledger's order (spec 1.6).
extension Specification {
    /// The accounts that hold a unit at an instant.
    package func owners(of unit: OwnedUnit, at instant: Instant) -> Set<AccountID> {
        let decision = decisions(on: unit).last { $0.value.from <= instant }
        return Set(decision?.value.ownersAfter ?? [])
    }

    /// The decisions that changed the owners of a unit, in the ledger's order.
    func decisions(on unit: OwnedUnit) -> [Recorded<OwnershipDecision>] {
        decisionsOfUnit[unit] ?? []
    }

    /// Claims name transactions: a decision follows its transaction to the unit that it is part
    /// of now.
    static func decisions(
        on purchases: [TransactionKey: Purchase], facts: FactSet
    ) -> [OwnedUnit: [Recorded<OwnershipDecision>]] {
        let changes = facts.decisions.filter { $0.value.ownersBefore != $0.value.ownersAfter }
        return Dictionary(grouping: changes.sorted { $0.sequence < $1.sequence }) { decision in
            Self.unit(decidedBy: decision.value, among: purchases)
        }
    }

    private static func unit(
        decidedBy decision: OwnershipDecision, among purchases: [TransactionKey: Purchase]
    ) -> OwnedUnit {
        let key = TransactionKey(decision.unit.environment, decision.transactionID)
        let unit = purchases[key]?.unit
        // A lineage keeps its decisions, whichever lineage the transaction is part of by now.
        if case .lineage = decision.unit, case .lineage? = unit { return decision.unit }
        return unit ?? decision.unit
    }

    package func unit(decidedBy decision: OwnershipDecision) -> OwnedUnit {
        Self.unit(decidedBy: decision, among: purchaseOfTransaction)
    }

    /// Those of them that left the unit to others than had it.
    package func changes(of unit: OwnedUnit) -> [Recorded<OwnershipDecision>] {
        var owners: [AccountID] = []
        return decisions(on: unit).filter { decision in
            defer { owners = decision.value.ownersAfter }
            return decision.value.ownersAfter != owners
        }
    }

    /// When the unit came to an account that did not have it; the first owning is no move. From
    /// where it is back to the beginning: what was undone is not on the way.
    func moves(of unit: OwnedUnit) -> [Instant] {
        let changes = changes(of: unit)
        var moves: [Instant] = []
        var place = origin(of: changes.count - 1, in: changes)
        while place > 0 {
            let change = changes[place].value
            if !Set(change.ownersAfter).isSubset(of: change.ownersBefore) {
                moves.append(changes[place].recordedAt)
            }
            place = origin(of: place - 1, in: changes)
        }
        return moves
    }

    /// The purchase that a transaction is part of.
    func purchase(named key: TransactionKey) -> Purchase? {
        purchaseOfTransaction[key]
    }
}

extension Specification {
    /// What a transaction is a part of; nil where it is not known.
    package func unit(of key: TransactionKey) -> OwnedUnit? { purchase(named: key)?.unit }
}

extension Specification {
    /// The decision that changed the owners of a unit last.
    package func lastChange(of unit: OwnedUnit) -> Recorded<OwnershipDecision>? {
        decisions(on: unit).last
    }

    /// Who owns a unit by the last decision.
    package func lastOwners(of unit: OwnedUnit) -> Set<AccountID> {
        Set(lastChange(of: unit)?.value.ownersAfter ?? [])
    }
}
