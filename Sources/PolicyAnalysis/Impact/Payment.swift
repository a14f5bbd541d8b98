package import EntitlementModel

/// What an account paid last for a purchase, or would pay by the catalogue where the evidence does
/// not say. Not for accounting.
package struct ImpactPayment: Hashable, Sendable {
    /// Thousandths of the currency's unit.
    package let milliunits: Int64
    /// ISO 4217.
    package let currency: String

    /// Nil where nobody can tell, and for what a family member or an organisation paid.
    package init?(
        for transaction: TransactionKey, in facts: FactSet, by catalogue: [ProductID: Product]
    ) {
        var newest: Recorded<TransactionSnapshot>?
        for fact in facts.transactions where fact.value.key == transaction {
            if newest.map({ $0.value.signedDate <= fact.value.signedDate }) ?? true {
                newest = fact
            }
        }
        guard let snapshot = newest?.value,
            snapshot.ownership == .purchased || snapshot.ownership == .notStated
        else { return nil }
        if let price = snapshot.price, let currency = price.currency {
            self.init(milliunits: price.milliunits, currency: currency)
            return
        }
        guard let currency = snapshot.storefront.flatMap(StorefrontCurrencies.currency),
            let price = catalogue[snapshot.productID]?.prices[currency]
        else { return nil }
        self.init(milliunits: price, currency: currency)
    }

    package init(milliunits: Int64, currency: String) {
        self.milliunits = milliunits
        self.currency = currency
    }
}
