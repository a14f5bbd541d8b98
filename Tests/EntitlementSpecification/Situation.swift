package import EntitlementModel

/// What a unit is at an instant: its state, and the purchase that it is in it by.
struct Situation: Sendable {
    var state: ReasonedState
    /// The period with the latest purchaseDate (spec 1.4); the product, offer, storefront and
    /// ownership are those of its snapshot (spec 1.5).
    var purchase: Purchase
    /// The paid end, without leeway or grace (spec 1.4).
    var paidUntil: Instant?
    /// What the newest info signed by then says; nil where nothing does.
    var willRenew: Bool?
    /// Set where the state is `revoked`.
    var revocation: Revocation?
}

extension Specification {
    /// The state of a unit and, where it is expired, why; nil before its first period and where
    /// its kind has none.
    package func state(of unit: OwnedUnit, at instant: Instant) -> (
        EntitlementState, ExpiryReason?
    )? {
        situation(of: unit, at: instant).map { ($0.state.state, $0.state.reason) }
    }

    /// - Parameter entitlement: of a consumable that gives several for a time, the one that is
    ///   asked about; nil for the one that ends last.
    func situation(
        of unit: OwnedUnit, at instant: Instant, giving entitlement: EntitlementName? = nil
    ) -> Situation? {
        guard let purchases = purchasesOfUnit[unit], let kind = kinds[unit]?.known else {
            return nil
        }
        switch (unit, kind) {
        case (.purchase, _): return stretchSituation(of: unit, at: instant, entitlement)
        case (.lineage(let lineage), .autoRenewable):
            return subscriptionSituation(of: lineage, at: instant)
        case (.lineage, .free) where !policy.app.isNewsstand: return nil
        case (.lineage, _):
            guard let (state, purchase) = LastingLineage.state(of: purchases, at: instant)
            else { return nil }
            return Situation(
                state: ReasonedState(state: state), purchase: purchase,
                revocation: state == .revoked ? purchase.current.revocation : nil)
        }
    }

    /// How many people a subscription is for; nil for what was not sold as seats (spec 1.4).
    package func seats(of lineage: LineageKey, at instant: Instant) -> Int64? {
        subscriptions[lineage]?.period(at: instant)?.seats
    }

    private func subscriptionSituation(of lineage: LineageKey, at instant: Instant)
        -> Situation?
    {
        guard let subscription = subscriptions[lineage],
            let period = subscription.period(at: instant)
        else { return nil }
        let state = period.state(at: instant, leeway: policy.leeway)
        return Situation(
            state: state, purchase: period.purchase, paidUntil: period.paidEnd,
            willRenew: subscription.newestInfo(at: instant)?.autoRenew(after: period),
            revocation: state.state == .revoked ? period.revocation : nil)
    }

    private func stretchSituation(
        of unit: OwnedUnit, at instant: Instant, _ entitlement: EntitlementName?
    ) -> Situation? {
        let stretches = stretches[unit] ?? []
        let asked = stretches.filter {
            entitlement == nil || $0.entitlement == nil || $0.entitlement == entitlement
        }
        guard let stretch = asked.max(by: { $0.activeUntil < $1.activeUntil }),
            let purchase = purchasesOfUnit[unit]?.first, let state = stretch.state(at: instant)
        else { return nil }
        return Situation(
            state: state, purchase: purchase, paidUntil: stretch.end,
            revocation: state.state == .revoked ? purchase.current.revocation : nil)
    }

    /// The instant at which a unit entered the state that it is in; adjoining periods are one
    /// stretch of `active` (spec 1.5).
    func enteredState(
        of unit: OwnedUnit, at instant: Instant, giving entitlement: EntitlementName?
    ) -> Instant? {
        func state(at instant: Instant) -> EntitlementState? {
            situation(of: unit, at: instant, giving: entitlement)?.state.state
        }
        guard let last = state(at: instant) else { return nil }
        return boundaries(of: unit).last { boundary in
            boundary <= instant && state(at: boundary) == last
                && state(at: boundary.advanced(byMilliseconds: -1)) != last
        }
    }

    /// The smaller of originalPurchaseDate and the earliest known purchaseDate of the unit
    /// (spec 1.5).
    func firstPurchased(_ unit: OwnedUnit) -> Instant? {
        purchases.filter { $0.unit == unit }
            .flatMap { [$0.soldAt] + ($0.current.originalPurchaseDate.map { [$0] } ?? []) }.min()
    }
}
