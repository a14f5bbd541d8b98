package import EntitlementModel

/// A purchase as orders see it: what the signed transaction says (spec 1.8).
package struct OrderPayment: Hashable, Sendable {
    package var transaction: TransactionKey
    package var unit: OwnedUnit
    /// All that name the purchase, the smallest first.
    package var transactionIDs: [TransactionID]
    package var product: ProductID
    /// As signed, else the catalogue's.
    package var kind: ProductKind?
    package var quantity: Int64
    package var price: Price?
    package var purchasedAt: Instant
    package var token: AppAccountToken?
    /// What names its Apple ID; nil where it is not known.
    package var appleID: AppleIDKey?
    /// All by which its Apple ID can be named, the lineages of it among them; empty where it is not
    /// known.
    package var appleIDs: Set<AppleIDKey>
    /// False for a renewal, and for what the family shares: they pay no order.
    package var paysOrders: Bool
    /// Redeemed with an offer code: outside the app, so that only what names the order decides.
    package var isRedeemed: Bool
    package var isRevoked: Bool
    /// Sorted.
    package var owners: [AccountID]

    package var keys: [TransactionKey] {
        transactionIDs.map { TransactionKey(transaction.environment, $0) }
    }
}

extension Deriver {
    /// The purchases that the transactions are, each once; what is not known, or has no effect, is
    /// left out.
    package func payments(of transactions: [TransactionKey], _ facts: FactSet) -> [OrderPayment] {
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        let appleIDs = AppleIDs(view)
        var seen: Set<TransactionKey> = []
        return transactions.compactMap { transaction in
            guard let lineage = view.lineage(of: transaction),
                let (purchase, earlier) = view.purchases(of: lineage)
                    .named(transaction.transactionID),
                seen.insert(
                    TransactionKey(transaction.environment, purchase.transactionID)
                ).inserted
            else { return nil }
            let isShared = purchase.ownership(in: view) == .familyShared
            let unit = view.unit(of: purchase, in: lineage.key)
            return OrderPayment(
                transaction: TransactionKey(transaction.environment, purchase.transactionID),
                unit: unit, transactionIDs: purchase.transactionIDs,
                product: purchase.productID,
                kind: purchase.kind?.known, quantity: purchase.quantity(in: view),
                price: purchase.price(in: view), purchasedAt: purchase.start,
                token: purchase.token(in: view), appleID: appleIDs.key(of: lineage.key),
                appleIDs: appleIDs.names(of: lineage.key),
                paysOrders: !isShared && purchase.isCustomerMade(after: earlier, view: view),
                isRedeemed: purchase.offer(in: view)?.type == Offer.code,
                isRevoked: purchase.revocation != nil,
                owners: ownerships.ownership(of: unit).owners)
        }
    }
}

extension Offer {
    /// Apple's `offerType` of an offer code.
    fileprivate static let code: Int64 = 3
}

extension AppleIDs {
    /// Every key that leads to the Apple ID of a lineage (spec 1.3).
    fileprivate func names(of lineage: LineageKey) -> Set<AppleIDKey> {
        guard let key = key(of: lineage) else { return [] }
        return Set(lineages(of: key).map(AppleIDKey.lineage) + [key])
    }
}
