#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel
    internal import LedgerStore

    /// Fills a new file with what a database keeps, and checks each entry before it takes it.
    struct FillFile {
        private static let part: Int64 = 2_048

        let connection: DatabaseConnection
        let ledger: SQLiteLedger

        /// Entries never change, so most of them are fetched without a view that holds them: a
        /// standby ends views that last (`max_standby_streaming_delay`).
        ///
        /// - Returns: the database's head, and the first thing that is wrong with what it keeps:
        ///   the file ends before that.
        func run() throws(FleetError) -> (head: LedgerHead, problem: LedgerProblem?) {
            var chain = EntryChain()
            let most = try DatabaseHead(connection).ledger
            if let problem = try take(&chain, through: most) { return (most, problem) }
            try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let head = try DatabaseHead(connection)
            if let problem = try take(&chain, through: head.ledger) {
                return (head.ledger, problem)
            }
            guard chain.last == head.ledger, try connection.newestEntry() == chain.last.sequence
            else { return (head.ledger, .file("usher.head")) }
            try CatchUp(connection: connection, ledger: ledger) { _ in }
                .takeFeed(after: -1, until: head)
            try connection.execute("COMMIT")
            return (head.ledger, nil)
        }

        private func take(
            _ chain: inout EntryChain, through head: LedgerHead
        ) throws(FleetError) -> LedgerProblem? {
            while chain.last.sequence < head.sequence {
                let after = chain.last.sequence
                let limit = min(Self.part, head.sequence.number - after.number)
                let rows = try connection.entries(after: after.number, limit: limit)
                if rows.entries.isEmpty { return .missing(LedgerSequence(after.number + 1)) }
                for entry in rows.entries {
                    if let problem = chain.advance(to: entry) { return problem }
                }
                try CatchUp.mapping { () throws(LedgerError) in try ledger.take(rows) }
            }
            return nil
        }
    }

    /// How far entries follow from one another.
    private struct EntryChain {
        private(set) var last = LedgerHead.beginning

        /// - Returns: what keeps the entry from being the next one.
        mutating func advance(to entry: LedgerRows.Entry) -> LedgerProblem? {
            let sequence = LedgerSequence(entry.sequence)
            let recordedAt = Instant(milliseconds: entry.recordedAt)
            let next = LedgerSequence(last.sequence.number + 1)
            guard sequence == next else { return .missing(next) }
            guard recordedAt >= last.recordedAt else { return .recordedEarlier(sequence) }
            guard let salt = entry.salt, let payload = entry.payload else {
                return .payloadErased(sequence)
            }
            let digest = EntryHash.payloadDigest(salt: salt, payload: payload)
            guard entry.payloadDigest == digest.bytes else { return .payloadChanged(sequence) }
            let hash = EntryHash.entry(
                previous: last.hash, sequence: sequence, recordedAt: recordedAt, kind: entry.kind,
                payloadDigest: digest)
            guard entry.hash == hash.bytes else { return .chainBroken(sequence) }
            last = LedgerHead(sequence: sequence, hash: hash, recordedAt: recordedAt)
            return nil
        }
    }
#endif
