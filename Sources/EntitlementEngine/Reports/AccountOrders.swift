internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// How many orders a report on an account lists.
    private static let mostOrders = 100

    /// The newest orders of an account and of those that were merged into it, the newest first.
    ///
    /// - Parameters:
    ///   - environment: nil for all of them.
    ///   - appleID: nil for all; else those that were made for this Apple ID, or paid on it.
    ///   - facts: of the account, through that Apple ID.
    func orders(
        of account: AccountID, at instant: Instant, in environment: StoreEnvironment?,
        through appleID: AppleIDKey?, _ facts: FactSet, _ reader: any LedgerReading
    ) throws(LedgerError) -> [AccountOrder] {
        guard try reader.hasOrders() else { return [] }
        let payments = Set(facts.transactions.map(\.value.key))
        let book = OrderBook(reader: reader, policy: policy, instant: instant)
        var candidates: [OrderCandidate] = []
        for owner in try book.accounts(standingAs: account) {
            let newest = try reader.orders(
                of: owner, before: LedgerSequence(.max), limit: Self.mostOrders)
            for id in newest {
                // The ledger finds other spellings of the account too, which may be others.
                guard let history = try reader.order(id), policy.name(history.account) == owner,
                    try book.owner(of: history) == account
                else { continue }
                candidates.append(book.candidate(history))
            }
        }
        candidates = candidates.filter { candidate in
            let order = candidate.history.order.value
            guard environment.map({ $0 == order.environment }) ?? true else { return false }
            guard let appleID else { return true }
            return order.appleID == appleID
                || candidate.history.payment.map(payments.contains) ?? false
        }
        candidates.sort { $0.history.order.sequence > $1.history.order.sequence }
        return candidates.prefix(Self.mostOrders).map { AccountOrder($0.history, $0.state) }
    }
}
