package import EntitlementModel

extension LostOrderReason: WireWord {}
extension LostOrderStep: WireWord {}

extension Title {
    /// Words of the program in both languages.
    package init(_ words: some LocalizedText) {
        self.init(
            english: words.template(in: .english), chinese: words.template(in: .chinese))
    }
}

/// An order, a payment without one, or evidence that waits, that somebody has to look at.
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
    /// What the order says, else the payment.
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

    package static var shapeName: String { "LostOrder" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> LostOrder {
        let lost = LostOrder(
            id: try visitor.optional("order", \.id),
            account: try visitor.optional("account", \.account),
            appleID: try visitor.optional("apple_id", \.appleID),
            environment: try visitor.value("environment", \.environment),
            product: try visitor.optional("product", \.product),
            state: try visitor.optional("state", \.state),
            reason: try visitor.value("reason", \.reason),
            since: try visitor.value("since", \.since),
            ageSeconds: try visitor.value("age_seconds", \.ageSeconds),
            price: try visitor.optional("price", \.price),
            transaction: try visitor.optional("transaction_id", \.transaction),
            ticket: try visitor.optional("ticket", \.ticket),
            step: try visitor.value("step", \.step),
            owners: try visitor.optional("owners", \.owners),
            takesFrom: try visitor.optional("takes_from", \.takesFrom),
            command: try visitor.value("command", \.command))
        // Follow from the reason and the step.
        _ = try visitor.value("text") { Title($0.reason) }
        _ = try visitor.value("next_step") { Title($0.step) }
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
