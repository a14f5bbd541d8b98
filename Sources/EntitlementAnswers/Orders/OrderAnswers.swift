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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PriceAnswer(
            Price(
                milliunits: try shape.value("milliunits", \.milliunits),
                currency: try shape.optional("currency", \.currency)))
    }
}

/// `POST /v1/orders`: a purchase about to be made.
package struct OrderBody: WireObject {
    package var account: AccountID
    package var product: ProductID
    /// `production` if omitted.
    package var environment: StoreEnvironment?
    /// 1 if omitted; more than one of a consumable only.
    package var quantity: Int64?
    /// Any key of the device's Apple ID.
    package var appleID: AppleIDKey?
    /// The price that the app displays.
    package var price: PriceAnswer?

    package static var shapeName: String { "OrderRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        OrderBody(
            account: try shape.value("account", \.account),
            product: try shape.value("product", \.product),
            environment: try shape.optional("environment", \.environment),
            quantity: try shape.optional("quantity", \.quantity),
            appleID: try shape.optional("apple_id", \.appleID),
            price: try shape.optional("price", \.price))
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
        case alreadyOwned = "already-owned"
        case finished

        package var kind: OrderEventKind {
            switch self {
            case .paying: .paying
            case .cancelled: .cancelled
            case .failed: .failed
            case .deferred: .deferred
            case .notAllowed: .notAllowed
            case .noReceipt: .noReceipt
            case .alreadyOwned: .alreadyOwned
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        OrderEventBody(
            event: try shape.value("event", \.event),
            transaction: try shape.optional("transaction_id", \.transaction),
            storeCode: try shape.optional("store_code", \.storeCode))
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        SettleBody(
            transaction: try shape.optional("transaction_id", \.transaction),
            reason: try shape.value("reason", \.reason))
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ReassignBody(
            account: try shape.value("account", \.account),
            reason: try shape.value("reason", \.reason))
    }
}

/// The comparison of one order with a payment.
extension OrderComparison: WireObject {
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        OrderComparison(
            order: try shape.value("order", \.order),
            appleID: try shape.value("apple_id", \.appleID),
            price: try shape.value("price", \.price),
            distance: try shape.value("milliseconds", \.distance))
    }
}

/// Something that happened to an order.
package struct OrderEventAnswer: WireObject {
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var event: OrderEventKind
    /// The state of the order afterwards.
    package var state: OrderState
    package var transaction: TransactionID?
    package var storeCode: String?
    /// How a payment was found to be the order's.
    package var basis: OrderMatchBasis?
    /// The orders that it was compared with.
    package var comparison: [OrderComparison]?
    /// The differences of the payment from the order.
    package var differences: [OrderDifference]?
    package var account: AccountID?
    /// Who has presented the payment, where that is not the order's account.
    package var presenter: AccountID?
    package var grants: [GrantID]?
    package var actor: String
    package var reason: String?

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        OrderEventAnswer(
            sequence: try shape.value("sequence", \.sequence),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            event: try shape.value("event", \.event),
            state: try shape.value("state", \.state),
            transaction: try shape.optional("transaction_id", \.transaction),
            storeCode: try shape.optional("store_code", \.storeCode),
            basis: try shape.optional("basis", \.basis),
            comparison: try shape.optional("comparison", \.comparison),
            differences: try shape.optional("differences", \.differences),
            account: try shape.optional("account", \.account),
            presenter: try shape.optional("presenter", \.presenter),
            grants: try shape.optional("grants", \.grants),
            actor: try shape.value("actor", \.actor),
            reason: try shape.optional("reason", \.reason))
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
            account: value.account, presenter: value.presenter,
            grants: value.grants.isEmpty ? nil : value.grants,
            actor: value.actor, reason: value.reason)
    }
}

/// An order, its state, and its history.
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
    /// Until when a payment gets what the product gave when the order was made; nil where the
    /// policy promises nothing.
    package var promisedUntil: Instant?
    /// Whether what pays it came in time for that: only in the answer about a single order.
    package var isPromiseKept: Bool?
    /// What pays it.
    package var transaction: TransactionID?
    /// The differences of the payment from the order; the payment is what counts.
    package var differences: [OrderDifference]?
    /// The current owners of the purchase: only in the answer about a single order.
    package var owners: [AccountID]?
    /// What nobody owns and may be its payment: only in the answer about a single order without one.
    package var possiblePayments: [PossiblePayment]?
    /// Evidence that was submitted for it and refused.
    package var refusals: [OrderRefusalAnswer]?
    /// The order whose token the payment carried, where this one was made for a second payment.
    package var parent: OrderID?
    /// Whether an open order was returned instead of a second one.
    package var isInFlight: Bool
    /// What preflight said as it was made: only in the answer to that.
    package var preflight: VerdictAnswer?
    /// The events that the client may report now.
    package var reports: [OrderEventKind]
    package var events: [OrderEventAnswer]
    package var revision: LedgerSequence

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        OrderAnswer(
            id: try shape.value("order", \.id),
            account: try shape.value("account", \.account),
            environment: try shape.value("environment", \.environment),
            product: try shape.value("product", \.product),
            quantity: try shape.value("quantity", \.quantity),
            appleID: try shape.optional("apple_id", \.appleID),
            price: try shape.optional("price", \.price),
            state: try shape.value("state", \.state), at: try shape.value("at", \.at),
            madeAt: try shape.value("made_at", \.madeAt),
            changedAt: try shape.value("changed_at", \.changedAt),
            policy: try shape.value("policy", \.policy),
            promisedUntil: try shape.optional("promised_until", \.promisedUntil),
            isPromiseKept: try shape.optional("promise_kept", \.isPromiseKept),
            transaction: try shape.optional("transaction_id", \.transaction),
            differences: try shape.optional("differences", \.differences),
            owners: try shape.optional("owners", \.owners),
            possiblePayments: try shape.optional("possible_payments", \.possiblePayments),
            refusals: try shape.optional("refusals", \.refusals),
            parent: try shape.optional("parent", \.parent),
            isInFlight: try shape.optional("in_flight") { $0.isInFlight ? true : nil } ?? false,
            preflight: try shape.optional("preflight", \.preflight),
            reports: try shape.value("reports", \.reports),
            events: try shape.value("events", \.events),
            revision: try shape.value("revision", \.revision))
    }
}

extension OrderAnswer {
    /// - Parameter state: its state at the instant.
    package init(
        _ history: OrderHistory, _ state: OrderState, at instant: Instant,
        revision: LedgerSequence, promisedUntil: Instant?, isInFlight: Bool = false
    ) {
        let order = history.order.value
        self.init(
            id: order.id, account: history.account, environment: order.environment,
            product: order.product, quantity: order.quantity, appleID: order.appleID,
            price: order.price.map(PriceAnswer.init), state: state, at: instant,
            madeAt: history.order.recordedAt, changedAt: history.changedAt,
            policy: order.policy, promisedUntil: promisedUntil,
            transaction: history.payment?.transactionID,
            differences: history.differences.isEmpty ? nil : history.differences,
            refusals: history.refusals.isEmpty
                ? nil : history.refusals.map(OrderRefusalAnswer.init),
            parent: order.parent, isInFlight: isInFlight, reports: state.reports,
            events: history.events.map(OrderEventAnswer.init), revision: revision)
    }
}

/// Evidence that was submitted for an order and refused.
package struct OrderRefusalAnswer: WireObject {
    package var recordedAt: Instant
    package var code: String

    package init(_ refusal: Recorded<EvidenceRefusal>) {
        self.init(recordedAt: refusal.recordedAt, code: refusal.value.code)
    }

    private init(recordedAt: Instant, code: String) {
        self.recordedAt = recordedAt
        self.code = code
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        OrderRefusalAnswer(
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            code: try shape.value("code", \.code))
    }
}

/// Some of the orders of an account, the newest first.
package struct OrderList: WireObject {
    package var account: AccountID
    /// The account that has what this one had; nil where it was not merged into another.
    package var mergedInto: AccountID?
    package var orders: [OrderAnswer]
    /// The `after` of the next page; nil at the end.
    package var next: LedgerSequence?

    package init(
        account: AccountID, mergedInto: AccountID? = nil, orders: [OrderAnswer],
        next: LedgerSequence?
    ) {
        self.account = account
        self.mergedInto = mergedInto
        self.orders = orders
        self.next = next
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        OrderList(
            account: try shape.value("account", \.account),
            mergedInto: try shape.optional("merged_into", \.mergedInto),
            orders: try shape.value("orders", \.orders),
            next: try shape.nullable("next", \.next))
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
