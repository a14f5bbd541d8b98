internal import EntitlementModel

extension FactView {
    /// The purchases of a lineage: transactions that are one purchase counted once (spec 1.2),
    /// by start; of two with equal starts the upgraded one, then the smaller transaction id,
    /// comes first (spec 1.4).
    func purchases(of lineage: Lineage) -> [Purchase] {
        let transactions = currentTransactions(of: lineage)
        var purchases = sets(of: transactions).map { purchase($0, transactions) }
        if purchases.count > 1 { purchases.sort(by: Self.isEarlier) }
        for index in purchases.indices where purchases[index].revocation != nil {
            let next = index + 1 < purchases.count ? purchases[index + 1].start : nil
            purchases[index].readCancellationAsUpgrade(next: next, in: facts.transactions)
        }
        return purchases
    }

    private static func isEarlier(_ left: Purchase, _ right: Purchase) -> Bool {
        if left.start != right.start { return left.start < right.start }
        if left.isUpgraded != right.isUpgraded { return left.isUpgraded }
        return TransactionID.precedesByLength(left.transactionID, right.transactionID)
    }

    /// One transaction of a lineage with its snapshots and the one that holds.
    private struct CurrentTransaction {
        var id: TransactionID
        var snapshots: [Int]
        var merged: MergedSnapshot
    }

    private func currentTransactions(of lineage: Lineage) -> [CurrentTransaction] {
        var positions: [TransactionID: Int] = [:]
        var found: [CurrentTransaction] = []
        for index in lineage.transactions {
            let id = facts.transactions[index].value.transactionID
            if let position = positions[id] {
                found[position].snapshots.append(index)
            } else {
                positions[id] = found.count
                found.append(
                    CurrentTransaction(
                        id: id, snapshots: [index], merged: merge([index])))
            }
        }
        for position in found.indices where found[position].snapshots.count > 1 {
            found[position].merged = merge(found[position].snapshots)
        }
        return found
    }

    /// The one current snapshot of some that are one purchase.
    func merge(_ snapshots: [Int]) -> MergedSnapshot {
        if snapshots.count == 1, facts.transactions[snapshots[0]].value.source.form == .jws {
            return MergedSnapshot(snapshots[0])
        }
        return MergedSnapshot(
            snapshots[...], of: facts.transactions,
            catalogued: { policy.product($0)?.kind })
    }

    /// What makes two transactions of a lineage one purchase.
    private enum Sameness: Hashable {
        case period(WebOrderLineItemID)
        case dates(ProductID, purchased: Instant, expires: Instant?)
        case transaction(TransactionID)
    }

    private func sameness(_ transaction: CurrentTransaction) -> Sameness {
        let index = transaction.merged.newest
        let product = facts.transactions[index].value.productID
        let purchased = facts.transactions[index].value.purchaseDate
        let kind = kind(of: transaction.merged)
        switch kind?.known {
        case .autoRenewable:
            if let item = facts.transactions[index].value.webOrderLineItemID {
                return .period(item)
            }
            let expires = facts.transactions[index].value.expiresDate
            return .dates(product, purchased: purchased, expires: expires)
        case .consumable, .nonRenewing: return .dates(product, purchased: purchased, expires: nil)
        case .nonConsumable, .free, nil: return .transaction(transaction.id)
        }
    }

    /// The signed kind, else the catalogue's; nil where neither says (spec 1.2).
    func kind(of merged: MergedSnapshot) -> Stated<ProductKind>? {
        let signed = merged.kind < 0 ? nil : facts.transactions[merged.kind].value.kind
        if let signed { return signed }
        let product = facts.transactions[merged.newest].value.productID
        return policy.product(product).map { .known($0.kind) }
    }

    /// Positions in `transactions` of those that are one purchase.
    private func sets(of transactions: [CurrentTransaction]) -> [[Int]] {
        guard transactions.count > 1 else { return transactions.isEmpty ? [] : [[0]] }
        var positions: [Sameness: Int] = [:]
        var sets: [[Int]] = []
        for (index, transaction) in transactions.enumerated() {
            let sameness = sameness(transaction)
            if let position = positions[sameness] {
                sets[position].append(index)
            } else {
                positions[sameness] = sets.count
                sets.append([index])
            }
        }
        return sets
    }

    private func purchase(_ set: [Int], _ transactions: [CurrentTransaction]) -> Purchase {
        let members = set.map { transactions[$0] }
        let dates = members.map { facts.transactions[$0.merged.newest].value.purchaseDate }
        let snapshots = members.flatMap(\.snapshots)
        return Purchase(
            merged: members.count == 1 ? members[0].merged : merge(snapshots),
            snapshots: snapshots,
            transactionIDs: members.map(\.id).sorted(by: TransactionID.precedesByLength),
            start: dates.min() ?? .distantPast, view: self)
    }
}
