internal import EntitlementModel
internal import GRDB
internal import LedgerModel

extension LedgerTransaction {
    /// One look into the index for each group, however many orders there are.
    func lostGroups() throws(LedgerError) -> [LostGroup] {
        try LedgerError.mapping {
            var groups: [LostGroup] = []
            var last = ("", "")
            while let next = try lostGroup(after: last) {
                guard let reason = LostOrderReason(rawValue: next.0),
                    let policy = Digest256(hexadecimal: next.1)
                else { throw LedgerStoreError.corrupt }
                groups.append(LostGroup(reason, policy: policy))
                last = next
            }
            let hasUnclaimed = try connection.integer(
                "SELECT id FROM lineage WHERE unclaimed > 0 LIMIT 1")
            if hasUnclaimed != nil { groups.append(.unclaimed) }
            if try !lostTickets(after: .zero, limit: 1).isEmpty { groups.append(.waitingForApple) }
            return groups
        }
    }

    private func lostGroup(after last: (String, String)) throws -> (String, String)? {
        let rows = try connection.rows(
            """
            SELECT lost, policy FROM customer_order
            WHERE lost IS NOT NULL AND (lost, policy) > (?, ?) ORDER BY lost, policy LIMIT 1
            """, last.0, last.1)
        return try rows.next().map { (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1)) }
    }

    func lost(
        in group: LostGroup, after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(since: LedgerSequence, subject: LostSubject)] {
        try LedgerError.mapping {
            var found: [(since: LedgerSequence, subject: LostSubject)] = []
            if group == .waitingForApple {
                return try lostTickets(after: sequence, limit: limit)
                    .map { (since: $0, subject: .ticket($0)) }
            }
            guard let policy = group.policy else {
                let rows = try connection.rows(
                    """
                    SELECT unclaimed, environment, name FROM lineage
                    WHERE unclaimed > 0 AND unclaimed > ? ORDER BY unclaimed LIMIT ?
                    """, sequence.number, limit)
                while let row = try rows.next() {
                    guard let environment = StoreEnvironment(number: try row.integer(1)) else {
                        throw LedgerStoreError.corrupt
                    }
                    let key = LineageKey(environment, try row.identifier(2))
                    found.append((LedgerSequence(try row.integer(0)), .lineage(key)))
                }
                return found
            }
            let rows = try connection.rows(
                """
                SELECT since, name FROM customer_order
                WHERE lost = ? AND policy = ? AND since > ? ORDER BY since LIMIT ?
                """, group.reason.rawValue, policy.hexadecimal, sequence.number, limit)
            while let row = try rows.next() {
                found.append(
                    (LedgerSequence(try row.integer(0)), .order(try row.identifier(1))))
            }
            return found
        }
    }

    func lostCount(
        in group: LostGroup, upTo sequence: LedgerSequence
    ) throws(LedgerError) -> (count: Int64, first: LedgerSequence?) {
        try LedgerError.mapping {
            let rows =
                try group.policy.map { policy in
                    try connection.rows(
                        """
                        SELECT count(*), min(since) FROM customer_order
                        WHERE lost = ? AND policy = ? AND since <= ?
                        """, group.reason.rawValue, policy.hexadecimal, sequence.number)
                }
                ?? connection.rows(
                    group == .waitingForApple
                        ? """
                        SELECT count(*), min(id) FROM ticket
                        WHERE state = 1 AND is_evidence = 1 AND id <= ?
                        """
                        : """
                        SELECT count(*), min(unclaimed) FROM lineage
                        WHERE unclaimed > 0 AND unclaimed <= ?
                        """,
                    sequence.number)
            guard let row = try rows.next() else { return (0, nil) }
            return (
                try row.integer(0), try row.optionalInteger(1).map { LedgerSequence($0) }
            )
        }
    }

    /// Entries are recorded in the order of time, so a few looks find it.
    func lastEntry(recordedBy instant: Instant) throws(LedgerError) -> LedgerSequence {
        var (low, high) = (Int64(0), try head().sequence.number)
        try LedgerError.mapping {
            while low < high {
                let middle = high - (high - low) / 2
                let recordedAt = try connection.integer(
                    "SELECT recorded_at FROM entry WHERE seq = ?", middle)
                guard let recordedAt else { throw LedgerStoreError.corrupt }
                if recordedAt <= instant.milliseconds { low = middle } else { high = middle - 1 }
            }
        }
        return LedgerSequence(low)
    }
}
