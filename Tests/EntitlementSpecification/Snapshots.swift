internal import EntitlementModel

/// One purchase or period, under however many transactionIds it arrived (spec 1.2). A class, since
/// it is passed around a great deal; equal is what is the same one of one specification.
final class Purchase: Hashable, Sendable {
    let lineage: LineageKey
    /// Smallest first, by length, then bytes.
    let transactionIDs: [TransactionID]
    /// The smallest purchaseDate.
    let start: Instant
    /// When its order was made, if it came within the time that the order promised (spec 1.8).
    let promisedAt: Instant?
    /// All that is known of it, newest first.
    let snapshots: [TransactionSnapshot]
    /// The newest of all of them.
    let current: TransactionSnapshot
    /// All that was signed as the date of its refund, which is one (spec 1.2).
    let refundDates: Set<Instant>
    /// Whether a JWS is among those that say so.
    private let isRefundSigned: Bool
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

    /// What the policy of its sale, and conditions on dates, go by.
    var soldAt: Instant { promisedAt ?? start }

    /// Whether seats were added to its period (spec 1.4).
    var isAddition: Bool { current.additionalReason != nil }

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

    private init(
        snapshots: [TransactionSnapshot], policy: Policy, promises: [OrderPromise] = []
    ) {
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
        let (ids, environment) = (transactionIDs, newest.environment)
        promisedAt = promises.last {
            $0.transaction.environment == environment && ids.contains($0.transaction.transactionID)
        }.flatMap(\.soldAt)
        self.snapshots = newestFirst
        var current = TransactionSnapshot.current(newestFirst, kind: kind?.known)
        let run = TransactionSnapshot.refundRun(newestFirst, kind: kind?.known)
        refundDates = Set(run.compactMap(\.revocation?.date))
        isRefundSigned = run.contains { $0.source.form == .jws }
        if let first = refundDates.min() { current.revocation?.date = first }
        self.current = current
    }

    /// The same, with its cancellation understood as that of an upgraded period.
    private init(upgraded purchase: Purchase) {
        lineage = purchase.lineage
        transactionIDs = purchase.transactionIDs
        start = purchase.start
        promisedAt = purchase.promisedAt
        snapshots = purchase.snapshots
        kind = purchase.kind
        refundDates = []
        isRefundSigned = false
        var current = purchase.current
        current.revocation = nil
        current.isUpgraded = true
        self.current = current
    }

    /// In a lineage whose newest snapshot is of an auto-renewable, a cancellation that no JWS states
    /// is an upgrade if the period is known to be upgraded, or if another product of the group was
    /// bought within a minute of it (spec 1.2).
    private static func readingUpgrades(_ purchases: [Purchase], policy: Policy) -> [Purchase] {
        let units = Dictionary(grouping: purchases, by: \.unit)
        return purchases.map { purchase in
            let lasting = units[purchase.unit] ?? []
            guard case .lineage = purchase.unit, kind(of: lasting)?.known == .autoRenewable,
                let cancelled = purchase.current.revocation?.date, !purchase.isRefundSigned
            else { return purchase }
            let isMet = lasting.contains { other in
                let apart = other.start.milliseconds(since: cancelled)
                return other.current.productID != purchase.current.productID
                    && other.start >= purchase.start && apart >= -60_000 && apart <= 60_000
                    && areInOneGroup(other, purchase, policy: policy)
            }
            return purchase.current.isUpgraded || isMet ? Purchase(upgraded: purchase) : purchase
        }
    }

    /// The signed group where both have one, else the catalogue's (spec 1.3).
    static func areInOneGroup(_ left: Purchase, _ right: Purchase, policy: Policy) -> Bool {
        if let signed = left.current.subscriptionGroupID,
            let other = right.current.subscriptionGroupID
        {
            return signed == other
        }
        let group = policy.products[left.current.productID]?.group
        return group != nil && group == policy.products[right.current.productID]?.group
    }

    /// Every purchase that the facts know of, earliest first.
    static func all(policy: Policy, facts: FactSet) -> [Purchase] {
        let effective = facts.transactions.map(\.value).filter { $0.hasEffect(under: policy) }
        let transactions = Dictionary(grouping: effective) {
            TransactionKey($0.environment, $0.transactionID)
        }.values.map { Purchase(snapshots: $0, policy: policy) }
        let sets = Dictionary(grouping: transactions) { transaction in
            Sameness(transaction, among: transactions)
        }
        let purchases = sets.values.map { same in
            Purchase(
                snapshots: same.flatMap(\.snapshots), policy: policy,
                promises: facts.orderPromises.map(\.value))
        }
        return readingUpgrades(purchases, policy: policy).sorted(by: comesBefore)
    }
}

/// Two transactions with the same of this are one purchase (spec 1.2).
private struct Sameness: Hashable {
    private enum Mark: Hashable {
        case webOrderLineItem(WebOrderLineItemID)
        case addition(WebOrderLineItemID, Instant)
        case period(ProductID, Instant, expires: Instant?)
        case purchase(ProductID, Instant)
        case itself(TransactionID)
    }

    private let lineage: LineageKey
    private let mark: Mark

    /// Seats that were added may have the number of the period: then they are one purchase with
    /// what was bought at the same instant.
    init(_ transaction: Purchase, among others: [Purchase]) {
        let snapshot = transaction.current
        lineage = transaction.lineage
        switch transaction.kind?.known {
        case .autoRenewable:
            guard let item = snapshot.webOrderLineItemID else {
                mark = .period(
                    snapshot.productID, snapshot.purchaseDate, expires: snapshot.expiresDate)
                return
            }
            let isTwin = others.contains { other in
                other.lineage == transaction.lineage && other.kind?.known == .autoRenewable
                    && !other.isAddition && other.current.webOrderLineItemID == item
                    && other.current.purchaseDate == snapshot.purchaseDate
            }
            mark =
                !transaction.isAddition || isTwin
                ? .webOrderLineItem(item) : .addition(item, snapshot.purchaseDate)
        case .consumable, .nonRenewing:
            mark = .purchase(snapshot.productID, snapshot.purchaseDate)
        case .nonConsumable, .free, nil:
            mark = .itself(transaction.name)
        }
    }
}
