internal import EntitlementModel
internal import GRDB
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import LedgerStore

@Suite("Verifying")
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
        let reader = try Ledger.openReadOnly(path: folder.ledgerPath)
        defer { try? reader.close() }
        return try reader.verify(anchor: anchor)
    }

    @Test("a ledger of every kind of entry is sound, and progress ends at the end")
    func sound() async throws {
        let ledger = try folder.openLedger()
        let samples = try EntrySample.all().map(\.entry)
        for case let entry in samples {
            guard case .evidence(var evidence) = entry else {
                try await ledger.append(entry)
                continue
            }
            evidence.digest = EntryHash.digest(of: evidence.bytes)
            try await ledger.append(.evidence(evidence))
        }
        let seen = Mutex<[Int64]>([])
        let problems = try ledger.reader.verify { checked, total in
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
            .missing(LedgerSequence(1)), .chainBroken(LedgerSequence(2))),
        Edit(
            "bytes of evidence", "UPDATE evidence SET bytes = x'00'",
            .evidenceChanged(LedgerSequence(1))),
        Edit(
            "a shared header", "UPDATE evidence_header SET bytes = x'00'",
            .evidenceChanged(LedgerSequence(1))),
        Edit(
            "evidence removed", "DELETE FROM evidence", .evidenceChanged(LedgerSequence(1))),
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
        #expect(try problems() == edit.found)
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
            #expect(try problems().first?.sequence?.number == Int64(sequence), "\(column)")
            try folder.tamper(
                """
                UPDATE entry SET \(column) = (SELECT \(column) FROM kept) WHERE seq = \(sequence);
                DROP TABLE kept
                """)
        }
        #expect(try problems() == [])
    }

    @Test("a ledger whose end was cut off is told by its anchor only")
    func anchor() async throws {
        try await fill()
        let reader = try Ledger.openReadOnly(path: folder.ledgerPath)
        let head = try reader.read { try $0.head() }
        try reader.close()
        #expect(try problems(anchor: head) == [])
        try folder.tamper(
            """
            DELETE FROM entry WHERE seq = 8; DELETE FROM entry_of_account WHERE seq = 8;
            DELETE FROM unique_name WHERE seq = 8
            """)
        #expect(try problems() == [])
        #expect(try problems(anchor: head) == [.anchorMissing(LedgerSequence(8))])
    }

    @Test("the chain holds over erased payloads")
    func erased() async throws {
        try await fill()
        let ledger = try folder.openLedger()
        try await ledger.write { transaction in
            try transaction.connection.database.execute(
                sql: "UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 8")
        }
        #expect(try ledger.reader.verify() == [])
        try ledger.close()
    }

    @Test("opening refuses a ledger whose newest entries were changed")
    func opening() async throws {
        try await fill()
        try folder.tamper("UPDATE entry SET recorded_at = recorded_at + 1 WHERE seq = 3")
        #expect(throws: LedgerStoreError.chainBroken(LedgerSequence(3))) {
            try folder.openLedger()
        }
    }
}
