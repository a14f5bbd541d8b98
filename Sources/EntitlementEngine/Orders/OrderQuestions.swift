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
            var answer = policy.answer(history, at: instant, try reader.head().sequence)
            if history.payment == nil, past == nil, answer.state.after(.settled) != nil {
                let search = LostOrderSearch(reader: reader, policy: policy, instant: instant)
                answer.possiblePayments = try search.possiblePayments(for: history).ifAny
            }
            guard let payment = history.payment, try reader.lineage(of: payment) != nil else {
                return answer
            }
            let facts = policy.folding(try reader.facts(forClaimsOn: [payment], by: []))
            answer.owners = policy.deriver.payments(of: [payment], facts).first?.owners
            if answer.promisedUntil != nil {
                let last = facts.orderPromises.last { $0.value.transaction == payment }?.value
                answer.isPromiseKept = last?.order == id && last?.soldAt != nil
            }
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
                orders: histories.map { policy.answer($0, at: instant, revision) },
                next: next)
        }
    }
}

extension EntitlementEngine {
    /// The number of orders in each state, regardless of time. Blocks.
    package func orderCounts() throws(EngineError) -> [OrderState: Int64] {
        try ledger.reading { reader throws(LedgerError) in try reader.orderCounts() }
    }

    /// An order as of now.
    package func answer(
        _ history: OrderHistory, at instant: Instant, isInFlight: Bool = false
    ) -> OrderAnswer {
        policy.answer(history, at: instant, revision, isInFlight: isInFlight)
    }
}

extension ActivePolicy {
    fileprivate func answer(
        _ history: OrderHistory, at instant: Instant, _ revision: LedgerSequence,
        isInFlight: Bool = false
    ) -> OrderAnswer {
        OrderAnswer(
            history, state(of: history, at: instant), at: instant, revision: revision,
            promisedUntil: history.promisedUntil(orderSettings(history.order.value.policy)),
            isInFlight: isInFlight)
    }

    func state(of history: OrderHistory, at instant: Instant) -> OrderState {
        history.state(at: instant, orderSettings(history.order.value.policy))
    }
}

extension LedgerSequence {
    /// The start of a list with the newest first, by `next` of the page before.
    var orNewest: LedgerSequence { self == .zero ? LedgerSequence(.max) : self }
}

extension LedgerReading {
    /// The newest of those made before an entry, and where the page after them begins.
    fileprivate func orders(
        _ account: AccountID, before place: LedgerSequence, at instant: Instant, limit: Int,
        _ policy: ActivePolicy
    ) throws(LedgerError) -> ([OrderHistory], next: LedgerSequence?) {
        let book = OrderReader(reader: self, policy: policy, instant: instant)
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

/// Payments that one account presents and another one may have made: nothing signed says whose they
/// are (spec 1.8).
extension OrderLedger {
    /// The accounts whose clients have reported these payments before anybody presented them, if
    /// the presenter has no order for them.
    ///
    /// - Parameter named: the payment of the order that the presenter has named.
    func reporters(
        of payments: [OrderPayment], presentedBy claimant: AccountID, named: TransactionKey?
    ) throws(LedgerError) -> [TransactionKey: AccountID] {
        var reporters: [TransactionKey: AccountID] = [:]
        for payment in payments where payment.isAnybodys && payment.owners.isEmpty {
            guard payment.transaction != named,
                let account = try reporter(of: payment), account != claimant,
                match(payment, [], try candidates(of: claimant, for: payment)) == .none,
                try !isClaimed(payment)
            else { continue }
            for key in payment.keys { reporters[key] = account }
        }
        return reporters
    }

    private func isClaimed(_ payment: OrderPayment) throws(LedgerError) -> Bool {
        try ledger.facts(forTransactions: payment.keys).claims
            .contains { payment.keys.contains($0.value.transaction) }
    }

    private func candidates(
        of account: AccountID, for payment: OrderPayment
    ) throws(LedgerError) -> [OrderCandidate] {
        try commit.orders.candidates(of: account, for: payment.product, paidBy: [payment])
    }

    /// The one account whose client has reported it, for an order that it can be the payment of.
    private func reporter(of payment: OrderPayment) throws(LedgerError) -> AccountID? {
        var (accounts, canPay) = (Set<AccountID>(), false)
        for history in try histories(ledger.orders(naming: payment.keys))
        where !history.reportedTransactions.isDisjoint(with: payment.keys) {
            accounts.insert(try commit.standing(for: history.account))
            let candidate = commit.orders.candidate(history)
            if history.payment == nil, OrderMatching(payment).canPay(candidate) { canPay = true }
        }
        return canPay && accounts.count == 1 ? accounts.first : nil
    }

    /// No order of the presenter was matched: records it with the order of another account that it
    /// may be for, so that a person can move it.
    ///
    /// - Returns: whether anything was written.
    mutating func tell(
        _ payment: OrderPayment, of claimant: AccountID?, _ known: [OrderHistory]
    ) throws(LedgerError) -> Bool {
        guard let claimant, payment.isAnybodys, payment.owners.contains(claimant),
            commit.now < OrderMatching.approval.end(from: payment.purchasedAt),
            !known.contains(where: { $0.hasSeen(payment) })
        else { return false }
        let others = try commit.orders.ofOthers(than: claimant, for: payment.product)
        guard let id = OrderMatching(payment).mayBe(of: others),
            let order = try ledger.order(id)
        else { return false }
        try see(payment, of: order, presenter: claimant)
        return true
    }
}
