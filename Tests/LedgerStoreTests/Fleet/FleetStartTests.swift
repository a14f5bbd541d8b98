#if PostgreSQL
    internal import EntitlementModel
    internal import Foundation
    internal import LedgerModel
    internal import LedgerStore
    internal import PostgresStore
    internal import TestSupport
    internal import Testing

    /// What a node starts with, and what it leaves behind where it does not (docs/FLEET.md).
    @Suite("A node that starts", .timeLimit(.minutes(5)))
    struct FleetStartTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func block(_ number: Int) -> LedgerEntry {
            Sample.block("anna", id: "start-\(number)")
        }

        /// A node that has had everything, and was stopped.
        private func leaveNode(in database: String) async throws -> Digest256 {
            let node = try folder.openNode("node", in: database)
            for number in 1...3 { try await node.append(block(number)) }
            let first = try #require(try node.read { try $0.firstHash() })
            try node.close()
            return first
        }

        private func code(_ body: () throws -> Void) -> String? {
            do {
                try body()
                return nil
            } catch {
                return (error as? LedgerError)?.code
            }
        }

        @Test("without its database goes by what it has, says since when, and goes on by itself")
        func withoutDatabase() async throws {
            let server = try DatabaseServer()
            defer { server.remove() }
            let database = try server.makeDatabase()
            _ = try await leaveNode(in: database)
            let stopped = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
            try server.stop()
            let node = try folder.openNode("node", in: database)
            #expect(try node.head.sequence == LedgerSequence(3))
            #expect(node.fleet.isUnreachable && node.fleet.knownLeader == nil)
            let answered = try #require(try node.condition().fleet?.answeredAt)
            #expect(answered <= stopped)
            await #expect(throws: LedgerError.self) { try await node.append(block(4)) }
            try server.start()
            await node.waitForLead()
            try await node.append(block(4))
            try waitUntil("the database answers again") {
                try node.condition().fleet?.answeredAt == nil
            }
            try node.close()
        }

        @Test("without its database does not where its file was never whole, or is another ledger")
        func notWhole() async throws {
            let server = try DatabaseServer()
            defer { server.remove() }
            let database = try server.makeDatabase()
            let first = try await leaveNode(in: database)
            try server.stop()
            var settings = FleetSettings(database: database, node: "node")
            let file = LedgerFileLocation(
                folder.path + "/node.sqlite", makeSalts: CountingSalts().next)
            settings.ledger = String(repeating: "0", count: 16)
            #expect(
                code { try FleetLocation(file, settings).open().close() } == "ledger.other-ledger")
            settings.ledger = first.hexadecimal
            #expect(code { try FleetLocation(file, settings).open().close() } == nil)
            try FileManager.default.removeItem(atPath: file.path + ".fleet-notes")
            #expect(
                code { try FleetLocation(file, settings).open().close() }
                    == "ledger.database-unreachable")
        }

        @Test("on a database that was emptied does not, and leaves nothing there")
        func emptied() async throws {
            let server = try DatabaseServer.shared.get()
            let database = try server.makeDatabase()
            let first = try await leaveNode(in: database)
            try server.execute("DROP SCHEMA usher CASCADE", in: database)
            func schemas() throws -> String {
                try server.execute(
                    "SELECT count(*) FROM pg_namespace WHERE nspname = 'usher'", in: database)
            }
            #expect(
                code { try folder.openNode("node", in: database).close() }
                    == "ledger.database-empty")
            #expect(try schemas() == "0")
            // A node without a file makes none either where the settings name a ledger.
            var settings = FleetSettings(database: database, node: "new")
            settings.ledger = first.hexadecimal
            let file = LedgerFileLocation(
                folder.path + "/new.sqlite", makeSalts: CountingSalts().next)
            #expect(
                code { try FleetLocation(file, settings).open().close() }
                    == "ledger.database-vacant")
            #expect(try schemas() == "0")
        }

        @Test("with a password file of others names that file", arguments: [0o640, 0o604])
        func exposedPassword(mode: Int) throws {
            let server = try DatabaseServer()
            defer { server.remove() }
            let database = try server.makeDatabase()
            try server.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'", in: database)
            try server.execute(
                """
                DO $$ BEGIN
                    EXECUTE 'GRANT CREATE ON DATABASE ' || current_database() || ' TO guarded';
                END $$
                """, in: database)
            let passwords = folder.path + "/passwords"
            try "*:*:*:guarded:right\n".write(toFile: passwords, atomically: true, encoding: .utf8)
            func set(_ mode: Int) throws {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode], ofItemAtPath: passwords)
            }
            let guarded =
                database.replacing(/user=\S+/, with: "user=guarded") + " passfile=\(passwords)"
            try set(mode)
            do {
                try folder.openNode("node", in: guarded).close()
                Issue.record("it starts")
            } catch let error as LedgerError {
                #expect(error.code == "ledger.database-refused")
                #expect(error.text(.english).contains("'\(passwords)', which others can read"))
            }
            try set(0o600)
            try folder.openNode("node", in: guarded).close()
        }
    }
#endif
