internal import EntitlementModel

/// The lifecycle of a non-consumable or a free lineage (spec 1.4). `purchases` are earliest
/// first.
enum LastingLineage {
    /// Active while one of the purchases that were made is not revoked. With the purchase that it
    /// is active or revoked by.
    static func state(of purchases: [Purchase], at instant: Instant) -> (
        EntitlementState, by: Purchase
    )? {
        let made = purchases.filter { $0.start <= instant }
        if let standing = made.first(where: { revocation(of: $0, by: instant) == nil }) {
            return (.active, by: standing)
        }
        var last: Purchase?
        for purchase in made {
            let newest = last.flatMap { revocation(of: $0, by: instant) } ?? .distantPast
            guard let date = revocation(of: purchase, by: instant) else { continue }
            if last == nil || newest < date { last = purchase }
        }
        return last.map { (.revoked, by: $0) }
    }

    private static func revocation(of purchase: Purchase, by instant: Instant) -> Instant? {
        purchase.current.revocation.map(\.date).flatMap { $0 <= instant ? $0 : nil }
    }
}
