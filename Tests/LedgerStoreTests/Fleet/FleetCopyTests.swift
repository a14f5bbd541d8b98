#if PostgreSQL
    internal import EntitlementModel
    internal import Foundation
    internal import TestSupport
    internal import Testing

    @testable internal import LedgerModel
    @testable internal import LedgerStore
    @testable internal import PostgresStore

    private func block(_ number: Int) -> LedgerEntry { Sample.block("anna", id: "copy-\(number)") }

    /// What goes from one ledger to another, and what one that took another's place may lack
    /// (docs/FLEET.md).
    @Suite("A fleet's ledger in another place", .timeLimit(.minutes(5)))
    struct FleetCopyTests {
        private let server: DatabaseServer
        private let database: String
        private let folder: TemporaryFolder

        init() throws {
            server = try DatabaseServer.shared.get()
            database = try server.makeDatabase()
            folder = try TemporaryFolder()
        }

        @Test("a ledger moves into a database and back, with its last hash")
        func copying() async throws {
            let ledger = try folder.openLedger("old.sqlite")
            for number in 1...20 { try await ledger.append(block(number)) }
            // Three pieces of evidence with one header, and one without.
            let header = [UInt8](repeating: UInt8(ascii: "A"), count: 2_000)
            for ending in [".one.x", ".two.x", ".three.x", ""] {
                let bytes = ending.isEmpty ? [1, 2, 3] : header + Array(ending.utf8)
                try await ledger.append(
                    Sample.evidence(bytes, digest: EntryHash.digest(of: bytes)))
            }
            let head = try ledger.head()
            try ledger.close()
            let settings = FleetSettings(database: database, node: "copy")
            let path = folder.path + "/old.sqlite"
            let there = try LedgerCopy.copy(fileAt: path, to: settings)
            #expect(there.head == head && there.problems.isEmpty)
            // Once more changes nothing.
            #expect(try LedgerCopy.copy(fileAt: path, to: settings).head == head)
            let salts = CountingSalts()
            let file = LedgerFileLocation(folder.path + "/new.sqlite", makeSalts: salts.next)
            // What an interrupted copy has left behind is no ledger, and not gone on with.
            let half = try FetchedFile(for: file).location
            _ = try LedgerCopy.fill(half, from: settings)
            func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    .filter { $0.hasPrefix("new.sqlite") }
            }
            #expect(try names().allSatisfy { $0.contains(".incomplete") })
            let back = try LedgerCopy.copy(settings, to: file)
            #expect(back.head == head && back.problems.isEmpty)
            #expect(try !names().contains { $0.contains(".incomplete") })
            #expect(throws: LedgerError.self) { try LedgerCopy.copy(settings, to: file) }
            // The old file is a node's file from now on.
            let node = try folder.openNode("old", in: database)
            #expect(try node.head == head)
            try await node.append(block(21))
            let end = try node.head.sequence
            try node.close()
            let ahead = FleetError.ahead(end: end, file: head.sequence)
            #expect(throws: LedgerError(ahead)) {
                try LedgerCopy.copy(fileAt: folder.path + "/new.sqlite", to: settings)
            }
            let foreign = try folder.openLedger("foreign.sqlite")
            for number in 31...35 { try await foreign.append(block(number)) }
            try foreign.close()
            let other = FleetError.otherLedger(LedgerSequence(5))
            #expect(throws: LedgerError(other)) {
                try LedgerCopy.copy(fileAt: folder.path + "/foreign.sqlite", to: settings)
            }
        }

        @Test("a database that lacks what the feed has told is not gone on with")
        func lostChanges() async throws {
            let node = try folder.openNode("node", in: database)
            try await node.append(block(1))
            let account = try #require(AccountID("anna"))
            func tell(_ subject: String) async throws {
                try await node.write { transaction in
                    _ = try transaction.tell(
                        FeedChange(
                            kind: .rightGained, at: Sample.start, revision: LedgerSequence(1),
                            account: account, environment: .production, subject: subject))
                }
            }
            try await tell("premium")
            try await tell("audio")
            try node.close()
            // As a standby that takes the place of a primary may lack the last commit.
            let lost = """
                ALTER TABLE usher.change DISABLE TRIGGER change_is_kept;
                DELETE FROM usher.change WHERE number = 2;
                ALTER TABLE usher.change ENABLE TRIGGER change_is_kept;
                UPDATE usher.head SET change = 1, version = version - 1
                """
            try server.execute(lost, in: database)
            let error = LedgerError(FleetError.otherChanges(2))
            #expect(throws: error) { try folder.openNode("node", in: database) }
            let other = try folder.openNode("other", in: database)
            try await other.write { transaction in
                _ = try transaction.tell(
                    FeedChange(
                        kind: .rightLost, at: Sample.start, revision: LedgerSequence(1),
                        account: account, environment: .production, subject: "audio"))
            }
            try other.close()
            // That number stands for something else now.
            #expect(throws: error) { try folder.openNode("node", in: database) }
            let again = try folder.openNode("again", in: database)
            let run = try again.read { reader in
                try reader.changes(after: 1, matching: ChangeFilter(), limit: 9)
            }
            #expect(run.changes.map(\.change.kind) == [.rightLost])
            try again.close()
        }
    }
#endif
