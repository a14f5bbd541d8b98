/// Apple's question about a customer's refund request: a notification CONSUMPTION_REQUEST (spec
/// 1.12). A reminder is a request of its own.
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

/// A customer's consent to telling Apple about consumption: per account, the last statement counts
/// (spec 1.12).
package struct RefundConsent: Hashable, Sendable {
    package var account: AccountID
    package var isGiven: Bool
    package var actor: String
    /// Where it was given: the version of the terms, a ticket.
    package var reason: String

    package init(account: AccountID, isGiven: Bool, actor: String, reason: String) {
        self.account = account
        self.isGiven = isGiven
        self.actor = actor
        self.reason = reason
    }
}

extension RefundConsent: AccountFact {}

/// That a refund request was answered, once at most, or what it is going to be answered, once at most
/// too (spec 1.12).
package struct RefundAnswer: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// The answer to Apple is final from here on; whether it was sent is unknown.
        case begun
        /// This program has sent it.
        case sent
        /// Apple rejects the answer, and would again.
        case refused
        /// A person has answered Apple, or has decided not to.
        case byPerson = "by-person"
    }

    /// The entry of the notification.
    package var request: LedgerSequence
    package var outcome: Outcome
    /// The answer; nil if a person has reported it.
    package var statement: RefundStatement?
    /// The rule that decided.
    package var rule: RuleReference?
    package var policy: Digest256?
    /// Why Apple rejects it: a code of an `AppStoreFailure`.
    package var code: String?
    /// Apple's own number for it.
    package var status: Int64?
    /// The person, if one did it.
    package var actor: String?
    package var reason: String?

    package init(
        request: LedgerSequence, outcome: Outcome, statement: RefundStatement? = nil,
        rule: RuleReference? = nil, policy: Digest256? = nil, code: String? = nil,
        status: Int64? = nil, actor: String? = nil, reason: String? = nil
    ) {
        self.request = request
        self.outcome = outcome
        self.statement = statement
        self.rule = rule
        self.policy = policy
        self.code = code
        self.status = status
        self.actor = actor
        self.reason = reason
    }
}

/// The state of a refund request (spec 1.12).
package enum RefundState: String, CaseIterable, ModelText, Sendable {
    /// Apple still takes an answer.
    case open
    case sent
    /// Apple rejects the answer.
    case refused
    /// A person has answered.
    case answered
    /// Apple has decided before anything was said.
    case decided
    /// A reminder has come, and is answered instead.
    case superseded
    case lapsed

    package var english: String {
        switch self {
        case .open: "waiting for an answer"
        case .sent: "Apple was told"
        case .refused: "Apple rejects what it was told"
        case .answered: "a person has answered"
        case .decided: "Apple has decided before"
        case .superseded: "a reminder has come"
        case .lapsed: "Apple takes no answer any more"
        }
    }
}

/// What Apple has decided.
package enum RefundDecision: String, CaseIterable, ModelText, Sendable {
    case refunded
    case declined

    package var english: String {
        switch self {
        case .refunded: "Apple has refunded it"
        case .declined: "Apple has declined the refund"
        }
    }
}

/// The statement to Apple on a purchase whose refund is requested, besides the customer's consent
/// (spec 1.12). The raw values are Apple's.
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
