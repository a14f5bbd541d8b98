#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel
    internal import LedgerStore
    internal import TestSupport
    internal import Testing

    @testable internal import PostgresStore

    /// What a node makes of a database that is lost, or that nobody should ask any more
    /// (docs/FLEET.md).
    @Suite("A fleet's sessions", .timeLimit(.minutes(5)))
    struct FleetSessionTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func block(_ number: Int) -> LedgerEntry {
            Sample.block("anna", id: "session-\(number)")
        }

        /// What a commit waits for, from now on.
        private func set(_ standbys: String, on server: DatabaseServer) throws {
            let system = server.connection(to: "postgres")
            try server.execute(
                "ALTER SYSTEM SET synchronous_standby_names = '\(standbys)'", in: system)
            try server.execute("SELECT pg_reload_conf()", in: system)
        }

        private func newest(_ node: any FleetLedger) async -> LedgerSequence? {
            await withCheckedContinuation { continuation in
                node.askNewest { continuation.resume(returning: $0) }
            }
        }

        /// What is told of a node may have its ledger, as an engine has.
        @Test("a ledger that was closed is let go of, with all that it had open")
        func letGo() async throws {
            let database = try DatabaseServer.quick.get().makeDatabase()
            weak var file: SQLiteLedger?
            do {
                let node = try folder.openNode("node", in: database, durability: .memory)
                file = (node as? DatabaseLedger)?.ledger
                #expect(file != nil)
                node.watchLead { _ in _ = node.fleet }
                node.watchChanges { _ in _ = node.fleet }
                node.answerCalls { call in node.fleet.leads ? call : [] }
                try await node.append(block(1))
                try node.close()
            }
            try waitUntil("nobody has the ledger") { file == nil }
        }

        @Test("an old primary that was left running says nothing fresh where it replicates")
        func oldPrimary() async throws {
            let primary = try DatabaseServer()
            defer { primary.remove() }
            let database = try primary.makeDatabase()
            let standby = try DatabaseServer(standbyOf: primary)
            defer { standby.remove() }
            try set("ANY 1 (*)", on: primary)
            let node = try folder.openNode(
                "node", in: database, durability: .replicated, patience: 2_000)
            try await node.append(block(1))
            #expect(await newest(node) == LedgerSequence(1))
            try standby.catchUp(with: primary)
            try standby.execute("SELECT pg_promote()", in: standby.connection(to: "postgres"))
            let other = try folder.openNode(
                "other", in: database.replacing(primary.folder, with: standby.folder))
            await other.waitForLead()
            #expect(try await other.append(block(2)) == [LedgerSequence(2)])
            #expect(await newest(other) == LedgerSequence(2))
            // What it asks is a primary, and has all that it ever had.
            #expect(await newest(node) == nil)
            // Nor does it help to let it wait for nobody.
            try set("", on: primary)
            for _ in 1...3 { #expect(await newest(node) == nil) }
            try other.close()
            try node.close()
        }

        @Test("a leader whose database is gone leads no more, though nothing is written")
        func lostDatabase() async throws {
            let server = try DatabaseServer()
            defer { server.remove() }
            let node = try folder.openNode("node", in: server.makeDatabase())
            #expect(node.fleet.leads)
            try server.stop()
            try await yieldUntil("it says so", within: .seconds(60)) {
                node.fleet.isUnreachable && !node.fleet.leads && node.fleet.leader == nil
            }
            try server.start()
            await node.waitForLead()
            #expect(try await node.append(block(1)) == [LedgerSequence(1)])
            try node.close()
        }

        @Test("while no standby is left nobody leads, and no session is left behind")
        func noStandby() async throws {
            let server = try DatabaseServer()
            defer { server.remove() }
            let database = try server.makeDatabase()
            let nodes = try ["first", "second"].map {
                try folder.openNode($0, in: database, patience: 500)
            }
            try set("nobody", on: server)
            try await yieldUntil("nobody leads", within: .seconds(60)) {
                nodes.allSatisfy { !$0.fleet.leads }
            }
            // Each would leave one behind with each try.
            try await Task.sleep(for: .seconds(8))
            let sessions = try server.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'usher'",
                in: server.connection(to: "postgres"))
            // Two of each node, and one that tries to lead or is about to end.
            #expect(try #require(Int(sessions)) <= 8, "\(sessions)")
            try set("", on: server)
            try await yieldUntil("one leads", within: .seconds(60)) {
                nodes.contains { $0.fleet.leads }
            }
            for node in nodes { try node.close() }
        }

        @Test("a leader that resigns is followed by another node, which then comes first")
        func resignation() async throws {
            let server = try DatabaseServer.quick.get()
            let database = try server.makeDatabase()
            let first = try folder.openNode("first", in: database, durability: .memory)
            let second = try folder.openNode("second", in: database, durability: .memory)
            #expect(first.fleet.leads)
            // One that does not lead has nothing to resign.
            second.resign()
            #expect(second.fleet.resignations == 0)
            first.resign()
            await second.waitForLead()
            try await yieldUntil("it follows") { first.fleet.leader == "second" }
            #expect(first.fleet.resignations == 1)
            #expect(try await second.append(block(1)) == [LedgerSequence(1)])
            // The session in which it leads, and no other, so that it goes on saying that it lives.
            try server.execute(
                "SELECT pg_terminate_backend(process::int) FROM usher.leader", in: database)
            try await yieldUntil("it leads again") { second.fleet.leads && second.fleet.epoch == 3 }
            try second.close()
            await first.waitForLead()
            #expect(try await first.append(block(2)) == [LedgerSequence(2)])
            try first.close()
        }

        @Test("a leader that resigns leads again where nobody else does, and seldom resigns")
        func resignationAlone() async throws {
            let database = try DatabaseServer.quick.get().makeDatabase()
            let node = try folder.openNode(
                "node", in: database, durability: .memory, electionDelay: 500)
            for _ in 1...2 {
                node.resign()
                try await yieldUntil("it leads again") { node.fleet.epoch == 2 }
                #expect(node.fleet.leads && node.fleet.resignations == 1)
            }
            #expect(try await node.append(block(1)) == [LedgerSequence(1)])
            try node.close()
            let other = try folder.openNode(
                "other", in: database, durability: .memory, stepDownBackoff: 0)
            for epoch in 4...5 as ClosedRange<Int64> {
                other.resign()
                try await yieldUntil("it leads again") { other.fleet.epoch == epoch }
                #expect(other.fleet.resignations == epoch - 3)
            }
            try other.close()
        }

        @Test("a leader forgets what it is notified of, and hears when its session ends")
        func notifications() throws {
            let server = try DatabaseServer.shared.get()
            let database = try server.makeDatabase()
            let settings = FleetSettings(database: database, node: "node")
            let connection = try DatabaseConnection.open(settings)
            try connection.execute("LISTEN usher")
            try server.execute("NOTIFY usher", in: database)
            try connection.awaitEnd(milliseconds: 200, waking: Waker())
            #expect(try connection.awaitNotification(milliseconds: 0).isEmpty)
            #expect(!connection.hasEnded)
            let begun = ContinuousClock.now
            try DatabaseConnection.open(settings).end(process: connection.processID)
            #expect(throws: FleetError.self) {
                try connection.awaitEnd(milliseconds: 60_000, waking: Waker())
            }
            #expect(connection.hasEnded && ContinuousClock.now - begun < .seconds(60))
        }

        @Test("a leader that begins asks who waits, and one that ends in order tells the others")
        func changeOfLead() async throws {
            let database = try DatabaseServer.shared.get().makeDatabase()
            let settings = FleetSettings(database: database, node: "other")
            let connection = try DatabaseConnection.open(settings)
            try connection.execute("LISTEN usher_waiting")
            let node = try folder.openNode("node", in: database)
            await node.waitForLead()
            let asked = try connection.awaitNotification(milliseconds: 60_000)
            #expect(asked == ["usher_waiting"])
            try await node.append(block(1))
            try connection.execute("LISTEN usher")
            #expect(try connection.leader().isThere)
            try node.close()
            #expect(try connection.awaitNotification(milliseconds: 60_000) == ["usher"])
            #expect(try !connection.leader().isThere)
        }

        @Test("each host of an address is asked once")
        func hosts() throws {
            let silent = try SilentServer(in: folder.path + "/silent")
            defer { silent.close() }
            let database = try DatabaseServer.shared.get().makeDatabase()
            let both = database.replacing("host=", with: "host=\(silent.folder),")
            var settings = FleetSettings(database: both, node: "node")
            settings.callTimeout = 2_000
            _ = try DatabaseConnection.open(settings)
            #expect(silent.countConnections() == 1)
            settings.database = "host=\(silent.folder) dbname=usher"
            #expect(throws: FleetError.self) { try DatabaseConnection.open(settings) }
            #expect(silent.countConnections() == 1)
        }

        @Test("a session in the place of another one ends that one, and no other")
        func givenUp() async throws {
            let database = try DatabaseServer.shared.get().makeDatabase()
            let settings = FleetSettings(database: database, node: "node")
            let first = try DatabaseConnection.open(settings)
            let session = try first.session()
            // The same number on another server, or later.
            let other = DatabaseSession(process: session.process, begun: session.begun - 1)
            let second = try DatabaseConnection.open(settings, insteadOf: other)
            #expect(try first.session() == session && second.session != session)
            _ = try DatabaseConnection.open(settings, insteadOf: session)
            try await yieldUntil("it has ended") { first.hasEnded }
            #expect(try second.connection.session() == second.session)
        }
    }
#endif
