internal import EntitlementAnswers
internal import EntitlementModel

/// What is said about orders in English.
extension OrderPhrase {
    var english: String {
        switch self {
        case .title: "order {0}: {1}"
        case .noOrders: "no orders"
        case .noLost: "no lost orders"
        case .account: "account"
        case .product: "product"
        case .quantity: "quantity"
        case .price: "price"
        case .priceUnknown: "price unknown"
        case .appleID: "Apple ID"
        case .environment: "environment"
        case .policy: "policy"
        case .changed: "last change"
        case .payment: "paid by transaction"
        case .parent: "second payment of order"
        case .events: "Events"
        case .made: "{0}: made"
        case .event: "{0}: {1}"
        case .by: "by {0}"
        case .storeCode: "StoreKit code {0}"
        case .movedTo: "for account {0} from then on"
        case .presentedBy: "presented by account {0}"
        case .gave: "manual grants: {0}"
        case .matched: "matched: {0}"
        case .compared: "compared with order {0}: Apple ID {1}, price {2}, {3} apart"
        case .differs: "the payment differs from the order: {0}"
        case .reports: "The client may report"
        case .next: "Next commands"
        case .nothing: "nothing"
        case .age: "for {0}, since {1}"
        case .more: "more: {0}"
        case .state: "STATE"
        case .eventColumn: "EVENT"
        case .after: "STATE AFTER IT"
        case .unpaid: "not paid within 'pay_within'"
        case .undone: "{0}: back to the state before the ruling, if nothing happened since"
        case .legal: "; possible now: {0}"
        case .nextStep: "next step: {0}"
        case .difference: "payment differs in"
        case .owned: "owned by {0}"
        case .unowned: "owned by nobody"
        case .takes: "this would take transaction {0} from {1}"
        case .owners: "owned by"
        case .refused: "Evidence that was refused"
        }
    }
}

extension OrderState {
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

extension OrderEventKind {
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

extension OrderMatchBasis {
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

extension OrderComparison.Likeness {
    package var english: String {
        switch self {
        case .same: "same"
        case .unknown: "unknown"
        case .different: "different"
        }
    }
}

extension OrderDifference {
    package var english: String {
        switch self {
        case .product: "product"
        case .quantity: "quantity"
        case .price: "price"
        case .environment: "environment"
        }
    }
}

extension FeedPhrase {
    var english: String {
        switch self {
        case .fromTo: "{0} -> {1}"
        }
    }
}
