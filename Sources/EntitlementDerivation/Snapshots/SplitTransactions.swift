internal import EntitlementModel

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
        guard effective.count > 1 else { return false }
        let tails = effective.map { place in
            (
                id: transactions[place].value.transactionID.text.tail,
                original: transactions[place].value.originalTransactionID.text.tail
            )
        }
        guard tails.contains(where: { $0.original != tails[0].original }) else { return false }
        let sorted = tails.sorted { $0 < $1 }
        return sorted.indices.dropFirst().contains {
            sorted[$0 - 1].id == sorted[$0].id && sorted[$0 - 1].original != sorted[$0].original
        }
    }
}

extension String {
    /// The last eight bytes.
    var tail: UInt64 {
        var tail: UInt64 = 0
        for byte in utf8 { tail = tail << 8 | UInt64(byte) }
        return tail
    }
}

extension TransactionKey {
    fileprivate func precedes(_ other: TransactionKey) -> Bool {
        LineageKey(environment, transactionID) < LineageKey(other.environment, other.transactionID)
    }
}
