internal import EntitlementModel
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

/// What a service is pointed at that it must not serve.
enum RefusedFile: String, CaseIterable, CustomTestStringConvertible {
    case text = "a text"
    case folder = "a folder"
    case pipe = "a pipe that nobody writes to"
    case database = "another program's database"
    case databaseWithLog = "another program's database with a log"
    case emptyDatabase = "another program's database without tables"
    case newerFormat = "a ledger of a newer format"
    case newerFormatWithLog = "a ledger of a newer format with a log"
    case newerFormatWithLogAlone = "a ledger of a newer format with a log and no index of it"
    case trigger = "a ledger with a trigger of somebody else"
    case endlessView = "a ledger whose table of entries is a view without an end"
    case endlessSteps = "a ledger whose table of steps is a view without an end"
    case olderWithTable = "a ledger of an older format with a table of somebody else"
    case brokenChain = "a ledger whose last entry was changed"
    case olderCopy = "an older copy of the ledger"

    var testDescription: String { rawValue }

    var code: String {
        switch self {
        case .text, .folder, .pipe, .database, .databaseWithLog: "ledger.not-a-ledger"
        case .newerFormat, .newerFormatWithLog, .newerFormatWithLogAlone: "ledger.schema-too-new"
        case .trigger, .endlessView, .endlessSteps, .olderWithTable, .emptyDatabase:
            "ledger.foreign-schema"
        case .brokenChain: "ledger.chain-broken"
        case .olderCopy: "ledger.rolled-back"
        }
    }

    /// A view that is read for ever.
    private static func endless(_ name: String, _ columns: String) -> String {
        """
        CREATE VIEW \(name) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT \(columns) FROM n
        """
    }

    func make(in folder: TemporaryFolder) async throws {
        let path = folder.ledgerPath
        let newer = "INSERT INTO grdb_migrations VALUES ('999')"
        switch self {
        case .text:
            let text = String(repeating: "no ledger ", count: 999)
            try folder.write(text, to: "ledger.sqlite")
        case .folder:
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        case .pipe: #expect(mkfifo(path, 0o644) == 0)
        case .database: try folder.tamper("CREATE TABLE note (text)")
        case .databaseWithLog: try withLog("CREATE TABLE note (text)", in: folder, keepsIndex: true)
        case .emptyDatabase: try folder.tamper("PRAGMA user_version = 3")
        case .newerFormat: try await tampered(newer, in: folder)
        case .newerFormatWithLog:
            try await tampered("", in: folder)
            try withLog(newer, in: folder, keepsIndex: true)
        case .newerFormatWithLogAlone:
            try await tampered("", in: folder)
            try withLog(newer, in: folder, keepsIndex: false)
        case .trigger:
            try await tampered(
                "CREATE TRIGGER gift AFTER INSERT ON account BEGIN SELECT 1; END", in: folder)
        case .endlessView:
            try await tampered("", in: folder)
            let queue = try DatabaseQueue(path: path)
            let sql = "DROP TABLE entry; " + Self.endless("entry", "i AS seq, i AS hash")
            try await queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA foreign_keys = OFF; " + sql)
            }
            try queue.close()
        case .endlessSteps:
            try await tampered(
                "DROP TABLE grdb_migrations;" + Self.endless("grdb_migrations", "i AS identifier"),
                in: folder)
        case .olderWithTable:
            let name = "fixtures/ledgers/format-1.sql"
            try folder.tamper(String(contentsOf: Repository.url(name), encoding: .utf8))
            try folder.tamper("CREATE TABLE note (text)")
        case .brokenChain: try await tampered("UPDATE entry SET recorded_at = 1", in: folder)
        case .olderCopy:
            try await tampered("", in: folder)
            try FileManager.default.copyItem(atPath: path, toPath: path + ".older")
            let ledger = try folder.openLedger()
            try await ledger.append(Sample.block("alice", id: "b-2"))
            try ledger.close()
            #expect(rename(path + ".older", path) == 0)
        }
        #expect(chmod(path, 0o644) == 0)
    }

    /// A ledger of one entry without a log, changed.
    private func tampered(_ sql: String, in folder: TemporaryFolder) async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        try ledger.close()
        try folder.tamper("PRAGMA journal_mode = DELETE")
        try folder.tamper(sql)
        for ending in ["-wal", "-shm", ".lock"] {
            try? FileManager.default.removeItem(atPath: folder.ledgerPath + ending)
        }
    }

    /// The same with the change in a log that a crash has left.
    private func withLog(_ sql: String, in folder: TemporaryFolder, keepsIndex: Bool) throws {
        let path = folder.ledgerPath
        let pool = try DatabasePool(path: path)
        try pool.writeWithoutTransaction { try $0.execute(sql: sql) }
        let endings = keepsIndex ? ["", "-wal", "-shm"] : ["", "-wal"]
        for ending in endings {
            try FileManager.default.copyItem(
                atPath: path + ending, toPath: folder.path + "/left" + ending)
        }
        try pool.close()
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + ending)
        }
        for ending in endings {
            #expect(rename(folder.path + "/left" + ending, path + ending) == 0)
        }
    }
}

@Suite("A start that is refused has changed nothing (THREATS.md H22)", .timeLimit(.minutes(20)))
struct StartTests {
    @Test(
        "a log that was begun anew, and of whose index that is not known, keeps no ledger from starting"
    )
    func logBegunAnew() async throws {
        let folder = try TemporaryFolder()
        let (log, index) = (folder.ledgerPath + "-wal", folder.ledgerPath + "-shm")
        func bytes(_ path: String) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: path))
        }
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("anna", id: "b-1"))
        let (oldIndex, oldLog) = (try bytes(index), try bytes(log))
        try ledger.close()
        // Its header alone, with other salts.
        var header = oldLog.prefix(32)
        for place in 16..<24 { header[place] ^= 0xFF }
        try header.write(to: URL(fileURLWithPath: log))
        try oldIndex.write(to: URL(fileURLWithPath: index))
        let again = try folder.openLedger()
        #expect(try again.head().sequence == LedgerSequence(1))
        try again.close()
    }

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Everything that can be seen of a folder without reading what has no end.
    private func state() throws -> [String: [AnyHashable]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let path = folder.path + "/" + name
                let stamp = try #require(FileStamp(path))
                let bytes = stamp.isRegular ? try Data(contentsOf: URL(filePath: path)) : Data()
                return (
                    name,
                    [
                        stamp.identity, stamp.mode, stamp.changedAt.seconds,
                        stamp.changedAt.nanoseconds, bytes,
                    ]
                )
            })
    }

    @Test("not a file, not a byte, not a mode, not a time", arguments: RefusedFile.allCases)
    func unchanged(file: RefusedFile) async throws {
        try await file.make(in: folder)
        let before = try state()
        for _ in 1...2 {
            let error = #expect(throws: LedgerError.self) { try folder.openLedger() }
            #expect(error?.code == file.code)
            #expect([.needsPerson, .rolledBack].contains(error?.kind))
            #expect(try state() == before)
        }
    }

    @Test("nor has one on a device", .enabled(if: geteuid() == 0))
    func device() throws {
        let before = try #require(FileStamp("/dev/null"))
        #expect(throws: LedgerError.store(.notALedger)) {
            try SQLiteLedger.open(path: "/dev/null", makeSalts: CountingSalts().next)
        }
        #expect(FileStamp("/dev/null")?.mode == before.mode)
        for ending in ["-journal", "-wal", "-shm", ".lock", ".head"] {
            #expect(!FileStatus.exists("/dev/null" + ending))
        }
    }

    @Test("who verifies or restores one of them is told at once", arguments: RefusedFile.allCases)
    func verified(file: RefusedFile) async throws {
        try await file.make(in: folder)
        let restored = folder.path + "/restored"
        let problems = Result { try SQLiteLedger.restore(from: folder.ledgerPath, to: restored) }
        #expect((try? problems.get()) != [])
        #expect(!FileStatus.exists(restored) && !FileStatus.exists(restored + ".lock"))
        guard file == .endlessView else { return }
        let reader = try SQLiteLedger.openToVerify(path: folder.ledgerPath)
        let found = try reader.verify()
        #expect(!found.isEmpty && found.allSatisfy { $0.code == "schema-differs" })
        try reader.close()
    }

    @Test("a newer format is named with the one that is known, and the copy to go back to")
    func newerFormat() async throws {
        try await RefusedFile.newerFormat.make(in: folder)
        func refusal() -> String? {
            do {
                try folder.openLedger().close()
                return nil
            } catch {
                return (error as? LedgerError)?.text(.english)
            }
        }
        let formats =
            "this ledger has format 999, and this version knows formats up to"
            + " \(SQLiteLedger.format);"
        #expect(try #require(refusal()).hasPrefix(formats))
        #expect(try #require(refusal()).hasSuffix("restore a backup from before the upgrade"))
        // One that this version cannot read either is of no use.
        let path = try LedgerName(folder.ledgerPath).path
        try FileManager.default.copyItem(atPath: path, toPath: path + ".before-999")
        #expect(try #require(refusal()).hasSuffix("restore a backup from before the upgrade"))
        try folder.openLedger("older").close()
        _ = try SQLiteLedger.backUp(folder.path + "/older", to: path + ".copy")
        #expect(rename(path + ".copy", path + ".before-999") == 0)
        #expect(try #require(refusal()).contains("go back to '\(path).before-999'"))
    }

    @Test("a file in which a ledger was only begun becomes one")
    func begun() throws {
        try folder.tamper("PRAGMA journal_mode = WAL; PRAGMA application_id = 1433692274")
        try folder.openLedger().close()
        try folder.write("", to: "empty")
        try folder.openLedger("empty").close()
    }
}
