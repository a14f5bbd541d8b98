internal import EntitlementModel

extension TransactionSnapshot {
    /// The first way in which the snapshot is impossible (spec 1.2); nil if there is none.
    func findImplausibility() -> PayloadFault? {
        let dates = [
            ("purchaseDate", purchaseDate), ("expiresDate", expiresDate),
            ("signedDate", signedDate),
        ]
        for case (let field, let date?) in dates where !Instant.plausible.contains(date) {
            return PayloadFault(.implausibleDate, field)
        }
        if !possibleQuantities.contains(quantity) {
            return PayloadFault(.implausibleQuantity, "quantity")
        }
        return hasImplausibleExpiry ? PayloadFault(.implausibleExpiry, "expiresDate") : nil
    }

    /// Seats are sold by the million; of anything else, nobody buys so many at once.
    private var possibleQuantities: ClosedRange<Int64> {
        let isSeated = kind.map { $0 == .known(.autoRenewable) } ?? (expiresDate != nil)
        return 1...(isSeated ? 10_000_000 : 1_000)
    }

    private var hasImplausibleExpiry: Bool {
        guard let expiresDate else { return kind == .known(.autoRenewable) }
        return expiresDate < purchaseDate
            || expiresDate > Period(3, .years).end(from: purchaseDate)
    }

    var key: TransactionKey { TransactionKey(environment, transactionID) }
}

extension RenewalSnapshot {
    func findImplausibility() -> PayloadFault? {
        Instant.plausible.contains(signedDate)
            ? nil : PayloadFault(.implausibleDate, "signedDate")
    }
}

extension Instant {
    /// The years 2008 to 2100: there was no App Store before.
    fileprivate static let plausible = Range(
        uncheckedBounds: (
            Instant(milliseconds: 1_199_145_600_000), Instant(milliseconds: 4_133_980_800_000)
        ))
}
