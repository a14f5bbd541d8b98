internal import EntitlementModel
internal import FoundationEssentials
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

/// What is on the disk when the process or the power goes: the file and a part of its log.
@Suite("Crashes", .timeLimit(.minutes(20)))
struct CrashTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("what was acknowledged is there after the process was killed")
    func killed() async throws {
        let ledger = try folder.openLedger()
        for number in 1...20 {
            try await ledger.append(Sample.block("alice", id: "b-\(number)"))
        }
        let crashed = try Crash(of: folder)
        try ledger.close()
        #expect(try crashed.reopenedCount(logBytes: crashed.log.count) == 20)
    }

    @Test("a log that ends anywhere leaves a sound ledger of whole writes")
    func tornLog() async throws {
        let ledger = try folder.openLedger()
        for number in 1...6 {
            try await ledger.append(
                Sample.block("alice", id: "b-\(number)"), Sample.claim("alice", "\(number)"))
        }
        let crashed = try Crash(of: folder)
        try ledger.close()
        var counts: [Int64] = []
        for tenth in 0...40 {
            counts.append(try crashed.reopenedCount(logBytes: crashed.log.count * tenth / 40))
        }
        #expect(counts == counts.sorted())
        #expect(counts.first == 0)
        #expect(counts.last == 12)
        #expect(counts.allSatisfy { $0.isMultiple(of: 2) })
    }

    @Test("a long ledger opens, and only its newest thousand entries are checked then")
    func longLedger() async throws {
        let ledger = try folder.openLedger()
        try await ledger.write { transaction in
            for number in 1...1_500 {
                _ = try transaction.append(
                    Sample.block("alice", id: "b-\(number)"), at: Sample.start)
            }
        }
        try ledger.close()
        try folder.openLedger().close()
        try folder.tamper("UPDATE entry SET recorded_at = recorded_at - 1 WHERE seq = 400")
        try folder.openLedger().close()
        try folder.tamper("UPDATE entry SET recorded_at = recorded_at + 1 WHERE seq = 600")
        #expect(throws: LedgerError.store(.chainBroken(LedgerSequence(600)))) {
            try folder.openLedger()
        }
    }

    @Test("the index is computed again from the entries")
    func rebuilding() async throws {
        let ledger = try folder.openLedger()
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1", apple: "A")),
            Sample.fact(try Sample.transaction("2", of: "2", apple: "A")),
            Sample.claim("alice", "1"), Sample.claim("bob", "404"))
        try ledger.close()
        try folder.tamper("DELETE FROM interest; UPDATE lineage SET cluster = id")
        let reopened = try folder.openLedger()
        #expect(try reopened.reader.verify() != [])
        try await reopened.rebuildIndex()
        #expect(try reopened.reader.verify() == [])
        try reopened.close()
    }
}

/// A copy of the bytes of a ledger in use.
private struct Crash {
    let file: Data
    let log: Data

    init(of folder: TemporaryFolder) throws {
        file = try Data(contentsOf: URL(filePath: folder.ledgerPath))
        log = try Data(contentsOf: URL(filePath: folder.ledgerPath + "-wal"))
    }

    /// How many entries a ledger has that finds so much of its log; it must be sound.
    func reopenedCount(logBytes: Int) throws -> Int64 {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try file.write(to: URL(filePath: folder.ledgerPath))
        try log.prefix(logBytes).write(to: URL(filePath: folder.ledgerPath + "-wal"))
        let ledger = try folder.openLedger()
        defer { try? ledger.close() }
        #expect(try ledger.reader.verify() == [])
        return try ledger.read { try $0.head().sequence.number }
    }
}
