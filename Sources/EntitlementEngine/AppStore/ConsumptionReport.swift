/// What Apple is told of a purchase that the customer wants refunded (Send Consumption Information
/// V2). The customer has consented, or nothing may be sent.
package struct ConsumptionReport: Hashable, Sendable {
    package enum Delivery: String, CaseIterable, Hashable, Sendable {
        case delivered = "DELIVERED"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case other = "UNDELIVERED_OTHER"
    }

    package enum Preference: String, CaseIterable, Hashable, Sendable {
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"
        case decline = "DECLINE"
    }

    package var delivery: Delivery
    /// Whether the customer could try it before the purchase.
    package var hadSample: Bool
    package var preference: Preference?
    /// How much of it was used, in thousandths of a percent: 100000 is all. Needed for
    /// `grantProrated`, and not allowed for subscriptions that renew.
    package var consumedMilliPercent: Int64?

    package init(
        delivery: Delivery, hadSample: Bool, preference: Preference? = nil,
        consumedMilliPercent: Int64? = nil
    ) {
        self.delivery = delivery
        self.hadSample = hadSample
        self.preference = preference
        self.consumedMilliPercent = consumedMilliPercent
    }
}

/// The same in the first version of that call, which Advanced Commerce still uses: numbers of
/// Apple's, 0 for what is not stated.
package struct FirstConsumptionReport: Hashable, Sendable {
    package enum Field: String, CaseIterable, Hashable, Sendable {
        case accountTenure, consumptionStatus, deliveryStatus, lifetimeDollarsPurchased
        case lifetimeDollarsRefunded, platform, playTime, refundPreference, userStatus

        /// What Apple defines.
        package var range: ClosedRange<Int64> {
            switch self {
            case .accountTenure, .lifetimeDollarsPurchased, .lifetimeDollarsRefunded, .playTime:
                0...7
            case .consumptionStatus, .refundPreference: 0...3
            case .deliveryStatus: 0...5
            case .platform: 0...2
            case .userStatus: 0...4
            }
        }
    }

    package var hadSample: Bool
    /// A UUID; empty for none.
    package var appAccountToken: String
    package private(set) var fields: [Field: Int64] = [:]

    package init(hadSample: Bool, appAccountToken: String = "") {
        self.hadSample = hadSample
        self.appAccountToken = appAccountToken
    }

    /// False, and nothing changed, for a number that Apple does not define.
    package mutating func set(_ field: Field, to number: Int64) -> Bool {
        guard field.range.contains(number) else { return false }
        fields[field] = number
        return true
    }
}
