#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel
    internal import LedgerStore
    internal import Synchronization

    /// Brings the ledger's file to where the database is: one view of it, in parts.
    struct CatchUp {
        /// In one part, and so in one commit of the file.
        private static let part: Int64 = 2_048

        let connection: DatabaseConnection
        let ledger: SQLiteLedger
        /// Gets the numbers of the changes that are new.
        let told: @Sendable (ClosedRange<Int64>) -> Void

        /// - Parameter version: up to which the file has the outlooks.
        /// - Returns: the database's head, which the file has now.
        func run(from version: Int64) throws(FleetError) -> DatabaseHead {
            // Most of the time there is nothing, and this is the only question.
            let newest = try DatabaseHead(connection)
            let local = try Self.mapping(ledger.head)
            let told = try Self.mapping(ledger.feedHead)
            if newest.version == version, newest.ledger == local, newest.change == told {
                return newest
            }
            try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let head = try DatabaseHead(connection)
            try expectSameLedger(head, local)
            try takeEntries(after: local, until: head)
            // Not before: an erasure among the entries has taken what the file's changes said.
            try expectSameChanges(head, told)
            // A database that was restored without some commits counts versions again.
            try takeFeed(after: version > head.version ? -1 : version, until: head)
            try connection.execute("COMMIT")
            return head
        }

        private func expectSameLedger(
            _ head: DatabaseHead, _ local: LedgerHead
        ) throws(FleetError) {
            let end = head.ledger.sequence
            guard local.sequence <= end else {
                throw end == .zero ? .empty : .behind(end: end, file: local.sequence)
            }
            guard try connection.hash(at: local.sequence) == local.hash else {
                throw .otherLedger(local.sequence)
            }
        }

        /// Receivers may have the changes in the file: their numbers must stay the same.
        private func expectSameChanges(
            _ head: DatabaseHead, _ told: Int64
        ) throws(FleetError) {
            guard told > 0 else { return }
            let own = try Self.mapping { () throws(LedgerError) in try ledger.toldChange(told) }
            let theirs = try connection.changes(after: told - 1, limit: 1).first
            guard head.change >= told, let own, let theirs, own == theirs else {
                throw .otherChanges(told)
            }
        }

        private func takeEntries(
            after local: LedgerHead, until head: DatabaseHead
        ) throws(FleetError) {
            var sequence = local.sequence.number
            var coming = try Self.mapping { () throws(LedgerError) in try ErasuresAhead() }
            while sequence < head.ledger.sequence.number {
                let rows = try entries(after: sequence)
                if !rows.entries.allSatisfy({ $0.payload != nil || coming.explains($0) }) {
                    let found = try connection.erasures(after: sequence)
                    coming = try Self.mapping { () throws(LedgerError) in
                        try ErasuresAhead(found)
                    }
                }
                sequence = try take(rows, before: coming, isWhole: local.sequence != .zero)
                coming.areCarriedOut = true
            }
        }

        private func entries(after sequence: Int64) throws(FleetError) -> LedgerRows {
            let rows = try connection.entries(after: sequence, limit: Self.part)
            guard rows.entries.first?.sequence == sequence + 1 else {
                throw .foreign("usher.entry \(sequence + 1)")
            }
            return rows
        }

        /// - Parameter isWhole: whether somebody may read the file between two commits.
        /// - Returns: the last entry that was taken.
        private func take(
            _ rows: LedgerRows, before coming: ErasuresAhead, isWhole: Bool
        ) throws(FleetError) -> Int64 {
            let last = Mutex(rows.entries.last?.sequence ?? 0)
            let end = isWhole ? coming.end.number : 0
            let failure = Mutex<FleetError?>(nil)
            do throws(LedgerError) {
                try ledger.take(rows, before: coming) { [self] () throws(LedgerError) in
                    let place = last.withLock(\.self)
                    guard place < end else { return nil }
                    do throws(FleetError) {
                        let next = try entries(after: place)
                        last.withLock { $0 = next.entries.last?.sequence ?? place }
                        return next
                    } catch {
                        failure.withLock { $0 = error }
                        throw LedgerError(error)
                    }
                }
            } catch {
                if let failure = failure.withLock(\.self) { throw failure }
                try Self.mapping { () throws(LedgerError) in throw error }
            }
            return last.withLock(\.self)
        }

        /// In the view that the head is of.
        func takeFeed(
            after version: Int64, until head: DatabaseHead
        ) throws(FleetError) {
            var newest = try Self.mapping(ledger.feedHead)
            var seen: (version: Int64, name: String) = (version, "\u{10FFFF}")
            while true {
                var rows = LedgerRows()
                rows.changes = try connection.changes(after: newest, limit: Self.part)
                let outlooks = try connection.outlooks(
                    after: seen.version, name: seen.name, limit: Self.part)
                rows.outlooks = outlooks.map(\.outlook)
                newest = rows.changes.last?.number ?? newest
                if let last = outlooks.last { seen = (last.version, last.outlook.name) }
                let isLast = max(rows.changes.count, outlooks.count) < Int(Self.part)
                if isLast { rows.place = head.place }
                try Self.mapping { () throws(LedgerError) in try ledger.take(rows, told: told) }
                if isLast { return }
            }
        }

        static func mapping<Value>(
            _ body: () throws(LedgerError) -> Value
        ) throws(FleetError) -> Value {
            do {
                return try body()
            } catch {
                throw .failed(code: error.code, error.text(.english))
            }
        }
    }
#endif
