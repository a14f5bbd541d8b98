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
        Specification.changes(in: facts).filter { self.unit(decidedBy: $0.value) == unit }
    }

    /// Claims name transactions: a decision follows its transaction to the unit that it is part
    /// of now.
    func unit(decidedBy decision: OwnershipDecision) -> OwnedUnit {
        let key = TransactionKey(decision.unit.environment, decision.transactionID)
        return purchase(named: key)?.unit ?? decision.unit
    }

    /// The purchase that a transaction is part of.
    func purchase(named key: TransactionKey) -> Purchase? {
        purchases.first {
            $0.lineage.environment == key.environment
                && $0.transactionIDs.contains(key.transactionID)
        }
    }

    /// Who owned each unit first: a purchase keeps the stretch that it had with them
    /// (spec 1.4), and a consumable was delivered to them (spec 1.7).
    static func firstOwners(purchases: [Purchase], facts: FactSet) -> [OwnedUnit: AccountID] {
        var first: [OwnedUnit: AccountID] = [:]
        for purchase in purchases {
            let decision = changes(in: facts).first {
                $0.value.unit.environment == purchase.lineage.environment
                    && purchase.transactionIDs.contains($0.value.transactionID)
                    && !$0.value.ownersAfter.isEmpty
            }
            if first[purchase.unit] == nil {
                first[purchase.unit] = decision?.value.ownersAfter.first
            }
        }
        return first
    }

    private static func changes(in facts: FactSet) -> [Recorded<OwnershipDecision>] {
        facts.decisions.filter { $0.value.ownersBefore != $0.value.ownersAfter }
            .sorted { $0.sequence < $1.sequence }
    }
}

extension Specification {
    /// What a transaction is a part of; nil where it is not known.
    package func unit(of key: TransactionKey) -> OwnedUnit? { purchase(named: key)?.unit }
}
