internal import EntitlementModel

/// The lifecycle of a non-consumable or a free lineage (spec 1.4). `purchases` are earliest
/// first.
enum LastingLineage {
    /// Active from the first purchase; revoked from a revocation until something is bought
    /// after it. With the purchase that it is active or revoked by.
    static func state(of purchases: [Purchase], at instant: Instant) -> (
        EntitlementState, by: Purchase
    )? {
        guard let first = purchases.first, first.start <= instant else { return nil }
        if let revoked = revoked(in: purchases, at: instant) { return (.revoked, by: revoked) }
        let lastRevocation = purchases.compactMap(\.current.revocation?.date)
            .filter { $0 <= instant }.max()
        let bought = purchases.first { purchase in
            lastRevocation.map { $0 < purchase.start } ?? true
        }
        return (.active, by: bought ?? first)
    }

    /// The purchase that was the first to be revoked and has not been made good since.
    private static func revoked(in purchases: [Purchase], at instant: Instant) -> Purchase? {
        purchases.filter { purchase in
            guard let date = purchase.current.revocation?.date, date <= instant else {
                return false
            }
            return !purchases.contains { date < $0.start && $0.start <= instant }
        }.min { left, right in
            let (left, right) = (left.current.revocation, right.current.revocation)
            return (left?.date ?? .distantPast) < (right?.date ?? .distantPast)
        }
    }
}
