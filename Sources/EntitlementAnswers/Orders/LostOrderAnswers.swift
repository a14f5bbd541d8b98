package import EntitlementModel

extension LostOrderReason: WireWord {}
extension LostOrderStep: WireWord {}

extension Title {
    /// Words of the program in both languages.
    package init(_ words: some LocalizedText) {
        self.init(
            english: words.template(in: .english), chinese: words.template(in: .chinese))
    }

    /// In the reader's language where it has one, safe to print.
    package func text(_ language: Language) -> String {
        ((language == .chinese ? chinese : nil) ?? english).shown
    }
}

/// A payment that nobody owns, of the product of an order that waits for one.
package struct PossiblePayment: WireObject {
    package var transaction: TransactionID
    package var price: PriceAnswer?
    package var purchasedAt: Instant

    package init(transaction: TransactionID, price: PriceAnswer?, purchasedAt: Instant) {
        (self.transaction, self.price, self.purchasedAt) = (transaction, price, purchasedAt)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PossiblePayment(
            transaction: try shape.value("transaction_id", \.transaction),
            price: try shape.optional("price", \.price),
            purchasedAt: try shape.value("purchased_at", \.purchasedAt))
    }
}

/// An order, a payment without one, or waiting evidence that a person has to examine.
package struct LostOrder: WireObject {
    /// Nil for a payment that pays none.
    package var id: OrderID?
    /// Nil where no account is known.
    package var account: AccountID?
    /// Of the device, else of the payment, where either is known.
    package var appleID: AppleIDKey?
    package var environment: StoreEnvironment
    /// Nil where only Apple knows it.
    package var product: ProductID?
    package var state: OrderState?
    package var reason: LostOrderReason
    package var since: Instant
    package var ageSeconds: Int64
    /// The price of the order, or else of the payment.
    package var price: PriceAnswer?
    /// What pays it, or was named for it.
    package var transaction: TransactionID?
    /// Of evidence that waits for Apple.
    package var ticket: LedgerSequence?
    /// What to do next.
    package var step: LostOrderStep
    /// Who owns the transaction; nil where it is not known.
    package var owners: [AccountID]?
    /// The accounts from which the command would take it; nil where it takes nothing.
    package var takesFrom: [AccountID]?
    /// What to call next.
    package var command: String
    /// Of an order without a payment: what nobody owns and may be its payment.
    package var possiblePayments: [PossiblePayment] = []

    package init(
        id: OrderID? = nil, account: AccountID? = nil, appleID: AppleIDKey?,
        environment: StoreEnvironment, product: ProductID?, state: OrderState? = nil,
        reason: LostOrderReason, since: Instant, ageSeconds: Int64, price: PriceAnswer?,
        transaction: TransactionID?, ticket: LedgerSequence? = nil, step: LostOrderStep,
        owners: [AccountID]? = nil, takesFrom: [AccountID]? = nil, command: String
    ) {
        self.id = id
        self.account = account
        self.appleID = appleID
        self.environment = environment
        self.product = product
        self.state = state
        self.reason = reason
        self.since = since
        self.ageSeconds = ageSeconds
        self.price = price
        self.transaction = transaction
        self.ticket = ticket
        self.step = step
        self.owners = owners
        self.takesFrom = takesFrom
        self.command = command
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var lost = LostOrder(
            id: try shape.optional("order", \.id),
            account: try shape.optional("account", \.account),
            appleID: try shape.optional("apple_id", \.appleID),
            environment: try shape.value("environment", \.environment),
            product: try shape.optional("product", \.product),
            state: try shape.optional("state", \.state),
            reason: try shape.value("reason", \.reason),
            since: try shape.value("since", \.since),
            ageSeconds: try shape.value("age_seconds", \.ageSeconds),
            price: try shape.optional("price", \.price),
            transaction: try shape.optional("transaction_id", \.transaction),
            ticket: try shape.optional("ticket", \.ticket),
            step: try shape.value("step", \.step),
            owners: try shape.optional("owners", \.owners),
            takesFrom: try shape.optional("takes_from", \.takesFrom),
            command: try shape.value("command", \.command))
        let possible = try shape.optional("possible_payments") { $0.possiblePayments.ifAny }
        lost.possiblePayments = possible ?? []
        // Follow from the reason and the step.
        _ = try shape.value("text") { Title($0.reason) }
        _ = try shape.value("next_step") { Title($0.step) }
        return lost
    }
}

/// `GET /v1/orders/lost`: those that have been as they are for longest come first. A page may be
/// short of its limit although there is a next one.
package struct LostOrderPage: WireObject {
    package var at: Instant
    package var orders: [LostOrder]
    /// The `after` of the next page; nil at the end.
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        LostOrderPage(
            at: try shape.value("at", \.at), orders: try shape.value("orders", \.orders),
            next: try shape.nullable("next", \.next),
            revision: try shape.value("revision", \.revision))
    }
}
