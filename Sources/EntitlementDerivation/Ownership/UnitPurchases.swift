package import EntitlementModel

/// The purchase that a unit stands for at an instant: what a customer remembers buying.
package struct UnitPurchase: Hashable, Sendable {
    package let transaction: TransactionID
    package let product: ProductID
    /// From the policy in force; nil where it has none or no longer the product.
    package let title: Title?
    package let purchasedAt: Instant
    /// As signed: for all of `quantity` together, offers included.
    package let price: Price?
    package let quantity: Int64
    package let offer: Offer?
    /// Of a subscription for several people: what is left of all that was bought for its period.
    package let seats: Int64?
    package let commitment: Commitment?
    package let isFamilyShared: Bool
}

extension Deriver {
    /// Of each unit the purchase that its state at the instant comes from; where it has none, the
    /// newest one until then, or the first.
    package func purchases(
        of units: [UnitTimeline], at instant: Instant, _ facts: FactSet
    ) -> [OwnedUnit: UnitPurchase] {
        let view = FactView(facts, policy: policy)
        let timelines = Dictionary(uniqueKeysWithValues: units.map { ($0.unit, $0) })
        var found: [OwnedUnit: UnitPurchase] = [:]
        for lineage in view.lineages {
            let purchases = Dictionary(grouping: view.purchases(of: lineage)) {
                view.unit(of: $0, in: lineage.key)
            }
            for (unit, purchases) in purchases {
                guard let timeline = timelines[unit] else { continue }
                let span = timeline.states.first { $0.interval.contains(instant) }
                let named = (span?.transactionID).flatMap { purchases.named($0)?.purchase }
                let newest = purchases.last { $0.start <= instant }
                found[unit] = (named ?? newest ?? purchases.first)?.summary(
                    hasPeriods: timeline.kind.isKnown(.autoRenewable), in: view)
            }
        }
        return found
    }
}

extension Deriver {
    /// What is known of the renewals of the subscriptions that run at an instant.
    package func renewals(
        of units: [UnitTimeline], at instant: Instant, _ facts: FactSet
    ) -> [OwnedUnit: RenewalOutlook] {
        let view = FactView(facts, policy: policy)
        var found: [OwnedUnit: RenewalOutlook] = [:]
        for unit in units {
            guard case .lineage(let lineage) = unit.unit, unit.kind.isKnown(.autoRenewable),
                let span = unit.states.last(where: { $0.interval.contains(instant) })
            else { continue }
            found[unit.unit] = view.outlook(
                of: lineage, in: span, before: instant.advanced(byMilliseconds: 1))
        }
        return found
    }
}

extension Purchase {
    fileprivate func summary(hasPeriods: Bool, in view: FactView) -> UnitPurchase {
        UnitPurchase(
            transaction: transactionID, product: productID,
            title: view.policy.product(productID)?.title, purchasedAt: start,
            price: price(in: view), quantity: quantity(in: view), offer: offer(in: view),
            seats: hasPeriods ? seats(in: view) : nil, commitment: commitment(in: view),
            isFamilyShared: ownership(in: view) == .familyShared)
    }
}
