internal import EntitlementModel
internal import Foundation
internal import GRDB
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

/// Ledgers as earlier programs left them: text that SQLite's shell wrote.
@Suite("Ledger formats", .timeLimit(.minutes(20)))
struct FormatTests {
    /// `fixtures/ledgers/format-<number>.sql`
    private static func text(_ format: Int) throws -> String {
        let name = "fixtures/ledgers/format-\(format).sql"
        return try String(contentsOf: Repository.url(name), encoding: .utf8)
    }

    private static let newest = LedgerSchema.migrator().migrations.count

    @Test(
        "a ledger of every format opens, is copied before where it changes, and verifies",
        arguments: 1...newest)
    func opens(format: Int) async throws {
        let folder = try TemporaryFolder()
        let text = try Self.text(format)
        try folder.tamper(text)
        let ledger = try folder.openLedger()
        #expect(try ledger.reader.verify() == [])
        #expect(try ledger.read { try $0.head().sequence.number } == 21)
        let copy = folder.ledgerPath + ".before-\(Self.newest)"
        #expect(FileManager.default.fileExists(atPath: copy) == (format < Self.newest))
        try ledger.close()
    }

    @Test("a move to the newest format that ended between two steps left no index, and goes on")
    func movesOn() async throws {
        let folder = try TemporaryFolder()
        try folder.tamper(Self.text(3))
        let file = try DatabaseQueue(path: folder.ledgerPath)
        try LedgerSchema.migrator().migrate(file, upTo: "\(Self.newest - 1)")
        let tables = try await file.read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        }
        #expect(try LedgerSchema.indexTables().filter(tables.contains) == [])
        #expect(tables.contains("entry"))
        try file.close()
        #expect(throws: LedgerError.store(.schemaTooOld)) {
            try SQLiteLedger.openReadOnly(path: folder.ledgerPath)
        }
        let ledger = try folder.openLedger()
        #expect(try ledger.reader.verify() == [])
        #expect(try ledger.read { try $0.head().sequence.number } == 21)
        try ledger.close()
    }

    @Test("the format that the program names is that of the last migration")
    func namedFormat() {
        #expect(LedgerSchema.migrator().migrations.last == "\(SQLiteLedger.format)")
    }

    @Test("what format 1 did not know is computed from its entries")
    func computesWhatIsNew() async throws {
        let folder = try TemporaryFolder()
        try folder.tamper(Self.text(1))
        #expect(throws: LedgerError.store(.schemaTooOld)) {
            try SQLiteLedger.openReadOnly(path: folder.ledgerPath)
        }
        let ledger = try folder.openLedger()
        let predecessors = try await ledger.reader.pool.read {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT name FROM succession JOIN account ON account.id = predecessor
                    WHERE succession.account = (SELECT id FROM account WHERE name = 'emma')
                    """)
        }
        #expect(predecessors == ["dmitri"])
        try ledger.close()
    }

    @Test("what an earlier program wrote is written again byte for byte")
    func writesTheSame() async throws {
        let (folder, copyFolder) = (try TemporaryFolder(), try TemporaryFolder())
        try folder.tamper(Self.text(1))
        let ledger = try folder.openLedger()
        let entries = try ledger.read { try $0.entries(after: .zero, limit: 100) }
        let salts = RecordedSalts(
            try await ledger.reader.pool.read {
                try Data.fetchAll($0, sql: "SELECT salt FROM entry ORDER BY seq")
            })
        let copy = try SQLiteLedger.open(path: copyFolder.ledgerPath, makeSalts: salts.next)
        for entry in entries { try await copy.append(entry.value, at: entry.recordedAt) }

        let tables = try LedgerSchema.indexTables() + ["entry", "evidence", "evidence_header"]
        for table in tables {
            let sql = "SELECT * FROM \(table)"
            let written = try copy.reader.pool.read { try Row.fetchAll($0, sql: sql) }
            let kept = try ledger.reader.pool.read { try Row.fetchAll($0, sql: sql) }
            #expect(written == kept, "\(table)")
        }
        try copy.close()
        try ledger.close()
    }

    @Test("a ledger of every kind of entry has a known hash")
    func knownHash() async throws {
        let folder = try TemporaryFolder()
        let ledger = try folder.openLedger()
        for (_, entry) in try EntrySample.all() { try await ledger.append(entry) }
        let hash = try ledger.read { try $0.head().hash.hexadecimal }
        #expect(hash == "be966dabe5b9d3438f38990edc651eed0710aad79734aa21c65fe405ab840774")
        try ledger.close()
    }
}

/// The salts of a ledger that was written before, in its order.
private final class RecordedSalts: Sendable {
    private let salts: Mutex<ArraySlice<[UInt8]>>

    init(_ salts: [Data]) {
        self.salts = Mutex(salts.map(Array.init)[...])
    }

    func next() -> [UInt8] {
        salts.withLock { $0.popFirst() ?? [] }
    }
}
