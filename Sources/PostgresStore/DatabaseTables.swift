#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel
    internal import LedgerStore

    /// The row that says how far the ledger in the database goes.
    struct DatabaseHead: Hashable {
        let epoch: Int64
        /// Counts commits, those of the feed among them.
        let version: Int64
        let ledger: LedgerHead
        let change: Int64
        let place: FeedPlace

        /// Counts never get higher, and there is room above to count on.
        static let possibleCounts: ClosedRange<Int64> = 0...(1 << 62)

        init(_ connection: DatabaseConnection) throws(FleetError) {
            let rows = try connection.run(
                """
                SELECT epoch, version, seq, hash, recorded_at, change, place, reached, scan, format
                FROM usher.head
                """)
            guard rows.count == 1, let hash = rows.bytes(0, 3).flatMap({ Digest256($0) }) else {
                throw .foreign("usher.head")
            }
            try DatabaseSchema.expectKnown(format: try rows.integer(0, 9))
            epoch = try rows.integer(0, 0)
            version = try rows.integer(0, 1)
            let sequence = try rows.integer(0, 2)
            change = try rows.integer(0, 5)
            let counts = [epoch, version, sequence, change]
            guard counts.allSatisfy(Self.possibleCounts.contains) else {
                throw .foreign("usher.head \(counts.map(String.init).joined(separator: " "))")
            }
            ledger = LedgerHead(
                sequence: LedgerSequence(sequence), hash: hash,
                recordedAt: Instant(milliseconds: try rows.integer(0, 4)))
            place = FeedPlace(
                place: LedgerSequence(try rows.integer(0, 6)),
                reached: Instant(milliseconds: try rows.integer(0, 7)),
                scan: try rows.text(0, 8))
        }
    }

    /// Reads and writes the tables.
    extension DatabaseConnection {
        /// Adds a commit's rows and moves the head, in one statement and so one transaction:
        /// only where the epoch is still `epoch` and the head is the one before the rows.
        ///
        /// - Returns: the version that it got; nil where another node has taken over, and nothing
        ///   was written.
        /// - Throws: `.unreachable` also if the rows are written but less durable than configured.
        func add(_ rows: LedgerRows, epoch: Int64) throws(FleetError) -> Int64? {
            var (statement, values) = (Self.addition, Self.values(of: rows, epoch))
            if !rows.erased.isEmpty {
                statement = Self.additionThatErases
                values += Self.values(of: rows.erased)
            }
            let answer = try run(statement, values)
            guard answer.count == 1 else { return nil }
            // It is committed, and the server has stopped waiting for a standby.
            if hasWarned { try touch() }
            return try answer.integer(0, 0)
        }

        private static func values(of rows: LedgerRows, _ epoch: Int64) -> [DatabaseValue] {
            let (entries, evidence) = (rows.entries, rows.evidence)
            let (changes, outlooks) = (rows.changes, rows.outlooks)
            return [
                .integer(epoch), .bytes(rows.before.hash.bytes),
                .integer(rows.head.sequence.number), .bytes(rows.head.hash.bytes),
                .integer(rows.head.recordedAt.milliseconds),
                .integer(rows.place?.place.number), .integer(rows.place?.reached.milliseconds),
                .name(rows.place?.scan), .integer(changes.last?.number),
                .integers(entries.map(\.sequence)), .integers(entries.map(\.recordedAt)),
                .integers(entries.map(\.kind)), .byteStrings(entries.map(\.salt)),
                .byteStrings(entries.map(\.payload)),
                .byteStrings(entries.map(\.payloadDigest)), .byteStrings(entries.map(\.hash)),
                .integers(rows.headers.map(\.id)), .byteStrings(rows.headers.map(\.digest)),
                .byteStrings(rows.headers.map(\.bytes)),
                .integers(evidence.map(\.sequence)), .integers(evidence.map(\.header)),
                .integers(evidence.map(\.headerAt)), .byteStrings(evidence.map(\.bytes)),
                .integers(changes.map(\.number)), .integers(changes.map(\.at)),
                .integers(changes.map(\.revision)), .names(changes.map(\.account)),
                .integers(changes.map(\.environment)), .integers(changes.map(\.kind)),
                .names(changes.map(\.subject)), .byteStrings(changes.map(\.payload)),
                .names(outlooks.map(\.name)), .integers(outlooks.map(\.due)),
                .byteStrings(outlooks.map(\.bytes)),
            ]
        }

        private static func values(of erased: LedgerRows.Erased) -> [DatabaseValue] {
            let changes = erased.changes
            return [
                .integers(erased.entries), .integers(erased.evidence),
                .integers(changes.map(\.number)), .names(changes.map(\.account)),
                .integers(changes.map(\.environment)), .integers(changes.map(\.kind)),
                .names(changes.map(\.subject)), .byteStrings(changes.map(\.payload)),
                .names(erased.outlooks),
            ]
        }

        private static let addition = "WITH \(added) \(outcome)"
        private static let additionThatErases = "WITH \(added), \(removed) \(outcome)"
        private static let outcome =
            "SELECT version, pg_notify('usher', '') IS NULL FROM moved"

        private static let removed = """
            emptied AS (
                UPDATE usher.entry SET payload = NULL, salt = NULL
                FROM moved WHERE seq = ANY ($35::bigint[])
            ), blanked AS (
                UPDATE usher.evidence SET bytes = NULL
                FROM moved WHERE usher.evidence.seq = ANY ($35::bigint[] || $36::bigint[])
            ), unsaid AS (
                UPDATE usher.change SET account = left_over.account,
                    environment = left_over.environment, kind = left_over.kind,
                    subject = left_over.subject, payload = left_over.payload
                FROM moved, unnest(
                    $37::bigint[], $38::bytea[], $39::bigint[], $40::bigint[], $41::bytea[],
                    $42::bytea[])
                    AS left_over (number, account, environment, kind, subject, payload)
                WHERE usher.change.number = left_over.number
            ), removed AS (
                DELETE FROM usher.outlook USING moved WHERE name = ANY ($43::bytea[])
            )
            """

        private static let added = """
            moved AS (
                UPDATE usher.head SET version = version + 1, seq = $3::bigint, hash = $4::bytea,
                    recorded_at = $5::bigint, place = coalesce($6::bigint, place),
                    reached = coalesce($7::bigint, reached),
                    scan = CASE WHEN $6::bigint IS NULL THEN scan ELSE $8::bytea END,
                    change = coalesce($9::bigint, change)
                WHERE epoch = $1::bigint AND hash = $2::bytea
                RETURNING version
            ), entries AS (
                INSERT INTO usher.entry SELECT added.* FROM moved, unnest(
                    $10::bigint[], $11::bigint[], $12::bigint[], $13::bytea[], $14::bytea[],
                    $15::bytea[], $16::bytea[]) AS added
            ), headers AS (
                INSERT INTO usher.evidence_header SELECT added.* FROM moved, unnest(
                    $17::bigint[], $18::bytea[], $19::bytea[]) AS added
                ON CONFLICT DO NOTHING
            ), pieces AS (
                INSERT INTO usher.evidence SELECT added.* FROM moved, unnest(
                    $20::bigint[], $21::bigint[], $22::bigint[], $23::bytea[]) AS added
            ), changes AS (
                INSERT INTO usher.change SELECT added.* FROM moved, unnest(
                    $24::bigint[], $25::bigint[], $26::bigint[], $27::bytea[], $28::bigint[],
                    $29::bigint[], $30::bytea[], $31::bytea[]) AS added
            ), outlooks AS (
                INSERT INTO usher.outlook
                SELECT added.name, added.due, added.outlook, moved.version FROM moved, unnest(
                    $32::bytea[], $33::bigint[], $34::bytea[]) AS added (name, due, outlook)
                ON CONFLICT (name) DO UPDATE
                SET due = excluded.due, outlook = excluded.outlook, version = excluded.version
            )
            """

        /// The hash of an entry; nil if there is none.
        func hash(at sequence: LedgerSequence) throws(FleetError) -> Digest256? {
            if sequence == .zero { return EntryHash.genesis }
            let rows = try run(
                "SELECT hash FROM usher.entry WHERE seq = $1::bigint",
                .integer(sequence.number))
            return rows.count == 1 ? rows.bytes(0, 0).flatMap { Digest256($0) } : nil
        }

        /// The newest entry, whatever the head says.
        func newestEntry() throws(FleetError) -> LedgerSequence {
            let rows = try run("SELECT coalesce(max(seq), 0) FROM usher.entry")
            return LedgerSequence(try rows.integer(0, 0))
        }

        /// Whether the rows are there that a session which has ended may have added.
        func has(
            _ rows: LedgerRows, of epoch: Int64, version: Int64
        ) throws(FleetError) -> Bool {
            if !rows.entries.isEmpty {
                return try hash(at: rows.head.sequence) == rows.head.hash
            }
            let head = try DatabaseHead(self)
            return head.epoch == epoch && head.version == version
        }

        /// The next entries, with what belongs to them.
        func entries(
            after sequence: Int64, limit: Int64
        ) throws(FleetError) -> LedgerRows {
            var rows = LedgerRows()
            rows.entries = try entryRows(
                """
                SELECT \(Self.entryColumns) FROM usher.entry
                WHERE seq > $1::bigint ORDER BY seq LIMIT $2::bigint
                """, .integer(sequence), .integer(limit))
            guard let last = rows.entries.last else { return rows }
            let pieces = try run(
                """
                SELECT seq, header, header_at, bytes FROM usher.evidence
                WHERE seq > $1::bigint AND seq <= $2::bigint ORDER BY seq
                """, .integer(sequence), .integer(last.sequence))
            for row in pieces.indices {
                rows.evidence.append(
                    LedgerRows.Evidence(
                        sequence: try pieces.integer(row, 0),
                        header: try pieces.optionalInteger(row, 1),
                        headerAt: try pieces.optionalInteger(row, 2),
                        bytes: pieces.bytes(row, 3)))
            }
            rows.headers = try headers(Set(rows.evidence.compactMap(\.header)).sorted())
            return rows
        }

        /// The erasures behind an entry, and what they have restated.
        func erasures(after sequence: Int64) throws(FleetError) -> [LedgerRows.Entry] {
            try entryRows(
                """
                SELECT \(Self.entryColumns) FROM usher.entry
                WHERE seq > $1::bigint AND kind = ANY ($2::bigint[]) ORDER BY seq
                """, .integer(sequence),
                .integers([EntryKind.erasure, .restated].map(\.rawValue)))
        }

        private static let entryColumns =
            "seq, recorded_at, kind, salt, payload, payload_digest, hash"

        private func entryRows(
            _ sql: String, _ values: DatabaseValue...
        ) throws(FleetError) -> [LedgerRows.Entry] {
            let found = try run(sql, values)
            var rows: [LedgerRows.Entry] = []
            for row in found.indices {
                rows.append(
                    LedgerRows.Entry(
                        sequence: try found.integer(row, 0),
                        recordedAt: try found.integer(row, 1), kind: try found.integer(row, 2),
                        salt: found.bytes(row, 3), payload: found.bytes(row, 4),
                        payloadDigest: found.bytes(row, 5) ?? [],
                        hash: found.bytes(row, 6) ?? []))
            }
            return rows
        }

        private func headers(_ ids: [Int64]) throws(FleetError) -> [LedgerRows.Header] {
            if ids.isEmpty { return [] }
            let found = try run(
                "SELECT id, digest, bytes FROM usher.evidence_header WHERE id = ANY ($1::bigint[])",
                .integers(ids))
            var headers: [LedgerRows.Header] = []
            for row in found.indices {
                headers.append(
                    LedgerRows.Header(
                        id: try found.integer(row, 0), digest: found.bytes(row, 1) ?? [],
                        bytes: found.bytes(row, 2) ?? []))
            }
            return headers
        }

        func changes(
            after number: Int64, limit: Int64
        ) throws(FleetError) -> [LedgerRows.Change] {
            let found = try run(
                """
                SELECT number, at, revision, account, environment, kind, subject, payload
                FROM usher.change WHERE number > $1::bigint ORDER BY number LIMIT $2::bigint
                """, .integer(number), .integer(limit))
            var changes: [LedgerRows.Change] = []
            for row in found.indices {
                changes.append(
                    LedgerRows.Change(
                        number: try found.integer(row, 0), at: try found.integer(row, 1),
                        revision: try found.integer(row, 2), account: try found.text(row, 3),
                        environment: try found.optionalInteger(row, 4),
                        kind: try found.integer(row, 5), subject: try found.text(row, 6) ?? "",
                        payload: found.bytes(row, 7) ?? []))
            }
            return changes
        }

        /// The outlooks that were set after a version, those first that were set first; from
        /// behind the last one of the part before.
        func outlooks(
            after version: Int64, name: String, limit: Int64
        ) throws(FleetError) -> [(outlook: LedgerRows.Outlook, version: Int64)] {
            let found = try run(
                """
                SELECT name, due, outlook, version FROM usher.outlook
                WHERE (version, name) > ($1::bigint, $2::bytea)
                ORDER BY version, name LIMIT $3::bigint
                """, .integer(version), .name(name), .integer(limit))
            var outlooks: [(outlook: LedgerRows.Outlook, version: Int64)] = []
            for row in found.indices {
                let outlook = LedgerRows.Outlook(
                    name: try found.text(row, 0) ?? "", due: try found.optionalInteger(row, 1),
                    bytes: found.bytes(row, 2) ?? [])
                outlooks.append((outlook, try found.integer(row, 3)))
            }
            return outlooks
        }
    }
#endif
