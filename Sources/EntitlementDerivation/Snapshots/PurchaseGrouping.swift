internal import EntitlementModel

extension FactView {
    /// The purchases of a lineage: transactions that are one purchase counted once (spec 1.2),
    /// by start, then by the smaller transaction id. In a subscription, of two with equal starts
    /// the upgraded one comes first, and a cancellation may be an upgrade (spec 1.4, 1.2).
    func purchases(of lineage: Lineage) -> [Purchase] {
        var purchases = unorderedPurchases(of: lineage)
        let isSubscription = lastingKind(of: purchases)?.isKnown(.autoRenewable) == true
        if isSubscription {
            let periods = purchases.filter { !$0.isAccountScoped }
            for period in periods where period.ownRevocation != nil {
                period.readCancellationAsUpgrade(among: periods, view: self)
            }
        }
        let isOrdered = purchases.indices.dropFirst().allSatisfy {
            purchases[$0 - 1].start < purchases[$0].start
        }
        if !isOrdered {
            purchases.sort { Self.isEarlier($0, $1, isSubscription: isSubscription) }
        }
        guard isSubscription else { return purchases }
        if purchases.contains(where: \.isAddition) { joinAdditions(in: &purchases) }
        return purchases
    }

    /// What seats were added to is one period with all that it overlaps, directly or through one
    /// another, under the first of them (spec 1.4). `purchases` are in their order.
    private func joinAdditions(in purchases: inout [Purchase]) {
        var first = Array(purchases.indices)
        for earlier in purchases.indices where !purchases[earlier].isAccountScoped {
            for later in purchases.indices.dropFirst(earlier + 1)
            where !purchases[later].isAccountScoped
                && purchases[earlier].isOnePeriod(with: purchases[later])
            {
                let (one, other) = (first[earlier], first[later])
                guard one != other else { continue }
                for index in first.indices where first[index] == max(one, other) {
                    first[index] = min(one, other)
                }
            }
        }
        for index in purchases.indices where first[index] != index {
            purchases[first[index]].join(purchases[index])
        }
        for purchase in purchases { purchase.readMembers() }
        purchases = purchases.indices.filter { first[$0] == $0 }.map { purchases[$0] }
    }

    /// The kind of the unit that a lineage's purchases make together: of those whose snapshots
    /// disagree, the newest's. Nil where all are account-scoped, each a unit of its own.
    func lastingKind(of purchases: [Purchase]) -> Stated<ProductKind>? {
        guard let first = purchases.first(where: { !$0.isAccountScoped }) else { return nil }
        let all = purchases.members
        let areAlike = all.allSatisfy { $0.isAccountScoped || $0.hasKind(of: first) }
        if areAlike { return first.kind ?? .unknown("") }
        let newest = all.reduce(first) {
            !$1.isAccountScoped && isNewer($1, than: $0) ? $1 : $0
        }
        return newest.kind ?? .unknown("")
    }

    private func isNewer(_ purchase: Purchase, than other: Purchase) -> Bool {
        SnapshotOrder.precedes(
            facts.transactions[other.merged.newest].value,
            facts.transactions[purchase.merged.newest].value)
    }

    private static func isEarlier(
        _ left: Purchase, _ right: Purchase, isSubscription: Bool
    ) -> Bool {
        if left.start != right.start { return left.start < right.start }
        let isLeftUpgraded = isSubscription && left.isUpgraded && !left.isAccountScoped
        let isRightUpgraded = isSubscription && right.isUpgraded && !right.isAccountScoped
        if isLeftUpgraded != isRightUpgraded { return isLeftUpgraded }
        return TransactionID.precedesByLength(left.transactionID, right.transactionID)
    }

    private func unorderedPurchases(of lineage: Lineage) -> [Purchase] {
        var products = ProductLookup(policy: policy)
        if isEverySnapshotAPurchase(lineage) {
            return lineage.transactions.map { purchase(of: $0, &products) }
        }
        return sets(of: currentTransactions(of: lineage)).map { purchase($0, &products) }
    }

    /// The usual lineage: one JWS for each transaction, and no two that are one purchase. It
    /// needs no tables.
    private func isEverySnapshotAPurchase(_ lineage: Lineage) -> Bool {
        let all = facts.transactions
        if lineage.transactions.count == 1 {
            return all[lineage.transactions[0]].value.source.form == .jws
        }
        var ids = DistinctWords(capacity: lineage.transactions.count)
        var items = DistinctWords(capacity: lineage.transactions.count)
        for index in lineage.transactions {
            guard all[index].value.source.form == .jws,
                all[index].value.kind?.isKnown(.autoRenewable) == true,
                let item = all[index].value.webOrderLineItemID
            else { return false }
            ids.append(all[index].value.transactionID.text)
            items.append(item.text)
        }
        return ids.areDistinct && items.areDistinct
    }

    private func purchase(of index: Int, _ products: inout ProductLookup) -> Purchase {
        Purchase(
            merged: MergedSnapshot(index), snapshots: [],
            transactionID: facts.transactions[index].value.transactionID,
            otherTransactionIDs: [], start: facts.transactions[index].value.purchaseDate,
            product: products.position(of: facts.transactions[index].value.productID),
            view: self)
    }

    private func purchase(
        _ members: [CurrentTransaction], _ products: inout ProductLookup
    ) -> Purchase {
        let snapshots = members.flatMap(\.snapshots)
        let merged = members.count == 1 ? members[0].merged : merge(snapshots)
        let dates = members.map { facts.transactions[$0.merged.newest].value.purchaseDate }
        let ids = members.map(\.id).sorted(by: TransactionID.precedesByLength)
        return Purchase(
            merged: merged, snapshots: snapshots, transactionID: ids[0],
            otherTransactionIDs: Array(ids.dropFirst()), start: dates.min() ?? .distantPast,
            product: products.position(of: facts.transactions[merged.newest].value.productID),
            view: self)
    }

    /// One transaction of a lineage with its snapshots and the one that holds.
    private struct CurrentTransaction {
        var id: TransactionID
        var snapshots: [Int]
        var merged: MergedSnapshot
    }

    private func currentTransactions(of lineage: Lineage) -> [CurrentTransaction] {
        var positions: [TransactionID: Int] = [:]
        var found: [(id: TransactionID, snapshots: [Int])] = []
        for index in lineage.transactions {
            let id = facts.transactions[index].value.transactionID
            if let position = positions[id] {
                found[position].snapshots.append(index)
            } else {
                positions[id] = found.count
                found.append((id, [index]))
            }
        }
        return found.map {
            CurrentTransaction(id: $0.id, snapshots: $0.snapshots, merged: merge($0.snapshots))
        }
    }

    /// The one current snapshot of some that are one purchase.
    private func merge(_ snapshots: [Int]) -> MergedSnapshot {
        if snapshots.count == 1, facts.transactions[snapshots[0]].value.source.form == .jws {
            return MergedSnapshot(snapshots[0])
        }
        return MergedSnapshot(
            snapshots[...], of: facts.transactions,
            catalogued: { policy.product($0)?.kind })
    }

    /// The signed kind, else the catalogue's; nil where neither says (spec 1.2).
    func kind(of merged: MergedSnapshot, product: Int?) -> Stated<ProductKind>? {
        let signed = merged.kind < 0 ? nil : facts.transactions[merged.kind].value.kind
        return signed ?? product.map { .known(policy.products[$0].product.kind) }
    }

    /// What makes two transactions of a lineage one purchase.
    private enum Sameness: Hashable {
        case period(WebOrderLineItemID)
        case dates(ProductID, purchased: Instant, expires: Instant?)
        /// Seats may share the item of their period: they are one purchase with those bought at
        /// once.
        case addition(WebOrderLineItemID, purchased: Instant)
        case transaction(TransactionID)
    }

    private func sameness(_ transaction: CurrentTransaction) -> Sameness {
        let index = transaction.merged.newest
        let product = facts.transactions[index].value.productID
        let purchased = facts.transactions[index].value.purchaseDate
        switch kind(of: transaction.merged, product: policy.productIndex[product])?.known {
        case .autoRenewable:
            let item = facts.transactions[index].value.webOrderLineItemID
            let expires = facts.transactions[index].value.expiresDate
            if let item {
                return transaction.merged.isAddition(in: facts.transactions)
                    ? .addition(item, purchased: purchased) : .period(item)
            }
            return .dates(product, purchased: purchased, expires: expires)
        case .consumable, .nonRenewing: return .dates(product, purchased: purchased, expires: nil)
        case .nonConsumable, .free, nil: return .transaction(transaction.id)
        }
    }

    private func sets(of transactions: [CurrentTransaction]) -> [[CurrentTransaction]] {
        guard transactions.count > 1 else { return transactions.map { [$0] } }
        var positions: [Sameness: Int] = [:]
        var sets: [[CurrentTransaction]] = []
        for transaction in transactions {
            let sameness = sameness(transaction)
            if let position = positions[sameness] {
                sets[position].append(transaction)
            } else {
                positions[sameness] = sets.count
                sets.append([transaction])
            }
        }
        for case (.addition(let item, let purchased), let addition) in positions {
            guard let period = positions[.period(item)],
                sets[period].contains(where: {
                    facts.transactions[$0.merged.newest].value.purchaseDate == purchased
                })
            else { continue }
            sets[period] += sets[addition]
            sets[addition] = []
        }
        return sets.filter { !$0.isEmpty }
    }
}

extension Purchase {
    /// Whether this and a later one are one period: seats were added to one of them, they overlap,
    /// and this one was not over when the later one was bought.
    fileprivate func isOnePeriod(with later: Purchase) -> Bool {
        guard isAddition || later.isAddition, !isUpgraded, !later.isUpgraded,
            productID == later.productID, let expires, let laterExpires = later.expires,
            start < laterExpires, later.start < expires
        else { return false }
        return start == later.start || ownRevocation.map { later.start < $0.date } ?? true
    }
}

/// Finds products; neighbours in a lineage mostly have the same.
private struct ProductLookup {
    let policy: CompiledPolicy
    private var last: (id: ProductID, position: Int?)?

    init(policy: CompiledPolicy) {
        self.policy = policy
    }

    mutating func position(of id: ProductID) -> Int? {
        if let last, last.id == id { return last.position }
        let position = policy.productIndex[id]
        last = (id, position)
        return position
    }
}

/// Words that are distinct for certain if their last eight bytes are: without hashing them.
private struct DistinctWords {
    private var tails: [UInt64] = []
    /// Ids mostly come in their order; then nothing needs sorting.
    private var isAscending = true

    init(capacity: Int) {
        tails.reserveCapacity(capacity)
    }

    mutating func append(_ word: String) {
        let tail = word.tail
        if let last = tails.last, last >= tail { isAscending = false }
        tails.append(tail)
    }

    var areDistinct: Bool {
        if isAscending { return true }
        let sorted = tails.sorted()
        return sorted.indices.dropFirst().allSatisfy { sorted[$0 - 1] != sorted[$0] }
    }
}

/// A transaction that Apple has signed under several `originalTransactionId`s (spec 1.2).
struct SplitTransaction {
    let transaction: TransactionKey
    /// All that name it; the first is the one that it is part of.
    let lineages: [LineageKey]
    /// The oldest snapshot that names each.
    let facts: [LedgerSequence]
}

extension FactSet {
    /// Puts every transaction into one lineage: of those that its snapshots name, oldest snapshot
    /// first, the first one that has an owner, or else the first one.
    ///
    /// - Parameter effective: The transactions with effect, by their places.
    mutating func uniteTransactions(_ effective: [Int]) -> [SplitTransaction] {
        var splits: [SplitTransaction] = []
        for places in placesOfSplits(effective) {
            let oldestFirst = places.sorted {
                let (left, right) = (transactions[$0], transactions[$1])
                if SnapshotOrder.precedes(left.value, right.value) { return true }
                return !SnapshotOrder.precedes(right.value, left.value)
                    && left.sequence < right.sequence
            }
            var lineages: [LineageKey] = []
            var facts: [LedgerSequence] = []
            for place in oldestFirst where !lineages.contains(transactions[place].value.lineage) {
                lineages.append(transactions[place].value.lineage)
                facts.append(transactions[place].sequence)
            }
            let kept = lineages.firstIndex(where: isOwned) ?? 0
            lineages.insert(lineages.remove(at: kept), at: 0)
            splits.append(
                SplitTransaction(
                    transaction: transactions[places[0]].value.key, lineages: lineages,
                    facts: facts.sorted()))
            for place in places {
                transactions[place].value.originalTransactionID = lineages[0].originalTransactionID
            }
        }
        return splits.sorted { $0.transaction.precedes($1.transaction) }
    }

    /// By the newest decision on the lineage itself.
    private func isOwned(_ lineage: LineageKey) -> Bool {
        let newest = decisions.filter { $0.value.unit == .lineage(lineage) }
            .max { $0.sequence < $1.sequence }
        return newest?.value.ownersAfter.isEmpty == false
    }

    /// The places of all snapshots of each transaction that several lineages name.
    private func placesOfSplits(_ effective: [Int]) -> [[Int]] {
        guard mayBeSplit(effective) else { return [] }
        let places = Dictionary(grouping: effective) { transactions[$0].value.key }
        return places.values.filter { places in
            places.contains {
                transactions[$0].value.lineage != transactions[places[0]].value.lineage
            }
        }
    }

    /// Whether two snapshots may name one transaction and two lineages, by the last eight bytes of
    /// the ids: nearly always this says no, and nothing is hashed.
    private func mayBeSplit(_ effective: [Int]) -> Bool {
        guard let first = effective.first,
            effective.contains(where: {
                transactions[$0].value.originalTransactionID
                    != transactions[first].value.originalTransactionID
            })
        else { return false }
        let tails = effective.map { place in
            (
                id: transactions[place].value.transactionID.text.tail,
                original: transactions[place].value.originalTransactionID.text.tail
            )
        }
        let sorted = tails.sorted { $0 < $1 }
        return sorted.indices.dropFirst().contains {
            sorted[$0 - 1].id == sorted[$0].id && sorted[$0 - 1].original != sorted[$0].original
        }
    }
}

extension String {
    /// The last eight bytes.
    var tail: UInt64 {
        let bytes = utf8.span
        var tail: UInt64 = 0
        for place in max(0, bytes.count - 8)..<bytes.count {
            tail = tail << 8 | UInt64(bytes[place])
        }
        return tail
    }
}

extension TransactionKey {
    fileprivate func precedes(_ other: TransactionKey) -> Bool {
        LineageKey(environment, transactionID) < LineageKey(other.environment, other.transactionID)
    }
}
