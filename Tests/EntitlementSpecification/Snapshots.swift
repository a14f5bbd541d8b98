internal import EntitlementModel

/// One purchase or period, under however many transactionIds it arrived (spec 1.2). A class, since
/// it is passed around a great deal; equal is what is the same one of one specification.
final class Purchase: Hashable, Sendable {
    let lineage: LineageKey
    /// Smallest first, by length, then bytes.
    let transactionIDs: [TransactionID]
    /// The smallest purchaseDate.
    let start: Instant
    /// All that is known of it, newest first.
    let snapshots: [TransactionSnapshot]
    /// The newest of all of them.
    let current: TransactionSnapshot
    /// What was signed, else what the catalogue says; nil where neither does.
    let kind: Stated<ProductKind>?

    /// The smallest transactionId names the purchase.
    var name: TransactionID { transactionIDs[0] }

    var key: TransactionKey { TransactionKey(lineage.environment, name) }

    /// Everything that it arrived as.
    var transactions: [TransactionKey] {
        transactionIDs.map { TransactionKey(lineage.environment, $0) }
    }

    /// Whether it arrived under this transactionId, among others.
    func includes(_ transaction: TransactionKey) -> Bool {
        lineage.environment == transaction.environment
            && transactionIDs.contains(transaction.transactionID)
    }

    /// What one owner holds of it (spec 1.1).
    var unit: OwnedUnit {
        guard kind?.known?.isAccountScoped == true else { return .lineage(lineage) }
        return .purchase(key)
    }

    /// Whether it joins a running period (spec 1.4).
    var isAddition: Bool { current.additionalReason?.known == .seatAddition }

    /// The kind that Apple signed; nil where the evidence does not say.
    var signedKind: Stated<ProductKind>? {
        snapshots.first {
            $0.kind != nil
                && CarriedField.kind.canBeCarried(by: $0.source.form, kind: nil)
        }?.kind
    }

    static func == (left: Purchase, right: Purchase) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Of purchases whose snapshots disagree, the kind of the newest.
    static func kind(of purchases: [Purchase]) -> Stated<ProductKind>? {
        purchases.min { $0.snapshots[0].isNewer(than: $1.snapshots[0]) }?.kind
    }

    /// By originalTransactionId (spec 1.10); what has the same one, by environment, then by name.
    static func isNamedSmaller(_ left: Purchase, _ right: Purchase) -> Bool {
        let (one, other) = (
            left.lineage.originalTransactionID, right.lineage.originalTransactionID
        )
        if one != other { return TransactionID.precedesByLength(one, other) }
        if left.lineage != right.lineage { return left.lineage < right.lineage }
        return TransactionID.precedesByLength(left.name, right.name)
    }

    /// By start, then by name.
    static func comesBefore(_ left: Purchase, _ right: Purchase) -> Bool {
        if left.start != right.start { return left.start < right.start }
        return TransactionID.precedesByLength(left.name, right.name)
    }

    private init(snapshots: [TransactionSnapshot], policy: Policy) {
        let newestFirst = Set(snapshots).sorted { $0.isNewer(than: $1) }
        let newest = newestFirst[0]
        let signedKind = newestFirst.first {
            $0.kind != nil
                && CarriedField.kind.canBeCarried(by: $0.source.form, kind: nil)
        }?.kind
        kind = signedKind ?? policy.products[newest.productID].map { .known($0.kind) }
        lineage = LineageKey(newest.environment, newest.originalTransactionID)
        transactionIDs = Set(newestFirst.map(\.transactionID)).sorted(
            by: TransactionID.precedesByLength)
        start = newestFirst.map(\.purchaseDate).min() ?? newest.purchaseDate
        self.snapshots = newestFirst
        current = TransactionSnapshot.current(newestFirst, kind: kind?.known)
    }

    /// Every purchase that the facts know of, earliest first.
    static func all(policy: Policy, facts: FactSet) -> [Purchase] {
        let effective = facts.transactions.map(\.value).filter { $0.hasEffect(under: policy) }
        let transactions = Dictionary(grouping: effective) {
            TransactionKey($0.environment, $0.transactionID)
        }.values.map { Purchase(snapshots: $0, policy: policy) }
        return Dictionary(grouping: transactions, by: Sameness.init).values.map { same in
            Purchase(snapshots: same.flatMap(\.snapshots), policy: policy)
        }.sorted(by: comesBefore)
    }
}

/// Two transactions with the same of this are one purchase (spec 1.2).
private struct Sameness: Hashable {
    private enum Mark: Hashable {
        case webOrderLineItem(WebOrderLineItemID)
        case addition(WebOrderLineItemID, Instant)
        case unnumberedAddition(ProductID, Instant, expires: Instant?)
        case period(ProductID, Instant, expires: Instant?)
        case purchase(ProductID, Instant)
        case itself(TransactionID)
    }

    private let lineage: LineageKey
    private let mark: Mark

    init(_ transaction: Purchase) {
        let snapshot = transaction.current
        lineage = transaction.lineage
        switch transaction.kind?.known {
        case .autoRenewable:
            switch (transaction.isAddition, snapshot.webOrderLineItemID) {
            case (true, let item?): mark = .addition(item, snapshot.purchaseDate)
            case (true, nil):
                mark = .unnumberedAddition(
                    snapshot.productID, snapshot.purchaseDate, expires: snapshot.expiresDate)
            case (false, let item?): mark = .webOrderLineItem(item)
            case (false, nil):
                mark = .period(
                    snapshot.productID, snapshot.purchaseDate, expires: snapshot.expiresDate)
            }
        case .consumable, .nonRenewing:
            mark = .purchase(snapshot.productID, snapshot.purchaseDate)
        case .nonConsumable, .free, nil:
            mark = .itself(transaction.name)
        }
    }
}
