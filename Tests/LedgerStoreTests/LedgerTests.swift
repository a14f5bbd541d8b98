internal import Dispatch
internal import EntitlementModel
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("The ledger", .timeLimit(.minutes(20)))
struct LedgerTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("a read on the cooperative pool ends a debug build that serves; it may block elsewhere")
    func blocks() async {
        await #expect(processExitsWith: .failure) {
            let ledger = try TemporaryFolder().openLedger()
            MayBlock.beginCheck()
            // Whether it is thrown or asserted would look the same from outside.
            do { _ = try ledger.head() } catch { return }
        }
        await #expect(processExitsWith: .success) {
            let ledger = try TemporaryFolder().openLedger()
            MayBlock.beginCheck()
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(with: Result { _ = try ledger.head() })
                }
            }
        }
    }

    @Test("every kind of entry is stored and read again, also after reopening")
    func everyEntry() async throws {
        let samples = try EntrySample.all()
        let ledger = try folder.openLedger()
        for (_, entry) in samples { try await ledger.append(entry) }
        try ledger.close()

        let reopened = try folder.openLedger()
        let entries = try reopened.read { try $0.entries(after: .zero, limit: 1_000) }
        #expect(entries.map(\.sequence.number) == Array(1...Int64(samples.count)))
        for (sample, entry) in zip(samples, entries) {
            #expect(entry.value == sample.entry, "\(sample.name)")
        }
        #expect(try reopened.read { try $0.head().sequence.number } == Int64(samples.count))
        try reopened.close()
    }

    @Test("synchronous is FULL on the writer, after everything")
    func durability() async throws {
        let ledger = try folder.openLedger()
        let settings = try await ledger.writeFile { transaction in
            try ["synchronous", "foreign_keys", "trusted_schema"].map { name in
                try Int64.fetchOne(transaction.connection.database, sql: "PRAGMA \(name)")
            }
        }
        #expect(settings == [2, 1, 0])
        let journal = try await ledger.reader.pool.read {
            try String.fetchOne($0, sql: "PRAGMA journal_mode")
        }
        #expect(journal == "wal")
        try ledger.close()
    }

    @Test("a second writer is refused, and may come when the first has gone")
    func secondOpener() throws {
        do {
            let first = try folder.openLedger()
            #expect(throws: LedgerError.store(.alreadyOpen)) { try folder.openLedger() }
            try first.close()
        }
        try folder.openLedger().close()
    }

    @Test("a newer schema, another database and no database are refused")
    func foreignFiles() throws {
        try folder.openLedger().close()
        try folder.tamper("INSERT INTO grdb_migrations VALUES ('999')")
        let refusal = LedgerError.store(.schemaTooNew(format: 999, copy: nil))
        #expect(throws: refusal) { try folder.openLedger() }
        #expect(throws: refusal) {
            try SQLiteLedger.openReadOnly(path: folder.ledgerPath)
        }
        try folder.tamper("PRAGMA application_id = 1")
        #expect(throws: LedgerError.store(.notALedger)) { try folder.openLedger() }
        #expect(throws: LedgerError.store(.cannotOpen(path: folder.path + "/nothing"))) {
            try SQLiteLedger.openReadOnly(path: folder.path + "/nothing")
        }
    }

    @Test("a reader beside the writer sees what is committed, and cannot write")
    func readOnly() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        let reader = try SQLiteLedger.openReadOnly(path: folder.ledgerPath)
        #expect(try reader.read { try $0.head().sequence.number } == 1)
        try await ledger.append(Sample.block("alice", id: "b-2"))
        #expect(try reader.read { try $0.head().sequence.number } == 2)
        #expect(throws: DatabaseError.self) {
            try reader.pool.write { try $0.execute(sql: "DELETE FROM entry") }
        }
        try reader.close()
        try ledger.close()
        let alone = try SQLiteLedger.openReadOnly(path: folder.ledgerPath)
        #expect(try alone.read { try $0.head().sequence.number } == 2)
        try alone.close()
    }

    @Test(
        "the schema forbids every change",
        arguments: [
            "UPDATE entry SET recorded_at = 0", "UPDATE entry SET payload = x'00'",
            "UPDATE entry SET payload = NULL", "UPDATE entry SET salt = NULL",
            "UPDATE entry SET payload = NULL, salt = NULL, kind = 3", "DELETE FROM entry",
            "INSERT OR REPLACE INTO entry SELECT * FROM entry",
            """
            INSERT INTO entry SELECT 5, recorded_at, kind, salt, payload, payload_digest, hash
            FROM entry
            """,
            """
            INSERT INTO entry SELECT 2, 0, kind, salt, payload, payload_digest, hash FROM entry
            """,
            "UPDATE evidence SET bytes = x'00'", "DELETE FROM evidence",
        ])
    func appendOnly(sql: String) async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(
            Sample.evidence([1, 2, 3], digest: EntryHash.digest(of: [1, 2, 3])))
        await #expect(throws: LedgerError.store(.refusedBySchema)) {
            try await ledger.writeFile { transaction in
                try LedgerStoreError.mapping {
                    try transaction.connection.database.execute(sql: sql)
                }
            }
        }
        try ledger.close()
    }

    @Test("a payload can be erased with its salt, and only so")
    func erasure() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        try await ledger.writeFile { transaction in
            try transaction.connection.database.execute(
                sql: "UPDATE entry SET payload = NULL, salt = NULL")
        }
        #expect(try ledger.read { try $0.entry(LedgerSequence(1)) } == nil)
        #expect(try ledger.read { try $0.head().sequence.number } == 1)
        try ledger.close()
    }
}
