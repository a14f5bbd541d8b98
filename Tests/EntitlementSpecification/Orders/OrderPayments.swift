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
    /// What names its order: not what an earlier purchase of its line carried.
    let token: AppAccountToken?
    let appleID: AppleIDKey?
    /// What the customer made, and what is no family member's copy.
    let paysOrders: Bool
    /// Redeemed outside the app, with an offer code.
    let isRedeemed: Bool
    let isRevoked: Bool
    /// Of a renewal by which the plan changes: when the period before it began.
    let planChangedSince: Instant?
    let expires: Instant?
    /// Nothing signed says for whom it was made: no token that names an account, and nothing was
    /// bought in its line before.
    let isAnybodys: Bool
    /// Those in which it counts.
    let environments: Set<StoreEnvironment>
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
        let isMade = isCustomerMade(purchase)
        let before = purchases.filter { $0.lineage == purchase.lineage }.last {
            Purchase.comesBefore($0, purchase)
        }
        let isNewPlan =
            !isMade && before.map { $0.current.productID != current.productID } ?? false
        let owners = lastOwners(of: purchase.unit)
        return SpecifiedPayment(
            name: purchase.key, transactions: Set(purchase.transactions), unit: purchase.unit,
            product: current.productID, kind: purchase.kind?.known, quantity: current.quantity,
            price: current.price, boughtAt: purchase.start,
            token: isTokenInherited(by: purchase) ? nil : current.appAccountToken,
            appleID: appleIDKey(of: purchase.lineage),
            paysOrders: (isMade || isNewPlan) && current.ownership != .familyShared,
            isRedeemed: current.offer?.type == 3, isRevoked: current.revocation != nil,
            planChangedSince: isNewPlan ? before?.start : nil, expires: current.expiresDate,
            isAnybodys: isAnybodys(purchase, before),
            environments: environments(
                of: purchase, accountNamed(by: purchase) ?? owners.sorted().first),
            owners: owners)
    }

    private func isAnybodys(_ purchase: Purchase, _ before: Purchase?) -> Bool {
        let named = accountNamed(by: purchase)
        var isFirst = before == nil
        if case .purchase = purchase.unit { isFirst = true }
        return isCustomerMade(purchase) && purchase.current.ownership != .familyShared
            && purchase.current.offer?.type != 3 && named == nil && isFirst
    }

    /// An earlier purchase of the line carried it: of the lineage, or of those that it goes on from.
    func isTokenInherited(by purchase: Purchase) -> Bool {
        guard case .lineage = purchase.unit, let token = purchase.current.appAccountToken else {
            return false
        }
        var line = [purchase.lineage]
        while let older = successions.first(where: {
            line.contains($0.newer) && !line.contains($0.older)
        }) {
            line.append(older.older)
        }
        return purchases.contains { earlier in
            line.contains(earlier.lineage) && earlier.hasCarried(token)
                && Purchase.comesBefore(earlier, purchase)
        }
    }

    /// Its own, and those in which its credits would count.
    private func environments(
        of purchase: Purchase, _ account: AccountID?
    ) -> Set<StoreEnvironment> {
        let own = purchase.lineage.environment
        return Set(
            StoreEnvironment.allCases.filter { environment in
                environment == own
                    || account.map { counts(purchase, in: environment, for: $0) } ?? false
            })
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
