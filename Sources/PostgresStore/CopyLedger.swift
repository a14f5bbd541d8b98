#if PostgreSQL
    internal import EntitlementModel
    package import LedgerModel
    package import LedgerStore

    /// Moves a ledger between a file and a database, with its chain of hashes as it is.
    package enum LedgerCopy {
        private static let part = 2_048

        /// What came of it.
        package struct Outcome: Sendable {
            /// Of both sides.
            package let head: LedgerHead
            /// What is wrong with the ledger; nothing was copied then.
            package let problems: [LedgerProblem]
        }

        /// Copies a ledger's file, which no service has open, to a database that has none of its
        /// entries, or the first ones of them: a copy that was interrupted goes on.
        ///
        /// - Throws: `FleetError.notLeader` where a node is running, `.otherLedger` where the
        ///   database keeps another one.
        package static func copy(
            fileAt path: String, to settings: FleetSettings
        ) throws(LedgerError) -> Outcome {
            let reader = try SQLiteLedger.openReadOnly(path: path)
            let head = try reader.head()
            let problems = try reader.verify()
            guard problems.isEmpty else { return Outcome(head: head, problems: problems) }
            let copied = try Target(settings).take(reader)
            try reader.close()
            guard copied == head else { throw LedgerError(FleetError.otherLedger(head.sequence)) }
            return Outcome(head: copied, problems: [])
        }

        /// Copies what a database keeps to where there is no ledger yet.
        package static func copy(
            _ settings: FleetSettings, to file: LedgerFileLocation
        ) throws(LedgerError) -> Outcome {
            let (connection, ledger) = try open(settings, file)
            do throws(FleetError) {
                let head = try CatchUp(connection: connection, ledger: ledger) { _ in }
                    .run(from: -1).ledger
                let problems = try CatchUp.mapping { () throws(LedgerError) in
                    try ledger.verify()
                }
                let copied = try CatchUp.mapping(ledger.head)
                guard copied == head else { throw .otherLedger(head.sequence) }
                try CatchUp.mapping(ledger.close)
                return Outcome(head: head, problems: problems)
            } catch {
                try? ledger.close()
                throw LedgerError(error)
            }
        }

        private static func open(
            _ settings: FleetSettings, _ file: LedgerFileLocation
        ) throws(LedgerError) -> (DatabaseConnection, SQLiteLedger) {
            let connection: DatabaseConnection
            do throws(FleetError) {
                connection = try DatabaseConnection.open(settings)
            } catch {
                throw LedgerError(error)
            }
            return (connection, try file.openNew())
        }

        /// A database that gets a ledger.
        private struct Target {
            let connection: DatabaseConnection
            let epoch: Int64

            init(_ settings: FleetSettings) throws(LedgerError) {
                do throws(FleetError) {
                    connection = try DatabaseConnection.open(settings)
                    guard let epoch = try connection.takeLead(as: settings.node) else {
                        throw .notLeader
                    }
                    self.epoch = epoch
                } catch {
                    throw LedgerError(error)
                }
            }

            func take(_ reader: SQLiteLedgerReader) throws(LedgerError) -> LedgerHead {
                let begun = try telling(begin)
                var last = begun.ledger.sequence
                guard try reader.hash(at: last) == begun.ledger.hash else {
                    throw LedgerError(FleetError.otherLedger(last))
                }
                var header: Int64 = 0
                while true {
                    let rows = try reader.rows(after: last, header: header, limit: part)
                    guard !rows.entries.isEmpty else { break }
                    try add(rows)
                    last = rows.head.sequence
                    header = rows.headers.map(\.id).max() ?? header
                }
                try takeFeed(reader, after: begun.change)
                return try telling(begin).ledger
            }

            private func takeFeed(
                _ reader: SQLiteLedgerReader, after change: Int64
            ) throws(LedgerError) {
                var (change, name) = (change, "")
                while true {
                    let rows = try reader.feedRows(
                        after: change, afterName: name, limit: part)
                    try add(rows)
                    change = rows.changes.last?.number ?? change
                    name = rows.outlooks.last?.name ?? name
                    if rows.place != nil { return }
                }
            }

            private func begin() throws(FleetError) -> DatabaseHead {
                try DatabaseHead(connection)
            }

            private func add(_ rows: LedgerRows) throws(LedgerError) {
                guard !rows.isEmpty else { return }
                try telling { () throws(FleetError) in
                    try DatabaseSchema.makePartitions(
                        for: rows.head.sequence.number, connection)
                    guard try connection.add(rows, epoch: epoch) != nil else { throw .notLeader }
                }
            }

            private func telling<Value>(
                _ body: () throws(FleetError) -> Value
            ) throws(LedgerError) -> Value {
                do { return try body() } catch { throw LedgerError(error) }
            }
        }
    }
#endif
