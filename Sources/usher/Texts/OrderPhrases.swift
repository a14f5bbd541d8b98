internal import EntitlementModel

/// What pages say of the renewals to come.
enum RenewalPhrase: String, CaseIterable, UsherText, Wording {
    case renewsAt = "renews {0}"
    case renewsAs = "renews {0} as {1}"
    case unknown = "Apple has not said whether it renews"
    case price = "for {0}"
    case paidLast = "last paid {0}"
    case offer = "offer: {0}"
}

/// What a period was bought with: the words of conditions on `offer`.
enum OfferPhrase: String, CaseIterable, UsherText {
    case introductory, promotional, retention
    case freeTrial = "free-trial"
    case offerCode = "offer-code"
    case winBack = "win-back"
    /// Of a type that Apple added since.
    case other

    var english: String {
        switch self {
        case .introductory: "introductory offer"
        case .promotional: "promotional offer"
        case .freeTrial: "free trial"
        case .offerCode: "offer code"
        case .winBack: "win-back offer"
        case .retention: "retention offer"
        case .other: "an offer"
        }
    }
}

/// What `usher credits …` says.
enum CreditPhrase: String, CaseIterable, UsherText, Wording {
    case held = "{0} held"
    case frozen = "frozen by a refund"
    case opening = "opening balance"
    case closing = "closing balance"
    case entry = "entry {0}"
    case spent = "Spent {0} of {1} (spend {2}). Balance: {3}. To reverse it: {4}"
    case heldUntil = "Held {0} of {1} until {2} (hold {3}). Balance: {4}."
    case captured = "Captured {0} of {1} (spend {2}). Balance: {3}."
    case released = "Released {0} of {1}. Balance: {2}."
    case reversed = "Gave {0} back to {1}. Balance: {2}."
    case lifted = "Credit {0} of {1} can be spent again."
    case nothingToLift = "No refund freezes credit {0} of {1}."
}

/// What `usher orders …` says.
enum OrderPhrase: String, CaseIterable, UsherText, Wording {
    case title = "order {0}: {1}"
    case noOrders = "no orders"
    case noLost = "no lost orders"
    case account, product, quantity, price
    case priceUnknown = "price unknown"
    case appleID = "Apple ID"
    case environment, policy
    case changed = "last change"
    case payment = "paid by transaction"
    case parent = "second payment of order"
    case events = "Events"
    case made = "{0}: made"
    case event = "{0}: {1}"
    case by = "by {0}"
    case storeCode = "StoreKit code {0}"
    case movedTo = "for account {0} from then on"
    case presentedBy = "presented by account {0}"
    case gave = "manual grants: {0}"
    case matched = "matched: {0}"
    case compared = "compared with order {0}: Apple ID {1}, price {2}, {3} apart"
    case differs = "the payment differs from the order: {0}"
    case reports = "The client may report"
    case next = "Next commands"
    case nothing = "nothing"
    case age = "for {0}, since {1}"
    case more = "more: {0}"
    case state = "STATE"
    case eventColumn = "EVENT"
    case after = "STATE AFTER IT"
    case unpaid = "not paid within 'pay_within'"
    case undone = "{0}: back to the state before the ruling, if nothing happened since"
    case legal = "; possible now: {0}"
    case nextStep = "next step: {0}"
    case difference = "payment differs in"
    case owned = "owned by {0}"
    case unowned = "owned by nobody"
    case takes = "this would take transaction {0} from {1}"
    case owners = "owned by"
    case refused = "Evidence that was refused"
}

/// What `usher changes` says.
enum FeedPhrase: String, CaseIterable, UsherText, Wording {
    case fromTo = "{0} -> {1}"
}

/// What `usher evidence …` says.
enum TicketPhrase: String, CaseIterable, UsherText, Wording {
    case title = "ticket {0}: {1}"
    case none = "nothing waits for Apple"
    case fromFile = "read from the file: only the service knows when it asks Apple"
    case attempts = "{0} attempts by this service"
    case next = "next at {0}"
    case failure = "last attempt: {0} [{1}]"
    case closed = "closed {0}"
    case code = "{0} [{1}]"
    case transaction = "transaction {0} ({1}), owned by: {2}"
    case unowned = "transaction {0} ({1}), owned by nobody"
    case idClaimsNothing =
        "an id claims nothing for the account that sends it: submit the signed transaction"
}

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
