#if PostgreSQL
    internal import EntitlementModel
    internal import Foundation
    internal import Synchronization
    internal import TestSupport
    internal import Testing

    @testable internal import LedgerModel
    @testable internal import LedgerStore
    @testable internal import PostgresStore

    extension TemporaryFolder {
        /// A node of the fleet in that database, with its file here.
        func openNode(
            _ name: String, in database: String,
            durability: FleetCondition.Durability = .disk, patience: Int64 = 5_000,
            callBeats: Int64 = 30, stepDownBackoff: Int64 = 600_000, electionDelay: Int64 = 3_000,
            hasSpace: (@Sendable (String) -> Bool)? = nil
        ) throws -> any FleetLedger {
            var settings = FleetSettings(database: database, node: name)
            settings.durability = durability
            settings.silence = 2_000
            settings.callTimeout = patience
            settings.callBeats = callBeats
            (settings.stepDownBackoff, settings.electionDelay) = (stepDownBackoff, electionDelay)
            let salts = CountingSalts()
            var file = LedgerFileLocation(path + "/" + name + ".sqlite", makeSalts: salts.next)
            if let hasSpace { file.custody.hasSpace = hasSpace }
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

        @Test("a deposed leader answers no write, not even one that adds nothing")
        func fencingOfAnswers() async throws {
            let node = try folder.openNode("node", in: database)
            try await node.append(block(1))
            #expect(try await node.write { try $0.head().sequence } == LedgerSequence(1))
            try server.execute(
                """
                UPDATE usher.head SET epoch = epoch + 1;
                UPDATE usher.leader SET epoch = epoch + 1
                """, in: database)
            await #expect(throws: LedgerError(FleetError.notLeader)) {
                try await node.write { try $0.head().sequence }
            }
            await node.waitForLead()
            #expect(try await node.write { try $0.head().sequence } == LedgerSequence(1))
            try node.close()
        }

        private func large(_ byte: UInt8) -> LedgerEntry {
            let bytes = Array(repeating: byte, count: 1 << 16)
            return Sample.evidence(bytes, digest: EntryHash.digest(of: bytes))
        }

        @Test("a leader whose disk is full leaves the lead, and follows once there is room again")
        func fullDisk() async throws {
            let hasRoom = Atomic(false)
            let first = try folder.openNode("first", in: database) { _ in
                hasRoom.load(ordering: .relaxed)
            }
            let second = try folder.openNode("second", in: database)
            try await first.append(large(1))
            let file = try #require(first as? DatabaseLedger).ledger
            try await file.limitPages(to: 1)
            await #expect(throws: LedgerError.store(.diskFull)) {
                try await first.append(large(2))
            }
            await second.waitForLead()
            #expect(first.isFull && !first.fleet.leads)
            #expect(try await second.append(large(3)) == [LedgerSequence(2)])
            // What has no room leads nothing, though nobody else does either.
            try second.close()
            #expect(try first.head.sequence == LedgerSequence(1))
            try await file.limitPages(to: 1_000_000)
            hasRoom.store(true, ordering: .relaxed)
            try await first.wait(for: LedgerSequence(2))
            await first.waitForLead()
            #expect(!first.isFull)
            #expect(try await first.append(large(4)) == [LedgerSequence(3)])
            #expect(try first.verify() == [])
            try first.close()
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

        @Test("a call is passed on to the node that leads, and its answer comes back")
        func passedCalls() async throws {
            // However busy the machine is.
            let first = try folder.openNode("first", in: database, patience: 60_000)
            let second = try folder.openNode("second", in: database, patience: 60_000)
            first.answerCalls { Array("first: ".utf8) + $0 }
            second.answerCalls { Array("second: ".utf8) + $0 }
            try await withThrowingTaskGroup(of: ([UInt8], [UInt8]).self) { group in
                for number in 1...200 {
                    let call = Array("call \(number)\n".utf8) + [0, 255]
                    group.addTask { (call, try await second.forwardToLeader(call)) }
                }
                for try await (call, answer) in group {
                    #expect(answer == Array("first: ".utf8) + call)
                }
            }
            let left = try server.execute("SELECT count(*) FROM usher.call", in: database)
            #expect(left == "0")
            try second.close()
            try first.close()
        }

        @Test("a fresh answer asks the database first")
        func freshness() async throws {
            let first = try folder.openNode("first", in: database)
            let second = try folder.openNode("second", in: database)
            for number in 1...20 {
                try await first.append(block(number))
                let newest = await withCheckedContinuation { continuation in
                    second.askNewest { continuation.resume(returning: $0) }
                }
                #expect(newest == LedgerSequence(Int64(number)))
            }
            try second.close()
            let afterwards = await withCheckedContinuation { continuation in
                second.askNewest { continuation.resume(returning: $0) }
            }
            #expect(afterwards == nil)
            try first.close()
        }

        @Test("a call that was taken and not answered may have been done")
        func unansweredCall() async throws {
            let first = try folder.openNode("first", in: database, patience: 1_000)
            let second = try folder.openNode("second", in: database, patience: 1_000)
            // It never answers.
            first.answerCalls { _ in
                try? await Task.sleep(for: .seconds(60))
                return []
            }
            await #expect(throws: LedgerError(FleetError.outcomeUnknown)) {
                try await second.forwardToLeader([1])
            }
            try second.close()
            try first.close()
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

        @Test("a database that is not ours, or promises too little, is refused with its code")
        func refusals() async throws {
            func code(
                _ database: String, _ name: String,
                durability: FleetCondition.Durability = .disk
            ) -> String? {
                do {
                    try folder.openNode(name, in: database, durability: durability).close()
                    return nil
                } catch {
                    return (error as? LedgerError)?.code ?? "\(error)"
                }
            }
            let node = try folder.openNode("first", in: database)
            for number in 1...3 { try await node.append(block(number)) }
            try node.close()
            #expect(code(database, "first", durability: .replicated) == "ledger.database-weak")
            let hasty = database + " options='-c synchronous_commit=off'"
            #expect(code(hasty, "first") == "ledger.database-weak")
            #expect(code(hasty, "first", durability: .memory) == nil)
            // Its file has entries; another database has none of them, or others.
            let empty = try server.makeDatabase()
            #expect(code(empty, "first") == "ledger.database-empty")
            let other = try server.makeDatabase()
            let stranger = try folder.openNode("stranger", in: other)
            for number in 4...9 { try await stranger.append(block(number)) }
            try stranger.close()
            #expect(code(other, "first") == "ledger.other-ledger")
            #expect(code(database, "stranger") == "ledger.database-behind")
            // What is in the database is not what this program has made, or not of its format.
            try server.execute("ALTER TABLE usher.leader ADD note text", in: database)
            #expect(code(database, "first") == "ledger.database-foreign")
            try server.execute("ALTER TABLE usher.leader DROP note", in: database)
            try server.execute("UPDATE usher.head SET format = format + 1", in: database)
            #expect(code(database, "first") == "ledger.database-format")
            try server.execute("UPDATE usher.head SET format = format - 1", in: database)
            #expect(code(database, "first") == nil)
            // What would let rows be changed or lost.
            for (change, undo) in [
                (
                    "ALTER TABLE usher.entry DISABLE TRIGGER ALL",
                    "ALTER TABLE usher.entry ENABLE TRIGGER ALL"
                ),
                (
                    "ALTER FUNCTION usher.refuse() RENAME TO refused; CREATE FUNCTION "
                        + "usher.refuse() RETURNS trigger LANGUAGE plpgsql AS "
                        + "$$ BEGIN RETURN NEW; END $$",
                    "DROP FUNCTION usher.refuse(); ALTER FUNCTION usher.refused() RENAME TO refuse"
                ),
                ("ALTER TABLE usher.call SET LOGGED", "ALTER TABLE usher.call SET UNLOGGED"),
                ("ALTER TABLE usher.note SET UNLOGGED", "ALTER TABLE usher.note SET LOGGED"),
                (
                    "UPDATE usher.head SET version = \(Int64.min)",
                    "UPDATE usher.head SET version = 3"
                ),
            ] {
                try server.execute(change, in: database)
                #expect(code(database, "first") == "ledger.database-foreign", "\(change)")
                try server.execute(undo, in: database)
                #expect(code(database, "first") == nil, "\(undo)")
            }
            try server.execute("CREATE ROLE stranger LOGIN", in: database)
            let foreign = database.replacing(/user=\S+/, with: "user=stranger")
            #expect(code(foreign, "first") == "ledger.database-refused")
            #expect(code("host=\(server.folder) dbname=nothing", "first") != nil)
            #expect(code("host=/nowhere dbname=usher", "new") == "ledger.database-unreachable")
        }

        @Test("of several hosts, one that is silent costs its part of the time only")
        func silentHost() throws {
            let silent = try SilentServer(in: folder.path + "/silent")
            defer { silent.close() }
            let there = database.replacing("host=", with: "host=\(silent.folder),")
            let begun = ContinuousClock.now
            let node = try folder.openNode("first", in: there, patience: 2_000)
            #expect(node.fleet.leads)
            // Two sessions at least, and a second of silence before each.
            #expect(ContinuousClock.now - begun >= .seconds(2))
            try node.close()
            let nobody = "host=\(silent.folder),/nowhere dbname=usher"
            #expect {
                try folder.openNode("second", in: nobody, patience: 1_000)
            } throws: { error in
                (error as? LedgerError)?.text(.english).contains(/no answer in \d+ ms;/) == true
            }
        }

        @Test("a newer version moves the format on: nothing is written, everything is answered")
        func formatMovesOn() async throws {
            let first = try folder.openNode("first", in: database)
            let second = try folder.openNode("second", in: database)
            for number in 1...3 { try await first.append(block(number)) }
            try await second.wait(for: LedgerSequence(3))
            let known = Int64(100 + SQLiteLedger.format)
            // As it would: it takes the lead, so that the old leader's commits are refused.
            try server.execute(
                """
                BEGIN; UPDATE usher.head SET epoch = epoch + 1, format = format + 100;
                CREATE TABLE usher.novelty (id bigint); COMMIT
                """, in: database)
            await #expect(throws: LedgerError.self) { try await first.append(block(4)) }
            let format = FleetError.otherFormat(found: known + 100, known: known)
            for node in [first, second] {
                try await yieldUntil("the node has noticed") { node.fleet.problem == format }
                #expect(!node.fleet.leads)
                #expect(try node.head.sequence == LedgerSequence(3))
                await #expect(throws: LedgerError(format)) { try await node.append(block(4)) }
            }
            let count = try server.execute("SELECT count(*) FROM usher.entry", in: database)
            #expect(count == "3")
            // The format is told, not the table that this version does not know.
            #expect(throws: LedgerError(format)) { try folder.openNode("third", in: database) }
            try second.close()
            try first.close()
        }
    }
#endif
