internal import EntitlementModel
internal import Foundation
internal import GRDB
internal import Testing

@testable internal import LedgerStore

/// Ledgers as earlier programs left them: text that SQLite's shell wrote.
@Suite("Ledger formats")
struct FormatTests {
    /// `fixtures/ledgers/format-<number>.sql`
    private static func text(_ format: Int) throws -> String {
        let name = "fixtures/ledgers/format-\(format).sql"
        var folder = URL(filePath: #filePath)
        while folder.lastPathComponent != "Tests" { folder.deleteLastPathComponent() }
        let file = folder.deletingLastPathComponent().appending(path: name)
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test("a ledger of every format opens, is copied before and verifies", arguments: [1])
    func opens(format: Int) async throws {
        let folder = try TemporaryFolder()
        let text = try Self.text(format)
        try folder.tamper(text)
        let ledger = try folder.openLedger()
        #expect(try ledger.reader.verify() == [])
        #expect(try ledger.read { try $0.head().sequence.number } == 21)
        let copy = folder.ledgerPath + ".before-2"
        #expect(FileManager.default.fileExists(atPath: copy))
        try ledger.close()
    }

    @Test("the format that the program names is that of the last migration")
    func namedFormat() {
        #expect(LedgerSchema.migrator().migrations.last == "\(Ledger.format)")
    }

    @Test("what format 1 did not know is computed from its entries")
    func computesWhatIsNew() async throws {
        let folder = try TemporaryFolder()
        try folder.tamper(Self.text(1))
        #expect(throws: LedgerStoreError.schemaTooOld) {
            try Ledger.openReadOnly(path: folder.ledgerPath)
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
}
