internal import GRDB

extension SQLiteLedger {
    /// The newest format of ledger files that this version knows, and the only one it writes.
    package static let format = 11
}

/// The tables of a ledger file and the steps from each version to the next.
enum LedgerSchema {
    /// "Ushr": identifies a ledger among SQLite files.
    static let applicationID: Int64 = 0x5573_6872

    static func migrator() -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: entries)
            try database.execute(sql: entryGuards)
        }
        // Who ever owned a single purchase.
        migrator.registerMigration("2") { try dropIndex(in: $0) }
        // What decides says by which rules; an account that is a UUID is found in any case.
        migrator.registerMigration("3") { try dropIndex(in: $0) }
        // Orders.
        migrator.registerMigration("4") { try dropIndex(in: $0) }
        // Lost orders and payments; the lineage before, from evidence, which earlier programs did
        // not record.
        migrator.registerMigration("5") { try dropIndex(in: $0) }
        // What waits for Apple.
        migrator.registerMigration("6") { try dropIndex(in: $0) }
        // The change feed, which publishes from the first entry on once the ledger is served;
        // refund requests.
        migrator.registerMigration("7") { database in
            try database.execute(sql: feed)
            try database.execute(sql: strictChangeGuard)
            try dropIndex(in: database)
        }
        // What an activation says of the program's own rules.
        migrator.registerMigration("8") { try dropIndex(in: $0) }
        // Denials by rules are found by their claimant.
        migrator.registerMigration("9") { try dropIndex(in: $0) }
        // Who ever owned what may turn out to be a single purchase.
        migrator.registerMigration("10") { try dropIndex(in: $0) }
        // Erasures: what is read in the place of an erased entry, and what the feed keeps of one.
        migrator.registerMigration("11") { database in
            try database.execute(sql: "DROP TRIGGER change_is_unchanged")
            try database.execute(sql: changeGuard)
            try dropIndex(in: database)
            try database.execute(sql: index)
            try LedgerTransaction(database).fillIndex()
        }
        return migrator
    }

    /// Computed tables need no migration of their own: they are dropped, and the last step computes
    /// them once. If a program ends in between, there are none, and no earlier version can use
    /// them.
    private static func dropIndex(in database: Database) throws {
        for table in try indexTables() {
            try database.execute(sql: "DROP TABLE IF EXISTS \(table)")
        }
    }

    /// Everything that a ledger of the newest format is made of but rows, in an empty database.
    static func make(in database: Database) throws {
        try database.execute(sql: entries)
        try database.execute(sql: entryGuards)
        try database.execute(sql: feed)
        try database.execute(sql: changeGuard)
        try database.execute(sql: index)
    }

    /// The statements of `make`, each as SQLite keeps it: a new one begins at the beginning of a
    /// line, and the semicolon is omitted.
    static let statements: Set<String> = {
        var statements: Set<String> = []
        var lines: [Substring] = []
        func end() {
            let text = lines.joined(separator: "\n")
            if !text.isEmpty { statements.insert(String(text.dropLast())) }
            lines = []
        }
        let all = [entries, entryGuards, feed, changeGuard, index].joined(separator: "\n")
        for line in all.split(separator: "\n") {
            if line.hasPrefix("CREATE ") { end() }
            lines.append(line)
        }
        end()
        return statements
    }()

    /// The same for the tables that are not computed: the entries in every format, the feed since
    /// format 7.
    static func makeKept(in database: Database, hasFeed: Bool) throws {
        try database.execute(sql: entries)
        try database.execute(sql: entryGuards)
        if hasFeed {
            try database.execute(sql: feed)
            try database.execute(sql: strictChangeGuard)
        }
    }

    /// The names of the tables that `index` makes.
    static func indexTables() throws -> [String] { try namesOfIndexTables.get() }

    private static let namesOfIndexTables = Result {
        try DatabaseQueue().write { database in
            try database.execute(sql: index)
            return try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        }
    }

    /// The recorded entries: the truth, under the chain of hashes.
    private static let entries = """
        CREATE TABLE entry (
            seq INTEGER PRIMARY KEY,
            recorded_at INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            salt BLOB CHECK (length(salt) = 16),
            payload BLOB,
            payload_digest BLOB NOT NULL CHECK (length(payload_digest) = 32),
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            CHECK ((salt IS NULL) = (payload IS NULL))
        ) STRICT;
        CREATE INDEX entry_policy_activation ON entry (kind) WHERE kind = 1;

        CREATE TABLE evidence_header (
            id INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE TABLE evidence (
            seq INTEGER PRIMARY KEY REFERENCES entry (seq),
            header INTEGER REFERENCES evidence_header (id),
            header_at INTEGER,
            bytes BLOB
        ) STRICT;
        """

    /// Nothing is changed or deleted except by erasure: a person's payload and salt together, and
    /// the bytes of evidence. An insert that would replace a row is not the next row.
    private static let entryGuards = """
        CREATE TRIGGER entry_is_appended BEFORE INSERT ON entry
        WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM entry)
            OR NEW.recorded_at < (SELECT recorded_at FROM entry WHERE seq = NEW.seq - 1)
            OR NEW.payload IS NULL
        BEGIN SELECT RAISE(ABORT, 'an entry is appended after the last one'); END;
        CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry
        BEGIN SELECT RAISE(ABORT, 'an entry is never deleted'); END;
        CREATE TRIGGER entry_is_unchanged BEFORE UPDATE ON entry
        WHEN NOT (NEW.payload IS NULL AND NEW.salt IS NULL AND NEW.seq IS OLD.seq
            AND NEW.recorded_at IS OLD.recorded_at AND NEW.kind IS OLD.kind
            AND NEW.payload_digest IS OLD.payload_digest AND NEW.hash IS OLD.hash)
        BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END;

        CREATE TRIGGER evidence_is_kept BEFORE DELETE ON evidence
        BEGIN SELECT RAISE(ABORT, 'evidence is never deleted'); END;
        CREATE TRIGGER evidence_is_unchanged BEFORE UPDATE ON evidence
        WHEN NOT (NEW.bytes IS NULL AND NEW.seq IS OLD.seq AND NEW.header IS OLD.header
            AND NEW.header_at IS OLD.header_at)
        BEGIN SELECT RAISE(ABORT, 'evidence is never changed'); END;
        CREATE TRIGGER evidence_header_is_kept BEFORE DELETE ON evidence_header
        BEGIN SELECT RAISE(ABORT, 'evidence is never deleted'); END;
        CREATE TRIGGER evidence_header_is_unchanged BEFORE UPDATE ON evidence_header
        BEGIN SELECT RAISE(ABORT, 'evidence is never changed'); END;
        """

    /// Published changes and the feed's records: all of it follows from the entries, except that a
    /// published number stays with its change.
    private static let feed = """
        CREATE TABLE feed (
            id INTEGER PRIMARY KEY CHECK (id = 1), place INTEGER NOT NULL,
            reached INTEGER NOT NULL, scan TEXT
        ) STRICT;
        CREATE TABLE feed_subject (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, due INTEGER,
            outlook BLOB NOT NULL
        ) STRICT;
        CREATE INDEX feed_subject_due ON feed_subject (due) WHERE due IS NOT NULL;
        CREATE TABLE change (
            number INTEGER PRIMARY KEY, at INTEGER NOT NULL, revision INTEGER NOT NULL,
            account INTEGER, environment INTEGER, kind INTEGER NOT NULL,
            subject TEXT NOT NULL, payload BLOB NOT NULL
        ) STRICT;
        CREATE INDEX change_account ON change (account, number) WHERE account IS NOT NULL;

        CREATE TRIGGER change_is_appended BEFORE INSERT ON change
        WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM change)
            OR NEW.at < (SELECT at FROM change WHERE number = NEW.number - 1)
            OR NEW.revision < (SELECT revision FROM change WHERE number = NEW.number - 1)
        BEGIN SELECT RAISE(ABORT, 'a change is appended after the last one'); END;
        CREATE TRIGGER change_is_kept BEFORE DELETE ON change
        BEGIN SELECT RAISE(ABORT, 'a change is never deleted'); END;
        """

    /// What a change says goes with what the person was known by, while the erasure is the newest
    /// entry; its number stands for it for ever.
    private static let changeGuard = """
        CREATE TRIGGER change_is_unchanged BEFORE UPDATE ON change
        WHEN NOT (NEW.number IS OLD.number AND NEW.at IS OLD.at AND NEW.revision IS OLD.revision
            AND (SELECT kind FROM entry ORDER BY seq DESC LIMIT 1) IS 34)
        BEGIN SELECT RAISE(ABORT, 'a change is never changed'); END;
        """

    /// The same up to format 10.
    private static let strictChangeGuard = """
        CREATE TRIGGER change_is_unchanged BEFORE UPDATE ON change
        BEGIN SELECT RAISE(ABORT, 'a change is never changed'); END;
        """

    /// The keys of entries: computed from the entries, may be rebuilt at any time. Names are stored
    /// once and referred to by number.
    static let index = """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE account_spelling (
            folded TEXT, account INTEGER, PRIMARY KEY (folded, account)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX account_spelling_account ON account_spelling (account);
        CREATE TABLE lineage (
            id INTEGER PRIMARY KEY, environment INTEGER NOT NULL, name TEXT NOT NULL,
            cluster INTEGER NOT NULL, unclaimed INTEGER, UNIQUE (environment, name)
        ) STRICT;
        CREATE INDEX lineage_cluster ON lineage (cluster);
        CREATE INDEX lineage_unclaimed ON lineage (unclaimed) WHERE unclaimed > 0;
        CREATE TABLE store_transaction (
            id INTEGER PRIMARY KEY, environment INTEGER NOT NULL, name TEXT NOT NULL,
            lineage INTEGER, is_lasting INTEGER NOT NULL, UNIQUE (environment, name)
        ) STRICT;
        CREATE TABLE app_transaction (
            id INTEGER PRIMARY KEY, environment INTEGER NOT NULL, name TEXT NOT NULL,
            UNIQUE (environment, name)
        ) STRICT;
        CREATE TABLE lineage_of_app_transaction (
            app_transaction INTEGER, lineage INTEGER, PRIMARY KEY (app_transaction, lineage)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE receipt (
            id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, lineage INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE entry_of_account (
            account INTEGER, seq INTEGER, PRIMARY KEY (account, seq)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE entry_of_lineage (
            lineage INTEGER, claimant INTEGER, seq INTEGER,
            PRIMARY KEY (lineage, claimant, seq)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE undecided_claim (
            seq INTEGER PRIMARY KEY, account INTEGER NOT NULL, lineage INTEGER
        ) STRICT;
        CREATE TABLE entry_without_lineage (
            store_transaction INTEGER, seq INTEGER, account INTEGER,
            PRIMARY KEY (store_transaction, seq, account)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE interest (
            account INTEGER, lineage INTEGER, PRIMARY KEY (account, lineage)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX interest_lineage ON interest (lineage);
        CREATE TABLE succession (
            account INTEGER, predecessor INTEGER, PRIMARY KEY (account, predecessor)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX succession_predecessor ON succession (predecessor);
        CREATE TABLE owner_of_purchase (
            lineage INTEGER, account INTEGER, PRIMARY KEY (lineage, account)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE transaction_snapshot (
            store_transaction INTEGER, signed_at INTEGER, digest BLOB, source TEXT,
            receipt INTEGER, seq INTEGER NOT NULL,
            PRIMARY KEY (store_transaction, signed_at, digest, source, receipt)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE renewal_snapshot (
            lineage INTEGER, signed_at INTEGER, digest BLOB, source TEXT,
            receipt INTEGER, seq INTEGER NOT NULL,
            PRIMARY KEY (lineage, signed_at, digest, source, receipt)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE reread_predecessor (
            seq INTEGER PRIMARY KEY, predecessor TEXT NOT NULL
        ) STRICT;
        CREATE TABLE unique_name (
            kind INTEGER, name BLOB, seq INTEGER NOT NULL, PRIMARY KEY (kind, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE restated (
            seq INTEGER PRIMARY KEY, place INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE lineage_of_token (
            token TEXT, lineage INTEGER, PRIMARY KEY (token, lineage)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE quarantine (
            seq INTEGER PRIMARY KEY
        ) STRICT;
        CREATE TABLE token_registration (
            token TEXT, seq INTEGER, PRIMARY KEY (token, seq)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE customer_order (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, account INTEGER NOT NULL,
            product TEXT NOT NULL, policy TEXT NOT NULL, state TEXT NOT NULL,
            last INTEGER NOT NULL, since INTEGER NOT NULL, marks INTEGER NOT NULL,
            awaited TEXT, lost TEXT
        ) STRICT;
        CREATE INDEX customer_order_account ON customer_order (account, id);
        CREATE INDEX customer_order_state ON customer_order (state);
        CREATE INDEX customer_order_awaited ON customer_order (account, awaited, product, last)
            WHERE awaited IS NOT NULL;
        CREATE INDEX customer_order_lost ON customer_order (lost, policy, since)
            WHERE lost IS NOT NULL;
        CREATE INDEX customer_order_product ON customer_order (awaited, product, last)
            WHERE awaited IS NOT NULL;
        CREATE INDEX customer_order_differs ON customer_order (id) WHERE marks & 160 <> 0;
        CREATE TABLE entry_of_order (
            customer_order INTEGER, seq INTEGER, PRIMARY KEY (customer_order, seq)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE order_of_transaction (
            store_transaction INTEGER, customer_order INTEGER,
            PRIMARY KEY (store_transaction, customer_order)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE ticket (
            id INTEGER PRIMARY KEY, name BLOB NOT NULL, is_evidence INTEGER NOT NULL,
            state INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX ticket_name ON ticket (name) WHERE state = 1;
        CREATE INDEX ticket_waiting ON ticket (id) WHERE state = 1;
        CREATE INDEX ticket_not_judged ON ticket (id) WHERE state <> 2;
        """
}
