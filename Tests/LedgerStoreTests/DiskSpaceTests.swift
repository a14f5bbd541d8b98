internal import EntitlementModel
internal import GRDB
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

/// A disk that is full, as SQLite sees it: no page may be added (THREATS.md H3).
@Suite("A full disk", .timeLimit(.minutes(20)))
struct DiskSpaceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// What was told, and a ledger on whose disk a look finds what the flag says.
    private func ledger() throws -> (SQLiteLedger, ToldChanges) {
        let told = ToldChanges()
        var custody = LedgerFilePolicy()
        custody.hasSpace = { _ in told.isRoomFound }
        let ledger = try SQLiteLedger.open(
            path: folder.ledgerPath, custody: custody, makeSalts: CountingSalts().next)
        ledger.watchRoom { isFull in told.add(isFull) }
        return (ledger, told)
    }

    private func large(_ byte: UInt8) -> LedgerEntry {
        let bytes = Array(repeating: byte, count: 1 << 16)
        return Sample.evidence(bytes, digest: EntryHash.digest(of: bytes))
    }

    @Test("is told once when it begins and once when a commit finds room again")
    func endsWithACommit() async throws {
        let (ledger, told) = try ledger()
        try await ledger.append(large(1))
        try await ledger.fillDisk()
        #expect(!ledger.isFull)
        for byte: UInt8 in 2...4 {
            await #expect(throws: LedgerError.store(.diskFull)) {
                try await ledger.append(large(byte))
            }
        }
        #expect(ledger.isFull && ledger.acceptsWrites)
        #expect(told.changes == [true])
        // What writes nothing succeeds on a full disk too, and says nothing about it.
        try await ledger.write { _ in }
        #expect(ledger.isFull)
        try await ledger.makeRoom()
        #expect(ledger.isFull)
        // One that fits does not end it while the next would not.
        try await ledger.append(large(5))
        #expect(ledger.isFull)
        told.findRoom()
        try await ledger.append(large(6))
        #expect(!ledger.isFull)
        #expect(told.changes == [true, false])
        #expect(try ledger.reader.verify() == [])
        #expect(try ledger.reader.head().sequence.number == 3)
        try ledger.close()
    }

    @Test("ends without anybody writing, once a look finds room")
    func endsWithALook() async throws {
        let (ledger, told) = try ledger()
        try await ledger.fillDisk()
        await #expect(throws: LedgerError.store(.diskFull)) { try await ledger.append(large(1)) }
        ledger.lookForRoom()
        #expect(ledger.isFull)
        try await ledger.makeRoom()
        told.findRoom()
        ledger.lookForRoom()
        #expect(!ledger.isFull)
        ledger.lookForRoom()
        #expect(told.changes == [true, false])
        try ledger.close()
        // The look has changed nothing that is looked at when the ledger is opened.
        let again = try folder.openLedger()
        #expect(try again.reader.verify() == [])
        try again.close()
    }

    @Test("whoever asks late is told that it is full")
    func lateListener() async throws {
        let (ledger, _) = try ledger()
        try await ledger.fillDisk()
        await #expect(throws: LedgerError.store(.diskFull)) { try await ledger.append(large(1)) }
        let late = ToldChanges()
        ledger.watchRoom { isFull in late.add(isFull) }
        #expect(late.changes == [true])
        try ledger.close()
    }

    @Test("is not found where there is room, nor where there is no folder to look in")
    func look() {
        #expect(DiskSpace.canAllocate(beside: folder.ledgerPath))
        #expect(DiskSpace.canAllocate(beside: folder.path + "/none/ledger"))
    }
}

private final class ToldChanges: Sendable {
    private let state = Mutex<(changes: [Bool], isRoomFound: Bool)>(([], false))

    var changes: [Bool] { state.withLock(\.changes) }
    var isRoomFound: Bool { state.withLock(\.isRoomFound) }

    func add(_ isFull: Bool) {
        state.withLock { $0.changes.append(isFull) }
    }

    func findRoom() {
        state.withLock { $0.isRoomFound = true }
    }
}

extension SQLiteLedger {
    /// The file may not grow by a page from now on.
    fileprivate func fillDisk() async throws { try await limitPages(to: 1) }

    fileprivate func makeRoom() async throws { try await limitPages(to: 1_000_000) }

    /// How many it may have; no fewer than it has. Also where this is the file of a node that does
    /// not lead.
    func limitPages(to count: Int) async throws {
        let limit: @Sendable (LedgerTransaction) throws -> Void = {
            try $0.connection.database.execute(sql: "PRAGMA max_page_count = \(count)")
        }
        try await withCheckedThrowingContinuation { continuation in
            writer.enqueue(
                PendingWrite(
                    limit, committed: { _, _ in }, continuation: continuation,
                    isFromJournal: true))
        }
    }
}
