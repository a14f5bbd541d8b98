internal import EntitlementModel

/// A subscription that continues an older one under another `originalTransactionId`: Apple names
/// the older one in `previousOriginalTransactionId` (spec 1.4).
struct Succession {
    let successor: LineageKey
    let predecessor: LineageKey
    /// When the first period of the successor starts.
    let start: Instant
    /// What names that period.
    let transactionID: TransactionID
    /// The snapshot that names the predecessor.
    let statement: LedgerSequence
    /// The basis of the first period, and the statement.
    let facts: [LedgerSequence]
}

extension FactView {
    /// Those by which other lineages succeed this one.
    func successions(of predecessor: LineageKey) -> [Succession] {
        guard namesPredecessors else { return [] }
        return successions.filter { $0.predecessor == predecessor }
    }

    func findSuccessions() -> [Succession] {
        lineages.compactMap(succession).sorted {
            ($0.start, $0.successor) < ($1.start, $1.successor)
        }
    }

    /// Both have to be subscriptions, and the other one older: so nothing succeeds itself,
    /// directly or through others.
    private func succession(by lineage: Lineage) -> Succession? {
        guard let statement = newestStatement(in: lineage),
            let named = facts.transactions[statement].value.previousOriginalTransactionID,
            let other = self.lineage(LineageKey(lineage.key.environment, named)),
            let first = firstPeriod(of: lineage), let older = firstPeriod(of: other),
            older.start < first.start
        else { return nil }
        let sequence = facts.transactions[statement].sequence
        return Succession(
            successor: lineage.key, predecessor: other.key, start: first.start,
            transactionID: first.transactionID, statement: sequence,
            facts: first.sequences(in: self) + [sequence])
    }

    /// Of the snapshots that name another lineage, the newest. Of equal ones the first that was
    /// recorded.
    private func newestStatement(in lineage: Lineage) -> Int? {
        let all = facts.transactions
        let stating = lineage.transactions.filter {
            let named = all[$0].value.previousOriginalTransactionID
            return named != nil && named != lineage.key.originalTransactionID
        }
        return stating.max { left, right in
            if SnapshotOrder.precedes(all[left].value, all[right].value) { return true }
            if SnapshotOrder.precedes(all[right].value, all[left].value) { return false }
            return all[left].sequence > all[right].sequence
        }
    }

    /// Nil for a lineage that is no subscription.
    private func firstPeriod(of lineage: Lineage) -> Purchase? {
        let periods = purchases(of: lineage).filter { !$0.isAccountScoped }
        guard lastingKind(of: periods)?.isKnown(.autoRenewable) == true else { return nil }
        return periods.first
    }
}
