internal import EntitlementAnswers
internal import EntitlementModel

/// Codes of orders in words.
extension OrderState: UsherText {
    package var english: String {
        switch self {
        case .created: "created"
        case .paying: "paying"
        case .paid: "paid"
        case .delivered: "delivered"
        case .finished: "finished"
        case .deferred: "waiting for approval"
        case .notAllowed: "payments disabled"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .noReceipt: "no receipt yet"
        case .scheduled: "scheduled for the renewal"
        case .abandoned: "abandoned"
        case .review: "in review"
        case .refunded: "refunded"
        }
    }
}

extension OrderEventKind: UsherText {
    package var english: String {
        switch self {
        case .paying: "payment begun"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .deferred: "waits for approval"
        case .notAllowed: "payments disabled"
        case .noReceipt: "no receipt yet"
        case .alreadyOwned: "the customer has it already"
        case .finished: "finished"
        case .paid: "paid"
        case .delivered: "delivered"
        case .tied: "no single match"
        case .refunded: "refunded"
        case .refundReversed: "refund reversed"
        case .calledBack: "the client has submitted the evidence"
        case .scheduled: "the plan changes at the renewal"
        case .changedBack: "the plan does not change"
        case .seen: "a payment that may be this order's is known"
        case .paymentMoved: "its payment is another order's"
        case .settled: "settled"
        case .refused: "closed by a person"
        case .reassigned: "reassigned"
        case .undone: "last ruling undone"
        }
    }
}

extension OrderMatchBasis: UsherText {
    package var english: String {
        switch self {
        case .orderID: "the evidence names this order"
        case .token: "the purchase carries this order's appAccountToken"
        case .transactionID: "the client reported this transaction"
        case .plan: "the renewal changes the plan as ordered"
        case .only: "no other order fits"
        case .appleID: "the Apple ID fits best"
        case .price: "the price fits best"
        case .time: "nearest in time"
        case .person: "a person decided"
        }
    }
}

extension OrderComparison.Likeness: UsherText {
    package var english: String {
        switch self {
        case .same: "same"
        case .unknown: "unknown"
        case .different: "different"
        }
    }
}

extension OrderDifference: UsherText {
    package var english: String {
        switch self {
        case .product: "product"
        case .quantity: "quantity"
        case .price: "price"
        case .environment: "environment"
        }
    }
}

/// What Apple's numbers mean: `errorCode` of the App Store Server API, `status` of verifyReceipt.
enum AppleCodePhrase: Int, CaseIterable, UsherText {
    case transactionIDInvalid = 4_000_006
    case noAppTransactionID = 4_000_048
    case cannotExtend = 4_030_004
    case accountNotFound = 4_040_001
    case accountNotFoundNow = 4_040_002
    case appNotFound = 4_040_003
    case appNotFoundNow = 4_040_004
    case originalNotFound = 4_040_005
    case originalNotFoundNow = 4_040_006
    case noNotificationURL = 4_040_007
    case testNotFound = 4_040_008
    case extensionNotFound = 4_040_009
    case transactionNotFound = 4_040_010
    case noAppTransaction = 4_040_019
    case tooOften = 4_290_000
    case failure = 5_000_000
    case failureNow = 5_000_001
    case receiptNotPosted = 21_000
    case receiptMalformed = 21_002
    case receiptNotAuthentic = 21_003
    case wrongSecret = 21_004
    case receiptServerDown = 21_005
    case receiptExpired = 21_006
    case receiptOfSandbox = 21_007
    case receiptOfProduction = 21_008
    case receiptDataFailure = 21_009
    case customerGone = 21_010

    var english: String {
        switch self {
        case .transactionIDInvalid: "the transaction id is not valid"
        case .noAppTransactionID: "this call does not take an app transaction id"
        case .cannotExtend: "the subscription cannot be extended"
        case .accountNotFound: "no customer of this App Store account"
        case .accountNotFoundNow: "the customer cannot be found at the moment"
        case .appNotFound: "no app has this bundle id"
        case .appNotFoundNow: "the app cannot be found at the moment"
        case .originalNotFound: "no purchase has this original transaction id"
        case .originalNotFoundNow: "the purchase cannot be found at the moment"
        case .noNotificationURL: "App Store Connect has no address for notifications"
        case .testNotFound: "the test notification is unknown, or not sent yet"
        case .extensionNotFound: "no extension for all subscribers has this id"
        case .transactionNotFound: "no purchase has this transaction id"
        case .noAppTransaction: "the customer has no app transaction"
        case .tooOften: "the limit of calls is reached"
        case .failure: "a failure at Apple"
        case .failureNow: "a failure at Apple that passes"
        case .receiptNotPosted: "the receipt was not posted"
        case .receiptMalformed: "the receipt is malformed, or the server failed"
        case .receiptNotAuthentic: "the receipt is not authentic"
        case .wrongSecret: "the shared secret is not the app's"
        case .receiptServerDown: "the receipt server is not available"
        case .receiptExpired: "the receipt is genuine and its subscription has expired"
        case .receiptOfSandbox: "the receipt is of the sandbox"
        case .receiptOfProduction: "the receipt is of production"
        case .receiptDataFailure: "Apple's data cannot be read at the moment"
        case .customerGone: "the customer's account is unknown or deleted"
        }
    }
}

/// Why Apple's servers gave no answer: the kinds of `AppStoreFailure`.
enum AppStoreFailurePhrase: String, CaseIterable, UsherText {
    case unauthorized
    case notFound = "not-found"
    case rateLimited = "rate-limited"
    case unavailable
    case network
    case badAnswer = "bad-answer"
    case rejected

    var english: String {
        switch self {
        case .unauthorized:
            "Apple's servers do not accept the credentials: check the key, its ids, the shared "
                + "secret, the bundle id and the clock"
        case .notFound: "Apple's servers do not know this"
        case .rateLimited: "Apple's servers must not be asked so often"
        case .unavailable: "Apple's servers have a temporary failure"
        case .network: "Apple's servers cannot be reached"
        case .badAnswer: "Apple's servers gave an answer that cannot be used"
        case .rejected: "Apple's servers reject the request"
        }
    }
}

/// What belongs to such a sentence.
enum AppStoreFailureDetail: String, CaseIterable, UsherText, Wording {
    case code = "code {0}"
    case codeMeaning = "code {0}: {1}"
    case status = "HTTP {0}"
    case library = "libcurl.so.4 is not installed; on Debian: apt install libcurl4"
    case retryAt = "try again at {0}"
}

extension DriftCause: UsherText {
    package var english: String {
        switch self {
        case .missedNotification: "missed notification"
        case .notificationsUnreadable: "notification history not readable to its end"
        case .refundUnknown: "refund unknown"
        case .reversalUnknown: "reversed refund unknown"
        case .renewalUnknown: "renewal unknown"
        case .transactionUnknown: "transaction unknown"
        case .lineageUnknown: "purchase unknown"
        case .stateUnknown: "renewal state unknown"
        case .detailUnknown: "detail of a transaction unknown"
        case .lineageNotFound: "purchase not found at Apple"
        case .statusDiffers: "Apple's status differs"
        case .extraRight: "extra right"
        case .missingRight: "missing right"
        }
    }
}

extension RiskClass: UsherText {
    package var english: String {
        switch self {
        case .expiring: "about to expire"
        case .retrying: "in grace or retrying"
        case .silent: "silent for long"
        case .refunded: "refunded lately"
        case .steady: "all others"
        }
    }
}
