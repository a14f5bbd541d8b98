internal import EntitlementModel

/// New purchases whose token names an account that does not own what was bought (spec 1.6): it
/// learns of them as soon as anybody tells, and before its device presents them. From then on the
/// finding is that of its claim.
///
/// - Parameter account: Nil for those of all accounts; else those that concern this one.
func foreignPurchases(
    concerning account: AccountID?, units: [DerivedUnit], view: FactView
) -> [Finding] {
    let tokens = AccountTokens(view)
    return units.filter { !$0.ownership.changes.isEmpty }.flatMap { unit in
        unit.states.purchases.flatMap(\.members).compactMap { purchase -> Finding? in
            guard let token = purchase.token(in: view), let named = tokens.account(named: token),
                purchase.ownership(in: view) != .familyShared,
                let told = purchase.firstTold(in: view),
                told.recordedAt.milliseconds(since: purchase.start) <= 86_400_000,
                view.isCustomerMade(purchase, in: unit.lineage)
            else { return nil }
            let owners = unit.ownership.owners(asOf: told.recordedAt)
            guard !owners.isEmpty, !owners.contains(named) else { return nil }
            let accounts = Set(owners + [named]).sorted()
            guard account.map(accounts.contains) ?? true else { return nil }
            let end = view.end(ofForeign: purchase, named: named, unit, after: told)
            return Interval(from: told.recordedAt, to: end).map {
                Finding(
                    kind: .paidWithoutRight, environment: unit.unit.environment, interval: $0,
                    accounts: accounts, units: [unit.unit], product: purchase.productID,
                    facts: purchase.sequences(in: view))
            }
        }
    }
}

extension Purchase {
    /// The first snapshot that told of it.
    fileprivate func firstTold(in view: FactView) -> Recorded<TransactionSnapshot>? {
        allSnapshots.map { view.facts.transactions[$0] }.min { $0.sequence < $1.sequence }
    }
}

extension UnitOwnership {
    /// Those that the decisions recorded by then left it to.
    fileprivate func owners(asOf instant: Instant) -> [AccountID] {
        changes.last { $0.recordedAt <= instant }?.value.ownersAfter ?? []
    }
}

extension FactView {
    fileprivate func isCustomerMade(_ purchase: Purchase, in lineage: LineageKey) -> Bool {
        guard let lineage = self.lineage(lineage),
            let (found, earlier) = purchases(of: lineage).named(purchase.transactionID)
        else { return false }
        return found.isCustomerMade(after: earlier, view: self)
    }

    /// The account's own claim on the purchase, or the instant at which it came to own the unit.
    fileprivate func end(
        ofForeign purchase: Purchase, named account: AccountID, _ unit: DerivedUnit,
        after told: Recorded<TransactionSnapshot>
    ) -> Instant? {
        let claim = facts.claims.filter {
            $0.value.account == account && $0.value.transaction.environment == unit.unit.environment
                && purchase.isNamed($0.value.transaction.transactionID)
        }.min { $0.sequence < $1.sequence }
        let owning = unit.ownership.changes.first {
            $0.sequence > told.sequence && $0.value.ownersAfter.contains(account)
        }
        return Interval.earlier(claim?.recordedAt, owning?.recordedAt)
    }
}
