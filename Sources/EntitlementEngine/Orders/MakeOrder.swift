package import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// What an account is about to buy, as a caller asks for it.
package struct OrderRequest: Hashable, Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    package var product: ProductID
    package var quantity: Int64
    /// Any key of the device's Apple ID; nil where the caller knows none.
    package var appleID: AppleIDKey?
    /// What the app shows.
    package var price: Price?
    /// The idempotency key: a request that the same actor repeats with it is answered as the
    /// first time.
    package var key: String?
    package var actor: String

    package init(
        account: AccountID, environment: StoreEnvironment = .production, product: ProductID,
        quantity: Int64 = 1, appleID: AppleIDKey? = nil, price: Price? = nil,
        key: String? = nil, actor: String
    ) {
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

/// Why something asked of an order is not done. Nothing is written.
package enum OrderRejection: Hashable, Sendable {
    case unknown
    /// The idempotency key stands for another order.
    case conflict
    /// More than one of what can be bought once, or more than an order may be for.
    case quantity
    /// Preflight says that it must not be bought.
    case blocked(PreflightCode)
    /// It cannot happen to an order that stands there.
    case state(OrderState, legal: [OrderEventKind])
    /// The transaction is not known, or it is another order's.
    case transaction
    /// A payment of it is known: it is settled by that one.
    case hasPayment
    /// The policy has nothing that could be given for it.
    case nothingToGive

    /// Stable, for programs.
    package var code: String {
        switch self {
        case .unknown: "order.unknown"
        case .conflict: "order.conflict"
        case .quantity: "order.quantity"
        case .blocked: "order.blocked"
        case .state: "order.state"
        case .transaction: "order.transaction"
        case .hasPayment: "order.has-payment"
        case .nothingToGive: "order.nothing-to-give"
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

extension EntitlementEngine {
    /// Makes an order before the payment sheet is shown; its id is the purchase's token (spec 1.8).
    package func makeOrder(_ request: OrderRequest) async throws(EngineError) -> OrderReport {
        let questions = questions
        return try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            try ledger.makeOrder(request, questions)
        }
    }
}

extension EngineTransaction {
    fileprivate func makeOrder(
        _ request: OrderRequest, _ questions: LedgerQuestions
    ) throws(LedgerError) -> (value: OrderReport, touched: Set<AccountID>) {
        let account = try standing(for: request.account)
        if let key = request.key,
            let known = try transaction.order(madeWith: key, by: request.actor),
            let history = try transaction.order(known)
        {
            let owner = try standing(for: history.order.value.account)
            let isSame = owner == account && request.says(history.order.value)
            return (isSame ? .done(history) : .rejected(.conflict), [])
        }
        if let rejection = try rejection(of: request, by: account, questions) {
            return (.rejected(rejection), [])
        }
        let open = try orders.open(
            for: request.product, of: account, in: request.environment)
        if let open { return (.inFlight(open), []) }
        let order = Order(request, for: account, policy.digest)
        let recorded = try append(order, as: .order(order))
        try register(order)
        return (.done(OrderHistory(order: recorded)), [account])
    }

    /// The token names the account from now on, before any other reading of it (spec 1.8).
    private func register(_ order: Order) throws(LedgerError) {
        guard let token = order.token else { return }
        let registration = AccountTokenRegistration(
            token: token, account: order.account, actor: order.actor, reason: "order")
        _ = try append(registration, as: .accountToken(registration))
    }

    private func rejection(
        of request: OrderRequest, by account: AccountID, _ questions: LedgerQuestions
    ) throws(LedgerError) -> OrderRejection? {
        let preflight = PreflightRequest(
            account: account, product: request.product, environment: request.environment,
            appleID: request.appleID)
        let facts = try questions.preflightFacts(of: account, on: request.appleID, transaction)
        let verdict = policy.deriver.preflight(preflight, at: now, facts)
        if let blocking = verdict.notes.first(where: { $0.effect == .block }) {
            return .blocked(blocking.code)
        }
        let isMany = policy.history.current.products[request.product]?.kind == .consumable
        let possible = isMany ? Order.possibleQuantities : 1...1
        return possible.contains(request.quantity) ? nil : .quantity
    }

    /// The account that stands for this one, where it was merged into another.
    func standing(for account: AccountID) throws(LedgerError) -> AccountID {
        try transaction.account(standingFor: policy.name(account), policy)
    }

    /// The orders as they stand now.
    var orders: OrderBook { OrderBook(reader: transaction, policy: policy, instant: now) }
}

/// Orders as they stand at an instant.
struct OrderBook {
    let reader: any LedgerReading
    let policy: ActivePolicy
    let instant: Instant

    /// How many of the newest orders of an account are looked at.
    static let newestOrders = 200

    /// The open order of the account for the product. Consumables may be bought several times at
    /// once.
    func open(
        for product: ProductID, of account: AccountID, in environment: StoreEnvironment
    ) throws(LedgerError) -> OrderHistory? {
        guard policy.history.current.products[product]?.kind != .consumable,
            try reader.hasOrders()
        else { return nil }
        return try candidates(of: account).first { candidate in
            let order = candidate.history.order.value
            return candidate.state.isOpen && order.product == product
                && order.environment == environment
        }?.history
    }

    /// The newest orders of an account, and of those that were merged into it.
    func candidates(of account: AccountID) throws(LedgerError) -> [OrderCandidate] {
        var candidates: [OrderCandidate] = []
        for owner in try accounts(standingAs: account) {
            for id in try reader.orders(of: owner, limit: Self.newestOrders) {
                // The ledger finds other spellings of the account too, which may be others.
                guard let history = try reader.order(id),
                    policy.name(history.account) == owner
                else { continue }
                candidates.append(candidate(history))
            }
        }
        return candidates.sorted {
            $0.history.order.sequence > $1.history.order.sequence
        }
    }

    /// The account, and those that were merged into it, directly or through others.
    func accounts(standingAs account: AccountID) throws(LedgerError) -> [AccountID] {
        var (found, unasked) = ([account], [account])
        while let next = unasked.popLast() {
            for merge in try policy.folding(reader.mergeFacts(of: next)).accountMerges
            where merge.value.into == next && !found.contains(merge.value.from) {
                let from = merge.value.from
                guard try reader.account(standingFor: from, policy) == account else { continue }
                found.append(from)
                unasked.append(from)
            }
        }
        return found
    }

    func candidate(_ history: OrderHistory) -> OrderCandidate {
        OrderCandidate(history, at: instant, policy.orderSettings(history.order.value.policy))
    }
}

extension ActivePolicy {
    /// The `orders` section of the policy with that digest, which was in force when an order was
    /// made.
    func orderSettings(_ digest: Digest256) -> OrderSettings { orderPolicy(digest).orders }

    /// The policy with that digest; the one in force where the ledger lacks it.
    func orderPolicy(_ digest: Digest256) -> Policy {
        history.activations.last { $0.policy.digest == digest }?.policy ?? history.current
    }
}

extension OrderRequest {
    fileprivate func says(_ order: Order) -> Bool {
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
    /// A UUID of version 4: nobody can guess the order of somebody else (THREATS.md D28).
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
