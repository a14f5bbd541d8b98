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
    static func decisions(on purchases: [Purchase], facts: FactSet)
        -> [OwnedUnit: [Recorded<OwnershipDecision>]]
    {
        let changes = facts.decisions.filter { $0.value.ownersBefore != $0.value.ownersAfter }
        return Dictionary(grouping: changes.sorted { $0.sequence < $1.sequence }) { decision in
            let key = TransactionKey(
                decision.value.unit.environment, decision.value.transactionID)
            return purchases.first { $0.includes(key) }?.unit ?? decision.value.unit
        }
    }

    /// The purchase that a transaction is part of.
    func purchase(named key: TransactionKey) -> Purchase? {
        purchases.first { $0.includes(key) }
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
