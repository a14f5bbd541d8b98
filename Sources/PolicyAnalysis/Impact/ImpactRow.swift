package import EntitlementModel

/// What one account loses or gains, and from when until when: a line of the full list (spec 2.4).
package struct ImpactRow: Hashable, Sendable {
    package let account: AccountID
    package let direction: ImpactDirection
    package let right: ImpactRight
    /// Without an end where nothing that is known ends it.
    package let interval: Interval
    /// Of the purchase that gives the right when it begins; nil where none does.
    package let product: ProductID?
    /// Whether that purchase belongs to an Apple ID, so that it can move to another account; nil
    /// where the right is from no purchase or nobody knows its kind.
    package let isBoundToAppleID: Bool?
    /// Of that purchase.
    package let state: EntitlementState?
    package let paid: ImpactPayment?
}

extension RightChange {
    /// One for each stretch.
    ///
    /// - Parameter catalogue: for kinds and prices that the evidence does not say.
    package func rows(
        of account: AccountID, _ facts: FactSet, by catalogue: [ProductID: Product]
    ) -> [ImpactRow] {
        stretches.map { stretch in
            var bought: (product: ProductID, transaction: TransactionKey)?
            if case .purchase(let product, let transaction, _) = stretch.verdict?.source {
                bought = (product, transaction)
            }
            let kind = bought.flatMap { bought in
                facts.kind(of: bought.transaction) ?? catalogue[bought.product]?.kind
            }
            return ImpactRow(
                account: account, direction: direction, right: right,
                interval: stretch.interval, product: bought?.product,
                isBoundToAppleID: kind.map { !$0.isAccountScoped },
                state: bought.flatMap { _ in stretch.verdict?.state },
                paid: bought.flatMap {
                    ImpactPayment(for: $0.transaction, in: facts, by: catalogue)
                })
        }
    }
}

extension FactSet {
    /// As it was signed; nil where no evidence says it.
    fileprivate func kind(of transaction: TransactionKey) -> ProductKind? {
        for fact in transactions where fact.value.key == transaction {
            if let kind = fact.value.kind?.known { return kind }
        }
        return nil
    }
}
