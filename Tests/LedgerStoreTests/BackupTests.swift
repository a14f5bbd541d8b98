internal import EntitlementModel
internal import FoundationEssentials
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("Backups, logs and statistics", .timeLimit(.minutes(20)))
struct BackupTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var backupPath: String { folder.path + "/backup.sqlite" }

    @Test("a backup taken while writes go on is a sound earlier ledger, in one file")
    func backup() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "first"))
        async let writes: Void = {
            for number in 1...50 {
                try await ledger.append(Sample.block("alice", id: "b-\(number)"))
            }
        }()
        try ledger.backUp(to: backupPath)
        try await writes
        try ledger.close()

        let copy = try SQLiteLedger.openReadOnly(path: backupPath)
        #expect(try copy.verify() == [])
        let head = try copy.read { try $0.head() }
        #expect((1...51).contains(head.sequence.number))
        try copy.close()
        let original = try SQLiteLedger.openReadOnly(path: folder.ledgerPath)
        #expect(try original.verify(anchor: head) == [])
        try original.close()
        #expect(try names(startingWith: "backup") == ["backup.sqlite"])
    }

    @Test("a copy by path says how far it goes, and replaces nothing")
    func copying() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        let head = try SQLiteLedger.backUp(folder.ledgerPath, to: backupPath)
        #expect(head == (try ledger.reader.head()))
        try await ledger.append(Sample.block("alice", id: "b-2"))
        for path in [backupPath, folder.ledgerPath, folder.path + "/./" + "backup.sqlite"] {
            #expect(throws: LedgerError.store(.targetExists)) {
                try SQLiteLedger.backUp(folder.ledgerPath, to: path)
            }
        }
        try ledger.close()
        let copy = try SQLiteLedger.openReadOnly(path: backupPath)
        #expect(try copy.head() == head)
        let entries = try copy.read { try $0.entries(after: .zero, limit: 9) }
        #expect(entries.map(\.sequence.number) == [1])
        try copy.close()
    }

    @Test("of several copies to one name at once one is made, and the others say why")
    func atOnce() async throws {
        let ledger = try folder.openLedger()
        for number in 1...20 { try await ledger.append(Sample.block("alice", id: "b-\(number)")) }
        let (path, target) = (folder.ledgerPath, backupPath)
        let outcomes = await withTaskGroup(of: LedgerError?.self) { group in
            for _ in 1...8 {
                group.addTask {
                    do throws(LedgerError) {
                        _ = try SQLiteLedger.backUp(path, to: target)
                        return nil
                    } catch { return error }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == nil }.count == 1)
        #expect(outcomes.compactMap(\.self).allSatisfy { $0 == .store(.targetExists) })
        #expect(try names(startingWith: "backup") == ["backup.sqlite"])
        try ledger.close()
        let copy = try SQLiteLedger.openToVerify(path: backupPath)
        #expect(try copy.verify() == [])
        try copy.close()
    }

    @Test("a backup is restored where nothing is, and only if it is sound")
    func restore() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        try ledger.backUp(to: backupPath)
        try ledger.close()
        #expect(throws: LedgerError.store(.targetExists)) {
            try SQLiteLedger.restore(from: backupPath, to: folder.ledgerPath)
        }
        let restoredPath = folder.path + "/restored.sqlite"
        #expect(try SQLiteLedger.restore(from: backupPath, to: restoredPath) == [])
        let restored = try SQLiteLedger.open(path: restoredPath, makeSalts: CountingSalts().next)
        try await restored.append(Sample.block("alice", id: "b-2"))
        #expect(try restored.read { try $0.head().sequence.number } == 2)
        try restored.close()

        try folder.tamper("UPDATE entry SET recorded_at = 0")
        let problems = try SQLiteLedger.restore(
            from: folder.ledgerPath, to: folder.path + "/never.sqlite")
        #expect(problems == [.chainBroken(LedgerSequence(1))])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/never.sqlite"))
    }

    @Test("a ledger is not backed up onto itself")
    func ontoItself() throws {
        let ledger = try folder.openLedger()
        #expect(throws: LedgerError.store(.targetExists)) {
            try ledger.backUp(to: folder.ledgerPath)
        }
        try ledger.close()
    }

    @Test("a log that grew long while a reader stayed is cut when the reader has gone")
    func logIsCut() async throws {
        let ledger = try folder.openLedger(maximumLogBytes: 1 << 20)
        let large = (0...8).map { number in
            let bytes = Array(repeating: UInt8(number), count: 1 << 18)
            return Sample.evidence(bytes, digest: EntryHash.digest(of: bytes))
        }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: folder.ledgerPath, configuration: configuration)
        try reader.inDatabase { try $0.execute(sql: "BEGIN; SELECT * FROM entry") }
        for entry in large.dropLast() { try await ledger.append(entry) }
        #expect(logBytes > 1 << 20)
        try reader.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try reader.close()
        try await ledger.append(large[8])
        // The log is cut behind the batch; an empty write comes after that.
        try await ledger.write { _ in }
        #expect(logBytes < 1 << 20)
        try ledger.close()
    }

    @Test("statistics count what is there")
    func statistics() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1")),
            Sample.fact(try Sample.transaction("2", of: "1")), Sample.claim("alice", "1"))
        let statistics = try ledger.reader.statistics()
        #expect(statistics.entries == ["transaction": 2, "claim": 1])
        #expect(statistics.accounts == 1)
        #expect(statistics.lineages == 1)
        #expect(statistics.transactions == 2)
        #expect(statistics.head.sequence.number == 3)
        #expect(statistics.fileBytes + statistics.logBytes > 0)
        #expect(statistics.warnings == statistics.sqliteVersion.warnings)
        try ledger.close()
    }

    @Test(
        "a SQLite with the fault in its log is warned of",
        arguments: [
            ("3.40.1", true), ("3.51.2", true), ("3.51.3", false), ("3.53.0", false),
            ("4.0.0", false),
        ])
    func sqliteVersions(text: String, isWarnedOf: Bool) throws {
        let version = try #require(SQLiteVersion(text))
        #expect(version.description == text)
        #expect(version.warnings == (isWarnedOf ? [.outdatedSQLite(version)] : []))
        #expect(SQLiteVersion(text + "-beta") == nil)
    }

    private func names(startingWith prefix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(prefix) }.sorted()
    }

    private var logBytes: Int64 { FileStatus.bytes(of: folder.ledgerPath + "-wal") }
}
