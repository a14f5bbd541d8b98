package import EntitlementModel

/// What Apple's servers can be asked: the App Store Server API and verifyReceipt.
///
/// `AppStoreClient` asks them over the network; tests and the simulated App Store answer in their
/// place. Signed answers are returned as they are: their user verifies them like any other
/// evidence. Calls fail with an `AppStoreFailure`, which says whether to try again.
package protocol AppStoreServers: Sendable {
    /// Whether the App Store Server API can be asked: it needs a key.
    var hasServerAPI: Bool { get }

    /// Whether verifyReceipt can be asked: it needs the shared secret.
    var hasVerifyReceipt: Bool { get }

    /// Sends a whole receipt to verifyReceipt: to production, and to the sandbox on status 21007.
    /// Returns answers with status 0 and 21006 only; every other status is a failure. The app of
    /// the receipt is not checked here.
    func verifyReceipt(_ receipt: String) async throws(AppStoreFailure) -> FetchedReceipt

    /// Get Transaction Info. Without an environment: production, then the sandbox if production does
    /// not know the id.
    func transaction(
        _ id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedTransaction

    /// One page of Get Transaction History V2, at most 20 transactions, oldest change first: the
    /// first page, or the one after a stored revision. Without an environment as for `transaction`.
    func history(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory

    /// Get All Subscription Statuses of the customer who made the transaction.
    func statuses(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedStatuses

    /// One page of Get Refund History V2.
    func refunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory

    /// One page of Get Notification History between two instants, the end excluded.
    func notifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        after token: String?
    ) async throws(AppStoreFailure) -> FetchedNotifications

    /// Look Up Order ID, by the number on the customer's invoice; in production only.
    func lookUp(order id: String) async throws(AppStoreFailure) -> OrderLookUp

    /// Set App Account Token, for the transactions of a lineage from now on.
    func setAccountToken(
        _ token: String, for lineage: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure)

    /// Send Consumption Information V2, for all but Advanced Commerce.
    func sendConsumption(
        _ report: ConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure)

    /// Send Consumption Information V1, for Advanced Commerce only.
    func sendConsumption(
        _ report: FirstConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure)

    /// Finish Transaction.
    func finish(
        _ id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure)
}

extension AppStoreServers {
    package var hasServerAPI: Bool { true }
    package var hasVerifyReceipt: Bool { true }

    /// For servers that know no orders.
    package func lookUp(order id: String) async throws(AppStoreFailure) -> OrderLookUp {
        OrderLookUp(isValid: false, signedTransactions: [])
    }
}

/// What verifyReceipt answered: its whole JSON, unsigned and trusted because it was fetched.
package struct FetchedReceipt: Hashable, Sendable {
    package var environment: StoreEnvironment
    package var status: Int
    package var body: [UInt8]

    package init(environment: StoreEnvironment, status: Int, body: [UInt8]) {
        self.environment = environment
        self.status = status
        self.body = body
    }
}

package struct FetchedTransaction: Hashable, Sendable {
    package var environment: StoreEnvironment
    /// A JWS.
    package var signedTransaction: String

    package init(environment: StoreEnvironment, signedTransaction: String) {
        self.environment = environment
        self.signedTransaction = signedTransaction
    }
}

/// A page of a transaction or refund history.
package struct FetchedHistory: Hashable, Sendable {
    package var environment: StoreEnvironment
    /// JWS, oldest change first.
    package var signedTransactions: [String]
    /// What to go on with, now or when something changed later.
    package var revision: String
    package var hasMore: Bool

    package init(
        environment: StoreEnvironment, signedTransactions: [String], revision: String,
        hasMore: Bool
    ) {
        self.environment = environment
        self.signedTransactions = signedTransactions
        self.revision = revision
        self.hasMore = hasMore
    }
}

package struct FetchedStatuses: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
        package var lineage: TransactionID
        /// Apple's number: 1 active, 2 expired, 3 billing retry, 4 grace, 5 revoked.
        package var status: Int
        package var signedTransaction: String
        package var signedRenewal: String?

        package init(
            lineage: TransactionID, status: Int, signedTransaction: String,
            signedRenewal: String?
        ) {
            self.lineage = lineage
            self.status = status
            self.signedTransaction = signedTransaction
            self.signedRenewal = signedRenewal
        }
    }

    package var environment: StoreEnvironment
    package var items: [Item]

    package init(environment: StoreEnvironment, items: [Item]) {
        self.environment = environment
        self.items = items
    }
}

/// A page of the notification history.
package struct FetchedNotifications: Hashable, Sendable {
    /// The `signedPayload` of each, a JWS.
    package var signedPayloads: [String]
    package var nextToken: String?

    package init(signedPayloads: [String], nextToken: String?) {
        self.signedPayloads = signedPayloads
        self.nextToken = nextToken
    }
}

/// What Look Up Order ID answers.
package struct OrderLookUp: Hashable, Sendable {
    /// Whether the App Store knows the order, and it is of this app.
    package var isValid: Bool
    /// JWS.
    package var signedTransactions: [String]

    package init(isValid: Bool, signedTransactions: [String]) {
        self.isValid = isValid
        self.signedTransactions = signedTransactions
    }
}

/// Why Apple's servers gave no answer that can be used, and what to do about it.
///
/// It contains no secret and nothing of the request: it may be logged and shown.
package struct AppStoreFailure: Error, Hashable, Sendable {
    /// What went wrong, by what a caller can do about it.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// 401: the key, the issuer or the clock is wrong; or the app has no production release.
        case unauthorized
        /// The id is not known in any environment that was asked; do not deliver for it.
        case notFound = "not-found"
        /// 429 or the own budget: not before `retryAt`.
        case rateLimited = "rate-limited"
        /// 5xx, codes that Apple marks as retryable, retryable statuses of verifyReceipt.
        case unavailable
        /// No connection, a time-out, a connection that broke off.
        case network
        /// An answer that is no answer: a redirect, wrong JSON, too many bytes or pages, another app
        /// or environment.
        case badAnswer = "bad-answer"
        /// Apple rejects the request, and would again.
        case rejected
    }

    package var kind: Kind
    /// Apple's `errorCode`, or the status of verifyReceipt.
    package var code: Int?
    /// The status of HTTP.
    package var httpStatus: Int?
    /// When to try again at the earliest, where Apple or the budget says so.
    package var retryAt: Instant?
    /// Whether production has answered that the sandbox is to be asked, and the sandbox has failed:
    /// that says nothing of production.
    package var isAfterFallback = false
    /// Whether there is no connection because the system lacks the library that opens them.
    package var lacksLibrary = false

    package init(
        _ kind: Kind, code: Int? = nil, httpStatus: Int? = nil, retryAt: Instant? = nil
    ) {
        self.kind = kind
        self.code = code
        self.httpStatus = httpStatus
        self.retryAt = retryAt
    }

    /// Whether the same call may succeed later without a change.
    package var isRetryable: Bool {
        switch kind {
        case .rateLimited, .unavailable, .network: true
        case .unauthorized, .notFound, .badAnswer, .rejected: false
        }
    }
}

/// Consumption information about a purchase whose refund was requested (Send Consumption
/// Information V2). The customer has consented, otherwise nothing may be sent.
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

/// The same in the first version of that call, which Advanced Commerce still uses: Apple's numbers,
/// 0 for not stated.
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
