package import EntitlementModel

/// A purchase as orders see it.
package struct SpecifiedPayment: Sendable {
    package let name: TransactionKey
    let transactions: Set<TransactionKey>
    package let unit: OwnedUnit
    let product: ProductID
    let kind: ProductKind?
    let quantity: Int64
    let price: Price?
    let boughtAt: Instant
    let token: AppAccountToken?
    let appleID: AppleIDKey?
    /// What the customer made, and what is no family member's copy.
    let paysOrders: Bool
    /// Redeemed outside the app, with an offer code.
    let isRedeemed: Bool
    let isRevoked: Bool
    package let owners: Set<AccountID>

    func includes(_ transaction: TransactionKey?) -> Bool {
        transaction.map(transactions.contains) ?? false
    }

    /// What the signed transaction says otherwise than the order.
    func differences(from order: SpecifiedOrder) -> Set<OrderDifference> {
        var differences: Set<OrderDifference> = []
        if product != order.product { differences.insert(.product) }
        if quantity != order.quantity { differences.insert(.quantity) }
        if let price, let shown = order.price, price != shown { differences.insert(.price) }
        return differences
    }
}

extension Specification {
    /// The purchase that a transaction is part of; nil for what is not known or has no effect.
    package func payment(_ transaction: TransactionKey) -> SpecifiedPayment? {
        guard let purchase = purchase(named: transaction) else { return nil }
        let current = purchase.current
        return SpecifiedPayment(
            name: purchase.key, transactions: Set(purchase.transactions), unit: purchase.unit,
            product: current.productID, kind: purchase.kind?.known, quantity: current.quantity,
            price: current.price, boughtAt: purchase.start, token: current.appAccountToken,
            appleID: appleIDKey(of: purchase.lineage),
            paysOrders: isCustomerMade(purchase) && current.ownership != .familyShared,
            isRedeemed: current.offer?.type == 3, isRevoked: current.revocation != nil,
            owners: lastOwners(of: purchase.unit))
    }

    /// The purchases that the transactions are, each once.
    func payments(_ transactions: [TransactionKey]) -> [SpecifiedPayment] {
        var seen: Set<TransactionKey> = []
        return transactions.compactMap(payment).filter { seen.insert($0.name).inserted }
    }

    /// A key may name an Apple ID by one of its lineages: then the Apple ID is meant (spec 1.3).
    func appleID(named key: AppleIDKey) -> AppleIDKey {
        let parts = key.text.split(separator: ":")
        guard parts[0] == "otx", let environment = StoreEnvironment(rawValue: String(parts[1]))
        else { return key }
        let lineage = LineageKey(environment, TransactionID(unchecked: String(parts[2])))
        return appleIDKey(of: lineage) ?? key
    }
}
