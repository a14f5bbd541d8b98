internal import EntitlementModel
internal import FoundationEssentials
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

/// What lies beside a ledger's file and is none of its own (THREATS.md H6).
@Suite("Logs and indexes that belong elsewhere", .timeLimit(.minutes(20)))
struct ForeignLogTests {
    /// A ledger in use: its file holds the first entries, its log the later ones.
    private struct InUse {
        let file: Data
        let log: Data
        let early: LedgerHead
        let late: LedgerHead

        /// - Parameter checkpointed: whether the first entries have left the log.
        init(account: String, checkpointed: Bool = true) async throws {
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            var ledger = try folder.openLedger()
            for number in 1...20 {
                try await ledger.append(Sample.block(account, id: "b-\(number)"))
            }
            early = try ledger.read { try $0.head() }
            if checkpointed {
                try ledger.close()
                ledger = try folder.openLedger()
            }
            for number in 21...40 {
                try await ledger.append(Sample.block(account, id: "b-\(number)"))
            }
            late = try ledger.read { try $0.head() }
            file = try Data(contentsOf: URL(filePath: folder.ledgerPath))
            log = try Data(contentsOf: URL(filePath: folder.ledgerPath + "-wal"))
            try ledger.close()
        }

        /// What it is after a start with these files beside it: the head of a sound ledger, or
        /// nil where the start or the verification says that it is none.
        func head(beside files: [String: Data]) throws -> LedgerHead? {
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            try file.write(to: URL(filePath: folder.ledgerPath))
            for (ending, data) in files {
                try data.write(to: URL(filePath: folder.ledgerPath + ending))
            }
            guard let ledger = try? folder.openLedger() else { return nil }
            defer { try? ledger.close() }
            guard try ledger.reader.verify() == [] else { return nil }
            return try ledger.read { try $0.head() }
        }
    }

    @Test(
        "an index in shared memory that is garbage is made anew",
        arguments: [UInt8(0), 0x5A, 0xFF], [0, 136, 32_768, 65_536])
    func garbageIndex(byte: UInt8, count: Int) async throws {
        let alice = try await InUse(account: "alice")
        let garbage = Data(repeating: byte, count: count)
        #expect(try alice.head(beside: ["-wal": alice.log, "-shm": garbage]) == alice.late)
    }

    @Test("the log of another ledger, written on: never a mixture that looks sound")
    func otherLog() async throws {
        let (alice, mallory) = (
            try await InUse(account: "alice"), try await InUse(account: "mallory")
        )
        #expect(try alice.head(beside: ["-wal": alice.log]) == alice.late)
        #expect(try alice.head(beside: [:]) == alice.early)
        let found = try alice.head(beside: ["-wal": mallory.log])
        #expect(found == nil || found == alice.early, "\(String(describing: found))")
    }

    /// Such a log is a whole ledger: no file says that it is another's. Who kept an anchor knows.
    @Test("the whole log of another ledger is that ledger, which an anchor tells")
    func wholeOtherLog() async throws {
        let (alice, mallory) = (
            try await InUse(account: "alice"),
            try await InUse(account: "mallory", checkpointed: false)
        )
        let found = try alice.head(beside: ["-wal": mallory.log])
        #expect(found == nil || found == mallory.late, "\(String(describing: found))")
    }
}
