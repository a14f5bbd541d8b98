package import EntitlementModel

extension OrderState: WireWord {}
extension OrderEventKind: WireWord {}
extension OrderMatchBasis: WireWord {}
extension OrderDifference: WireWord {}
extension OrderComparison.Likeness: WireWord {}

/// An amount, as Apple writes it. Not for accounting.
package struct PriceAnswer: WireObject {
    /// Thousandths of the currency's unit.
    package var milliunits: Int64
    package var currency: String?

    package init(_ price: Price) {
        milliunits = price.milliunits
        currency = price.currency
    }

    package var price: Price { Price(milliunits: milliunits, currency: currency) }

    package static var shapeName: String { "Amount" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> PriceAnswer {
        PriceAnswer(
            Price(
                milliunits: try visitor.value("milliunits", \.milliunits),
                currency: try visitor.optional("currency", \.currency)))
    }
}

/// `POST /v1/orders`: what is going to be bought.
package struct OrderBody: WireObject {
    package var account: AccountID
    package var product: ProductID
    /// `production` if omitted.
    package var environment: StoreEnvironment?
    /// 1 if omitted; more than one of a consumable only.
    package var quantity: Int64?
    /// Any key of the device's Apple ID.
    package var appleID: AppleIDKey?
    /// What the app shows.
    package var price: PriceAnswer?

    package static var shapeName: String { "OrderRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> OrderBody {
        OrderBody(
            account: try visitor.value("account", \.account),
            product: try visitor.value("product", \.product),
            environment: try visitor.optional("environment", \.environment),
            quantity: try visitor.optional("quantity", \.quantity),
            appleID: try visitor.optional("apple_id", \.appleID),
            price: try visitor.optional("price", \.price))
    }
}

/// `POST /v1/orders/{order}/events`: what the client says of an order.
package struct OrderEventBody: WireObject {
    /// What clients may report.
    package enum Report: String, WireWord {
        case paying
        case cancelled
        case failed
        case deferred
        case notAllowed = "not-allowed"
        case noReceipt = "no-receipt"
        case finished

        package var kind: OrderEventKind {
            switch self {
            case .paying: .paying
            case .cancelled: .cancelled
            case .failed: .failed
            case .deferred: .deferred
            case .notAllowed: .notAllowed
            case .noReceipt: .noReceipt
            case .finished: .finished
            }
        }
    }

    package var event: Report
    /// It decides which payment is the order's.
    package var transaction: TransactionID?
    /// StoreKit's code of a failure.
    package var storeCode: StoreCode?

    package static var shapeName: String { "OrderEventRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> OrderEventBody {
        OrderEventBody(
            event: try visitor.value("event", \.event),
            transaction: try visitor.optional("transaction_id", \.transaction),
            storeCode: try visitor.optional("store_code", \.storeCode))
    }
}

/// `POST /v1/orders/{order}/settle`.
package struct SettleBody: WireObject {
    /// The payment that it is for; without one the product is given until it is paid.
    package var transaction: TransactionID?
    package var reason: Reason

    package init(transaction: TransactionID?, reason: Reason) {
        self.transaction = transaction
        self.reason = reason
    }

    package static var shapeName: String { "SettleRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> SettleBody {
        SettleBody(
            transaction: try visitor.optional("transaction_id", \.transaction),
            reason: try visitor.value("reason", \.reason))
    }
}

/// `POST /v1/orders/{order}/reassign`.
package struct ReassignBody: WireObject {
    package var account: AccountID
    package var reason: Reason

    package init(account: AccountID, reason: Reason) {
        self.account = account
        self.reason = reason
    }

    package static var shapeName: String { "ReassignRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ReassignBody {
        ReassignBody(
            account: try visitor.value("account", \.account),
            reason: try visitor.value("reason", \.reason))
    }
}

/// One order beside a payment.
extension OrderComparison: WireObject {
    package static var shapeName: String { "OrderComparison" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> OrderComparison {
        OrderComparison(
            order: try visitor.value("order", \.order),
            appleID: try visitor.value("apple_id", \.appleID),
            price: try visitor.value("price", \.price),
            distance: try visitor.value("milliseconds", \.distance))
    }
}

/// Something that happened to an order.
package struct OrderEventAnswer: WireObject {
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var event: OrderEventKind
    /// Where the order stood after it.
    package var state: OrderState
    package var transaction: TransactionID?
    package var storeCode: String?
    /// How a payment was found to be the order's.
    package var basis: OrderMatchBasis?
    /// The orders that it was compared with.
    package var comparison: [OrderComparison]?
    /// What the payment says otherwise than the order.
    package var differences: [OrderDifference]?
    package var account: AccountID?
    package var grants: [GrantID]?
    package var actor: String
    package var reason: String?

    package static var shapeName: String { "OrderEvent" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> OrderEventAnswer {
        OrderEventAnswer(
            sequence: try visitor.value("sequence", \.sequence),
            recordedAt: try visitor.value("recorded_at", \.recordedAt),
            event: try visitor.value("event", \.event),
            state: try visitor.value("state", \.state),
            transaction: try visitor.optional("transaction_id", \.transaction),
            storeCode: try visitor.optional("store_code", \.storeCode),
            basis: try visitor.optional("basis", \.basis),
            comparison: try visitor.optional("comparison", \.comparison),
            differences: try visitor.optional("differences", \.differences),
            account: try visitor.optional("account", \.account),
            grants: try visitor.optional("grants", \.grants),
            actor: try visitor.value("actor", \.actor),
            reason: try visitor.optional("reason", \.reason))
    }
}

extension OrderEventAnswer {
    package init(_ event: Recorded<OrderEvent>) {
        let value = event.value
        self.init(
            sequence: event.sequence, recordedAt: event.recordedAt, event: value.kind,
            state: value.state, transaction: value.transaction?.transactionID,
            storeCode: value.storeCode, basis: value.basis,
            comparison: value.comparison.isEmpty ? nil : value.comparison,
            differences: value.differences.isEmpty ? nil : value.differences,
            account: value.account, grants: value.grants.isEmpty ? nil : value.grants,
            actor: value.actor, reason: value.reason)
    }
}

/// An order, where it stands, and how it came there.
package struct OrderAnswer: WireObject {
    package var id: OrderID
    package var account: AccountID
    package var environment: StoreEnvironment
    package var product: ProductID
    package var quantity: Int64
    package var appleID: AppleIDKey?
    package var price: PriceAnswer?
    package var state: OrderState
    package var at: Instant
    package var madeAt: Instant
    package var changedAt: Instant
    /// The policy under which it was made.
    package var policy: Digest256
    /// What pays it.
    package var transaction: TransactionID?
    /// The order whose token the payment carried, where this one was made for a second payment.
    package var parent: OrderID?
    /// Whether an open order was returned instead of a second one.
    package var isInFlight: Bool
    /// What the client may report now.
    package var reports: [OrderEventKind]
    package var events: [OrderEventAnswer]
    package var revision: LedgerSequence

    package static var shapeName: String { "Order" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> OrderAnswer {
        OrderAnswer(
            id: try visitor.value("order", \.id),
            account: try visitor.value("account", \.account),
            environment: try visitor.value("environment", \.environment),
            product: try visitor.value("product", \.product),
            quantity: try visitor.value("quantity", \.quantity),
            appleID: try visitor.optional("apple_id", \.appleID),
            price: try visitor.optional("price", \.price),
            state: try visitor.value("state", \.state), at: try visitor.value("at", \.at),
            madeAt: try visitor.value("made_at", \.madeAt),
            changedAt: try visitor.value("changed_at", \.changedAt),
            policy: try visitor.value("policy", \.policy),
            transaction: try visitor.optional("transaction_id", \.transaction),
            parent: try visitor.optional("parent", \.parent),
            isInFlight: try visitor.optional("in_flight") { $0.isInFlight ? true : nil } ?? false,
            reports: try visitor.value("reports", \.reports),
            events: try visitor.value("events", \.events),
            revision: try visitor.value("revision", \.revision))
    }
}

extension OrderAnswer {
    /// - Parameter state: where it stands at the instant.
    package init(
        _ history: OrderHistory, _ state: OrderState, at instant: Instant,
        revision: LedgerSequence, isInFlight: Bool = false
    ) {
        let order = history.order.value
        self.init(
            id: order.id, account: history.account, environment: order.environment,
            product: order.product, quantity: order.quantity, appleID: order.appleID,
            price: order.price.map(PriceAnswer.init), state: state, at: instant,
            madeAt: history.order.recordedAt, changedAt: history.changedAt,
            policy: order.policy, transaction: history.payment?.transactionID,
            parent: order.parent, isInFlight: isInFlight, reports: state.reports,
            events: history.events.map(OrderEventAnswer.init), revision: revision)
    }
}

/// Some of the orders of an account, the newest first.
package struct OrderList: WireObject {
    package var account: AccountID
    package var orders: [OrderAnswer]

    package init(account: AccountID, orders: [OrderAnswer]) {
        self.account = account
        self.orders = orders
    }

    package static var shapeName: String { "OrderList" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> OrderList {
        OrderList(
            account: try visitor.value("account", \.account),
            orders: try visitor.value("orders", \.orders))
    }
}

/// Why somebody has to look at an order.
package enum LostOrderReason: String, CaseIterable, WireWord {
    /// Made, and not paid within `pay_within`.
    case neverPaid = "never-paid"
    /// The client began to pay and has not said how it ended.
    case withoutOutcome = "without-outcome"
    /// The client named a transaction, and no evidence of it has come.
    case withoutEvidence = "without-evidence"
    /// Bought, and the device had no receipt.
    case withoutReceipt = "without-receipt"
    /// Somebody else has to approve.
    case waitsForApproval = "waits-for-approval"
    /// Known from Apple only: the client has not handed in its evidence.
    case withoutCallBack = "without-call-back"
    /// Paid, and the account has not got what it paid for.
    case notDelivered = "not-delivered"
    case notFinished = "not-finished"
    case inReview = "in-review"
    case refundedAfterDelivery = "refunded-after-delivery"
}

/// One order that somebody has to look at.
package struct LostOrder: WireObject {
    package var id: OrderID
    package var account: AccountID
    package var environment: StoreEnvironment
    package var product: ProductID
    package var state: OrderState
    package var reason: LostOrderReason
    package var since: Instant
    package var ageSeconds: Int64
    package var price: PriceAnswer?
    package var transaction: TransactionID?
    /// What to call next.
    package var command: String

    /// - Parameter transaction: what pays it, or was named for it.
    package init(
        _ history: OrderHistory, _ state: OrderState, _ reason: LostOrderReason,
        at instant: Instant, transaction: TransactionID?, command: String
    ) {
        let order = history.order.value
        self.init(
            id: order.id, account: history.account, environment: order.environment,
            product: order.product, state: state, reason: reason, since: history.changedAt,
            ageSeconds: max(0, instant.milliseconds(since: history.changedAt)) / 1_000,
            price: order.price.map(PriceAnswer.init), transaction: transaction,
            command: command)
    }

    private init(
        id: OrderID, account: AccountID, environment: StoreEnvironment, product: ProductID,
        state: OrderState, reason: LostOrderReason, since: Instant, ageSeconds: Int64,
        price: PriceAnswer?, transaction: TransactionID?, command: String
    ) {
        self.id = id
        self.account = account
        self.environment = environment
        self.product = product
        self.state = state
        self.reason = reason
        self.since = since
        self.ageSeconds = ageSeconds
        self.price = price
        self.transaction = transaction
        self.command = command
    }

    package static var shapeName: String { "LostOrder" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> LostOrder {
        LostOrder(
            id: try visitor.value("order", \.id),
            account: try visitor.value("account", \.account),
            environment: try visitor.value("environment", \.environment),
            product: try visitor.value("product", \.product),
            state: try visitor.value("state", \.state),
            reason: try visitor.value("reason", \.reason),
            since: try visitor.value("since", \.since),
            ageSeconds: try visitor.value("age_seconds", \.ageSeconds),
            price: try visitor.optional("price", \.price),
            transaction: try visitor.optional("transaction_id", \.transaction),
            command: try visitor.value("command", \.command))
    }
}

/// `GET /v1/orders/lost`: the orders that have been as they are for longest come first.
package struct LostOrderPage: WireObject {
    package var at: Instant
    package var orders: [LostOrder]
    /// The `after_entry` of the next page; nil at the end.
    package var next: LedgerSequence?
    package var revision: LedgerSequence

    package init(
        at: Instant, orders: [LostOrder], next: LedgerSequence?, revision: LedgerSequence
    ) {
        self.at = at
        self.orders = orders
        self.next = next
        self.revision = revision
    }

    package static var shapeName: String { "LostOrderPage" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> LostOrderPage {
        LostOrderPage(
            at: try visitor.value("at", \.at), orders: try visitor.value("orders", \.orders),
            next: try visitor.nullable("next", \.next),
            revision: try visitor.value("revision", \.revision))
    }
}

/// StoreKit's code of a failure: a short name or number.
package struct StoreCode: Identifier, WireName {
    package let text: String

    package static var maximumLength: Int { 64 }

    package init(unchecked text: String) {
        self.text = text
    }
}
