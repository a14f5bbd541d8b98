internal import EntitlementModel

/// One transaction that Apple has signed under several originals is one (spec 1.2).
struct SplitTransaction: Sendable {
    let transaction: TransactionKey
    /// All that name it; the first is the one that it is part of.
    let lineages: [LineageKey]

    static func all(in facts: FactSet, policy: Policy) -> [SplitTransaction] {
        let effective = facts.transactions.map(\.value).filter { $0.hasEffect(under: policy) }
        let signed = Dictionary(grouping: effective) {
            TransactionKey($0.environment, $0.transactionID)
        }
        return signed.compactMap { transaction, snapshots in
            var lineages: [LineageKey] = []
            for snapshot in snapshots.sorted(by: { $1.isNewer(than: $0) }) {
                let lineage = LineageKey(snapshot.environment, snapshot.originalTransactionID)
                if !lineages.contains(lineage) { lineages.append(lineage) }
            }
            guard lineages.count > 1 else { return nil }
            let owned = lineages.filter { lineage in
                let decisions = facts.decisions.filter { $0.value.unit == .lineage(lineage) }
                let last = decisions.max { $0.sequence < $1.sequence }
                return last.map { !$0.value.ownersAfter.isEmpty } ?? false
            }
            let own = owned.first ?? lineages[0]
            return SplitTransaction(
                transaction: transaction, lineages: [own] + lineages.filter { $0 != own })
        }
    }
}

extension FactSet {
    /// With every snapshot in the lineage that its transaction is part of.
    func united(_ splits: [SplitTransaction]) -> FactSet {
        var facts = self
        facts.transactions = transactions.map { fact in
            var snapshot = fact.value
            let key = TransactionKey(snapshot.environment, snapshot.transactionID)
            if let split = splits.first(where: { $0.transaction == key }) {
                snapshot.originalTransactionID = split.lineages[0].originalTransactionID
            }
            return fact.with(snapshot)
        }
        return facts
    }
}
