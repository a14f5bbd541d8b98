internal import EntitlementModel
internal import GRDB
package import LedgerModel

/// Reads one ledger file.
package final class SQLiteLedgerReader: ReadableLedger {
    let pool: DatabasePool
    /// Kept for as long as the pool is open.
    private let hold: FileHold?

    init(_ pool: DatabasePool, _ hold: FileHold?) {
        self.pool = pool
        self.hold = hold
    }

    /// - Parameter acceptsForeignSchema: for `verify`, which names what is foreign in the schema
    ///   instead of refusing it.
    init(path: String, acceptsForeignSchema: Bool = false) throws(LedgerStoreError) {
        hold = FileHold(readingFileAt: path)
        pool = try LedgerFile.openForReading(
            path: path, acceptsForeignSchema: acceptsForeignSchema)
    }

    /// The file, without symbolic links where it is open for writing.
    var path: String { pool.path }

    deinit {
        // Before the hold is released, which closes descriptors of the same file.
        try? pool.close()
    }

    package func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
        do {
            return try pool.read { try body(LedgerTransaction($0)) }
        } catch let error as DatabaseError {
            throw LedgerError(LedgerStoreError(error, path))
        }
    }

    /// A long view keeps the write-ahead log from being cut.
    package func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem] {
        try LedgerError.mapping(path) {
            try pool.read { database in
                var verification = Verification(database, progress: progress)
                try verification.run(anchor: anchor)
                return verification.problems
            }
        }
    }

    package func statistics() throws(LedgerError) -> LedgerStatistics {
        try LedgerError.mapping(path) {
            try pool.read { try LedgerStatistics(LedgerTransaction($0), path: path) }
        }
    }

    /// Of the ledger that this process writes, `waiting` writes wait.
    func condition(waiting: Int) throws(LedgerError) -> LedgerCondition {
        try LedgerError.mapping(path) {
            try pool.read { database in
                let transaction = LedgerTransaction(database)
                let version = try SQLiteVersion(transaction.connection)
                var condition = LedgerCondition(head: try transaction.head())
                condition.fileBytes = FileStatus.bytes(of: path)
                condition.logBytes = FileStatus.bytes(of: path + "-wal")
                condition.waitingWrites = waiting
                condition.storeVersion = version.description
                condition.isStoreCurrent = version >= .withoutLogFault
                return condition
            }
        }
    }

    /// The newest entry's place, hash and instant.
    package func head() throws(LedgerError) -> LedgerHead {
        try LedgerError.mapping(path) { try pool.read { try LedgerTransaction($0).head() } }
    }

    package func close() throws(LedgerError) {
        try LedgerError.mapping(path) { try pool.close() }
        hold?.release()
    }
}
