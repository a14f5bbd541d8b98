internal import EntitlementModel

extension TransactionSnapshot {
    /// Whether a snapshot has any effect: it is of our bundle and not impossible (spec 1.2).
    func hasEffect(under policy: Policy) -> Bool {
        bundleID == policy.app.bundleID && isPossible(under: policy)
    }

    private func isPossible(under policy: Policy) -> Bool {
        let dates = [purchaseDate, signedDate] + (expiresDate.map { [$0] } ?? [])
        let earliest = Instant.midnight(year: 2008)
        let latest = Instant.midnight(year: 2100)
        guard dates.allSatisfy({ earliest <= $0 && $0 < latest }) else { return false }
        guard (1...1_000).contains(quantity) else { return false }
        let catalogueKind = policy.products[productID]?.kind
        let kind = kind.map(\.known) ?? catalogueKind
        if kind == .autoRenewable, let expiresDate {
            if expiresDate < purchaseDate { return false }
            if expiresDate > Period(3, .years).end(from: purchaseDate) { return false }
        }
        return true
    }
}

extension Instant {
    /// The beginning of a year in UTC.
    static func midnight(year: Int64) -> Instant {
        let days = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
        return Instant(milliseconds: days * 86_400_000)
    }
}
