internal import EntitlementModel
internal import FleetComparison
internal import Foundation
internal import GRDB
internal import HistoryComparison
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("Verifying", .timeLimit(.minutes(20)))
struct VerificationTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Evidence at 1, then eight entries with all that an index holds.
    private func fill() async throws {
        let ledger = try folder.openLedger()
        let bytes = Array(repeating: UInt8(ascii: "a"), count: 2_000) + Array(".b.c".utf8)
        try await ledger.append(
            Sample.evidence(bytes, digest: EntryHash.digest(of: bytes)),
            Sample.fact(try Sample.transaction("1", of: "1", apple: "A")),
            Sample.fact(try Sample.transaction("2", of: "2", apple: "A", receipt: 1)),
            Sample.fact(try Sample.transaction("3", of: "3", receipt: 1)),
            Sample.claim("alice", "1"), Sample.claim("bob", "404"),
            Sample.notification("uuid"), Sample.block("alice", id: "b-1"))
        try ledger.close()
    }

    private func problems(anchor: LedgerHead? = nil) throws -> [LedgerProblem] {
        let reader = try SQLiteLedger.openReadOnly(path: folder.ledgerPath)
        defer { try? reader.close() }
        return try reader.verify(anchor: anchor)
    }

    @Test("a ledger of every kind of entry is sound, and progress ends at the end")
    func sound() async throws {
        let ledger = try folder.openLedger()
        // What an erasure says of others is in `ErasureTests`.
        let samples = try EntrySample.all().map(\.entry).filter {
            ![.erasure, .restated].contains($0.registered.kind)
        }
        for case let entry in samples {
            guard case .evidence(var evidence) = entry else {
                try await ledger.append(entry)
                continue
            }
            evidence.digest = EntryHash.digest(of: evidence.bytes)
            try await ledger.append(.evidence(evidence))
        }
        let seen = Mutex<[Int64]>([])
        let problems = try ledger.verify(anchor: nil) { checked, total in
            seen.withLock { $0 = [checked, total] }
        }
        #expect(problems == [])
        #expect(seen.withLock { $0 } == [Int64(samples.count), Int64(samples.count)])
        try ledger.close()
    }

    struct Edit: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let sql: String
        let found: [LedgerProblem]

        init(_ name: String, _ sql: String, _ found: LedgerProblem...) {
            testDescription = name
            self.sql = sql
            self.found = found
        }
    }

    private static let third = LedgerSequence(3)
    private static let fourth = LedgerSequence(4)

    static let edits = [
        Edit(
            "a payload",
            """
            UPDATE entry SET payload = CAST(replace(payload, '"v":1', '"v":2') AS BLOB)
            WHERE seq = 3
            """,
            .payloadChanged(third), .unreadable(third)),
        Edit(
            "a payload that still reads",
            "UPDATE entry SET payload = CAST(replace(payload, 'b-1', 'b-2') AS BLOB) WHERE seq = 8",
            .payloadChanged(LedgerSequence(8))),
        Edit(
            "a salt", "UPDATE entry SET salt = zeroblob(16) WHERE seq = 3",
            .payloadChanged(third)),
        Edit(
            "a payload digest", "UPDATE entry SET payload_digest = zeroblob(32) WHERE seq = 3",
            .payloadChanged(third), .chainBroken(third)),
        Edit(
            "an instant", "UPDATE entry SET recorded_at = recorded_at + 1 WHERE seq = 3",
            .chainBroken(third), .recordedEarlier(fourth)),
        Edit(
            "a kind", "UPDATE entry SET kind = 4 WHERE seq = 3", .chainBroken(third),
            .unreadable(third)),
        Edit(
            "a hash", "UPDATE entry SET hash = zeroblob(32) WHERE seq = 3", .chainBroken(third),
            .chainBroken(fourth)),
        Edit(
            "a row removed", "DELETE FROM entry WHERE seq = 3", .missing(third),
            .chainBroken(fourth)),
        Edit(
            "two rows exchanged",
            """
            UPDATE entry SET seq = -3 WHERE seq = 3; UPDATE entry SET seq = 3 WHERE seq = 4;
            UPDATE entry SET seq = 4 WHERE seq = -3
            """, .chainBroken(third), .chainBroken(fourth), .chainBroken(LedgerSequence(5))),
        Edit(
            "the first row removed",
            "PRAGMA foreign_keys = OFF; DELETE FROM evidence; DELETE FROM entry WHERE seq = 1",
            .file("a header of no evidence"), .missing(LedgerSequence(1)),
            .chainBroken(LedgerSequence(2))),
        Edit(
            "bytes of evidence", "UPDATE evidence SET bytes = x'00'",
            .evidenceChanged(LedgerSequence(1))),
        Edit(
            "a shared header", "UPDATE evidence_header SET bytes = x'00'",
            .file("a header under another digest"), .evidenceChanged(LedgerSequence(1))),
        Edit(
            "evidence removed", "DELETE FROM evidence", .file("a header of no evidence"),
            .evidenceChanged(LedgerSequence(1))),
        Edit(
            "a payload erased", "UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 8",
            .payloadErased(LedgerSequence(8))),
        Edit(
            "the payload of a purchase erased",
            "UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 3", .payloadErased(third)),
        Edit(
            "a payload without its salt", "UPDATE entry SET salt = NULL WHERE seq = 3",
            .payloadChanged(third)),
        Edit(
            "a payload erased, and the index elsewhere",
            """
            UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 8;
            DELETE FROM entry_of_account WHERE seq = 5;
            INSERT INTO interest VALUES (2, 1)
            """,
            .payloadErased(LedgerSequence(8)), .indexDiffers(table: "entry_of_account"),
            .indexDiffers(table: "interest")),
        Edit(
            "bytes of evidence erased", "UPDATE evidence SET bytes = NULL",
            .evidenceErased(LedgerSequence(1))),
        Edit(
            "evidence and its bytes erased",
            """
            UPDATE evidence SET bytes = NULL;
            UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 1
            """, .payloadErased(LedgerSequence(1))),
        Edit(
            "evidence added", "INSERT INTO evidence (seq, bytes) VALUES (3, x'00')",
            .file("evidence of an entry that has none")),
        Edit(
            "a header added",
            "INSERT INTO evidence_header (digest, bytes) VALUES (zeroblob(32), x'00')",
            .file("a header of no evidence"), .file("a header under another digest")),
        Edit(
            "an account renamed", "UPDATE account SET name = 'mallory' WHERE name = 'alice'",
            .indexDiffers(table: "account")),
        Edit(
            "a link removed", "DELETE FROM entry_of_account WHERE seq = 8",
            .indexDiffers(table: "entry_of_account")),
        Edit(
            "a link added", "INSERT INTO interest VALUES (2, 1)",
            .indexDiffers(table: "interest")),
        Edit(
            "a cluster torn apart", "UPDATE lineage SET cluster = id",
            .indexDiffers(table: "lineage")),
        Edit(
            "a natural key removed", "DELETE FROM unique_name WHERE kind = 6",
            .indexDiffers(table: "unique_name")),
    ]

    @Test("an edit by hand is found and named", arguments: edits)
    func edit(_ edit: Edit) async throws {
        try await fill()
        #expect(try problems() == [])
        try folder.tamper(edit.sql)
        // Some versions of SQLite say this too.
        let found = try problems().filter { $0 != .file("CHECK constraint failed in entry") }
        #expect(found == edit.found, "\(found)")
    }

    static let schemaEdits = [
        Edit(
            "a trigger",
            "CREATE TRIGGER gift AFTER INSERT ON entry BEGIN DELETE FROM entry_of_account; END",
            .schemaDiffers(.foreign("trigger 'gift'"))),
        Edit(
            "a trigger in the place of the ledger's",
            "CREATE TRIGGER entry_is_kept AFTER INSERT ON entry BEGIN SELECT 1; END",
            .schemaDiffers(.changed("trigger 'entry_is_kept'"))),
        Edit(
            "a view", "CREATE VIEW grants AS SELECT * FROM entry WHERE kind = 12",
            .schemaDiffers(.foreign("view 'grants'"))),
        Edit(
            "an index", "CREATE INDEX by_kind ON entry (kind)",
            .schemaDiffers(.foreign("index 'by_kind'"))),
        Edit(
            "an index removed", "DROP INDEX entry_policy_activation",
            .schemaDiffers(.missing("index 'entry_policy_activation'"))),
        Edit(
            "an index made otherwise",
            "DROP INDEX interest_lineage; CREATE INDEX interest_lineage ON interest (account)",
            .schemaDiffers(.changed("index 'interest_lineage'"))),
        Edit(
            "a table", "CREATE TABLE notes (text TEXT)",
            .schemaDiffers(.foreign("table 'notes'"))),
        Edit(
            "a table removed", "DROP TABLE succession",
            .schemaDiffers(.missing("index 'succession_predecessor'")),
            .schemaDiffers(.missing("table 'succession'"))),
        Edit(
            "a view in the place of a table",
            "DROP TABLE succession; CREATE VIEW succession AS SELECT 1 AS account",
            .schemaDiffers(.missing("index 'succession_predecessor'")),
            .schemaDiffers(.missing("table 'succession'")),
            .schemaDiffers(.foreign("view 'succession'"))),
        Edit(
            "SQLite's number for the user", "PRAGMA user_version = 7",
            .schemaDiffers(.foreign("user_version 7"))),
    ]

    @Test(
        "a schema that does not belong to the ledger is named and opened by nobody",
        arguments: schemaEdits)
    func schema(_ edit: Edit) async throws {
        try await fill()
        try folder.tamper(edit.sql)
        let reader = try SQLiteLedger.openToVerify(path: folder.ledgerPath)
        #expect(try reader.verify() == edit.found)
        try reader.close()
        guard case .schemaDiffers(let first)? = edit.found.first else { return }
        let refusal = LedgerError.store(.foreignSchema(first))
        #expect(throws: refusal) { try folder.openLedger() }
        #expect(throws: refusal) { try SQLiteLedger.openReadOnly(path: folder.ledgerPath) }
        let copy = folder.path + "/restored"
        #expect(try SQLiteLedger.restore(from: folder.ledgerPath, to: copy) == edit.found)
        #expect(!FileStatus.exists(copy))
    }

    @Test("what is compared at every opening is what SQLite makes of the migrations in memory")
    func schemaInMemory() throws {
        let statements = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
        let migrated = try DatabaseQueue()
        try LedgerSchema.migrator().migrate(migrated)
        let made = try migrated.read {
            try String.fetchSet($0, sql: statements + " AND name <> 'grdb_migrations'")
        }
        #expect(made == LedgerSchema.statements)
        #expect(try migrated.read { try SchemaCheck.isOwn($0) })
        #expect(try migrated.read { try SchemaCheck.differences(in: $0) } == [])
    }

    @Test("what SQLite knows of its tables is no foreign table")
    func statistics() async throws {
        try await fill()
        try folder.tamper("ANALYZE")
        #expect(try problems() == [])
        try folder.openLedger().close()
    }

    @Test("nothing may hang on what is kept when a ledger of an earlier format is moved on")
    func earlierSchema() throws {
        let name = "fixtures/ledgers/format-1.sql"
        try folder.tamper(String(contentsOf: Repository.url(name), encoding: .utf8))
        try folder.tamper(
            "CREATE TRIGGER gift AFTER INSERT ON account BEGIN DELETE FROM entry_of_account; END")
        let refusal = LedgerError.store(.foreignSchema(.foreign("trigger 'gift'")))
        #expect(throws: refusal) { try folder.openLedger() }
    }

    @Test("any byte of any row is under the chain", arguments: 1...8)
    func everyByte(sequence: Int) async throws {
        try await fill()
        for column in ["salt", "payload", "payload_digest", "hash"] {
            try folder.tamper("CREATE TABLE kept AS SELECT * FROM entry WHERE seq = \(sequence)")
            try folder.tamper(
                """
                UPDATE entry SET \(column) = CAST(substr(\(column), 1, 15) || x'EE' ||
                substr(\(column), 17) AS BLOB) WHERE seq = \(sequence)
                """)
            let found = try foundBeside(.schemaDiffers(.foreign("table 'kept'")))
            #expect(found.first?.sequence?.number == Int64(sequence), "\(column)")
            try folder.tamper(
                """
                UPDATE entry SET \(column) = (SELECT \(column) FROM kept) WHERE seq = \(sequence);
                DROP TABLE kept
                """)
        }
        #expect(try problems() == [])
    }

    private func foundBeside(_ known: LedgerProblem) throws -> [LedgerProblem] {
        let reader = try SQLiteLedger.openToVerify(path: folder.ledgerPath)
        defer { try? reader.close() }
        return try reader.verify().filter { $0 != known }
    }

    @Test("a ledger whose end was cut off is told by its head, else by its anchor only")
    func anchor() async throws {
        try await fill()
        let reader = try SQLiteLedger.openReadOnly(path: folder.ledgerPath)
        let head = try reader.read { try $0.head() }
        try reader.close()
        #expect(try problems(anchor: head) == [])
        try folder.tamper(
            """
            DELETE FROM entry WHERE seq = 8; DELETE FROM entry_of_account WHERE seq = 8;
            DELETE FROM unique_name WHERE seq = 8
            """)
        let verifier = try SQLiteLedger.openToVerify(path: folder.ledgerPath)
        #expect(try verifier.verify() == [.headMissing(LedgerSequence(8))])
        try verifier.close()
        try FileManager.default.removeItem(atPath: folder.ledgerPath + ".head")
        #expect(try problems() == [])
        #expect(try problems(anchor: head) == [.anchorMissing(LedgerSequence(8))])
    }

    @Test("the chain holds over a payload that the ledger's own rules let be erased")
    func erased() async throws {
        try await fill()
        let ledger = try folder.openLedger()
        try await ledger.writeFile { transaction in
            try transaction.connection.database.execute(
                sql: "UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 8")
        }
        #expect(try ledger.reader.verify() == [.payloadErased(LedgerSequence(8))])
        try ledger.close()
    }

    @Test("an erased entry excuses nothing in the index that does not come from it")
    func erasedInHistories() async throws {
        var others = 0
        for seed: UInt64 in 1...30 {
            let history = try TemporaryFolder()
            let ledger = try history.openLedger()
            let playback = Playback(History.random(seed: seed))
            for entry in playback.facts.entries { _ = try await ledger.appendOnce(entry) }
            let newest = try ledger.reader.head().sequence.number
            try ledger.close()
            var dice = SplitMix64(seed: seed)
            let erased = Set((0..<3).map { _ in 1 + Int64(dice.below(Int(newest))) }).sorted()
            let places = erased.map(String.init).joined(separator: ", ")
            try history.tamper(
                "UPDATE entry SET payload = NULL, salt = NULL WHERE seq IN (\(places))")
            let reader = try SQLiteLedger.openReadOnly(path: history.ledgerPath)
            let found = erased.map { LedgerProblem.payloadErased(LedgerSequence($0)) }
            #expect(try reader.verify() == found, "seed \(seed)")
            try reader.close()
            // What an account's own entries are depends on no other entry.
            try history.tamper(
                """
                DELETE FROM entry_of_account WHERE seq =
                    (SELECT max(seq) FROM entry_of_account WHERE seq NOT IN (\(places)))
                """)
            let edited = try SQLiteLedger.openReadOnly(path: history.ledgerPath)
            #expect(
                try edited.verify() == found + [.indexDiffers(table: "entry_of_account")],
                "seed \(seed)")
            try edited.close()
            others += 1
        }
        #expect(others == 30)
    }

    @Test("opening refuses a ledger whose newest entries were changed")
    func opening() async throws {
        try await fill()
        try folder.tamper("UPDATE entry SET recorded_at = recorded_at + 1 WHERE seq = 3")
        #expect(throws: LedgerError.store(.chainBroken(LedgerSequence(3)))) {
            try folder.openLedger()
        }
    }
}
