internal import EntitlementModel

extension TransactionSnapshot {
    /// Whether a snapshot has any effect: it is of our bundle and not impossible (spec 1.2).
    func hasEffect(under policy: Policy) -> Bool {
        bundleID == policy.app.bundleID && isPossible
    }

    /// Where no kind is signed, an expiresDate makes a subscription.
    private var isPossible: Bool {
        let dates = [purchaseDate, signedDate] + (expiresDate.map { [$0] } ?? [])
        let earliest = Instant.midnight(year: 2008)
        let end = Instant.midnight(year: 2101)
        guard dates.allSatisfy({ earliest <= $0 && $0 < end }) else { return false }
        let isSubscription = kind.map { $0.known == .autoRenewable } ?? (expiresDate != nil)
        guard quantity >= 1, quantity <= (isSubscription ? 10_000_000 : 1_000) else { return false }
        guard isSubscription else { return true }
        guard let expiresDate else { return false }
        return purchaseDate <= expiresDate
            && expiresDate <= Period(3, .years).end(from: purchaseDate)
    }
}

extension Instant {
    /// The beginning of a year in UTC.
    static func midnight(year: Int64) -> Instant {
        let days = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
        return Instant(milliseconds: days * 86_400_000)
    }
}
