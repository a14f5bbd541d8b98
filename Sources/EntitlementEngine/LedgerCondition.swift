package import EntitlementModel
internal import LedgerStore

/// How the ledger is kept, for the operator's page. Cheap: nothing is counted.
package struct LedgerCondition: Hashable, Sendable {
    package let head: LedgerSequence
    package let hash: Digest256
    package let recordedAt: Instant
    /// Of the ledger file, without its log.
    package let fileBytes: Int64
    /// Of the write-ahead log beside it.
    package let logBytes: Int64
    /// Writes that wait for the next transaction.
    package let waitingWrites: Int
    package let sqliteVersion: String
    /// Whether this SQLite is without the fault that another program on the file could meet
    /// (THREATS.md H18).
    package let isSQLiteCurrent: Bool
}

extension EntitlementEngine {
    /// Blocks while it reads.
    package func ledgerCondition() throws(EngineError) -> LedgerCondition {
        let head = try ledger.reading { reader throws(LedgerStoreError) in try reader.head() }
        let version: SQLiteVersion
        do {
            version = try ledger.reader.sqliteVersion()
        } catch {
            throw .ledger(error)
        }
        return LedgerCondition(
            head: head.sequence, hash: head.hash, recordedAt: head.recordedAt,
            fileBytes: FileStatus.bytes(of: ledger.reader.path),
            logBytes: FileStatus.bytes(of: ledger.reader.path + "-wal"),
            waitingWrites: ledger.waitingWrites, sqliteVersion: version.description,
            isSQLiteCurrent: version >= .withoutLogFault)
    }
}
