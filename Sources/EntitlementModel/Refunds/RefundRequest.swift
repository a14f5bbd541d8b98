/// What Apple asks when a customer wants a purchase refunded: a notification CONSUMPTION_REQUEST
/// (spec 1.12). A reminder is a request of its own.
package struct RefundRequest: Hashable, Sendable {
    package var transaction: TransactionKey
    /// When Apple signed it.
    package var askedAt: Instant
    /// Apple's `consumptionRequestReason`, as it was written.
    package var reason: String?
    /// Whether the purchase is one of Apple's Advanced Commerce, which takes the first version of the
    /// answer.
    package var isAdvancedCommerce: Bool

    package init(
        transaction: TransactionKey, askedAt: Instant, reason: String? = nil,
        isAdvancedCommerce: Bool = false
    ) {
        self.transaction = transaction
        self.askedAt = askedAt
        self.reason = reason
        self.isAdvancedCommerce = isAdvancedCommerce
    }

    /// The notification's type.
    package static let notificationType = "CONSUMPTION_REQUEST"
    /// Milliseconds in which Apple takes an answer: twelve hours.
    package static let window: Int64 = 12 * 3_600_000

    /// Apple takes no answer from here on.
    package var due: Instant { askedAt.advanced(byMilliseconds: Self.window) }
}

/// Whether a customer lets Apple be told what they used: said for an account, and as it was said
/// last (spec 1.12).
package struct RefundConsent: Hashable, Sendable {
    package var account: AccountID
    package var isGiven: Bool
    package var actor: String
    /// Where it was said: the version of the terms, a ticket.
    package var reason: String

    package init(account: AccountID, isGiven: Bool, actor: String, reason: String) {
        self.account = account
        self.isGiven = isGiven
        self.actor = actor
        self.reason = reason
    }
}

extension RefundConsent: AccountFact {}
