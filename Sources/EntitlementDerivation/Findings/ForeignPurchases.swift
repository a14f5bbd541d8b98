package import EntitlementModel

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

/// Active units, and consumables that were not delivered, that nobody has claimed (spec 1.6).
func unclaimedPayments(of units: [DerivedUnit], view: FactView) -> [Finding] {
    let claimed = Set(view.facts.claims.map(\.value.transaction))
    return units.flatMap { unit -> [Finding] in
        guard unit.ownership.changes.isEmpty, !unit.isClaimed(by: claimed) else { return [] }
        return unit.paidStretches.map { interval in
            Finding(
                kind: .unclaimedPayment, environment: unit.unit.environment,
                interval: interval, units: [unit.unit],
                product: unit.purchase(at: interval.start).productID,
                facts: unit.purchase(at: interval.start).sequences(in: view))
        }
    }
}

extension Deriver {
    /// Payments on the Apple ID of a lineage that nobody had claimed at the instant.
    package func paymentsUnclaimed(
        onAppleIDHolding lineage: LineageKey, at instant: Instant, _ facts: FactSet
    ) -> [Finding] {
        let view = FactView(facts, policy: policy)
        let lineages = Set(AppleIDs(view).lineages(withAppleIDOf: lineage))
        let book = UnitIndex(view, ownerships: OwnershipIndex(view)) { lineages.contains($0) }
        return unclaimedPayments(of: book.units, view: view)
            .filter { $0.interval.contains(instant) }.listedOnce()
    }
}

extension DerivedUnit {
    fileprivate func isClaimed(by claimed: Set<TransactionKey>) -> Bool {
        states.purchases.lazy.flatMap(\.members).contains { purchase in
            purchase.transactionIDs.contains {
                claimed.contains(TransactionKey(unit.environment, $0))
            }
        }
    }

    /// Stretches of `active` without a gap; of a consumable, from its purchase to its refund.
    fileprivate var paidStretches: [Interval] {
        if kind.isKnown(.consumable) {
            let purchase = firstPurchase
            return [Interval(from: purchase.start, to: purchase.revocation?.date)]
                .compactMap(\.self)
        }
        var stretches: [Interval] = []
        for span in states.spans where span.state == .active {
            if let last = stretches.last, last.end == span.interval.start {
                stretches[stretches.count - 1] = Interval(
                    uncheckedFrom: last.start, to: span.interval.end)
            } else {
                stretches.append(span.interval)
            }
        }
        return stretches
    }

    fileprivate func purchase(at instant: Instant) -> Purchase {
        guard let index = states.spanIndex(at: instant) else { return firstPurchase }
        return states.purchases[states.purchaseOfSpan[index]]
    }
}
