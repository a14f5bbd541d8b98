package import EntitlementModel

/// Why a rightly signed snapshot is impossible; it is quarantined and has no effect (spec 1.2).
package enum Implausibility: String, CaseIterable, Hashable, Sendable {
    case dateOutOfRange = "date-out-of-range"
    case expiresBeforePurchase = "expires-before-purchase"
    case expiresTooLate = "expires-too-late"
    /// A subscription that never ends is none (threats.md, D24).
    case expiresMissing = "expires-missing"
    case quantityOutOfRange = "quantity-out-of-range"
}

extension TransactionSnapshot {
    /// Nil for a snapshot that can be true. Depends on no policy, so that what is recorded does
    /// not either: where no kind is signed, an `expiresDate` makes a subscription.
    package var implausibility: Implausibility? {
        guard (1...1_000).contains(quantity) else { return .quantityOutOfRange }
        guard purchaseDate.isInStoreYears, signedDate.isInStoreYears else {
            return .dateOutOfRange
        }
        guard let expiresDate else {
            return kind == .known(.autoRenewable) ? .expiresMissing : nil
        }
        guard expiresDate.isInStoreYears else { return .dateOutOfRange }
        guard kind == nil || kind == .known(.autoRenewable) else { return nil }
        if expiresDate < purchaseDate { return .expiresBeforePurchase }
        return isTooLong(until: expiresDate) ? .expiresTooLate : nil
    }

    private func isTooLong(until expiresDate: Instant) -> Bool {
        // Three years have at least 1,095 days, so most snapshots need no calendar.
        guard expiresDate.milliseconds(since: purchaseDate) > 1_095 * 86_400_000 else {
            return false
        }
        return expiresDate > Period(3, .years).end(from: purchaseDate)
    }
}

extension Instant {
    /// From the year 2008, in which the App Store opened, to the year 2100.
    fileprivate var isInStoreYears: Bool {
        (1_199_145_600_000..<4_133_980_800_000).contains(milliseconds)
    }
}
