internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// Evidence that names an order moves what was matched with less force: the payment takes its own
/// place, and the one that was there moves to the next order that fits (spec 1.8).
extension OrderLedger {
    /// - Parameter paid: the order that the payment pays so far.
    /// - Returns: false where nothing moves.
    mutating func takePlace(
        _ payment: OrderPayment, _ place: OrderPlace, from paid: OrderHistory?,
        _ claimant: AccountID?
    ) throws(LedgerError) -> Bool {
        let order = place.candidate.history
        guard payment.paysOrders, paid?.id != order.id, order.payment != nil || paid != nil,
            try isMovable(paid, by: place, payment, claimant), !order.isRuled
        else { return false }
        var displaced: TransactionKey?
        if order.payment != nil {
            guard order.isHeld(withLessForceThan: place.basis) else { return false }
            displaced = order.payment
        }
        if let paid { try free(paid) }
        var free = order
        if displaced != nil { free = try self.free(order) }
        let target = (candidate: commit.orders.candidate(free), basis: place.basis)
        _ = try apply(OrderMatching(payment).match(named: target, others: []), payment)
        if let displaced { try matchAgain(displaced, of: order.account) }
        return true
    }

    /// What a person has ruled on stays, and who names an order by word moves only what is its own.
    private func isMovable(
        _ paid: OrderHistory?, by place: OrderPlace, _ payment: OrderPayment,
        _ claimant: AccountID?
    ) throws(LedgerError) -> Bool {
        guard let paid else { return true }
        guard !paid.isRuled, paid.isHeld(withLessForceThan: place.basis) else { return false }
        if place.basis == .token { return true }
        return try commit.standing(for: paid.account) == claimant
    }

    @discardableResult
    private mutating func free(_ order: OrderHistory) throws(LedgerError) -> OrderHistory {
        try append(
            OrderEvent(
                order: order.id, kind: .paymentMoved, state: order.beforePayment.recordedState,
                transaction: order.payment, actor: actor), to: order)
    }

    /// What had to leave its order is compared with the others of the account.
    private mutating func matchAgain(
        _ transaction: TransactionKey, of account: AccountID
    ) throws(LedgerError) {
        let account = try commit.standing(for: account)
        let facts = try ledger.facts(forClaimsOn: [transaction], by: [])
        for payment in commit.policy.deriver.payments(of: [transaction], facts) {
            let known = try histories(ledger.orders(naming: payment.keys)).filter { !$0.isRuled }
            let reported = try reported(payment, known, by: account)
            var others: [OrderCandidate] = []
            if payment.owners.isEmpty || payment.owners.contains(account) {
                others = try commit.orders.candidates(
                    of: account, for: payment.product, paidBy: [payment]
                ).filter { !$0.history.isRuled }
            }
            _ = try apply(match(payment, reported, others), payment)
        }
    }
}

extension OrderHistory {
    fileprivate func isHeld(withLessForceThan basis: OrderMatchBasis) -> Bool {
        guard let own = paymentBasis else { return false }
        return own.strength < basis.strength
    }
}
