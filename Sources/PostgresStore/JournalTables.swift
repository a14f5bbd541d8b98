#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel

    /// The shared journals in the database's tables.
    ///
    /// A writer holds the leader's row to the end, if the epoch is still its own: the next leader
    /// waits for that, and then earlier ones cannot write.
    extension DatabaseConnection {
        private static let leading = """
            WITH lead AS MATERIALIZED (
                SELECT epoch FROM usher.leader WHERE epoch = $1::bigint FOR SHARE
            )
            """

        /// Lines behind a number, with theirs.
        func lines(
            of journal: SharedJournal, after number: Int64
        ) throws(FleetError) -> [(number: Int64, line: [UInt8])] {
            let rows = try run(
                """
                SELECT number, line FROM usher.journal
                WHERE name = $1::bytea AND number > $2::bigint ORDER BY number
                """, .name(journal.rawValue), .integer(number))
            var lines: [(number: Int64, line: [UInt8])] = []
            for row in rows.indices {
                lines.append((try rows.integer(row, 0), rows.bytes(row, 1) ?? []))
            }
            return lines
        }

        /// The number of the first line; nil if there is none.
        func firstLine(of journal: SharedJournal) throws(FleetError) -> Int64? {
            try run(
                "SELECT min(number) FROM usher.journal WHERE name = $1::bytea",
                .name(journal.rawValue)
            ).optionalInteger(0, 0)
        }

        /// Adds lines behind the last one, whose number is `last`; with `isAnew`, in the place of
        /// all that are there.
        ///
        /// - Throws: `.notLeader` if another node has become leader, `.outcomeUnknown` if lines
        ///   were added since: by this node, in a session that ended.
        func add(
            _ lines: [[UInt8]], to journal: SharedJournal, after last: Int64, epoch: Int64,
            isAnew: Bool = false
        ) throws(FleetError) {
            let removal = """
                , gone AS (
                    DELETE FROM usher.journal
                    WHERE name = $2::bytea AND EXISTS (SELECT FROM lead)
                )
                """
            let rows = try repeatable { () throws(FleetError) in
                try run(
                    """
                    \(Self.leading)\(isAnew ? removal : ""), added AS (
                        INSERT INTO usher.journal
                        SELECT $2::bytea, $3::bigint + lines.number, lines.line
                        FROM lead, unnest($4::bytea[])
                            WITH ORDINALITY AS lines (line, number)
                    )
                    SELECT count(*) FROM lead
                    """, .integer(epoch), .name(journal.rawValue), .integer(last),
                    .byteStrings(lines))
            }
            guard try rows.integer(0, 0) == 1 else { throw .notLeader }
        }

        /// Notes from a number on, by it.
        func notes(
            of journal: SharedJournal, from number: Int64, count: Int64
        ) throws(FleetError) -> [Int64: [UInt8]] {
            let rows = try run(
                """
                SELECT number, note FROM usher.note
                WHERE name = $1::bytea AND number >= $2::bigint AND number < $3::bigint
                """, .name(journal.rawValue), .integer(number), .integer(number + count))
            var notes: [Int64: [UInt8]] = [:]
            for row in rows.indices {
                notes[try rows.integer(row, 0)] = rows.bytes(row, 1)
            }
            return notes
        }

        /// - Throws: `.notLeader` as above.
        func set(
            _ notes: [Int64: [UInt8]], of journal: SharedJournal, epoch: Int64
        ) throws(FleetError) {
            let sorted = notes.sorted { $0.key < $1.key }
            let rows = try run(
                """
                \(Self.leading), noted AS (
                    INSERT INTO usher.note
                    SELECT $2::bytea, notes.number, notes.note
                    FROM lead, unnest($3::bigint[], $4::bytea[]) AS notes (number, note)
                    ON CONFLICT (name, number) DO UPDATE SET note = excluded.note
                )
                SELECT count(*) FROM lead
                """, .integer(epoch), .name(journal.rawValue), .integers(sorted.map(\.key)),
                .byteStrings(sorted.map(\.value)))
            guard try rows.integer(0, 0) == 1 else { throw .notLeader }
        }

        /// Forgets the journal and its notes.
        ///
        /// - Throws: `.notLeader` as above.
        func clear(_ journal: SharedJournal, epoch: Int64) throws(FleetError) {
            let rows = try run(
                """
                \(Self.leading), lines AS (
                    DELETE FROM usher.journal
                    WHERE name = $2::bytea AND EXISTS (SELECT FROM lead)
                ), notes AS (
                    DELETE FROM usher.note
                    WHERE name = $2::bytea AND EXISTS (SELECT FROM lead)
                )
                SELECT count(*) FROM lead
                """, .integer(epoch), .name(journal.rawValue))
            guard try rows.integer(0, 0) == 1 else { throw .notLeader }
        }

        /// A number that is taken says that lines are there which this node does not know.
        private func repeatable<Value>(
            _ body: () throws(FleetError) -> Value
        ) throws(FleetError) -> Value {
            do throws(FleetError) {
                return try body()
            } catch .failed("23505", _) {
                throw .outcomeUnknown
            }
        }
    }
#endif
