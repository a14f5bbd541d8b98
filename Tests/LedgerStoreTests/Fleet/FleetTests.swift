#if PostgreSQL
    internal import EntitlementModel
    internal import Foundation
    internal import LedgerModel
    internal import LedgerStore
    internal import PostgresStore
    internal import TestSupport
    internal import Testing

    extension TemporaryFolder {
        /// A node of the fleet in that database, with its file here.
        func openNode(
            _ name: String, in database: String,
            durability: FleetCondition.Durability = .disk
        ) throws -> any FleetLedger {
            var settings = FleetSettings(database: database, node: name)
            settings.durability = durability
            settings.silence = 2_000
            let salts = CountingSalts()
            let file = LedgerFileLocation(path + "/" + name + ".sqlite", makeSalts: salts.next)
            let ledger = try FleetLocation(file, settings).open()
            return try #require(ledger as? any FleetLedger)
        }
    }

    extension FleetLedger {
        func waitForLead(_ wanted: Bool = true) async {
            let leads = AsyncStream<Bool> { continuation in
                watchLead { continuation.yield($0) }
            }
            for await leads in leads where leads == wanted { return }
        }

        /// Returns once this node has the entry.
        func wait(for sequence: LedgerSequence) async throws {
            let heads = AsyncStream<LedgerSequence> { continuation in
                follow { continuation.yield($0.sequence) }
                // What came before is not told.
                continuation.yield((try? read { try $0.head() })?.sequence ?? .zero)
            }
            for await head in heads where head >= sequence { return }
        }

        var head: LedgerHead {
            get throws { try read { try $0.head() } }
        }
    }

    /// A block of the account, which can be told from any other.
    private func block(_ number: Int) -> LedgerEntry { Sample.block("anna", id: "fleet-\(number)") }

    @Suite("A fleet", .timeLimit(.minutes(5)))
    struct FleetTests {
        private let server: DatabaseServer
        private let database: String
        private let folder: TemporaryFolder

        init() throws {
            server = try DatabaseServer.shared.get()
            database = try server.makeDatabase()
            folder = try TemporaryFolder()
        }

        @Test("one node writes, the others have what it wrote, byte for byte")
        func following() async throws {
            let first = try folder.openNode("first", in: database)
            let second = try folder.openNode("second", in: database)
            #expect(first.fleet.leads && !second.fleet.leads)
            #expect(second.fleet.leader == "first")
            for number in 1...20 { try await first.append(block(number)) }
            try await second.wait(for: LedgerSequence(20))
            #expect(try second.head == first.head)
            await #expect(throws: LedgerError(FleetError.notLeader)) {
                try await second.append(block(21))
            }
            #expect(try first.verify() == [] && second.verify() == [])
            try second.close()
            try first.close()
        }

        @Test("a node that comes later gets everything, in parts")
        func latecomer() async throws {
            let first = try folder.openNode("first", in: database)
            try await first.write { transaction in
                for number in 1...5_000 {
                    _ = try transaction.append(block(number), at: Sample.start)
                }
            }
            let late = try folder.openNode("late", in: database)
            #expect(try late.head == first.head)
            #expect(try late.verify() == [])
            try late.close()
            try first.close()
        }

        @Test("where the leader leaves, another one goes on with the same chain")
        func leaderLeaves() async throws {
            let first = try folder.openNode("first", in: database)
            let second = try folder.openNode("second", in: database)
            try await first.append(block(1))
            try first.close()
            await second.waitForLead()
            #expect(second.fleet.epoch == 2)
            try await second.append(block(2))
            let again = try folder.openNode("first", in: database)
            #expect(!again.fleet.leads)
            #expect(try again.head == second.head)
            #expect(try again.head.sequence == LedgerSequence(2))
            #expect(try again.verify() == [])
            try again.close()
            try second.close()
        }

        @Test("a deposed leader's commit changes nothing")
        func fencing() async throws {
            let node = try folder.openNode("node", in: database)
            try await node.append(block(1))
            try server.execute("UPDATE usher.head SET epoch = epoch + 1", in: database)
            await #expect(throws: LedgerError(FleetError.notLeader)) {
                try await node.append(block(2))
            }
            let count = try server.execute("SELECT count(*) FROM usher.entry", in: database)
            #expect(count == "1")
            // Nobody else leads, so it does again, and what was refused can be repeated.
            await node.waitForLead()
            #expect(try await node.append(block(2)) == [LedgerSequence(2)])
            #expect(try node.verify() == [])
            try node.close()
        }

        @Test("a session that is ended loses nothing that was acknowledged")
        func endedSessions() async throws {
            let node = try folder.openNode("node", in: database)
            var acknowledged: [LedgerSequence] = []
            for number in 1...8 {
                if number.isMultiple(of: 2) {
                    try server.execute(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                        """, in: database)
                }
                while true {
                    do {
                        acknowledged += try await node.append(block(number))
                        break
                    } catch let error as LedgerError {
                        try #require(error.isTransient, "\(error.text(.english))")
                        await node.waitForLead()
                    }
                }
            }
            #expect(acknowledged == (1...8).map { LedgerSequence($0) })
            #expect(try node.verify() == [])
            try node.close()
        }

        @Test("what the feed has told follows too")
        func feed() async throws {
            let first = try folder.openNode("first", in: database)
            let second = try folder.openNode("second", in: database)
            try await first.append(block(1))
            let account = try #require(AccountID("anna"))
            let change = FeedChange(
                kind: .rightGained, at: Sample.start, revision: LedgerSequence(1), account: account,
                environment: .production, subject: "premium")
            let place = FeedPlace(
                place: LedgerSequence(1), reached: Sample.start, scan: nil)
            try await first.write { transaction in
                _ = try transaction.tell(change)
                try transaction.setOutlook(FeedOutlook(), of: .account(account))
                try transaction.setFeedPlace(place)
            }
            try await first.append(block(2))
            try await second.wait(for: LedgerSequence(2))
            try second.close()
            let again = try folder.openNode("second", in: database)
            for ledger in [first, again] {
                try ledger.read { reader in
                    let run = try reader.changes(after: 0, matching: ChangeFilter(), limit: 9)
                    #expect(run.changes.map(\.change) == [change])
                    #expect(try reader.feedPlace() == place)
                    #expect(try reader.outlook(of: .account(account)) != nil)
                }
            }
            try again.close()
            try first.close()
        }
    }
#endif
