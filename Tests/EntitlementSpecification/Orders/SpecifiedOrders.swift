package import EntitlementModel

/// All orders, and the rules of spec 1.8 and docs/ORDERS.md stated a second time: what each call
/// comes to, one order and one payment at a time.
///
/// Who owns a purchase, what it is of and what it was signed as, the specification of the rest
/// says, from the facts that the ledger holds once the call is over.
package struct SpecifiedOrders: Sendable {
    /// In the order in which they were made.
    package internal(set) var orders: [SpecifiedOrder] = []
    /// What happened, for whoever counts.
    package internal(set) var visits: Set<String> = []
    /// The names of the orders that are made for second payments: they are as the implementation
    /// draws them, and it says which it has made.
    package var namesOfSeconds: [SecondPayment: OrderID] = [:]
    let table = OrderTable.ofTheManual
    /// Whether what is settled now is known from Apple only.
    var isFromApple = false
    /// Who presents what another account's client has reported.
    var presenter: AccountID?
    /// Requests with a key of their own that were answered with an open order.
    private var repeated: [SpecifiedOrderKey: (request: Request, order: OrderID)] = [:]

    package init() {}

    /// A payment beside the order that is paid already.
    package struct SecondPayment: Hashable, Sendable {
        package var order: OrderID
        package var payment: TransactionKey

        package init(order: OrderID, payment: TransactionKey) {
            (self.order, self.payment) = (order, payment)
        }
    }

    /// What a call comes to.
    package enum Outcome: Hashable, Sendable {
        case done(OrderID)
        /// One of these is returned instead of a second one.
        case inFlight(Set<OrderID>)
        case rejected(String)
        /// The state does not allow it; these it does.
        case illegal(OrderState, legal: [OrderEventKind])
    }

    package func order(_ id: OrderID) -> SpecifiedOrder? { orders.first { $0.id == id } }

    /// Appends an event that the table allows.
    /// - Returns: false where it does not.
    @discardableResult
    mutating func happen(
        _ kind: OrderEventKind, to id: OrderID, at now: Instant, in state: OrderState? = nil,
        _ change: (inout SpecifiedOrderEvent) -> Void = { _ in }
    ) -> Bool {
        guard let place = orders.firstIndex(where: { $0.id == id }) else { return false }
        let before = orders[place].state(at: now)
        guard let after = state ?? table.state(after: kind, in: before) else { return false }
        var event = SpecifiedOrderEvent(kind: kind, state: after, at: now)
        change(&event)
        visits.insert("order event \(kind.rawValue)")
        if let basis = event.basis { visits.insert("order matched by \(basis.rawValue)") }
        for difference in event.differences {
            visits.insert("order differs in \(difference.rawValue)")
        }
        orders[place].events.append(event)
        return true
    }
}

// An order is made, and the client reports.
extension SpecifiedOrders {
    /// What is asked for.
    package struct Request: Sendable {
        package var account: AccountID
        package var environment: StoreEnvironment
        package var product: ProductID
        package var quantity: Int64
        package var appleID: AppleIDKey?
        package var price: Price?
        package var key: SpecifiedOrderKey?

        package init(
            account: AccountID, environment: StoreEnvironment, product: ProductID,
            quantity: Int64, appleID: AppleIDKey?, price: Price?, key: SpecifiedOrderKey?
        ) {
            self.account = account
            self.environment = environment
            self.product = product
            self.quantity = quantity
            self.appleID = appleID
            self.price = price
            self.key = key
        }
    }

    /// What asking for an order comes to; nil where a new one is made.
    ///
    /// - Parameter isBlocked: whether preflight blocks the purchase.
    package func outcome(
        of request: Request, isBlocked: Bool, by specification: Specification, at now: Instant
    ) -> Outcome? {
        let account = specification.account(standingFor: request.account)
        if let key = request.key, let first = orders.first(where: { $0.key == key }) {
            let isSame =
                specification.account(standingFor: first.account) == account
                && first.product == request.product && first.quantity == request.quantity
                && first.environment == request.environment && first.price == request.price
                && first.appleID == request.appleID
            return isSame ? .done(first.id) : .rejected("order.conflict")
        }
        if let key = request.key, let first = repeated[key] {
            let isSame =
                specification.account(standingFor: first.request.account) == account
                && first.request.product == request.product
                && first.request.quantity == request.quantity
                && first.request.environment == request.environment
                && first.request.price == request.price
                && first.request.appleID == request.appleID
            return isSame ? .inFlight([first.order]) : .rejected("order.conflict")
        }
        if isBlocked { return .rejected("order.blocked") }
        let isConsumable = specification.policy.products[request.product]?.kind == .consumable
        let most: Int64 = isConsumable ? 1_000 : 1
        if request.quantity < 1 || request.quantity > most { return .rejected("order.quantity") }
        let open = orders.filter { order in
            isOpen(order.state(at: now)) && order.product == request.product
                && order.environment == request.environment
                && specification.account(standingFor: order.lastAccount) == account
        }
        return open.isEmpty || isConsumable ? nil : .inFlight(Set(open.map(\.id)))
    }

    /// An open order was returned: its key is answered so for ever.
    package mutating func remember(_ request: Request, answeredWith order: OrderID) {
        guard let key = request.key, repeated[key] == nil else { return }
        visits.insert("order key of an order in flight")
        repeated[key] = (request, order)
    }

    package mutating func make(
        _ id: OrderID, _ request: Request, by specification: Specification, at now: Instant
    ) {
        visits.insert("order made")
        orders.append(
            SpecifiedOrder(
                id: id, account: specification.account(standingFor: request.account),
                environment: request.environment, product: request.product,
                quantity: request.quantity, appleID: request.appleID, price: request.price,
                key: request.key, parent: nil, madeAt: now, policy: specification.policy))
    }

    /// What the client reports: where it is legal, it is recorded, and a payment that it names may
    /// be known already.
    package mutating func report(
        _ kind: OrderEventKind, of id: OrderID, naming transaction: TransactionID?,
        storeCode: String?, by specification: Specification, at now: Instant
    ) -> Outcome {
        guard let order = order(id) else { return .rejected("order.unknown") }
        let named = transaction.map { TransactionKey(order.environment, $0) }
        func isSame(_ event: SpecifiedOrderEvent) -> Bool {
            event.kind == kind && event.transaction == named && event.storeCode == storeCode
        }
        let rulings: [OrderEventKind] = [.settled, .refused, .reassigned, .undone]
        let ruling = order.events.lastIndex { rulings.contains($0.kind) } ?? -1
        if order.events[(ruling + 1)...].contains(where: isSame) {
            visits.insert("order report again")
            return .done(id)
        }
        let state = order.state(at: now)
        if let named, table.state(after: kind, in: state) != nil,
            isFull(ofReports: named, order, by: specification)
        {
            return .rejected("order.too-many-reported")
        }
        let isDone = happen(kind, to: id, at: now) { event in
            event.transaction = named
            event.storeCode = storeCode
        }
        guard isDone else {
            // What was said before a person ruled may be said again.
            if order.events.contains(where: isSame) { return .done(id) }
            visits.insert("order report that is not legal")
            return .illegal(state, legal: table.possible(OrderEventKind.reports, in: state))
        }
        if let named {
            settle(
                [named], claimant: specification.account(standingFor: order.lastAccount),
                by: specification, at: now)
        }
        return .done(id)
    }

    func isOpen(_ state: OrderState) -> Bool {
        [.created, .paying, .deferred, .noReceipt, .scheduled].contains(state)
    }
}
