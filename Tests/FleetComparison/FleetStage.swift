#if PostgreSQL
    internal import EntitlementEngine
    package import EntitlementModel
    package import LedgerModel
    internal import LedgerStore
    internal import LibPQ
    internal import PostgresStore
    package import TestSupport

    /// A database in which one fleet after the other begins with an empty ledger.
    ///
    /// Used by one task at a time.
    package final class FleetStage: @unchecked Sendable {
        package enum Failure: Error {
            /// The database's own words.
            case database(String)
        }

        private let address: String
        /// Of no node: it empties the database.
        private let connection: OpaquePointer
        private var folder: TemporaryFolder
        private var count = 0

        package init(in server: DatabaseServer) throws {
            address = try server.makeDatabase()
            guard let connection = PQconnectdb(address) else {
                throw Failure.database("no memory")
            }
            self.connection = connection
            PQsetNoticeProcessor(connection, { _, _ in }, nil)
            folder = try TemporaryFolder()
            try makeTables()
        }

        deinit { PQfinish(connection) }

        /// Once for all fleets, because a schema that is made for each one costs more than what is
        /// played on it: a ledger without entries is copied, and remembered.
        private func makeTables() throws {
            let path = "\(folder.path)/empty.sqlite"
            try LedgerFileLocation(path, makeSalts: EngineOptions.randomSalts).open().close()
            _ = try LedgerCopy.copy(fileAt: path, to: settings(of: "node0"))
            try execute(
                """
                CREATE SCHEMA empty;
                CREATE TABLE empty.head AS TABLE usher.head;
                CREATE TABLE empty.leader AS TABLE usher.leader
                """)
        }

        /// Takes away what the fleet before has left. It must be closed.
        package func clear() throws {
            folder = try TemporaryFolder()
            count = 0
            try execute(Self.clearing)
        }

        private func execute(_ sql: String) throws {
            let result = PQexec(connection, sql)
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else {
                let words = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
                throw Failure.database(words)
            }
        }

        /// A session that was closed may hold the lead for a moment. The triggers that keep what was
        /// recorded are off for this transaction.
        private static let clearing = """
            DO $$
            DECLARE place regclass;
            BEGIN
                WHILE EXISTS (
                    SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (
                        SELECT oid FROM pg_database WHERE datname = current_database()))
                LOOP PERFORM pg_sleep(0.001); END LOOP;
                SET LOCAL session_replication_role = replica;
                FOR place IN
                    SELECT oid FROM pg_class
                    WHERE relnamespace = 'usher'::regnamespace AND relkind = 'r'
                LOOP EXECUTE 'DELETE FROM ' || place; END LOOP;
                INSERT INTO usher.head TABLE empty.head;
                INSERT INTO usher.leader TABLE empty.leader;
            END $$
            """

        /// The next node: the first one that is opened leads.
        package func nextNode() -> any LedgerLocation {
            count += 1
            let name = "node\(count)"
            let file = LedgerFileLocation(
                "\(folder.path)/\(name).sqlite", makeSalts: EngineOptions.randomSalts)
            return FleetLocation(file, settings(of: name))
        }

        private func settings(of node: String) -> FleetSettings {
            var settings = FleetSettings(database: address, node: node)
            // The server that histories are played on does not keep anything.
            settings.durability = .memory
            return settings
        }
    }

    extension FleetStage {
        /// Two nodes that begin with an empty ledger; closes them afterwards.
        package func withPair<Value>(
            _ body: (FleetPair) async throws -> Value
        ) async throws -> Value {
            try clear()
            let first = try nextNode().open()
            defer { try? first.close() }
            let second = try nextNode().open()
            defer { try? second.close() }
            return try await body(FleetPair(first: first, second: second))
        }
    }

    extension Ledger {
        /// Returns once this node has all that the other one has.
        package func waitUntilItHas(_ head: LedgerSequence) async throws {
            let heads = AsyncStream<LedgerSequence> { continuation in
                follow { continuation.yield($0.sequence) }
                // What came before is not told.
                continuation.yield((try? read { try $0.head() })?.sequence ?? .zero)
            }
            for await found in heads where found >= head { return }
        }

        package var newest: LedgerHead {
            get throws { try read { try $0.head() } }
        }
    }
#endif
