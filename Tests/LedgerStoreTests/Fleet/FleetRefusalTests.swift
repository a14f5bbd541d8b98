#if PostgreSQL
    internal import EntitlementModel
    internal import Foundation
    internal import LedgerModel
    internal import LedgerStore
    internal import PostgresStore
    internal import TestSupport
    internal import Testing

    /// Databases and files that a node must not start on, each with its code (docs/FLEET.md).
    @Suite("A fleet refuses", .timeLimit(.minutes(5)))
    struct FleetRefusalTests {
        private let server: DatabaseServer
        private let database: String
        private let folder: TemporaryFolder

        init() throws {
            server = try DatabaseServer.shared.get()
            database = try server.makeDatabase()
            folder = try TemporaryFolder()
        }

        private func block(_ number: Int) -> LedgerEntry {
            Sample.block("anna", id: "refusal-\(number)")
        }

        /// Why a node does not start; nil where it does.
        private func refusal(of database: String, _ name: String = "node") -> LedgerError? {
            do {
                try folder.openNode(name, in: database).close()
                return nil
            } catch {
                return error as? LedgerError
            }
        }

        @Test("a schema of our name that somebody else has made")
        func foreignSchema() throws {
            try server.execute(
                "CREATE SCHEMA usher; CREATE TABLE usher.guest (name text)", in: database)
            #expect(refusal(of: database)?.code == "ledger.database-foreign")
            let tables = try server.execute(
                "SELECT count(*) FROM pg_class WHERE relnamespace = 'usher'::regnamespace",
                in: database)
            #expect(tables == "1", "nothing was added to it")
        }

        @Test("tables whose keys are missing, not in force or other ones")
        func keys() async throws {
            let node = try folder.openNode("node", in: database)
            try await node.append(block(1))
            try node.close()
            let keys = [
                ("entry", "seq"), ("evidence", "seq"), ("evidence_header", "id"),
                ("change", "number"), ("outlook", "name"), ("call", "id"), ("head", "id"),
                ("leader", "id"), ("journal", "name, number"), ("note", "name, number"),
            ]
            var changes = keys.map { table, columns in
                (
                    "ALTER TABLE usher.\(table) DROP CONSTRAINT \(table)_pkey",
                    "ALTER TABLE usher.\(table) ADD PRIMARY KEY (\(columns))"
                )
            }
            let header = "ALTER TABLE usher.evidence_header"
            let dropped = "\(header) DROP CONSTRAINT evidence_header_pkey"
            let restored = "\(dropped); \(header) ADD PRIMARY KEY (id)"
            changes += [
                ("\(dropped); \(header) ADD PRIMARY KEY (id, digest)", restored),
                ("\(dropped); \(header) ADD PRIMARY KEY (id) DEFERRABLE", restored),
                (
                    "\(dropped); CREATE UNIQUE INDEX evidence_header_pkey "
                        + "ON usher.evidence_header (id) WHERE id > 9",
                    "DROP INDEX usher.evidence_header_pkey; \(header) ADD PRIMARY KEY (id)"
                ),
                (
                    "CREATE UNIQUE INDEX guest ON usher.outlook (version)",
                    "DROP INDEX usher.guest"
                ),
                (
                    "DROP INDEX usher.outlook_version",
                    "CREATE INDEX outlook_version ON usher.outlook (version)"
                ),
            ]
            for (change, undo) in changes {
                try server.execute(change, in: database)
                #expect(refusal(of: database)?.code == "ledger.database-foreign", "\(change)")
                try server.execute(undo, in: database)
                #expect(refusal(of: database) == nil, "\(undo)")
            }
            // What keeps nothing from being written is nobody's business.
            try server.execute("CREATE INDEX guest ON usher.entry (kind)", in: database)
            #expect(refusal(of: database) == nil)
        }

        @Test("rules, checks, triggers of one partition, and rows that are hidden")
        func rules() async throws {
            let node = try folder.openNode("node", in: database)
            try await node.append(block(1))
            try node.close()
            let changes = [
                (
                    "CREATE RULE guest AS ON UPDATE TO usher.head DO INSTEAD NOTHING",
                    "DROP RULE guest ON usher.head"
                ),
                (
                    "CREATE RULE guest AS ON INSERT TO usher.entry_0 DO INSTEAD NOTHING",
                    "DROP RULE guest ON usher.entry_0"
                ),
                (
                    "ALTER TABLE usher.leader DROP CONSTRAINT leader_id_check",
                    "ALTER TABLE usher.leader ADD CHECK (id = 1)"
                ),
                (
                    "ALTER TABLE usher.change ADD CONSTRAINT guest CHECK (number < 100)",
                    "ALTER TABLE usher.change DROP CONSTRAINT guest"
                ),
                (
                    "ALTER TABLE usher.change ADD CONSTRAINT guest FOREIGN KEY (kind)"
                        + " REFERENCES usher.leader",
                    "ALTER TABLE usher.change DROP CONSTRAINT guest"
                ),
                (
                    "ALTER TABLE usher.entry_0 DISABLE TRIGGER entry_is_kept",
                    "ALTER TABLE usher.entry_0 ENABLE TRIGGER entry_is_kept"
                ),
                (
                    "CREATE TRIGGER guest BEFORE INSERT ON usher.entry_0"
                        + " FOR EACH ROW EXECUTE FUNCTION usher.refuse()",
                    "DROP TRIGGER guest ON usher.entry_0"
                ),
                (
                    "ALTER TABLE usher.note ENABLE ROW LEVEL SECURITY",
                    "ALTER TABLE usher.note DISABLE ROW LEVEL SECURITY"
                ),
            ]
            for (change, undo) in changes {
                try server.execute(change, in: database)
                #expect(refusal(of: database)?.code == "ledger.database-foreign", "\(change)")
                try server.execute(undo, in: database)
                #expect(refusal(of: database) == nil, "\(undo)")
            }
        }

        @Test("an older format as well as a newer one, but none whose tables are the same")
        func formats() throws {
            #expect(refusal(of: database) == nil)
            try server.execute("UPDATE usher.head SET format = 107", in: database)
            #expect(refusal(of: database) == nil)
            for format in [106, 101 + SQLiteLedger.format] {
                try server.execute("UPDATE usher.head SET format = \(format)", in: database)
                #expect(refusal(of: database)?.code == "ledger.database-format")
                let settings = FleetSettings(database: database, node: "copy")
                let file = LedgerFileLocation(
                    folder.path + "/copy\(format)", makeSalts: CountingSalts().next)
                #expect(throws: LedgerError.self) { try LedgerCopy.fill(file, from: settings) }
            }
        }

        @Test("a wrong password, none at all, and a database that is not there")
        func passwords() throws {
            try server.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'", in: database)
            try server.execute(
                """
                DO $$ BEGIN
                    EXECUTE 'GRANT CREATE ON DATABASE ' || current_database() || ' TO guarded';
                END $$
                """, in: database)
            let guarded = database.replacing(/user=\S+/, with: "user=guarded")
            #expect(refusal(of: guarded)?.code == "ledger.database-refused")
            let wrong = try #require(refusal(of: guarded + " password=wrong"))
            #expect(wrong.code == "ledger.database-refused" && wrong.kind == .needsPerson)
            #expect(!wrong.text(.english).contains("wrong"), "no password is ever shown")
            #expect(refusal(of: guarded + " password=right") == nil)
            let missing = refusal(of: server.connection(to: "nothing"))
            #expect(missing?.code == "ledger.database-refused")
        }

        @Test("a role that may not make a schema, and one that may only read")
        func roles() throws {
            try server.execute("CREATE ROLE reader LOGIN", in: database)
            let reader = database.replacing(/user=\S+/, with: "user=reader")
            #expect(refusal(of: reader)?.code == "ledger.database-refused")
            #expect(refusal(of: database) == nil)
            #expect(refusal(of: reader, "other")?.code == "ledger.database-refused")
            // Reading commands need no more than this.
            try server.execute(
                """
                GRANT USAGE ON SCHEMA usher TO reader;
                GRANT SELECT ON ALL TABLES IN SCHEMA usher TO reader
                """, in: database)
            let settings = FleetSettings(database: reader, node: "copy")
            let file = LedgerFileLocation(
                folder.path + "/read", makeSalts: CountingSalts().next)
            #expect(try LedgerCopy.fill(file, from: settings).problems == [])
            #expect(refusal(of: reader, "other")?.code == "ledger.database-refused")
        }

        @Test("a standby, which is read from nevertheless")
        func standby() async throws {
            let primary = try DatabaseServer()
            defer { primary.remove() }
            let database = try primary.makeDatabase()
            let node = try folder.openNode("first", in: database)
            for number in 1...3 { try await node.append(block(number)) }
            let standby = try DatabaseServer(standbyOf: primary)
            defer { standby.remove() }
            try await node.append(block(4))
            let head = try node.head
            try node.close()
            try standby.catchUp(with: primary)
            let copy = database.replacing(primary.folder, with: standby.folder)
            #expect(refusal(of: copy)?.code == "ledger.database-standby")
            #expect(refusal(of: copy)?.kind == .needsPerson)
            let file = LedgerFileLocation(
                folder.path + "/copy", makeSalts: CountingSalts().next)
            let settings = FleetSettings(database: copy, node: "copy")
            #expect(try LedgerCopy.copy(settings, to: file).head == head)
        }

        @Test("a database that vanishes between the connection and the first catch-up")
        func vanishing() async throws {
            let node = try folder.openNode("first", in: database)
            for number in 1...3 { try await node.append(block(number)) }
            try node.close()
            // Holds the entries until a session waits for them, and ends that.
            let (server, database) = (server, database)
            let holder = Thread {
                _ = try? server.execute(
                    """
                    BEGIN; LOCK TABLE usher.entry IN ACCESS EXCLUSIVE MODE;
                    DO $$ BEGIN
                        FOR attempt IN 1..2000 LOOP
                            PERFORM pg_stat_clear_snapshot();
                            PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
                                WHERE datname = current_database() AND wait_event_type = 'Lock';
                            EXIT WHEN FOUND;
                            PERFORM pg_sleep(0.005);
                        END LOOP;
                    END $$; COMMIT
                    """, in: database)
            }
            holder.start()
            while try server.execute(
                """
                SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
                WHERE datname = current_database() AND mode = 'AccessExclusiveLock' AND granted
                    AND relation = 'usher.entry'::regclass
                """, in: database) == "0"
            {}
            let error = try #require(refusal(of: database, "late"))
            #expect(error.code == "ledger.database-unreachable" && error.isTransient)
            // Nothing of it stays in the way.
            #expect(refusal(of: database, "late") == nil)
        }

        @Test("two ledgers in one database, whichever way the second one comes")
        func twoLedgers() async throws {
            var heads: [LedgerHead] = []
            for (name, numbers) in [("one", 1...5), ("two", 6...9)] {
                let ledger = try folder.openLedger(name)
                for number in numbers { try await ledger.append(block(number)) }
                heads.append(try ledger.head())
                try ledger.close()
            }
            let settings = FleetSettings(database: database, node: "copy")
            _ = try LedgerCopy.copy(fileAt: folder.path + "/one", to: settings)
            let second = #expect(throws: LedgerError.self) {
                try LedgerCopy.copy(fileAt: folder.path + "/two", to: settings)
            }
            #expect(second?.code == "ledger.other-ledger")
            #expect(try server.execute("SELECT seq FROM usher.head", in: database) == "5")
            // A service with the other ledger's file.
            try FileManager.default.moveItem(
                atPath: folder.path + "/two", toPath: folder.path + "/other.sqlite")
            #expect(refusal(of: database, "other")?.code == "ledger.other-ledger")
            // While nodes are running nobody copies.
            let node = try folder.openNode("first", in: database)
            let beside = #expect(throws: LedgerError.self) {
                try LedgerCopy.copy(fileAt: folder.path + "/one", to: settings)
            }
            #expect(beside?.code == "ledger.not-leader")
            try node.close()
        }

        @Test("another ledger than the settings name, before anything is fetched of it")
        func unexpectedLedger() async throws {
            var settings = FleetSettings(database: database, node: "node")
            func code(naming ledger: String) -> String? {
                settings.ledger = ledger
                let file = LedgerFileLocation(
                    folder.path + "/named", makeSalts: CountingSalts().next)
                do {
                    let node = try FleetLocation(file, settings).open()
                    defer { try? node.close() }
                    return try node.read { try $0.head() }.sequence == .zero ? "empty" : nil
                } catch {
                    return (error as? LedgerError)?.code
                }
            }
            let stranger = String(repeating: "0", count: 16)
            #expect(code(naming: stranger) == "ledger.database-vacant")
            let node = try folder.openNode("first", in: database)
            for number in 1...3 { try await node.append(block(number)) }
            let first = try #require(try node.read { try $0.firstHash() }).hexadecimal
            try node.close()
            #expect(code(naming: stranger) == "ledger.other-ledger")
            let file = try SQLiteLedger.openReadOnly(path: folder.path + "/named")
            #expect(try file.head().sequence == .zero, "nothing was fetched")
            try file.close()
            #expect(code(naming: String(first.prefix(16))) == nil)
            #expect(code(naming: first) == nil)
        }

        @Test("a file that is ahead of the database, and says by how much and what to do")
        func behind() async throws {
            let node = try folder.openNode("ahead", in: database)
            for number in 1...5 { try await node.append(block(number)) }
            try node.close()
            try server.execute(
                """
                UPDATE usher.head SET seq = 3, hash = (SELECT hash FROM usher.entry WHERE seq = 3)
                """, in: database)
            let error = try #require(refusal(of: database, "ahead"))
            #expect(error.code == "ledger.database-behind" && error.kind == .needsPerson)
            #expect(
                error.text(.english).hasPrefix(
                    "the database ends with entry 3, and this node's ledger file has 2 more, "
                        + "from entry 4 to 5"))
            #expect(error.text(.english).contains("'usher ledger export --after 3'"))
            #expect(error.text(.chinese).contains("多出 2 个条目（从 4 到 5）"))
        }
    }
#endif
