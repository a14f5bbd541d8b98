internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite(
    "One writer for a file, by whatever name (THREATS.md H9, H13, H23, H30)",
    .timeLimit(.minutes(20)))
struct HoldTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Another name of the ledger, or the same where only the lock is gone.
    static let names = ["ledger.sqlite", "data/../ledger.sqlite", "link", "hard"]

    private func makeNames() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/data", withIntermediateDirectories: false)
        try folder.link("link", to: "ledger.sqlite")
        try FileManager.default.linkItem(
            atPath: folder.ledgerPath, toPath: folder.path + "/hard")
    }

    @Test("a second one is refused, also once the lock file is gone", arguments: names)
    func second(name: String) async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        try makeNames()
        for removes in [false, true] {
            if removes {
                try FileManager.default.removeItem(atPath: folder.ledgerPath + ".lock")
            }
            #expect(throws: LedgerError.self) { try folder.openLedger(name) }
        }
        try await ledger.append(Sample.block("alice", id: "b-2"))
        try ledger.close()
    }

    @Test("SQLite's locks are kept while others come and go in the same process")
    func locks() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        let inode = try #require(FileStamp(folder.ledgerPath)).identity.inode
        let before = try locks(of: inode)
        #expect(!before.isEmpty)
        try makeNames()
        for name in Self.names {
            _ = try? folder.openLedger(name)
            let path = folder.path + "/" + (name == "hard" ? "link" : name)
            let reader = try SQLiteLedger.openReadOnly(path: path)
            _ = try reader.head()
            try reader.close()
            _ = try? SQLiteLedger.restore(from: folder.path + "/link", to: folder.path + "/" + name)
            _ = try? SQLiteLedger.backUp(path, to: folder.path + "/hard")
            #expect(throws: LedgerError.store(.targetExists)) {
                try ledger.backUp(to: folder.path + "/" + name)
            }
            #expect(try locks(of: inode) == before, "\(name)")
        }
        try ledger.close()
        #expect(try locks(of: inode).isEmpty)
    }

    @Test("a reader that outlives the writer keeps its locks, and lets the next writer in")
    func readerStays() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        let reader = try SQLiteLedger.openReadOnly(path: folder.ledgerPath)
        _ = try reader.head()
        try ledger.close()
        let inode = try #require(FileStamp(folder.ledgerPath)).identity.inode
        #expect(try !locks(of: inode).isEmpty)
        let next = try folder.openLedger()
        try await next.append(Sample.block("alice", id: "b-2"))
        try next.close()
        #expect(try !locks(of: inode).isEmpty)
        #expect(try reader.head().sequence.number == 2)
        try reader.close()
        #expect(try locks(of: inode).isEmpty)
    }

    /// Lines of /proc/locks that tell of POSIX locks on the file.
    private func locks(of inode: UInt64) throws -> Set<String> {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/locks"))
        defer { try? file.close() }
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let lines = text.split(separator: "\n").filter {
            $0.contains(" POSIX ") && $0.contains(":\(inode) ")
        }
        // Without the line's number.
        return Set(lines.map { $0.drop { $0 != " " }.trimmingCharacters(in: .whitespaces) })
    }

    @Test("a hard link is not served in place of the name that has the log and the head")
    func hardLink() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        try ledger.close()
        try makeNames()
        let path = try LedgerName(folder.path + "/hard").path
        #expect(throws: LedgerError.store(.secondName(path: path))) {
            try folder.openLedger("hard")
        }
        for name in ["ledger.sqlite", "link"] { try folder.openLedger(name).close() }
    }

    @Test(
        "every file has the mode that is set, whatever the umask",
        arguments: FileAccess.allowedModes)
    func modes(mode: UInt32) async throws {
        var custody = LedgerFilePolicy()
        custody.access = FileAccess(mode: mode)
        // One that an earlier version made, open to all.
        try folder.openLedger().close()
        for ending in ["", "-wal", "-shm", ".head", ".lock"] {
            #expect(chmod(folder.ledgerPath + ending, 0o644) == 0 || ending == "-shm")
        }
        let ledger = try folder.openLedger(custody: custody)
        #expect(Heard(ledger).notices == [])
        try await ledger.append(Sample.block("alice", id: "b-1"))
        try ledger.backUp(to: folder.path + "/backup")
        let restored = folder.path + "/restored"
        #expect(
            try SQLiteLedger.restore(
                from: folder.path + "/backup", to: restored, access: custody.access) == [])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where !name.hasPrefix("backup-") {
            #expect(FileStamp(folder.path + "/" + name)?.mode == mode, "\(name)")
        }
        try ledger.close()
    }

    @Test("what root makes belongs to whom the folder belongs", .enabled(if: geteuid() == 0))
    func owners() async throws {
        try folder.openLedger("ours").close()
        _ = try SQLiteLedger.backUp(folder.path + "/ours", to: folder.path + "/backup")
        #expect(FileStamp(folder.path + "/backup")?.owner == 0)
        let theirs = folder.path + "/theirs"
        try FileManager.default.createDirectory(
            atPath: theirs, withIntermediateDirectories: false)
        #expect(chown(theirs, 65_534, 65_534) == 0)
        let problems = try SQLiteLedger.restore(
            from: folder.path + "/backup", to: theirs + "/ledger")
        #expect(problems == [])
        try folder.openLedger("theirs/made").close()
        for name in try FileManager.default.contentsOfDirectory(atPath: theirs) {
            #expect(FileStamp(theirs + "/" + name)?.owner == 65_534, "\(name)")
            #expect(FileStamp(theirs + "/" + name)?.group == 65_534, "\(name)")
        }
    }

    @Test("what cannot be opened is named")
    func named() throws {
        let path = try LedgerName(folder.ledgerPath).path + ".lock"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        #expect(throws: LedgerError.store(.cannotOpen(path: path))) { try folder.openLedger() }
    }
}
