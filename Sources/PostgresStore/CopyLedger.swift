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
            /// Problems of the ledger: nothing was copied to a database then; a file has the part
            /// before them.
            package let problems: [LedgerProblem]
        }

        /// Copies a ledger's file, which no service has open, to a database that has none of its
        /// entries or the first ones: an interrupted copy resumes.
        ///
        /// - Throws: `FleetError.notLeader` where a node is running, `.otherLedger` where the
        ///   database keeps another one.
        package static func copy(
            fileAt path: String, to settings: FleetSettings
        ) throws(LedgerError) -> Outcome {
            let hold = try LedgerHold(path)
            defer { hold.release() }
            let reader = try SQLiteLedger.openReadOnly(path: path)
            let head = try reader.head()
            let problems = try reader.verify()
            guard problems.isEmpty else { return Outcome(head: head, problems: problems) }
            let places = JournalFile(besideLedger: path, ending: ".push")
            let target = try Target(settings)
            let before = try target.head
            let copied = try target.take(reader)
            try target.takeDeliveries(from: places, hasTakenEntries: before != copied)
            try reader.close()
            guard copied == head else { throw LedgerError(FleetError.otherLedger(head.sequence)) }
            return Outcome(head: copied, problems: [])
        }

        /// Copies a database to a new ledger and verifies the copy before it gets its name: on
        /// failure there is none.
        package static func copy(
            _ settings: FleetSettings, to file: LedgerFileLocation
        ) throws(LedgerError) -> Outcome {
            let fetched = try FetchedFile(for: file)
            defer { fetched.remove() }
            let filled = try fill(fetched.location, from: settings)
            guard filled.problems.isEmpty else { return filled }
            // First: a ledger without it would have everything delivered again.
            try giveDeliveries(of: settings, to: file)
            let problems = try fetched.becomeTarget()
            return Outcome(head: filled.head, problems: problems)
        }

        /// Fills a new file from a database, a primary or a standby, whether nodes run or not. Each
        /// entry and the chain are checked; the rest is for a verification of the file.
        package static func fill(
            _ file: LedgerFileLocation, from settings: FleetSettings
        ) throws(LedgerError) -> Outcome {
            let (connection, ledger) = try open(settings, file)
            do throws(FleetError) {
                let (head, problem) = try FillFile(connection: connection, ledger: ledger).run()
                try CatchUp.mapping(ledger.close)
                return Outcome(head: head, problems: problem.map { [$0] } ?? [])
            } catch {
                try? ledger.close()
                throw LedgerError(error)
            }
        }

        /// How far changes are delivered goes with the ledger.
        private static func giveDeliveries(
            of settings: FleetSettings, to file: LedgerFileLocation
        ) throws(LedgerError) {
            let lines: [[UInt8]]
            do throws(FleetError) {
                let connection = try DatabaseConnection.openToRead(settings)
                // A database whose nodes are all of an older version has no journals.
                let found = try connection.run(
                    """
                    SELECT count(*) FROM pg_class
                    WHERE relnamespace = 'usher'::regnamespace AND relname = 'journal'
                    """)
                let hasJournals = try found.integer(0, 0) > 0
                lines =
                    hasJournals ? try connection.lines(of: .deliveries, after: 0).map(\.line) : []
            } catch {
                throw LedgerError(error)
            }
            guard !lines.isEmpty else { return }
            try JournalFile(
                besideLedger: file.path, access: file.custody.access, ending: ".push"
            ).replace(with: lines)
        }

        private static func open(
            _ settings: FleetSettings, _ file: LedgerFileLocation
        ) throws(LedgerError) -> (DatabaseConnection, SQLiteLedger) {
            let connection: DatabaseConnection
            do throws(FleetError) {
                connection = try DatabaseConnection.openToRead(settings)
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
                try expectBeginning(of: reader, begun.ledger)
                try takeErasures(reader, begun)
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

            /// First: what an interrupted copy has left may have been erased in the file since.
            private func takeErasures(
                _ reader: SQLiteLedgerReader, _ begun: DatabaseHead
            ) throws(LedgerError) {
                var rows = try reader.erasedRows(
                    after: begun.ledger.sequence, amongChanges: begun.change)
                guard !rows.isEmpty else { return }
                // Those that are left come again with the feed.
                rows.erased.outlooks = try telling { () throws(FleetError) in
                    try connection.outlooks(after: -1, name: "", limit: .max).map(\.outlook.name)
                }
                try add(rows)
            }

            /// - Throws: what says that the database has not the first entries of the file's ledger.
            private func expectBeginning(
                of reader: SQLiteLedgerReader, _ begun: LedgerHead
            ) throws(LedgerError) {
                let file = try reader.head()
                let common = min(begun.sequence, file.sequence)
                let hash = try telling { () throws(FleetError) in try connection.hash(at: common) }
                guard try reader.hash(at: common) == hash else {
                    throw LedgerError(FleetError.otherLedger(common))
                }
                guard file.sequence >= begun.sequence else {
                    throw LedgerError(
                        FleetError.ahead(end: begun.sequence, file: file.sequence))
                }
            }

            var head: LedgerHead {
                get throws(LedgerError) { try telling(begin).ledger }
            }

            /// How far changes are delivered goes with the ledger, unless the database knows better:
            /// where it has all entries already, it may have been written since.
            func takeDeliveries(
                from places: any JournalStore, hasTakenEntries: Bool
            ) throws(LedgerError) {
                let lines = try places.lines()
                try telling { () throws(FleetError) in
                    let known = try connection.lines(of: .deliveries, after: 0)
                    guard !lines.isEmpty, known.isEmpty || hasTakenEntries else { return }
                    try connection.add(
                        lines, to: .deliveries, after: known.last?.number ?? 0, epoch: epoch,
                        isAnew: true)
                }
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
            var chain = try CatchUp.mapping { () throws(LedgerError) in try EntryChain() }
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
                if rows.entries.contains(where: chain.lacksReason) {
                    // Not those before: they are carried out already.
                    let found = try connection.erasures(after: after.number)
                    try CatchUp.mapping { () throws(LedgerError) in
                        chain.coming = try ErasuresAhead(found)
                    }
                }
                for entry in rows.entries {
                    if let problem = chain.advance(to: entry) { return problem }
                }
                try CatchUp.mapping { [coming = chain.coming] () throws(LedgerError) in
                    try ledger.take(rows, before: coming) { nil }
                }
                chain.coming.areCarriedOut = true
            }
            return nil
        }
    }

    /// How far entries follow from one another.
    private struct EntryChain {
        private(set) var last = LedgerHead.beginning
        /// What takes the content of entries behind the last one.
        var coming: ErasuresAhead

        init() throws(LedgerError) { coming = try ErasuresAhead() }

        /// Whether it has no content, and no erasure that is known says why.
        func lacksReason(_ entry: LedgerRows.Entry) -> Bool {
            entry.payload == nil && !coming.explains(entry)
        }

        /// - Returns: what keeps the entry from being the next one.
        mutating func advance(to entry: LedgerRows.Entry) -> LedgerProblem? {
            let sequence = LedgerSequence(entry.sequence)
            let recordedAt = Instant(milliseconds: entry.recordedAt)
            let next = LedgerSequence(last.sequence.number + 1)
            guard sequence == next else { return .missing(next) }
            guard recordedAt >= last.recordedAt else { return .recordedEarlier(sequence) }
            if lacksReason(entry) { return .payloadErased(sequence) }
            guard let digest = Digest256(entry.payloadDigest) else {
                return .payloadChanged(sequence)
            }
            if let salt = entry.salt, let payload = entry.payload,
                digest != EntryHash.payloadDigest(salt: salt, payload: payload)
            {
                return .payloadChanged(sequence)
            }
            let hash = EntryHash.entry(
                previous: last.hash, sequence: sequence, recordedAt: recordedAt, kind: entry.kind,
                payloadDigest: digest)
            guard entry.hash == hash.bytes else { return .chainBroken(sequence) }
            last = LedgerHead(sequence: sequence, hash: hash, recordedAt: recordedAt)
            return nil
        }
    }
#endif
