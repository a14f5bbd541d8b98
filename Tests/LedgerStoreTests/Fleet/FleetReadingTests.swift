#if PostgreSQL
    internal import EntitlementModel
    internal import Foundation
    internal import LedgerModel
    internal import LedgerStore
    internal import PostgresStore
    internal import TestSupport
    internal import Testing

    /// What reading commands get of a database (docs/FLEET.md).
    @Suite("A database that is read", .timeLimit(.minutes(5)))
    struct FleetReadingTests {
        private let server: DatabaseServer
        private let database: String
        private let folder: TemporaryFolder

        init() throws {
            server = try DatabaseServer.shared.get()
            database = try server.makeDatabase()
            folder = try TemporaryFolder()
        }

        private func fill(_ name: String) throws -> LedgerCopy.Outcome {
            let file = LedgerFileLocation(
                folder.path + "/" + name, makeSalts: CountingSalts().next)
            return try LedgerCopy.fill(
                file, from: FleetSettings(database: database, node: "copy"))
        }

        private func write(_ count: Int) async throws -> any FleetLedger {
            let node = try folder.openNode("node", in: database)
            try await node.write { transaction in
                for number in 1...count {
                    _ = try transaction.append(
                        Sample.block("anna", id: "read-\(number)"), at: Sample.start)
                }
            }
            return node
        }

        @Test("beside a node that leads, which goes on")
        func besideNodes() async throws {
            let node = try await write(5_000)
            let filled = try fill("copy")
            #expect(try filled.head == node.head && filled.problems == [])
            let reader = try SQLiteLedger.openToVerify(path: folder.path + "/copy")
            #expect(try reader.verify() == [])
            try reader.close()
            #expect(node.fleet.leads && node.fleet.epoch == 1)
            try await node.append(Sample.block("anna", id: "later"))
            try node.close()
        }

        @Test("says what was changed in it")
        func damage() async throws {
            try await write(20).close()
            func problems(
                after change: String, undoneBy undo: String, _ name: String
            ) throws -> [LedgerProblem] {
                // As somebody does it who owns the database.
                let guarded = "ALTER TABLE usher.entry DISABLE TRIGGER entry_is_kept"
                let guardedAgain = "ALTER TABLE usher.entry ENABLE TRIGGER entry_is_kept"
                try server.execute("\(guarded); \(change); \(guardedAgain)", in: database)
                defer {
                    _ = try? server.execute(
                        "\(guarded); \(undo); \(guardedAgain)", in: database)
                }
                return try fill(name).problems
            }
            func swapped(_ column: String) -> String {
                "UPDATE usher.entry SET \(column) = set_byte(\(column), 0, "
                    + "255 - get_byte(\(column), 0)) WHERE seq = 7"
            }
            for column in ["payload", "salt", "payload_digest"] {
                let change = swapped(column)
                #expect(
                    try problems(after: change, undoneBy: change, column)
                        == [.payloadChanged(LedgerSequence(7))])
            }
            #expect(
                try problems(after: swapped("hash"), undoneBy: swapped("hash"), "hash")
                    == [.chainBroken(LedgerSequence(7))])
            // Nor is a part of it a ledger.
            try server.execute(
                "ALTER TABLE usher.entry DISABLE TRIGGER entry_is_kept; \(swapped("payload"));"
                    + "ALTER TABLE usher.entry ENABLE TRIGGER entry_is_kept", in: database)
            let file = LedgerFileLocation(
                folder.path + "/moved", makeSalts: CountingSalts().next)
            let copied = try LedgerCopy.copy(
                FleetSettings(database: database, node: "copy"), to: file)
            #expect(copied.problems == [.payloadChanged(LedgerSequence(7))])
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try server.execute(
                "ALTER TABLE usher.entry DISABLE TRIGGER entry_is_kept; \(swapped("payload"));"
                    + "ALTER TABLE usher.entry ENABLE TRIGGER entry_is_kept", in: database)
            let earlier = "UPDATE usher.entry SET recorded_at = recorded_at - 1 WHERE seq = 7"
            let later = "UPDATE usher.entry SET recorded_at = recorded_at + 1 WHERE seq = 7"
            #expect(
                try problems(after: earlier, undoneBy: later, "time")
                    == [.recordedEarlier(LedgerSequence(7))])
            let cut = "UPDATE usher.head SET seq = seq - 1"
            #expect(
                try problems(after: cut, undoneBy: "UPDATE usher.head SET seq = seq + 1", "head")
                    == [.file("usher.head")])
            #expect(try fill("sound").problems == [])
            #expect(
                try problems(after: "DELETE FROM usher.entry WHERE seq = 7", undoneBy: "", "gap")
                    == [.missing(LedgerSequence(7))])
        }

        @Test("keeps no ledger")
        func vacancy() throws {
            let error = #expect(throws: LedgerError.self) { try fill("copy") }
            #expect(error?.code == "ledger.database-vacant")
            let schemas = try server.execute(
                "SELECT count(*) FROM pg_namespace WHERE nspname = 'usher'", in: database)
            #expect(schemas == "0", "nothing was made by reading")
        }

        @Test("that promises less than before has no leader until it promises as much again")
        func brokenPromise() async throws {
            let server = try DatabaseServer()
            defer { server.remove() }
            let node = try folder.openNode("node", in: server.makeDatabase())
            let system = server.connection(to: "postgres")
            func set(_ value: String) throws {
                try server.execute("ALTER SYSTEM SET synchronous_commit = '\(value)'", in: system)
                try server.execute("SELECT pg_reload_conf()", in: system)
            }
            try set("off")
            await node.waitForLead(false)
            var codes: [String] = []
            while codes.last != "ledger.database-weak" {
                let refusal = await #expect(throws: LedgerError.self) {
                    try await node.append(Sample.block("anna", id: "weak"))
                }
                codes.append(try #require(refusal).code)
            }
            try set("on")
            await node.waitForLead()
            try await node.append(Sample.block("anna", id: "strong"))
            try node.close()
        }

        @Test("that stops waiting for a standby has acknowledged nothing")
        func cancelledWait() async throws {
            let server = try DatabaseServer()
            defer { server.remove() }
            let database = try server.makeDatabase()
            // So long it leads while nothing says that it is alive.
            let node = try folder.openNode("node", in: database, patience: 10_000)
            let system = server.connection(to: "postgres")
            func set(_ standbys: String) throws {
                try server.execute(
                    "ALTER SYSTEM SET synchronous_standby_names = '\(standbys)'", in: system)
                try server.execute("SELECT pg_reload_conf()", in: system)
            }
            let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            let commit = "\(waiting) AND query LIKE 'WITH moved%'"
            @Sendable func areAny(_ sessions: String) throws -> Bool {
                try server.execute("SELECT count(*) \(sessions)", in: system) != "0"
            }
            // Partitions are made with the first one.
            try await node.append(Sample.block("anna", id: "before"))
            var (before, isWaiting) = (LedgerSequence.zero, false)
            var written: Task<[LedgerSequence], any Error>?
            while !isWaiting {
                before = try node.head.sequence
                try set("nobody")
                // What says that the leader is alive is the first that waits.
                try await yieldUntil("the server waits for a standby", within: .seconds(60)) {
                    try areAny(waiting)
                }
                written = Task { [before] in
                    try await node.append(Sample.block("anna", id: "behind-\(before)"))
                }
                while !isWaiting, node.fleet.leads { isWaiting = try areAny(commit) }
                if isWaiting { break }
                // On a busy machine it has left the lead meanwhile.
                try set("")
                _ = try? await written?.value
                await node.waitForLead()
            }
            // The entry is in the database from now on, and nowhere else.
            try server.execute("SELECT pg_cancel_backend(pid) \(commit)", in: system)
            let promised = try #require(written)
            let error = await #expect(throws: LedgerError.self) { try await promised.value }
            #expect(error?.isTransient == true, "\(String(describing: error))")
            try set("")
            await node.waitForLead()
            try await node.append(Sample.block("anna", id: "two"))
            #expect(try node.head.sequence == LedgerSequence(before.number + 2))
            try node.close()
        }

        @Test("says to every node what it promises")
        func promises() async throws {
            let first = try folder.openNode("first", in: database)
            let second = try folder.openNode("second", in: database)
            for node in [first, second] {
                let promise = try #require(node.fleet.promise)
                #expect(promise.durability == .disk && promise.standbys == "")
                #expect(promise.synchronousCommit == "on")
            }
            let lazy = database + " options='-c synchronous_commit=local'"
            let third = try folder.openNode("third", in: lazy)
            #expect(third.fleet.promise?.synchronousCommit == "local")
            for node in [third, second, first] { try node.close() }
        }
    }
#endif
