package import EntitlementModel

/// Why a rightly signed snapshot is impossible; it is quarantined and has no effect (spec 1.2).
package enum Implausibility: String, CaseIterable, Hashable, Sendable {
    case dateOutOfRange = "date-out-of-range"
    case expiresBeforePurchase = "expires-before-purchase"
    case expiresTooLate = "expires-too-late"
    /// A subscription that never ends is none (THREATS.md D24).
    case expiresMissing = "expires-missing"
    case quantityOutOfRange = "quantity-out-of-range"
}

extension TransactionSnapshot {
    /// Nil for a snapshot that can be true. Depends on no policy, so that what is recorded does
    /// not either: where no kind is signed, an `expiresDate` makes a subscription.
    package var implausibility: Implausibility? {
        Implausibility(
            quantity: quantity, purchased: purchaseDate, expires: expiresDate,
            signed: signedDate, kind: kind)
    }
}

extension Implausibility {
    /// Takes the fields alone, so that none of the snapshot's text is touched.
    init?(
        quantity: Int64, purchased: Instant, expires: Instant?, signed: Instant,
        kind: Stated<ProductKind>?
    ) {
        guard let found = Self.find(quantity, purchased, expires, signed, kind) else { return nil }
        self = found
    }

    private static func find(
        _ quantity: Int64, _ purchased: Instant, _ expires: Instant?, _ signed: Instant,
        _ kind: Stated<ProductKind>?
    ) -> Implausibility? {
        // Seats are sold by the million; of anything else, nobody buys so many at once.
        let isSeated = kind?.isKnown(.autoRenewable) ?? (expires != nil)
        guard (1...(isSeated ? 10_000_000 : 1_000)).contains(quantity) else {
            return .quantityOutOfRange
        }
        guard purchased.isInStoreYears, signed.isInStoreYears, expires?.isInStoreYears ?? true
        else { return .dateOutOfRange }
        let isSubscription = kind?.isKnown(.autoRenewable)
        guard let expires else { return isSubscription == true ? .expiresMissing : nil }
        guard isSubscription ?? true else { return nil }
        if expires < purchased { return .expiresBeforePurchase }
        return isTooLong(from: purchased, to: expires) ? .expiresTooLate : nil
    }

    private static func isTooLong(from start: Instant, to end: Instant) -> Bool {
        // Three years have at least 1,095 days, so most snapshots need no calendar.
        guard end.milliseconds(since: start) > 1_095 * 86_400_000 else { return false }
        return end > Period(3, .years).end(from: start)
    }
}

extension Instant {
    /// From the year 2008, in which the App Store opened, to the year 2100.
    fileprivate var isInStoreYears: Bool {
        (1_199_145_600_000..<4_133_980_800_000).contains(milliseconds)
    }
}
