internal import Crypto
internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// Brings payments and orders together inside one commit (spec 1.8). What is decided once stays:
/// a payment that is known again changes nothing.
struct OrderLedger {
    private let commit: EngineTransaction
    private var ledger: any LedgerWriting { commit.transaction }
    /// Accounts about whom something was written.
    private(set) var touched: Set<AccountID> = []

    init(_ commit: EngineTransaction) {
        self.commit = commit
    }

    /// Who says it, where no person does: evidence that a client handed in, or a notification.
    static let evidence = "evidence"
    private var actor = Self.evidence

    /// Whose orders a payment is compared with.
    private struct Buyer: Hashable {
        let account: AccountID
        let product: ProductID
    }

    /// Finds the order of each payment, and follows those that are paid.
    ///
    /// - Parameters:
    ///   - claimant: for whom the evidence was handed in.
    ///   - named: the payment of the order that was named with it, which is the claimant's.
    ///   - actor: the person whose ruling changed the owners; nil for evidence.
    mutating func settle(
        _ payments: [OrderPayment], claimant: AccountID?,
        named: (order: OrderID, payment: TransactionKey)? = nil, by actor: String? = nil
    ) throws(LedgerError) {
        self.actor = actor ?? (claimant == nil ? OrderEvent.notifier : Self.evidence)
        var others: [Buyer: [OrderCandidate]] = [:]
        for payment in payments {
            let known = try histories(ledger.orders(naming: payment.keys))
            if let paid = known.first(where: { $0.payment.map(payment.keys.contains) ?? false }) {
                try follow(claimant == nil ? paid : callBack(paid), payment)
                continue
            }
            guard payment.paysOrders, !known.contains(where: { $0.isTied(by: payment) }) else {
                continue
            }
            let account = claimant ?? payment.owners.first
            let isNamed = named?.payment == payment.transaction
            let decisive = try decisive(payment, named: isNamed ? named?.order : nil)
            let reported = try reported(payment, known, by: account)
            // What somebody else owns was bought by somebody else.
            let isOwn = payment.owners.isEmpty || account.map(payment.owners.contains) ?? false
            var comparable: [OrderCandidate] = []
            if isOwn, let account, decisive == nil, reported.isEmpty {
                // Payments that no account hands in may be of several.
                let buyer = Buyer(account: account, product: payment.product)
                if others[buyer] == nil {
                    others[buyer] = try commit.orders.candidates(
                        of: account, for: payment.product,
                        purchasedAt: payments.firstPurchase(of: payment.product))
                }
                comparable = others[buyer] ?? []
            }
            let matching = OrderMatching(payment)
            let match =
                decisive == nil && reported.count > 1
                ? matching.tie(reported)
                : matching.match(
                    named: decisive ?? reported.first.map { ($0, .transactionID) },
                    others: comparable)
            if try apply(match, payment) { others = [:] }
        }
    }

    /// The order that a payment pays.
    func order(paidBy payment: OrderPayment) throws(LedgerError) -> OrderHistory? {
        try histories(ledger.orders(naming: payment.keys)).first { history in
            history.payment.map(payment.keys.contains) ?? false
        }
    }

    /// The payment of an order that is named with evidence: what pays it or carries its token, else,
    /// of what it can be, the one that was made first after the order.
    func payment(
        of order: OrderHistory, among payments: [OrderPayment]
    ) throws(LedgerError) -> TransactionKey? {
        let candidate = commit.orders.candidate(order)
        var possible: [OrderPayment] = []
        for payment in payments {
            let isPaying = order.payment.map(payment.keys.contains) ?? false
            let named = try self.order(named: payment)
            if isPaying || named?.id == order.id { return payment.transaction }
            if named == nil, OrderMatching(payment).canPay(candidate) { possible.append(payment) }
        }
        return possible.min { $0.purchasedAt < $1.purchasedAt }?.transaction
    }

    /// The order whose token the purchase carries.
    private func order(named payment: OrderPayment) throws(LedgerError) -> OrderHistory? {
        guard let token = payment.token, let order = try ledger.order(OrderID(token)),
            order.order.value.environment == payment.transaction.environment
        else { return nil }
        return order
    }

    /// What is decided by name: the signed token before what the caller says.
    private func decisive(
        _ payment: OrderPayment, named: OrderID?
    ) throws(LedgerError) -> (candidate: OrderCandidate, basis: OrderMatchBasis)? {
        if let order = try order(named: payment) {
            return (commit.orders.candidate(order), .token)
        }
        guard let named, let order = try ledger.order(named) else { return nil }
        return (commit.orders.candidate(order), .orderID)
    }

    /// The orders for which a client has reported the payment, of those who may have made it.
    private func reported(
        _ payment: OrderPayment, _ known: [OrderHistory], by account: AccountID?
    ) throws(LedgerError) -> [OrderCandidate] {
        var candidates: [OrderCandidate] = []
        for history in known
        where !history.reportedTransactions.isDisjoint(with: payment.keys) {
            let owner = try commit.standing(for: history.account)
            guard owner == account || payment.owners.contains(owner) else { continue }
            let candidate = commit.orders.candidate(history)
            if OrderMatching(payment).canPay(candidate) { candidates.append(candidate) }
        }
        return candidates
    }

    private func histories(_ ids: [OrderID]) throws(LedgerError) -> [OrderHistory] {
        var histories: [OrderHistory] = []
        for id in ids {
            if let history = try ledger.order(id) { histories.append(history) }
        }
        return histories
    }

    /// - Returns: whether anything was written.
    private mutating func apply(
        _ match: OrderMatch, _ payment: OrderPayment
    ) throws(LedgerError) -> Bool {
        switch match {
        case .none: return false
        case .pays(let id, let basis, let comparison):
            guard let history = try ledger.order(id) else { return false }
            try pay(history, by: payment, basis, comparison)
        case .second(let id, let basis):
            guard let history = try ledger.order(id) else { return false }
            try addOrder(beside: history, for: payment, basis)
        case .tied(let comparisons):
            for comparison in comparisons {
                guard let history = try ledger.order(comparison.order),
                    let state = commit.orders.candidate(history).state.after(.tied)
                else { continue }
                _ = try append(
                    OrderEvent(
                        order: history.id, kind: .tied, state: state,
                        transaction: payment.transaction, comparison: comparisons,
                        actor: actor), to: history)
            }
        }
        return true
    }

    private mutating func pay(
        _ history: OrderHistory, by payment: OrderPayment, _ basis: OrderMatchBasis,
        _ comparison: [OrderComparison]
    ) throws(LedgerError) {
        guard let state = commit.orders.candidate(history).state.after(.paid) else { return }
        let paid = try append(
            OrderEvent(
                order: history.id, kind: .paid, state: state, transaction: payment.transaction,
                basis: basis, comparison: comparison,
                differences: payment.differences(from: history.order.value),
                actor: actor), to: history)
        try follow(paid, payment)
    }

    /// A second payment under one token: another purchase of a consumable, which is delivered;
    /// for anything else a person has to look at it.
    private mutating func addOrder(
        beside history: OrderHistory, for payment: OrderPayment, _ basis: OrderMatchBasis
    ) throws(LedgerError) {
        let first = history.order.value
        let id = OrderID.second(of: history.id, payment.transaction)
        // A person has closed it: it stays so.
        guard try ledger.order(id) == nil else { return }
        let order = Order(
            id: id, account: history.account,
            environment: first.environment, product: payment.product,
            quantity: payment.quantity, policy: commit.policy.digest, parent: history.id,
            actor: actor)
        let made = OrderHistory(order: try commit.append(order, as: .order(order)))
        if payment.kind == .consumable {
            try pay(made, by: payment, basis, [])
        } else {
            _ = try append(
                OrderEvent(
                    order: order.id, kind: .tied, state: .review,
                    transaction: payment.transaction, basis: basis, actor: actor),
                to: made)
        }
    }

    /// A client has come back with a payment that was known from Apple only.
    private mutating func callBack(_ history: OrderHistory) throws(LedgerError) -> OrderHistory {
        guard history.standing.marks.contains(.isFromApple),
            let state = history.recordedState.after(.calledBack)
        else { return history }
        return try append(
            OrderEvent(
                order: history.id, kind: .calledBack, state: state,
                transaction: history.payment, actor: actor), to: history)
    }

    /// Accounts have come to own something: delivers what they have paid for and have now.
    ///
    /// - Parameter actor: the person who ruled, or merged; nil for evidence.
    mutating func deliver(
        to accounts: Set<AccountID>, by actor: String? = nil
    ) throws(LedgerError) {
        for account in accounts.sorted() {
            try deliver(commit.orders.undelivered(of: account), by: actor)
        }
    }

    /// The same of orders that are paid.
    mutating func deliver(
        _ orders: [OrderHistory], by actor: String? = nil
    ) throws(LedgerError) {
        if let actor { self.actor = actor }
        for history in orders where history.recordedState == .paid {
            guard let payment = history.payment else { continue }
            let facts = try ledger.facts(forClaimsOn: [payment], by: [])
            for payment in commit.policy.deriver.payments(of: [payment], facts) {
                try follow(history, payment)
            }
        }
    }

    /// What a paid order's payment has become: given back, delivered, or refunded.
    mutating func follow(_ history: OrderHistory, _ payment: OrderPayment) throws(LedgerError) {
        var history = history
        func event(_ kind: OrderEventKind, _ state: OrderState) -> OrderEvent {
            OrderEvent(
                order: history.id, kind: kind, state: state, transaction: payment.transaction,
                actor: actor)
        }
        if history.recordedState == .refunded, !payment.isRevoked {
            history = try append(
                event(.refundReversed, history.stateBeforeRefund), to: history)
        }
        let account = try commit.standing(for: history.account)
        if history.recordedState == .paid, payment.owners.contains(account) {
            // What a person gave for it goes: it is delivered once.
            for grant in history.grants { try revoke(grant) }
            let isFinished = history.events.contains { $0.value.kind == .finished }
            history = try append(
                event(.delivered, isFinished ? .finished : .delivered), to: history)
        }
        guard payment.isRevoked, history.recordedState.isPaid,
            history.recordedState != .refunded
        else { return }
        _ = try append(event(.refunded, .refunded), to: history)
    }

    mutating func append(
        _ event: OrderEvent, to history: OrderHistory
    ) throws(LedgerError) -> OrderHistory {
        var history = history
        history.events.append(try commit.append(event, as: .orderEvent(event)))
        touched.insert(try commit.standing(for: history.account))
        return history
    }

    /// Takes back what a person gave, wherever merges have moved it.
    mutating func revoke(_ id: GrantID, actor: String? = nil) throws(LedgerError) {
        var place = try ledger.sequence(of: id)
        while let known = place, case .grant(let grant)? = try ledger.entry(known)?.value {
            let ended = try ledger.facts(forAccount: grant.account).grantRevocations.first {
                $0.value.grant == grant.id && $0.sequence > known
            }
            if let ended {
                place = try grantMoved(with: ended)
                continue
            }
            let revocation = GrantRevocation(
                grant: grant.id, account: grant.account, actor: actor ?? self.actor,
                reason: "order")
            _ = try commit.append(revocation, as: .grantRevocation(revocation))
            touched.insert(grant.account)
            return
        }
    }

    /// Where the grant is that a merge gave for one that it ended. A merge writes what it ends, and
    /// then as many grants, in the same order.
    private func grantMoved(
        with revocation: Recorded<GrantRevocation>
    ) throws(LedgerError) -> LedgerSequence? {
        func kind(_ number: Int64) throws(LedgerError) -> EntryKind? {
            let entry = try ledger.entry(LedgerSequence(number))
            guard let entry, entry.recordedAt == revocation.recordedAt else { return nil }
            return entry.value.registered.kind
        }
        var (first, next) = (revocation.sequence.number, revocation.sequence.number + 1)
        while try kind(first - 1) == .grantRevocation { first -= 1 }
        while try kind(next) == .grantRevocation { next += 1 }
        let place = LedgerSequence(next + revocation.sequence.number - first)
        guard case .grant(let grant)? = try ledger.entry(place)?.value,
            grant.id.text.hasPrefix("merge-")
        else { return nil }
        return place
    }
}

extension [OrderPayment] {
    fileprivate func firstPurchase(of product: ProductID) -> Instant {
        filter { $0.product == product }.map(\.purchasedAt).min() ?? Instant(milliseconds: .max)
    }
}

extension OrderHistory {
    /// Whether a person has to say whether the payment is this order's.
    fileprivate func isTied(by payment: OrderPayment) -> Bool {
        // What a client has named for it may still be another order's.
        recordedState == .review
            && events.contains { event in
                event.value.kind == .tied
                    && event.value.transaction.map(payment.keys.contains) ?? false
            }
    }
}

extension OrderID {
    /// The same each time for one payment beside one order.
    fileprivate static func second(of first: OrderID, _ payment: TransactionKey) -> OrderID {
        let text = "\(first.text) \(payment.environment.rawValue) \(payment.transactionID.text)"
        let digest = Array(SHA256.hash(data: Array(text.utf8)))
        func word(_ start: Int) -> UInt64 {
            digest[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        return OrderID(uuid: (word(0), word(8)), version: 8)
    }
}
