internal import GRDB

/// Reads one ledger file.
package final class LedgerReader: Sendable {
    let pool: DatabasePool

    init(_ pool: DatabasePool) {
        self.pool = pool
    }

    /// One consistent view, however long the body takes; what is written meanwhile stays unseen.
    /// Blocks the calling thread while it runs.
    package func read<Value>(
        _ body: (any LedgerReading) throws -> Value
    ) throws -> Value {
        do {
            return try pool.read { try body(LedgerTransaction($0)) }
        } catch let error as DatabaseError {
            throw LedgerStoreError(error)
        }
    }

    package func close() throws(LedgerStoreError) {
        try LedgerStoreError.mapping { try pool.close() }
    }
}
