internal import EntitlementModel

/// The lifecycle of a non-consumable or a free lineage (spec 1.4). `purchases` are earliest
/// first.
enum LastingLineage {
    /// Active from the first purchase; revoked from a revocation until something is bought
    /// after it.
    static func state(of purchases: [Purchase], at instant: Instant) -> ReasonedState? {
        guard let first = purchases.first, first.start <= instant else { return nil }
        let isRevoked = revocation(in: purchases, at: instant) != nil
        return ReasonedState(state: isRevoked ? .revoked : .active)
    }

    /// The purchase that was revoked last and not made good since.
    static func revocation(in purchases: [Purchase], at instant: Instant) -> Purchase? {
        purchases.filter { purchase in
            guard let date = purchase.current.revocation?.date, date <= instant else {
                return false
            }
            return !purchases.contains { date < $0.start && $0.start <= instant }
        }.max { left, right in
            let (left, right) = (left.current.revocation, right.current.revocation)
            return (left?.date ?? .distantPast) < (right?.date ?? .distantPast)
        }
    }
}
