package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// What an account is about to buy, as a caller asks for it.
package struct OrderRequest: Hashable, Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    package var product: ProductID
    package var quantity: Int64
    /// Any key of the device's Apple ID; nil if the caller has none.
    package var appleID: AppleIDKey?
    /// The price that the app displays.
    package var price: Price?
    /// The idempotency key: a request that the same actor repeats with it is answered as the
    /// first time.
    package var key: String?
    package var actor: String
    /// As the ledger named the actor before: a key that was used so is the actor's too.
    package var formerActor: String?

    package init(
        account: AccountID, environment: StoreEnvironment = .production, product: ProductID,
        quantity: Int64 = 1, appleID: AppleIDKey? = nil, price: Price? = nil,
        key: String? = nil, actor: String, formerActor: String? = nil
    ) {
        self.account = account
        self.environment = environment
        self.product = product
        self.quantity = quantity
        self.appleID = appleID
        self.price = price
        self.key = key
        self.actor = actor
        self.formerActor = formerActor
    }
}

/// Why something asked of an order is not done. Nothing is written.
package enum OrderRejection: Hashable, Sendable {
    case unknown
    /// The idempotency key was used for another order.
    case conflict
    /// More than one of what can be bought once, or more than an order may be for.
    case quantity
    /// Preflight says that it must not be bought.
    case blocked(PreflightCode)
    /// The event is not legal in the order's state.
    case state(OrderState, legal: [OrderEventKind])
    /// It is delivered: the purchase moves by a ruling on its claim.
    case delivered(OrderState, legal: [OrderEventKind])
    /// The transaction is not known, or it is another order's.
    case transaction
    /// A payment of it is known: it is settled by that one.
    case hasPayment
    /// The policy has nothing that could be given for it.
    case nothingToGive
    /// As many transactions as an account may have reported wait to be presented.
    case tooManyReported

    /// Stable, for programs.
    package var code: ProblemCode {
        switch self {
        case .unknown: .unknownOrder
        case .conflict: .orderConflict
        case .quantity: .orderQuantity
        case .blocked: .orderBlocked
        case .state: .orderState
        case .delivered: .orderDelivered
        case .transaction: .orderTransaction
        case .hasPayment: .orderHasPayment
        case .nothingToGive: .orderNothingToGive
        case .tooManyReported: .orderTooManyReported
        }
    }
}

/// What became of a call about an order.
package enum OrderReport: Sendable {
    /// Durable.
    case done(OrderHistory)
    /// There is one already, which is not paid: it is returned instead of another one.
    case inFlight(OrderHistory)
    case rejected(OrderRejection)
}

/// What became of a request to make an order, and what preflight said about it.
package struct MadeOrder: Sendable {
    package var report: OrderReport
    /// As of the making; nil where an earlier answer was repeated or the request rejected.
    package var preflight: PreflightVerdict?
}

extension EntitlementEngine {
    /// Makes an order before the payment sheet is shown; its id is the purchase's token (spec 1.8).
    package func makeOrder(_ request: OrderRequest) async throws(EngineError) -> MadeOrder {
        let questions = questions
        return try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            try ledger.makeOrder(request, questions)
        }
    }
}

extension EngineTransaction {
    fileprivate func makeOrder(
        _ request: OrderRequest, _ questions: LedgerQuestions
    ) throws(LedgerError) -> (value: MadeOrder, touched: Set<AccountID>) {
        let account = try standing(for: request.account)
        if let told = try answer(toRepeated: request, by: account) {
            return (MadeOrder(report: told), [])
        }
        var verdict = try preflight(request, by: account, questions)
        if let rejection = rejection(of: request, verdict) {
            return (MadeOrder(report: .rejected(rejection)), [])
        }
        let open = try orders.open(
            for: request.product, of: account, in: request.environment)
        if let open {
            try remember(request, by: account, answeredWith: open.id)
            verdict.notes.append(.inFlight(open.id))
            return (MadeOrder(report: .inFlight(open), preflight: verdict), [])
        }
        let order = Order(request, for: account, policy.digest)
        let recorded = try append(order, as: .order(order))
        try register(order)
        let made = OrderHistory(order: recorded)
        return (MadeOrder(report: .done(made), preflight: verdict), [account])
    }

    /// The answer to an earlier call with the same key; nil if there is none.
    private func answer(
        toRepeated request: OrderRequest, by account: AccountID
    ) throws(LedgerError) -> OrderReport? {
        guard let key = request.key else { return nil }
        var place = try transaction.sequence(ofOrderKey: key, by: request.actor)
        if place == nil, let former = request.formerActor {
            place = try transaction.sequence(ofOrderKey: key, by: former)
        }
        guard let place, let known = try transaction.entry(place)?.value else { return nil }
        let first: (order: OrderID, account: AccountID, isSame: Bool)
        switch known {
        case .order(let order): first = (order.id, order.account, request.says(order))
        case .repeatedOrder(let order): first = (order.order, order.account, request.says(order))
        default: return nil
        }
        guard let history = try transaction.order(first.order) else { return nil }
        guard first.isSame, try standing(for: first.account) == account else {
            return .rejected(.conflict)
        }
        if case .order = known { return .done(history) }
        return .inFlight(history)
    }

    private func remember(
        _ request: OrderRequest, by account: AccountID, answeredWith order: OrderID
    ) throws(LedgerError) {
        guard let key = request.key else { return }
        let repeated = RepeatedOrder(
            order: order, account: account, environment: request.environment,
            product: request.product, quantity: request.quantity, appleID: request.appleID,
            price: request.price, key: key, actor: request.actor)
        _ = try append(repeated, as: .repeatedOrder(repeated))
    }

    /// The token names the account from now on, before any other reading of it (spec 1.8).
    private func register(_ order: Order) throws(LedgerError) {
        guard let token = order.token else { return }
        let registration = AccountTokenRegistration(
            token: token, account: order.account, actor: order.actor, reason: "order")
        _ = try append(registration, as: .accountToken(registration))
    }

    private func preflight(
        _ request: OrderRequest, by account: AccountID, _ questions: LedgerQuestions
    ) throws(LedgerError) -> PreflightVerdict {
        let preflight = PreflightRequest(
            account: account, product: request.product, environment: request.environment,
            appleID: request.appleID)
        let facts = try questions.preflightFacts(of: account, on: request.appleID, transaction)
        return policy.deriver.preflight(preflight, at: now, facts)
    }

    private func rejection(
        of request: OrderRequest, _ verdict: PreflightVerdict
    ) -> OrderRejection? {
        if let blocking = verdict.notes.first(where: { $0.effect == .block }) {
            return .blocked(blocking.code)
        }
        let isMany = policy.history.current.products[request.product]?.kind == .consumable
        let possible = isMany ? Order.possibleQuantities : 1...1
        return possible.contains(request.quantity) ? nil : .quantity
    }

    /// The account that this one was merged into, or this one.
    ///
    /// - Parameter instant: as `LedgerReading.account(standingFor:at:_:)` has it.
    func standing(
        for account: AccountID, at instant: Instant? = nil
    ) throws(LedgerError) -> AccountID {
        try transaction.account(standingFor: policy.name(account), at: instant, policy)
    }

    /// The orders as of now.
    var orders: OrderReader { OrderReader(reader: transaction, policy: policy, instant: now) }
}

extension OrderRequest {
    fileprivate func says(_ order: Order) -> Bool {
        order.environment == environment && order.product == product && order.quantity == quantity
            && order.price == price && order.appleID == appleID
    }

    fileprivate func says(_ order: RepeatedOrder) -> Bool {
        order.environment == environment && order.product == product && order.quantity == quantity
            && order.price == price && order.appleID == appleID
    }
}

extension Order {
    fileprivate init(_ request: OrderRequest, for account: AccountID, _ policy: Digest256) {
        self.init(
            id: .random(), account: account, environment: request.environment,
            product: request.product, quantity: request.quantity, appleID: request.appleID,
            price: request.price, policy: policy, key: request.key, actor: request.actor)
    }
}

extension OrderID {
    /// A UUID of version 4: the orders of others cannot be guessed (THREATS.md D28).
    fileprivate static func random() -> OrderID {
        var generator = SystemRandomNumberGenerator()
        return OrderID(
            uuid: (generator.next(), generator.next()), version: 4)
    }

    /// A UUID of 128 bits, of which six say what kind of UUID it is.
    init(uuid bits: (UInt64, UInt64), version: UInt64) {
        let high = bits.0 & 0xFFFF_FFFF_FFFF_0FFF | version << 12
        let low = bits.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Array((high.hexadecimal + low.hexadecimal).utf8)
        var text: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        self.init(unchecked: String(decoding: text, as: UTF8.self))
    }
}

extension UInt64 {
    /// Sixteen digits.
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
