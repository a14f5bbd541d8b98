package import LedgerModel

/// Keeps services from a ledger that is being moved.
package struct LedgerHold {
    private let lock: LockFile

    /// - Throws: where a service has the ledger open.
    package init(_ path: String) throws(LedgerError) {
        do throws(LedgerStoreError) {
            lock = try LockFile(of: LedgerName(path), access: FileAccess())
        } catch {
            throw LedgerError(error)
        }
    }

    package func release() { lock.release() }
}
