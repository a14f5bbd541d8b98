internal import EntitlementModel
internal import FoundationEssentials
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("Restoring a ledger", .timeLimit(.minutes(20)))
struct RestoreTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var backup: String { folder.path + "/backup" }
    private var restored: String { folder.path + "/data/restored" }

    /// A backup of as many blocks, and an empty folder to restore it into.
    private func makeBackup(of count: Int) async throws {
        let ledger = try folder.openLedger()
        for number in 1...count {
            try await ledger.append(Sample.block("alice", id: "b-\(number)"))
        }
        try ledger.backUp(to: backup)
        try ledger.close()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/data", withIntermediateDirectories: false)
    }

    private func names(in path: String = "/data") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + path).sorted()
    }

    @Test(
        "is refused next to what is left of another ledger, which is named and left alone",
        arguments: ["-wal", "-shm", "-journal"], [1, 2_000])
    func remains(suffix: String, count: Int) async throws {
        try await makeBackup(of: count)
        let left = Data("left".utf8)
        try left.write(to: URL(filePath: restored + suffix))
        let refusal = LedgerError.store(.remains(path: restored + suffix))
        #expect(throws: refusal) { try SQLiteLedger.restore(from: backup, to: restored) }
        #expect(refusal.text(.english).contains("'\(restored)\(suffix)'"))
        #expect(try names() == ["restored" + suffix])
        #expect(try Data(contentsOf: URL(filePath: restored + suffix)) == left)
    }

    @Test("leaves nothing behind where it fails, and no lock where it is done")
    func leavesNothing() async throws {
        try await makeBackup(of: 3)
        #expect(throws: LedgerError.store(.notALedger)) {
            try Data("no ledger, but as long as a page of one".utf8).write(
                to: URL(filePath: folder.path + "/other"))
            _ = try SQLiteLedger.restore(from: folder.path + "/other", to: restored)
        }
        #expect(throws: LedgerError.self) {
            try SQLiteLedger.restore(from: folder.path + "/none", to: restored)
        }
        // The head cannot be written.
        try FileManager.default.createDirectory(
            atPath: restored + ".head", withIntermediateDirectories: false)
        #expect(throws: LedgerError.self) { try SQLiteLedger.restore(from: backup, to: restored) }
        #expect(try names() == ["restored.head"])
        try FileManager.default.removeItem(atPath: restored + ".head")
        #expect(try SQLiteLedger.restore(from: backup, to: restored) == [])
        #expect(try names().filter { $0.hasSuffix(".lock") } == [])
        let ledger = try SQLiteLedger.open(path: restored, makeSalts: CountingSalts().next)
        #expect(try ledger.reader.head().sequence.number == 3)
        // A lock that somebody else made stays.
        #expect(throws: LedgerError.store(.alreadyOpen)) {
            try SQLiteLedger.restore(from: backup, to: restored)
        }
        #expect(try names().contains("restored.lock"))
        try ledger.close()
    }

    @Test("what interrupted copies left is removed at the next start, and nothing else")
    func interrupted() async throws {
        try await makeBackup(of: 1)
        let own = [
            "restored.incomplete", "restored.incomplete-journal", "restored.incomplete-wal",
            "restored.before-3.incomplete", "restored.before-12.incomplete-shm",
            "restored.1.incomplete", "restored.before-3.12.incomplete-journal",
        ]
        let others = [
            "restored.before-.incomplete", "restored.before-3", "restored2.incomplete",
            "restored.incomplete.txt", "restored.before-x.incomplete", "incomplete",
            "unrestored.incomplete", "restored.1.2.incomplete", "restored.x.incomplete",
        ]
        #expect(try SQLiteLedger.restore(from: backup, to: restored) == [])
        for name in own + others {
            try Data("x".utf8).write(to: URL(filePath: folder.path + "/data/" + name))
        }
        try SQLiteLedger.open(path: restored, makeSalts: CountingSalts().next).close()
        let left = try names()
        #expect(left.filter(own.contains) == [])
        #expect(Set(left).isSuperset(of: others))
    }
}
