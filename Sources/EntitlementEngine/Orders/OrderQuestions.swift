package import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel

/// Questions about orders. Each reads one view of the ledger, and blocks.
extension LedgerQuestions {
    /// Nil for an id that no order has.
    package func order(_ id: OrderID, at instant: Instant) throws(EngineError) -> OrderAnswer? {
        try ledger.reading { reader throws(LedgerError) in
            guard let history = try reader.order(id) else { return nil }
            return OrderAnswer(
                history, policy.state(of: history, at: instant), at: instant,
                revision: try reader.head().sequence)
        }
    }

    /// The newest orders of an account.
    package func orders(
        of account: AccountID, at instant: Instant, limit: Int
    ) throws(EngineError) -> OrderList {
        let account = policy.name(account)
        return try ledger.reading { reader throws(LedgerError) in
            OrderList(
                account: account,
                orders: try reader.orders(account, at: instant, limit: limit, policy))
        }
    }

    /// The orders that somebody has to look at, those first that have been so for longest.
    package func lostOrders(
        after sequence: LedgerSequence, at instant: Instant, limit: Int
    ) throws(EngineError) -> LostOrderPage {
        try ledger.reading { reader throws(LedgerError) in
            var (found, place): ([LostOrder], LedgerSequence?) = ([], sequence)
            while found.count < limit, let after = place {
                let some = try reader.orders(
                    in: LostOrder.states, after: after, limit: limit)
                for (last, id) in some where found.count < limit {
                    place = last
                    guard let history = try reader.order(id) else { continue }
                    let state = policy.state(of: history, at: instant)
                    if let lost = LostOrder(history, state, at: instant) { found.append(lost) }
                }
                if some.count < limit, some.last?.last == place || some.isEmpty { place = nil }
            }
            return LostOrderPage(
                at: instant, orders: found, next: place, revision: try reader.head().sequence)
        }
    }
}

extension EntitlementEngine {
    /// How many orders stand where, without regard to time. Blocks.
    package func orderCounts() throws(EngineError) -> [OrderState: Int64] {
        try ledger.reading { reader throws(LedgerError) in try reader.orderCounts() }
    }

    /// An order as it stands now.
    package func answer(
        _ history: OrderHistory, at instant: Instant, isInFlight: Bool = false
    ) -> OrderAnswer {
        OrderAnswer(
            history, policy.state(of: history, at: instant), at: instant, revision: revision,
            isInFlight: isInFlight)
    }
}

extension ActivePolicy {
    func state(of history: OrderHistory, at instant: Instant) -> OrderState {
        history.state(at: instant, orderSettings(history.order.value.policy))
    }
}

extension LedgerReading {
    fileprivate func orders(
        _ account: AccountID, at instant: Instant, limit: Int, _ policy: ActivePolicy
    ) throws(LedgerError) -> [OrderAnswer] {
        let revision = try head().sequence
        var answers: [OrderAnswer] = []
        for id in try orders(of: account, limit: limit) {
            // The ledger finds other spellings of the account too, which may be others.
            guard let history = try order(id), policy.name(history.account) == account else {
                continue
            }
            answers.append(
                OrderAnswer(
                    history, policy.state(of: history, at: instant), at: instant,
                    revision: revision))
        }
        return answers
    }
}

extension LostOrder {
    /// Where orders stand, without regard to time, that somebody may have to look at.
    fileprivate static let states: Set<OrderState> = [
        .created, .paying, .paid, .delivered, .deferred, .noReceipt, .review, .refunded,
    ]

    /// Nil where nobody has to.
    fileprivate init?(_ history: OrderHistory, _ state: OrderState, at instant: Instant) {
        guard let reason = LostOrderReason(history, state) else { return nil }
        self.init(
            history, state, reason, at: instant,
            transaction: history.namedTransaction?.transactionID,
            command: reason.command(for: history.id, history.namedTransaction?.transactionID))
    }
}

extension OrderHistory {
    /// What pays it, else what a client or a tie named last.
    fileprivate var namedTransaction: TransactionKey? {
        payment ?? events.last { $0.value.transaction != nil }?.value.transaction
    }

    fileprivate var isPaidByApple: Bool {
        let paid = events.last { $0.value.kind == .paid }
        return paid?.value.actor == OrderLedger.notifier
            && !events.contains { $0.value.kind.isReport }
    }
}

extension LostOrderReason {
    fileprivate init?(_ history: OrderHistory, _ state: OrderState) {
        let wasPaying = history.events.contains { $0.value.kind == .paying }
        let isNamed = !history.reportedTransactions.isEmpty
        switch state {
        case .abandoned where isNamed: self = .withoutEvidence
        case .abandoned: self = wasPaying ? .withoutOutcome : .neverPaid
        case .created: return nil
        case .paying:
            guard isNamed else { return nil }
            self = .withoutEvidence
        case .noReceipt: self = .withoutReceipt
        case .deferred: self = .waitsForApproval
        case .paid: self = .notDelivered
        case .delivered: self = history.isPaidByApple ? .withoutCallBack : .notFinished
        case .review: self = .inReview
        case .refunded: self = .refundedAfterDelivery
        case .finished, .notAllowed, .cancelled, .failed: return nil
        }
    }

    /// What a person does about it.
    fileprivate func command(for order: OrderID, _ payment: TransactionID?) -> String {
        switch self {
        case .neverPaid, .withoutOutcome, .waitsForApproval: "usher orders refuse \(order)"
        case .notDelivered, .inReview:
            "usher orders settle \(order)" + (payment.map { " --transaction \($0)" } ?? "")
        case .withoutEvidence, .withoutReceipt: "usher orders settle \(order)"
        case .withoutCallBack, .notFinished, .refundedAfterDelivery: "usher orders show \(order)"
        }
    }
}
