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

    /// The orders of an account, the newest first.
    ///
    /// - Parameter place: `next` of the page before; zero for the newest.
    package func orders(
        of account: AccountID, after place: LedgerSequence = .zero, at instant: Instant, limit: Int
    ) throws(EngineError) -> OrderList {
        let account = policy.name(account)
        return try ledger.reading { reader throws(LedgerError) in
            let (histories, next) = try reader.orders(
                account, before: place.orNewest, at: instant, limit: limit, policy)
            let revision = try reader.head().sequence
            return OrderList(
                account: account, mergedInto: try reader.mergedInto(account, policy),
                orders: histories.map { history in
                    OrderAnswer(
                        history, policy.state(of: history, at: instant), at: instant,
                        revision: revision)
                },
                next: next)
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

extension LedgerSequence {
    /// Where a list that has the newest first begins, by `next` of the page before.
    var orNewest: LedgerSequence { self == .zero ? LedgerSequence(.max) : self }
}

extension LedgerReading {
    /// The newest of those made before an entry, and where the page after them begins.
    fileprivate func orders(
        _ account: AccountID, before place: LedgerSequence, at instant: Instant, limit: Int,
        _ policy: ActivePolicy
    ) throws(LedgerError) -> ([OrderHistory], next: LedgerSequence?) {
        let book = OrderBook(reader: self, policy: policy, instant: instant)
        // Who asks for an account that was merged into another means what it ordered.
        let owner = try self.account(standingFor: account, policy)
        var found: [OrderHistory] = []
        // As far as all makers were read: one may have more than the ledger gives at once.
        var end: LedgerSequence?
        for maker in owner == account ? try book.accounts(standingAs: account) : [account] {
            let ids = try orders(of: maker, before: place, limit: limit + 1)
            for (index, id) in ids.enumerated() {
                guard let history = try order(id) else { continue }
                if index == limit { end = max(end ?? .zero, history.order.sequence) }
                // The ledger finds other spellings of the account too, which may be others.
                guard policy.name(history.account) == maker, try book.owner(of: history) == owner
                else { continue }
                found.append(history)
            }
        }
        found = found.filter { $0.order.sequence >= end ?? .zero }
            .sorted { $0.order.sequence > $1.order.sequence }
        let page = Array(found.prefix(limit))
        return (page, next: page.count < found.count ? page.last?.order.sequence : end)
    }
}
