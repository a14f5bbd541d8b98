/// What Apple is told of a purchase whose refund it is asked for, besides that the customer has
/// consented (spec 1.12). The raw values are Apple's.
package struct RefundStatement: Hashable, Sendable {
    package enum Delivery: String, CaseIterable, Hashable, Sendable {
        case delivered = "DELIVERED"
        /// Nothing was delivered, for a reason that Apple has no word for.
        case other = "UNDELIVERED_OTHER"
    }

    package enum Preference: String, CaseIterable, Hashable, Sendable {
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"
        case decline = "DECLINE"
    }

    package var delivery: Delivery
    /// Whether the customer had a free or an introductory period before.
    package var hadSample: Bool
    package var preference: Preference
    /// Thousandths of a percent: 100,000 is all of it. Nil where it is not stated.
    package var consumed: Int64?
    /// Whether it is made in the first version of the call, for Advanced Commerce.
    package var isFirstVersion: Bool
    /// The purchase's; only the first version states it.
    package var token: AppAccountToken?

    package init(
        delivery: Delivery, hadSample: Bool, preference: Preference, consumed: Int64? = nil,
        isFirstVersion: Bool = false, token: AppAccountToken? = nil
    ) {
        self.delivery = delivery
        self.hadSample = hadSample
        self.preference = preference
        self.consumed = consumed
        self.isFirstVersion = isFirstVersion
        self.token = token
    }
}
