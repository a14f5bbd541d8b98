#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel
    internal import LedgerStore
    internal import PostgresStore
    internal import TestSupport
    internal import Testing

    extension FleetLedger {
        fileprivate func deliveries(
            before: (any JournalStore)? = nil
        ) -> any ReconciliationStore {
            journal(.deliveries, before: before)
        }
    }

    private func lines(_ numbers: ClosedRange<Int>) -> [[UInt8]] {
        numbers.map { Array("line \($0)".utf8) }
    }

    private let notLeader = LedgerError(FleetError.notLeader)

    @Suite("What a fleet keeps beside its ledger", .timeLimit(.minutes(5)))
    struct SharedJournalTests {
        private let server: DatabaseServer
        private let database: String
        private let folder: TemporaryFolder

        init() throws {
            server = try DatabaseServer.shared.get()
            database = try server.makeDatabase()
            folder = try TemporaryFolder()
        }

        @Test("the node that leads writes it, the others read it, and each journal is its own")
        func sharing() throws {
            let first = try folder.openNode("first", in: database)
            let second = try folder.openNode("second", in: database)
            let (writer, reader) = (first.deliveries(), second.deliveries())
            #expect(try writer.lines().isEmpty && reader.lines().isEmpty)
            #expect(writer.takesLines && !reader.takesLines)
            try writer.append(lines(1...2))
            #expect(try reader.newLines() == lines(1...2))
            try writer.append(lines(3...3))
            #expect(try reader.newLines() == lines(3...3))
            #expect(try reader.newLines() == [])
            #expect(throws: notLeader) { try reader.append(lines(4...4)) }
            #expect(throws: notLeader) { try reader.replace(with: []) }
            try writer.replace(with: lines(7...8))
            #expect(try reader.newLines() == nil)
            #expect(try reader.lines() == lines(7...8))
            try writer.append(lines(9...9))
            #expect(try reader.newLines() == lines(9...9))
            let other = first.journal(.reconciliation, before: nil)
            #expect(try other.lines() == [])
            try other.append(lines(1...1))
            try other.clear()
            #expect(try other.lines() == [] && writer.lines() == lines(7...9))
            try second.close()
            try first.close()
        }

        @Test("a node that was deposed changes nothing, also once it leads again")
        func fencing() async throws {
            let first = try folder.openNode("first", in: database)
            let old = first.deliveries()
            _ = try old.lines()
            try old.append(lines(1...1))
            // Its session ends, it does not know it, and another one leads.
            let second = try folder.openNode("second", in: database)
            try server.execute(
                "SELECT pg_terminate_backend(process::int) FROM usher.leader", in: database)
            await second.waitForLead()
            #expect(throws: notLeader) { try old.append(lines(9...9)) }
            let new = second.deliveries()
            #expect(try new.lines() == lines(1...1))
            try new.append(lines(2...2))
            #expect(throws: notLeader) { try old.append(lines(9...9)) }
            // It notices by itself.
            await first.waitForLead(false)
            try second.close()
            await first.waitForLead()
            #expect(throws: notLeader) { try old.append(lines(9...9)) }
            #expect(throws: notLeader) { try old.replace(with: []) }
            #expect(throws: notLeader) { try old.setNote([1], of: 1) }
            #expect(throws: notLeader) { try old.clear() }
            #expect(try old.lines() == lines(1...2))
            try old.append(lines(3...3))
            #expect(try first.deliveries().lines() == lines(1...3))
            try first.close()
        }

        @Test("what a session that ended may have written is read before anything is added")
        func lostSessions() throws {
            let node = try folder.openNode("node", in: database)
            let journal = node.deliveries()
            _ = try journal.lines()
            try journal.append(lines(1...1))
            // As if a session had ended behind its statement: the line is there, nobody was told.
            try server.execute(
                "INSERT INTO usher.journal VALUES ('push', 2, 'line 2')", in: database)
            #expect(throws: LedgerError(FleetError.outcomeUnknown)) {
                try journal.append(lines(2...2))
            }
            #expect(throws: notLeader) { try journal.append(lines(2...2)) }
            #expect(try journal.lines() == lines(1...2))
            try server.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                    AND pid NOT IN (SELECT process FROM usher.leader)
                """, in: database)
            #expect(throws: LedgerError.self) { try journal.append(lines(3...3)) }
            #expect(try journal.lines() == lines(1...2))
            try journal.append(lines(3...3))
            #expect(try journal.lines() == lines(1...3))
            try node.close()
        }

        @Test("what one machine has kept is taken over once, by the node that leads")
        func takingOver() throws {
            let first = try folder.openNode("first", in: database)
            let second = try folder.openNode("second", in: database)
            let file = JournalFile(
                besideLedger: folder.path + "/first.sqlite", ending: ".push")
            try file.append(lines(1...3))
            #expect(try second.deliveries(before: file).lines() == [])
            #expect(try first.deliveries(before: file).lines() == lines(1...3))
            try file.append(lines(4...4))
            #expect(try first.deliveries(before: file).lines() == lines(1...3))
            #expect(try second.deliveries().lines() == lines(1...3))
            try second.close()
            try first.close()
        }

        @Test("notes are kept with the lines, and read in pages")
        func notes() throws {
            let first = try folder.openNode("first", in: database)
            let journal = first.journal(.reconciliation, before: nil)
            #expect(throws: notLeader) { try journal.setNote([1], of: 1) }
            _ = try journal.lines()
            for number in Int64(1)...3_000 {
                try journal.setNote(Array("note \(number)".utf8), of: number)
            }
            try journal.append(lines(1...1))
            let other = first.journal(.reconciliation, before: nil)
            for number in Int64(1)...3_000 {
                #expect(try other.note(number) == Array("note \(number)".utf8))
            }
            #expect(try other.note(3_001) == nil)
            try journal.setNote([7], of: 5)
            #expect(try journal.note(5) == [7])
            try journal.append(lines(2...2))
            #expect(try first.journal(.reconciliation, before: nil).note(5) == [7])
            try journal.clear()
            let left = try server.execute("SELECT count(*) FROM usher.note", in: database)
            #expect(left == "0")
            #expect(try journal.note(5) == nil)
            try first.close()
        }

        @Test("a database of the version before gets it from the node that leads")
        func olderDatabase() async throws {
            // One of that version leads; a node of this version follows, and cannot read yet.
            let first = try folder.openNode("first", in: database)
            try server.execute("DROP TABLE usher.journal, usher.note", in: database)
            let second = try folder.openNode("second", in: database)
            #expect(throws: LedgerError.self) { try second.deliveries().lines() }
            try first.close()
            await second.waitForLead()
            let journal = second.deliveries()
            #expect(try journal.lines() == [])
            try journal.append(lines(1...1))
            #expect(try journal.lines() == lines(1...1))
            try second.close()
            try server.execute("ALTER TABLE usher.note ADD more text", in: database)
            #expect(throws: LedgerError(FleetError.foreign("note.more text"))) {
                try folder.openNode("first", in: database)
            }
        }

        @Test("how far changes are delivered moves with a ledger, into a database and back")
        func copying() async throws {
            let ledger = try folder.openLedger("old.sqlite")
            try await ledger.append(Sample.block("anna", id: "one"))
            try ledger.close()
            let path = folder.path + "/old.sqlite"
            let file = JournalFile(besideLedger: path, ending: ".push")
            try file.append(lines(1...3))
            let settings = FleetSettings(database: database, node: "copy")
            _ = try LedgerCopy.copy(fileAt: path, to: settings)
            // Once more changes nothing, also where the fleet has come further.
            let node = try folder.openNode("node", in: database)
            let journal = node.deliveries()
            #expect(try journal.lines() == lines(1...3))
            try journal.append(lines(4...4))
            try node.close()
            _ = try LedgerCopy.copy(fileAt: path, to: settings)
            let salts = CountingSalts()
            let target = LedgerFileLocation(folder.path + "/new.sqlite", makeSalts: salts.next)
            _ = try LedgerCopy.copy(settings, to: target)
            let back = JournalFile(besideLedger: target.path, ending: ".push")
            #expect(try back.lines() == lines(1...4))
            // The file was served meanwhile, and knows more.
            let again = try folder.openLedger("new.sqlite")
            try await again.append(Sample.block("anna", id: "two"))
            try again.close()
            try back.replace(with: lines(8...9))
            _ = try LedgerCopy.copy(fileAt: target.path, to: settings)
            let last = try folder.openNode("last", in: database)
            #expect(try last.deliveries().lines() == lines(8...9))
            try last.close()
        }
    }
#endif
