#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel
    internal import LedgerStore

    /// The tables of a fleet's ledger, in a schema of their own (docs/FLEET.md).
    enum DatabaseSchema {
        /// The format of the tables; that of the entries is the ledger file's.
        private static let version: Int64 = 1

        static var format: Int64 { 100 * version + Int64(SQLiteLedger.format) }

        /// A ledger of these formats has the same tables and older entries only: the next leader
        /// updates it, and a program that does not know the newest one stops leading and writing.
        private static var known: ClosedRange<Int64> { 107...format }

        /// Entries in one partition.
        static let partition: Int64 = 1 << 24

        /// Serialises whatever makes tables; the leader's lock is the next number.
        static let makingLock: Int64 = 0x5573_6872_0001
        static let leaderLock: Int64 = 0x5573_6872_0002

        /// Creates the tables if there is no schema, and compares them otherwise.
        ///
        /// - Throws: `.foreign` with the first difference, `.otherFormat` for a ledger of another
        ///   format.
        static func prepare(_ connection: DatabaseConnection) throws(FleetError) {
            if try !isThere(connection) {
                try connection.execute(
                    """
                    BEGIN; SELECT pg_advisory_xact_lock(\(makingLock));
                    \(statements) COMMIT;
                    """)
            }
            try expectOwn(connection)
        }

        /// Whether the database has the schema.
        static func isThere(_ connection: DatabaseConnection) throws(FleetError) -> Bool {
            let found = try connection.run(
                "SELECT count(*) FROM pg_namespace WHERE nspname = 'usher'")
            return try found.integer(0, 0) != 0
        }

        /// - Throws: as `prepare` does.
        static func expectOwn(_ connection: DatabaseConnection) throws(FleetError) {
            // Another format may have other tables, so its number is read first.
            if let format = try? format(connection) { try expectKnown(format: format) }
            try compare(connection)
            try expectKnown(format: try format(connection))
        }

        private static func format(_ connection: DatabaseConnection) throws(FleetError) -> Int64 {
            let head = try connection.run("SELECT format FROM usher.head")
            guard head.count == 1 else { throw .foreign("usher.head") }
            return try head.integer(0, 0)
        }

        /// Another version may have moved the format on, at any time.
        static func expectKnown(format: Int64) throws(FleetError) {
            guard known.contains(format) else {
                throw .otherFormat(found: format, known: Self.format)
            }
        }

        /// Makes the partition that an entry goes to, and the next one.
        static func makePartitions(
            for sequence: Int64, _ connection: DatabaseConnection
        ) throws(FleetError) {
            let first = sequence / partition
            for number in first...first + 1 {
                let (from, to) = (number * partition, (number + 1) * partition)
                for table in ["entry", "evidence"] {
                    try connection.execute(
                        """
                        CREATE TABLE IF NOT EXISTS usher.\(table)_\(number)
                        PARTITION OF usher.\(table) FOR VALUES FROM (\(from)) TO (\(to))
                        """)
                }
            }
        }

        /// The first node creates all; `IF NOT EXISTS` is for one that waited.
        private static var statements: String {
            """
            CREATE SCHEMA IF NOT EXISTS usher;
            CREATE TABLE IF NOT EXISTS usher.head (
                id bigint PRIMARY KEY CHECK (id = 1), format bigint NOT NULL,
                epoch bigint NOT NULL, version bigint NOT NULL, seq bigint NOT NULL,
                hash bytea NOT NULL, recorded_at bigint NOT NULL, change bigint NOT NULL,
                place bigint NOT NULL, reached bigint NOT NULL, scan bytea
            );
            CREATE TABLE IF NOT EXISTS usher.leader (
                id bigint PRIMARY KEY CHECK (id = 1), epoch bigint NOT NULL,
                beat bigint NOT NULL, node bytea NOT NULL, process bigint NOT NULL
            );
            CREATE TABLE IF NOT EXISTS usher.entry (
                seq bigint PRIMARY KEY, recorded_at bigint NOT NULL, kind bigint NOT NULL,
                salt bytea, payload bytea, payload_digest bytea NOT NULL, hash bytea NOT NULL
            ) PARTITION BY RANGE (seq);
            CREATE TABLE IF NOT EXISTS usher.evidence_header (
                id bigint PRIMARY KEY, digest bytea NOT NULL, bytes bytea NOT NULL
            );
            CREATE TABLE IF NOT EXISTS usher.evidence (
                seq bigint PRIMARY KEY, header bigint, header_at bigint, bytes bytea
            ) PARTITION BY RANGE (seq);
            CREATE TABLE IF NOT EXISTS usher.change (
                number bigint PRIMARY KEY, at bigint NOT NULL, revision bigint NOT NULL,
                account bytea, environment bigint, kind bigint NOT NULL,
                subject bytea NOT NULL, payload bytea NOT NULL
            );
            CREATE TABLE IF NOT EXISTS usher.outlook (
                name bytea PRIMARY KEY, due bigint, outlook bytea NOT NULL,
                version bigint NOT NULL
            );
            CREATE UNLOGGED TABLE IF NOT EXISTS usher.call (
                id bytea PRIMARY KEY, taken bigint NOT NULL, call bytea NOT NULL, answer bytea
            );
            CREATE INDEX IF NOT EXISTS outlook_version ON usher.outlook (version);
            \(journals)
            \(guarding)
            CREATE OR REPLACE TRIGGER entry_is_kept BEFORE UPDATE OR DELETE ON usher.entry
                FOR EACH ROW EXECUTE FUNCTION usher.refuse();
            CREATE OR REPLACE TRIGGER evidence_is_kept BEFORE UPDATE OR DELETE ON usher.evidence
                FOR EACH ROW EXECUTE FUNCTION usher.refuse();
            CREATE OR REPLACE TRIGGER change_is_kept BEFORE UPDATE OR DELETE ON usher.change
                FOR EACH ROW EXECUTE FUNCTION usher.refuse();
            INSERT INTO usher.head VALUES (
                1, \(format), 0, 0, 0, '\\x\(EntryHash.genesis.hexadecimal)', \(Int64.min), 0,
                0, \(Int64.min), NULL
            ) ON CONFLICT DO NOTHING;
            INSERT INTO usher.leader VALUES (1, 0, 0, '', 0) ON CONFLICT DO NOTHING;
            """
        }

        /// The body of what keeps rows from being changed, unless an erasure takes their content: a
        /// change of the feed keeps its number, and whom it was about or who owned what is gone.
        private static let refusal = """
             BEGIN
                IF TG_OP = 'UPDATE' THEN
                    IF TG_NAME = 'entry_is_kept' THEN
                        IF NEW.payload IS NULL AND NEW.salt IS NULL
                            AND (NEW.seq, NEW.recorded_at, NEW.kind, NEW.payload_digest, NEW.hash)
                            = (OLD.seq, OLD.recorded_at, OLD.kind, OLD.payload_digest, OLD.hash)
                        THEN RETURN NEW; END IF;
                    ELSIF TG_NAME = 'evidence_is_kept' THEN
                        IF NEW.bytes IS NULL AND NEW.seq = OLD.seq
                            AND NEW.header IS NOT DISTINCT FROM OLD.header
                            AND NEW.header_at IS NOT DISTINCT FROM OLD.header_at
                        THEN RETURN NEW; END IF;
                    ELSIF (NEW.number, NEW.at, NEW.revision) = (OLD.number, OLD.at, OLD.revision)
                        AND (NEW.kind = \(FeedChange.Kind.erased.number)
                            OR NEW.kind = OLD.kind
                            AND OLD.kind = \(FeedChange.Kind.ownerChanged.number))
                    THEN RETURN NEW; END IF;
                END IF;
                RAISE EXCEPTION 'what was recorded is never changed';
             END
            """

        /// The same before format 111.
        private static let strictRefusal =
            " BEGIN RAISE EXCEPTION 'what was recorded is never changed'; END "

        /// The tables of shared journals: newer than the others.
        private static let journals = """
            CREATE TABLE IF NOT EXISTS usher.journal (
                name bytea NOT NULL, number bigint NOT NULL, line bytea NOT NULL,
                PRIMARY KEY (name, number)
            );
            CREATE TABLE IF NOT EXISTS usher.note (
                name bytea NOT NULL, number bigint NOT NULL, note bytea NOT NULL,
                PRIMARY KEY (name, number)
            );
            """

        private static let guarding = """
            CREATE OR REPLACE FUNCTION usher.refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$\(refusal)$$;
            """

        /// Adds what a database lacks that an older version has made; by the node that leads.
        static func complete(_ connection: DatabaseConnection) throws(FleetError) {
            let found = try connection.run(
                """
                SELECT count(*) FROM pg_class WHERE relnamespace = 'usher'::regnamespace
                    AND relname IN ('journal', 'note') AND relkind = 'r'
                UNION ALL
                SELECT count(*) FROM pg_proc WHERE pronamespace = 'usher'::regnamespace
                    AND proname = 'refuse' AND prosrc = $body$\(refusal)$body$
                """)
            if try found.integer(0, 0) == 2, try found.integer(1, 0) == 1 { return }
            try connection.execute(
                """
                BEGIN; SELECT pg_advisory_xact_lock(\(makingLock)); \(journals) \(guarding)
                COMMIT;
                """)
        }

        /// Every column, trigger and check as one line; partitions equal their table. And whatever
        /// would let rows be changed, lost, hidden or doubled: a trigger that is disabled or on one
        /// partition only, another function body, a rule, row security, an unlogged table, a
        /// missing or invalid key. A foreign index that is not unique is harmless and ignored.
        private static let inventory = """
            SELECT convert_to(line, 'UTF8') FROM (
                SELECT relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
                    || CASE WHEN attnotnull THEN ' !' ELSE '' END AS line
                FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
                WHERE relnamespace = 'usher'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
                    AND NOT relispartition AND attnum > 0 AND NOT attisdropped
                UNION ALL
                SELECT relname || ' trigger ' || tgname || ' ' || proname
                    || CASE WHEN tgenabled IN ('O', 'A') THEN '' ELSE ' is off' END
                FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
                JOIN pg_proc ON pg_proc.oid = tgfoid
                WHERE relnamespace = 'usher'::regnamespace AND NOT relispartition
                    AND NOT tgisinternal
                UNION ALL
                SELECT relname || ' trigger ' || tgname || ' is off or its own'
                FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
                WHERE relnamespace = 'usher'::regnamespace AND relispartition
                    AND (tgenabled NOT IN ('O', 'A') OR (tgparentid = 0 AND NOT tgisinternal))
                UNION ALL
                SELECT relname || CASE contype WHEN 'c'
                    THEN ' check ' || pg_get_expr(conbin, conrelid)
                    ELSE ' constraint ' || conname END
                FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
                WHERE relnamespace = 'usher'::regnamespace AND NOT relispartition
                    AND contype IN ('c', 'f', 't', 'x')
                UNION ALL
                SELECT relname || ' rule ' || rulename
                FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
                WHERE relnamespace = 'usher'::regnamespace AND relkind IN ('r', 'p')
                UNION ALL
                SELECT relname || ' has row security' FROM pg_class
                WHERE relnamespace = 'usher'::regnamespace AND relkind IN ('r', 'p')
                    AND relrowsecurity
                UNION ALL
                SELECT 'function ' || proname || ' is another one' FROM pg_proc
                WHERE pronamespace = 'usher'::regnamespace AND proname = 'refuse'
                    AND prosrc NOT IN ($body$\(refusal)$body$, $body$\(strictRefusal)$body$)
                UNION ALL
                SELECT relname || CASE relpersistence WHEN 'u' THEN ' is unlogged'
                    ELSE ' is logged' END
                FROM pg_class
                WHERE relnamespace = 'usher'::regnamespace AND relkind IN ('r', 'p')
                    AND (relpersistence = 'u') <> (relname = 'call')
                UNION ALL
                SELECT owner.relname || CASE WHEN indisunique THEN ' key ' ELSE ' index ' END
                    || coalesce((
                        SELECT string_agg(attname, ' ' ORDER BY place)
                        FROM unnest(indkey) WITH ORDINALITY AS part (number, place)
                        JOIN pg_attribute ON attrelid = indrelid AND attnum = number
                        WHERE place <= indnkeyatts), '')
                    || CASE WHEN indisvalid AND indisready AND indislive AND indimmediate
                        AND indpred IS NULL AND indexprs IS NULL
                        THEN '' ELSE ' is not in force' END
                FROM pg_index JOIN pg_class AS owner ON owner.oid = indrelid
                JOIN pg_class AS index ON index.oid = indexrelid
                WHERE owner.relnamespace = 'usher'::regnamespace AND NOT owner.relispartition
                    AND (indisunique OR index.relname = 'outlook_version')
            ) AS lines ORDER BY line COLLATE "C"
            """

        private static func compare(_ connection: DatabaseConnection) throws(FleetError) {
            let rows = try connection.run(inventory)
            var found: [String] = []
            for row in rows.indices { found.append(try rows.text(row, 0) ?? "") }
            // Newer tables exist all or none.
            let needed = found.contains(where: newer.contains) ? expected + newer : expected
            if let difference = found.first(where: { !needed.contains($0) })
                ?? needed.first(where: { !found.contains($0) })
            {
                throw .foreign(difference)
            }
        }

        private static let expected: [String] = [
            "call.id bytea !", "call.taken bigint !", "call.call bytea !", "call.answer bytea",
            "change.number bigint !", "change.at bigint !", "change.revision bigint !",
            "change.account bytea", "change.environment bigint", "change.kind bigint !",
            "change.subject bytea !", "change.payload bytea !",
            "change trigger change_is_kept refuse",
            "entry.seq bigint !", "entry.recorded_at bigint !", "entry.kind bigint !",
            "entry.salt bytea", "entry.payload bytea", "entry.payload_digest bytea !",
            "entry.hash bytea !", "entry trigger entry_is_kept refuse",
            "evidence.seq bigint !", "evidence.header bigint", "evidence.header_at bigint",
            "evidence.bytes bytea", "evidence trigger evidence_is_kept refuse",
            "evidence_header.id bigint !", "evidence_header.digest bytea !",
            "evidence_header.bytes bytea !",
            "head.id bigint !", "head.format bigint !", "head.epoch bigint !",
            "head.version bigint !", "head.seq bigint !", "head.hash bytea !",
            "head.recorded_at bigint !", "head.change bigint !", "head.place bigint !",
            "head.reached bigint !", "head.scan bytea",
            "leader.id bigint !", "leader.epoch bigint !", "leader.beat bigint !",
            "leader.node bytea !", "leader.process bigint !",
            "outlook.name bytea !", "outlook.due bigint", "outlook.outlook bytea !",
            "outlook.version bigint !",
            "call key id", "change key number", "entry key seq", "evidence key seq",
            "evidence_header key id", "head key id", "leader key id", "outlook key name",
            "outlook index version", "head check (id = 1)", "leader check (id = 1)",
        ]

        /// Tables that a database of an older version lacks until a node of this version leads.
        private static let newer = [
            "journal.name bytea !", "journal.number bigint !", "journal.line bytea !",
            "note.name bytea !", "note.number bigint !", "note.note bytea !",
            "journal key name number", "note key name number",
        ]
    }
#endif
