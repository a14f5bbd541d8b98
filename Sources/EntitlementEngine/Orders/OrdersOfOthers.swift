internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// Payments that one account presents and another one may have made: nothing signed says whose they
/// are (spec 1.8).
extension OrderLedger {
    /// Whose payments these are by what clients have reported of them, before anybody presented them,
    /// where the presenter has no order for them.
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

    /// No order of the presenter was matched: the order of another account that it may be for tells
    /// of it, and a person can move it.
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
