package import EntitlementModel

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
