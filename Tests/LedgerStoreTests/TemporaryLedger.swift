internal import EntitlementModel
internal import GRDB
internal import LedgerModel
internal import Synchronization
internal import TestSupport

@testable internal import LedgerStore

/// The ledger of a test.
extension TemporaryFolder {
    var ledgerPath: String { path + "/ledger.sqlite" }

    func openLedger(
        _ name: String = "ledger.sqlite", maximumLogBytes: Int64 = 64 << 20,
        custody: LedgerFilePolicy = LedgerFilePolicy()
    ) throws -> SQLiteLedger {
        let salts = CountingSalts()
        return try SQLiteLedger.open(
            path: path + "/" + name, maximumLogBytes: maximumLogBytes, custody: custody,
            makeSalts: salts.next)
    }

    /// What somebody with `sqlite3` could do: the ledger's own rules are off meanwhile, and stand
    /// as before afterwards, but for those that the text makes otherwise.
    func tamper(_ sql: String) throws {
        let queue = try DatabaseQueue(path: ledgerPath)
        try queue.writeWithoutTransaction { database in
            let triggers = try Row.fetchAll(
                database, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            for trigger in triggers {
                try database.execute(sql: "DROP TRIGGER \(trigger["name"] as String)")
            }
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON; " + sql)
            for trigger in triggers {
                let text: String = trigger["sql"]
                let isMade = try database.triggerExists(trigger["name"])
                if !isMade { try database.execute(sql: text) }
            }
        }
        try queue.close()
    }
}

/// Salts that differ and that a test can foresee.
final class CountingSalts: Sendable {
    private let count = Mutex<UInt8>(0)

    func next() -> [UInt8] {
        let number = count.withLock { count in
            count &+= 1
            return count
        }
        return Array(repeating: number, count: 16)
    }
}

extension Ledger {
    /// Appends the entries in one write.
    @discardableResult
    func append(
        _ entries: LedgerEntry..., at now: Instant = Sample.start
    ) async throws -> [LedgerSequence] {
        try await write { transaction in
            try entries.map { try transaction.append($0, at: now) }
        }
    }
}

extension LedgerError {
    /// As the store in a file says it.
    static func store(_ failure: LedgerStoreError) -> LedgerError { LedgerError(failure) }
}
