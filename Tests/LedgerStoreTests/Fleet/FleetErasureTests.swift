#if PostgreSQL
    internal import EntitlementModel
    internal import Foundation
    internal import TestSupport
    internal import Testing

    @testable internal import LedgerModel
    @testable internal import LedgerStore
    @testable internal import PostgresStore

    /// What a node erases is gone from the database and from every node's file (docs/FLEET.md).
    @Suite("Erasure in a fleet", .timeLimit(.minutes(5)))
    struct FleetErasureTests {
        private let server: DatabaseServer
        private let database: String
        private let folder: TemporaryFolder

        init() throws {
            server = try DatabaseServer.shared.get()
            database = try server.makeDatabase()
            folder = try TemporaryFolder()
        }

        /// How many rows of the database hold the text.
        private func rows(holding text: String) throws -> String {
            let hexadecimal = text.utf8.map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
            let tables = ["entry", "evidence", "change", "outlook", "call", "journal", "note"]
            let rows = tables.map { "SELECT row::text AS text FROM usher.\($0) AS row" }
            return try server.execute(
                """
                SELECT count(*) FROM (\(rows.joined(separator: " UNION ALL "))) AS rows
                WHERE text LIKE '%\(hexadecimal)%' OR text LIKE '%\(text)%'
                """, in: database
            ).trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// Tells of both accounts, and keeps what will be told of them.
        private func tell(_ ledger: any Ledger, until place: LedgerSequence) async throws {
            try await ledger.write { ledger in
                try ledger.setFeedPlace(FeedPlace(place: place, reached: Sample.start))
                for account in [ErasureSample.person, ErasureSample.other] {
                    let account = AccountID(unchecked: account)
                    try ledger.setOutlook(FeedOutlook(), of: .account(account))
                    _ = try ledger.tell(
                        FeedChange(
                            kind: .ownerChanged, at: Sample.start, revision: place,
                            account: account, environment: .production, subject: "lineage:1",
                            before: .owners([]),
                            after: .owners([AccountID(unchecked: ErasureSample.person)])))
                }
            }
        }

        /// A purchase that the person gave to the other one, some of it after the others.
        private func share(_ ledger: any Ledger) async throws {
            let head = try ledger.read { try $0.head() }.sequence.number
            try await ledger.append(
                ErasureSample.evidence("shared"),
                try ErasureSample.fact("3", of: "3", in: head + 1),
                ErasureSample.claim(ErasureSample.person, "3", in: head + 1),
                try ErasureSample.decision("3", cause: head + 3, after: [ErasureSample.person]),
                .ruling(
                    Ruling(
                        verb: .transfer, unit: .lineage(Sample.lineage("3")), claim: nil,
                        decision: nil, account: AccountID(unchecked: ErasureSample.other),
                        actor: "uid:0", reason: "asked by " + ErasureSample.person)),
                try ErasureSample.decision(
                    "3", cause: head + 5, before: [ErasureSample.person],
                    after: [ErasureSample.other]))
        }

        private func changes(_ ledger: any Ledger) throws -> [PublishedChange] {
            try ledger.read {
                try $0.changes(after: 0, matching: ChangeFilter(), limit: 100).changes
            }
        }

        @Test("it reaches the database and the node that follows")
        func follows() async throws {
            let first = try folder.openNode("first", in: database)
            let second = try folder.openNode("second", in: database)
            try await ErasureSample.fill(first)
            try await share(first)
            try await tell(first, until: LedgerSequence(17))
            try await second.wait(for: LedgerSequence(17))
            #expect(try rows(holding: ErasureSample.person) != "0")
            let erasure = try await ErasureSample.erase(ErasureSample.person, in: first)
            #expect(!erasure.value.restated.isEmpty && erasure.value.entries.count > 1)
            try await second.wait(for: erasure.sequence)
            #expect(try rows(holding: ErasureSample.person) == "0")
            #expect(try rows(holding: ErasureSample.token) == "0")
            #expect(try first.verify() == [] && second.verify() == [])
            #expect(try changes(first) == changes(second))
            #expect(try changes(first).map(\.change.kind) == [.erased, .ownerChanged])
            try await first.append(Sample.block(ErasureSample.person, id: "b-2"))
            try await second.wait(for: LedgerSequence(erasure.sequence.number + 1))
            #expect(try second.read { try $0.knows(AccountID(unchecked: ErasureSample.person)) })
            let again = try await ErasureSample.erase(ErasureSample.person, in: first)
            try await second.wait(for: again.sequence)
            try second.close()
            try first.close()
            #expect(try ErasureSample.files(holding: ErasureSample.person, in: folder) == [])
        }

        @Test(
            "a node that was away, or is new, has what is left, and nobody's name",
            arguments: [0, 11, 14, 17])
        func returns(had: Int) async throws {
            let first = try folder.openNode("first", in: database)
            func follow() throws {
                let node = try folder.openNode("second", in: database)
                #expect(try node.verify() == [])
                #expect(try node.head == first.head)
                #expect(try changes(node) == changes(first))
                try node.close()
            }
            if had == 0 { try folder.openNode("second", in: database).close() }
            try await ErasureSample.fill(first)
            if had == 11 { try follow() }
            let shared = try folder.openNode("third", in: database)
            try await share(first)
            if had >= 14 { try follow() }
            try await tell(first, until: LedgerSequence(17))
            if had == 17 { try follow() }
            try await first.append(Sample.block(ErasureSample.person, id: "b-9"))
            _ = try await ErasureSample.erase(ErasureSample.person, in: first)
            try await first.append(Sample.block(ErasureSample.other, id: "b-3"))
            try follow()
            try shared.close()
            let salts = CountingSalts()
            let copy = LedgerFileLocation(folder.path + "/copy.sqlite", makeSalts: salts.next)
            let settings = FleetSettings(database: database, node: "copy")
            #expect(try LedgerCopy.copy(settings, to: copy).problems == [])
            try first.close()
            #expect(try ErasureSample.files(holding: ErasureSample.person, in: folder) == [])
        }

        @Test("a copy from before two erasures of what was shared is refused, and fetched again")
        func missesBoth() async throws {
            let first = try folder.openNode("first", in: database)
            let second = try folder.openNode("second", in: database)
            try await ErasureSample.fill(first)
            try await share(first)
            // A third one stays, so that it is restated twice.
            try await first.append(
                ErasureSample.claim("third", "3", in: 12),
                try ErasureSample.decision(
                    "3", cause: 18, before: [ErasureSample.other],
                    after: [ErasureSample.other, "third"]))
            try await second.wait(for: LedgerSequence(19))
            try second.close()
            _ = try await ErasureSample.erase(ErasureSample.person, in: first)
            _ = try await ErasureSample.erase(ErasureSample.other, in: first)
            let error = #expect(throws: LedgerError.self) {
                try folder.openNode("second", in: database)
            }
            #expect(error?.text(.english).contains("move the file away") == true)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where name.hasPrefix("second") {
                try FileManager.default.removeItem(atPath: folder.path + "/" + name)
            }
            let again = try folder.openNode("second", in: database)
            #expect(try again.verify() == [] && again.head == first.head)
            try again.close()
            try first.close()
            #expect(try ErasureSample.files(holding: ErasureSample.other, in: folder) == [])
        }

        @Test("a ledger that was erased moves into a database, also where a part was there before")
        func moves() async throws {
            let settings = FleetSettings(database: database, node: "copy")
            let path = folder.path + "/old.sqlite"
            let ledger = try folder.openLedger("old.sqlite")
            try await ErasureSample.fill(ledger)
            try await share(ledger)
            try await tell(ledger, until: LedgerSequence(17))
            try ledger.close()
            #expect(try LedgerCopy.copy(fileAt: path, to: settings).problems == [])
            #expect(try rows(holding: ErasureSample.person) != "0")
            let again = try folder.openLedger("old.sqlite")
            let erasure = try await ErasureSample.erase(ErasureSample.person, in: again)
            let head = try again.head()
            #expect(head.sequence == erasure.sequence)
            try again.close()
            #expect(try LedgerCopy.copy(fileAt: path, to: settings).head == head)
            #expect(try rows(holding: ErasureSample.person) == "0")
            let node = try folder.openNode("node", in: database)
            #expect(try node.verify() == [] && node.head == head)
            #expect(try changes(node).map(\.change.kind) == [.erased, .ownerChanged])
            try node.close()
        }

        @Test("the database refuses every other change of what was recorded")
        func refuses() async throws {
            let node = try folder.openNode("node", in: database)
            try await ErasureSample.fill(node)
            try await tell(node, until: LedgerSequence(11))
            try node.close()
            for statement in [
                "UPDATE usher.entry SET payload = NULL WHERE seq = 1",
                "UPDATE usher.entry SET payload = NULL, salt = NULL, kind = 2 WHERE seq = 5",
                "UPDATE usher.evidence SET bytes = '' WHERE seq = 1",
                "UPDATE usher.change SET at = 0 WHERE number = 1",
                "UPDATE usher.change SET kind = 1 WHERE number = 1",
                "DELETE FROM usher.entry", "DELETE FROM usher.change",
            ] {
                #expect(throws: (any Error).self, "\(statement)") {
                    try server.execute(statement, in: database)
                }
            }
        }
    }
#endif
