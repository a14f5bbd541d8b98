package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// Questions about orders. Each reads one view of the ledger, and blocks.
extension LedgerQuestions {
    /// Nil for an id that no order has.
    package func order(_ id: OrderID, at instant: Instant) throws(EngineError) -> OrderAnswer? {
        try ledger.reading { reader throws(LedgerError) in
            guard let history = try reader.order(id) else { return nil }
            var answer = OrderAnswer(
                history, policy.state(of: history, at: instant), at: instant,
                revision: try reader.head().sequence)
            guard let payment = history.payment, try reader.lineage(of: payment) != nil else {
                return answer
            }
            let facts = policy.folding(try reader.facts(forClaimsOn: [payment], by: []))
            answer.owners = policy.deriver.payments(of: [payment], facts).first?.owners
            return answer
        }
    }

    /// The newest orders of an account.
    package func orders(
        of account: AccountID, at instant: Instant, limit: Int
    ) throws(EngineError) -> OrderList {
        let account = policy.name(account)
        return try ledger.reading { reader throws(LedgerError) in
            OrderList(
                account: account, mergedInto: try reader.mergedInto(account, policy),
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
        let book = OrderBook(reader: self, policy: policy, instant: instant)
        // Who asks for an account that was merged into another means what it ordered.
        let owner = try self.account(standingFor: account, policy)
        var found: [OrderHistory] = []
        for maker in owner == account ? try book.accounts(standingAs: account) : [account] {
            for id in try orders(of: maker, limit: limit) {
                // The ledger finds other spellings of the account too, which may be others.
                guard let history = try order(id), policy.name(history.account) == maker,
                    try book.owner(of: history) == owner
                else { continue }
                found.append(history)
            }
        }
        found.sort { $0.order.sequence > $1.order.sequence }
        return found.prefix(limit).map { history in
            OrderAnswer(
                history, policy.state(of: history, at: instant), at: instant, revision: revision)
        }
    }
}
