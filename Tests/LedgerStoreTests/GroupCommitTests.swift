internal import EntitlementModel
internal import GRDB
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("Group commit", .timeLimit(.minutes(20)))
struct GroupCommitTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("64 writers at once are all durable, in few transactions")
    func manyWriters() async throws {
        let ledger = try folder.openLedger()
        let commits = CommitCounter()
        ledger.reader.pool.add(transactionObserver: commits, extent: .databaseLifetime)
        // The first write holds the writer until all others wait behind it.
        let gate = WriterGate()
        async let first = ledger.write { transaction in
            gate.hold()
            return try transaction.append(Sample.block("alice", id: "first"), at: Sample.start)
        }
        try await gate.waitUntilHeld()
        let sequences = try await withThrowingTaskGroup(of: LedgerSequence.self) { group in
            for number in 1...64 {
                group.addTask {
                    try await ledger.write { transaction in
                        try transaction.append(
                            Sample.block("alice", id: "b-\(number)"), at: Sample.start)
                    }
                }
            }
            try await yieldUntil("all writes wait") { ledger.waitingWrites >= 64 }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let firstSequence = try await first
        #expect(firstSequence.number == 1)
        #expect(Set(sequences.map(\.number)) == Set(2...65))
        #expect(commits.count == 2)
        try ledger.close()

        let reader = try SQLiteLedger.openReadOnly(path: folder.ledgerPath)
        #expect(try reader.read { try $0.entries(after: .zero, limit: 100).count } == 65)
        try reader.close()
    }

    @Test("a full disk fails the batch and not the ledger")
    func fullDisk() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        let large = Sample.evidence(
            Array(repeating: 7, count: 1 << 20), digest: try Sample.digest(1))
        try await ledger.limitPages(to: 60)
        await #expect(throws: LedgerError.store(.diskFull)) { try await ledger.append(large) }
        #expect(ledger.acceptsWrites)
        #expect(try ledger.read { try $0.head().sequence.number } == 1)
        try await ledger.limitPages(to: 1 << 20)
        #expect(try await ledger.append(large).map(\.number) == [2])
        try ledger.close()
    }

    @Test("after a failure of the file nothing is written any more")
    func stopping() async throws {
        let ledger = try folder.openLedger()
        await #expect(throws: LedgerError.store(.inputOutput(code: 10))) {
            try await ledger.write { _ in throw LedgerError.store(.inputOutput(code: 10)) }
        }
        #expect(!ledger.acceptsWrites)
        await #expect(throws: LedgerError.store(.writingStopped)) {
            try await ledger.append(Sample.block("alice", id: "b-1"))
        }
        #expect(try ledger.read { try $0.head().sequence } == .zero)
        try ledger.close()
    }
}

/// Counts the commits of one connection.
private final class CommitCounter: TransactionObserver, Sendable {
    private let commits = Mutex(0)

    var count: Int { commits.withLock { $0 } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { commits.withLock { $0 += 1 } }
    func databaseDidRollback(_ database: Database) {}
}
