package import EntitlementModel
internal import GRDB

/// Reads one ledger file.
package final class LedgerReader: Sendable {
    let pool: DatabasePool
    /// Of what it copies to.
    let access: FileAccess
    /// Kept for as long as the pool is open.
    private let hold: FileHold?

    init(_ pool: DatabasePool, _ hold: FileHold?, access: FileAccess) {
        self.pool = pool
        self.hold = hold
        self.access = access
    }

    /// The file, without symbolic links where it is open for writing.
    package var path: String { pool.path }

    deinit {
        // Before the hold is released, which closes descriptors of the same file.
        try? pool.close()
    }

    /// One consistent view, however long the body takes; what is written meanwhile stays unseen.
    /// Blocks the calling thread while it runs.
    package func read<Value>(
        _ body: (any LedgerReading) throws -> Value
    ) throws -> Value {
        do {
            return try pool.read { try body(LedgerTransaction($0)) }
        } catch let error as DatabaseError {
            throw LedgerStoreError(error, pool.path)
        }
    }

    /// Re-checks everything that can be checked without a policy or a key: the file, the chain
    /// of hashes, each payload and the bytes of evidence, the index. In the ledger's order; empty
    /// for a sound ledger.
    ///
    /// It reads one view of the whole file. Beside a busy service, verify a backup instead: a
    /// long view keeps the write-ahead log from being cut.
    ///
    /// - Parameter anchor: A head that the ledger is known to have had. Without one, nobody can
    ///   tell a ledger from its own older copy.
    package func verify(
        anchor: LedgerHead? = nil,
        progress: @escaping (_ checked: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws(LedgerStoreError) -> [LedgerProblem] {
        try LedgerStoreError.mapping(pool.path) {
            try pool.read { database in
                var verification = Verification(database, progress: progress)
                try verification.run(anchor: anchor)
                return verification.problems
            }
        }
    }

    /// Writes a copy that is complete, checked and on the disk when this returns, and replaces
    /// what had that name only then. The ledger may be in use meanwhile.
    package func backup(to path: String) throws(LedgerStoreError) {
        guard !FileHold.isOpen(path) else { throw .targetExists }
        try Backup.write(pool, to: path, access)
    }

    package func statistics() throws(LedgerStoreError) -> LedgerStatistics {
        try LedgerStoreError.mapping(pool.path) {
            try pool.read { try LedgerStatistics(LedgerTransaction($0), path: pool.path) }
        }
    }

    package func sqliteVersion() throws(LedgerStoreError) -> SQLiteVersion {
        try LedgerStoreError.mapping(pool.path) {
            try pool.read { try SQLiteVersion(Connection(database: $0)) }
        }
    }

    /// The newest entry's place, hash and instant.
    package func head() throws(LedgerStoreError) -> LedgerHead {
        try LedgerStoreError.mapping(pool.path) {
            try pool.read { try LedgerTransaction($0).head() }
        }
    }

    /// The next entries in order, in a view of their own; erased ones are passed over.
    package func entries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerStoreError) -> [Recorded<LedgerEntry>] {
        try LedgerStoreError.mapping(pool.path) {
            try pool.read { try LedgerTransaction($0).entries(after: sequence, limit: limit) }
        }
    }

    package func close() throws(LedgerStoreError) {
        try LedgerStoreError.mapping(pool.path) { try pool.close() }
        hold?.release()
    }
}
