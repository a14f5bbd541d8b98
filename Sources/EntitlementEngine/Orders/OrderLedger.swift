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

    /// Who says it: evidence that a client handed in, or a notification.
    static let evidence = "evidence"
    static let notifier = "notification"
    private var actor = Self.evidence

    /// Finds the order of each payment, and follows those that are paid.
    ///
    /// - Parameters:
    ///   - claimant: for whom the evidence was handed in.
    ///   - named: the order that was named with it, which is the claimant's.
    mutating func settle(
        _ payments: [OrderPayment], claimant: AccountID?, named: OrderID?
    ) throws(LedgerError) {
        actor = claimant == nil ? Self.notifier : Self.evidence
        var others: [OrderCandidate]?
        for payment in payments {
            let known = try histories(ledger.orders(naming: payment.keys))
            if let paid = known.first(where: { $0.payment.map(payment.keys.contains) ?? false }) {
                try follow(paid, payment)
                continue
            }
            guard payment.paysOrders, !known.contains(where: { $0.isTied(by: payment) }) else {
                continue
            }
            let decisive = try decisive(payment, known, named)
            if decisive == nil, others == nil {
                let account = claimant ?? payment.owners.first
                others = try account.map(commit.orders.candidates) ?? []
            }
            let match = OrderMatching(payment).match(named: decisive, others: others ?? [])
            if try apply(match, payment) { others = nil }
        }
    }

    /// What is decided by name: the signed token before what the caller says, and that before what
    /// the client has reported.
    private func decisive(
        _ payment: OrderPayment, _ known: [OrderHistory], _ named: OrderID?
    ) throws(LedgerError) -> (candidate: OrderCandidate, basis: OrderMatchBasis)? {
        if let token = payment.token, let order = try ledger.order(OrderID(token)) {
            return (commit.orders.candidate(order), .token)
        }
        if let named, let order = try ledger.order(named),
            order.order.value.environment == payment.transaction.environment
        {
            return (commit.orders.candidate(order), .orderID)
        }
        let reported = known.filter { !$0.reportedTransactions.isDisjoint(with: payment.keys) }
        return reported.first.map { (commit.orders.candidate($0), .transactionID) }
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
        // What a person gave for it goes: it is delivered once.
        for grant in history.grants { try revoke(grant) }
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

    /// What a paid order's payment has become: delivered, refunded, or given back.
    mutating func follow(_ history: OrderHistory, _ payment: OrderPayment) throws(LedgerError) {
        var history = history
        if history.recordedState == .paid, payment.owners.contains(history.account) {
            let isFinished = history.events.contains { $0.value.kind == .finished }
            history = try append(
                OrderEvent(
                    order: history.id, kind: .delivered,
                    state: isFinished ? .finished : .delivered,
                    transaction: payment.transaction, actor: actor), to: history)
        }
        let kind: OrderEventKind = payment.isRevoked ? .refunded : .refundReversed
        let isRefunded = history.recordedState == .refunded
        guard payment.isRevoked != isRefunded, let state = history.recordedState.after(kind) else {
            return
        }
        _ = try append(
            OrderEvent(
                order: history.id, kind: kind, state: state, transaction: payment.transaction,
                actor: actor), to: history)
    }

    mutating func append(
        _ event: OrderEvent, to history: OrderHistory
    ) throws(LedgerError) -> OrderHistory {
        var history = history
        history.events.append(try commit.append(event, as: .orderEvent(event)))
        touched.insert(history.account)
        return history
    }

    mutating func revoke(_ id: GrantID, actor: String? = nil) throws(LedgerError) {
        guard let place = try ledger.sequence(of: id),
            case .grant(let grant)? = try ledger.entry(place)?.value
        else { return }
        let revocation = GrantRevocation(
            grant: id, account: grant.account, actor: actor ?? self.actor, reason: "order")
        _ = try commit.append(revocation, as: .grantRevocation(revocation))
        touched.insert(grant.account)
    }
}

extension OrderHistory {
    /// Whether a person has to say whether the payment is this order's.
    fileprivate func isTied(by payment: OrderPayment) -> Bool {
        recordedState == .review
            && events.contains { event in
                event.value.transaction.map(payment.keys.contains) ?? false
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
