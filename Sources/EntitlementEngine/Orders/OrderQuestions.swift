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
