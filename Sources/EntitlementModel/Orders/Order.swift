/// What an account is about to buy, made before the payment sheet is shown (spec 1.8).
package struct Order: Hashable, Sendable {
    /// A UUID in lower case, which is the `appAccountToken` of the purchase.
    package var id: OrderID
    package var account: AccountID
    package var environment: StoreEnvironment
    package var product: ProductID
    package var quantity: Int64
    /// Any key of the device's Apple ID; nil where the caller knew none.
    package var appleID: AppleIDKey?
    /// The price that the app displayed; nil if not stated.
    package var price: Price?
    /// The policy in force when it was made: its time limits hold for the order.
    package var policy: Digest256
    /// The caller's idempotency key.
    package var key: String?
    /// The order whose token a second payment carried, for which this one was made.
    package var parent: OrderID?
    package var actor: String

    package init(
        id: OrderID, account: AccountID, environment: StoreEnvironment = .production,
        product: ProductID, quantity: Int64 = 1, appleID: AppleIDKey? = nil,
        price: Price? = nil, policy: Digest256, key: String? = nil, parent: OrderID? = nil,
        actor: String
    ) {
        self.id = id
        self.account = account
        self.environment = environment
        self.product = product
        self.quantity = quantity
        self.appleID = appleID
        self.price = price
        self.policy = policy
        self.key = key
        self.parent = parent
        self.actor = actor
    }

    /// How many of a product one order is for.
    package static let possibleQuantities: ClosedRange<Int64> = 1...1_000

    /// The token that the purchase carries.
    package var token: AppAccountToken? { id.token }
}

extension OrderID {
    /// Nil for an ID that no order can have.
    package var token: AppAccountToken? { AppAccountToken(text) }

    /// The order that a token may be of.
    package init(_ token: AppAccountToken) { self.init(unchecked: token.text) }
}

/// A request with an idempotency key of its own that was answered with the open order: the same
/// request later gets the same answer, whatever has become of the order.
package struct RepeatedOrder: Hashable, Sendable {
    package var order: OrderID
    package var account: AccountID
    package var environment: StoreEnvironment
    package var product: ProductID
    package var quantity: Int64
    package var appleID: AppleIDKey?
    package var price: Price?
    package var key: String
    package var actor: String

    package init(
        order: OrderID, account: AccountID, environment: StoreEnvironment = .production,
        product: ProductID, quantity: Int64 = 1, appleID: AppleIDKey? = nil,
        price: Price? = nil, key: String, actor: String
    ) {
        self.order = order
        self.account = account
        self.environment = environment
        self.product = product
        self.quantity = quantity
        self.appleID = appleID
        self.price = price
        self.key = key
        self.actor = actor
    }
}

/// Something that happened to an order: what the client reported, what evidence said, or what a
/// person ruled.
package struct OrderEvent: Hashable, Sendable {
    package var order: OrderID
    package var kind: OrderEventKind
    /// The state of the order afterwards.
    package var state: OrderState
    /// The transaction that the client named, or that pays the order.
    package var transaction: TransactionKey?
    /// StoreKit's code of a failure, as the client gave it.
    package var storeCode: String?
    /// How a payment was found to be this order's.
    package var basis: OrderMatchBasis?
    /// The orders that a payment was compared with.
    package var comparison: [OrderComparison]
    /// The differences of the payment from the order.
    package var differences: [OrderDifference]
    /// The account that the order was given to.
    package var account: AccountID?
    /// Who has presented the payment, where that is not the order's account.
    package var presenter: AccountID?
    /// Grants by a person while no payment is known.
    package var grants: [GrantID]
    package var actor: String
    /// Why; what people do has one.
    package var reason: String?

    /// Who says what evidence says, where no client has handed it in.
    package static let notifier = "notification"

    package init(
        order: OrderID, kind: OrderEventKind, state: OrderState,
        transaction: TransactionKey? = nil, storeCode: String? = nil,
        basis: OrderMatchBasis? = nil, comparison: [OrderComparison] = [],
        differences: [OrderDifference] = [], account: AccountID? = nil,
        presenter: AccountID? = nil, grants: [GrantID] = [], actor: String, reason: String? = nil
    ) {
        self.order = order
        self.kind = kind
        self.state = state
        self.transaction = transaction
        self.storeCode = storeCode
        self.basis = basis
        self.comparison = comparison
        self.differences = differences
        self.account = account
        self.presenter = presenter
        self.grants = grants
        self.actor = actor
        self.reason = reason
    }
}

/// How a payment was found to be an order's: the first three are decisive, the others compare
/// orders in this order (spec 1.8).
package enum OrderMatchBasis: String, CaseIterable, Hashable, Sendable {
    /// The evidence was submitted with the order's ID.
    case orderID = "order-id"
    /// The purchase carries the order's UUID.
    case token
    /// The client reported the transaction for the order.
    case transactionID = "transaction-id"
    /// The renewal that changes the plan as ordered.
    case plan
    /// No other order was left to compare with.
    case only
    case appleID = "apple-id"
    case price
    case time
    /// A person said so.
    case person
}

extension OrderMatchBasis {
    /// A stronger match takes a place from a weaker one.
    package var strength: Int {
        switch self {
        case .person: 4
        case .token: 3
        case .orderID: 2
        case .transactionID: 1
        case .plan, .only, .appleID, .price, .time: 0
        }
    }
}

/// The comparison of one order with a payment.
package struct OrderComparison: Hashable, Sendable {
    package enum Likeness: String, CaseIterable, Hashable, Sendable {
        case same
        case unknown
        case different
    }

    package var order: OrderID
    package var appleID: Likeness
    package var price: Likeness
    /// Between order and purchase, whichever came first, in milliseconds.
    package var distance: Int64

    package init(order: OrderID, appleID: Likeness, price: Likeness, distance: Int64) {
        self.order = order
        self.appleID = appleID
        self.price = price
        self.distance = distance
    }
}

/// The differences of the signed transaction from the order; the transaction is what counts.
package enum OrderDifference: String, CaseIterable, Hashable, Sendable {
    case product
    case quantity
    case price
    case environment
}

/// A payment that came within the time that its order promised (`orders.promise`): it counts as sold
/// when the order was made (spec 1.8). Of several about one transaction the last one counts.
package struct OrderPromise: Hashable, Sendable {
    package var transaction: TransactionKey
    package var order: OrderID
    /// When the order was made; nil where the payment is the order's no longer.
    package var soldAt: Instant?

    package init(transaction: TransactionKey, order: OrderID, soldAt: Instant?) {
        self.transaction = transaction
        self.order = order
        self.soldAt = soldAt
    }
}

extension OrderPromise: AccountlessFact {}
