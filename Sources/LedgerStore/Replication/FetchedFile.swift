package import LedgerModel

/// A ledger that is brought together from elsewhere, beside the file that it becomes: whatever
/// interrupts that, a whole ledger has the file's name, or none.
package struct FetchedFile: Sendable {
    /// Where it is brought together.
    package let location: LedgerFileLocation
    private let target: LedgerFileLocation

    /// Removes what an interrupted one has left behind.
    ///
    /// - Throws: what says that there is a ledger already, or that another one is being brought
    ///   together.
    package init(for target: LedgerFileLocation) throws(LedgerError) {
        let path = target.path + InterruptedCopies.fetched + InterruptedCopies.suffix
        try LedgerError.mapping {
            guard !FileStatus.exists(target.path) else { throw LedgerStoreError.targetExists }
            try LockFile(of: LedgerName(path), access: target.custody.access).release()
        }
        self.target = target
        location = target.moved(to: path)
        remove()
    }

    /// Once it is closed.
    ///
    /// - Returns: what is wrong with it; then there is no file.
    package func becomeTarget() throws(LedgerError) -> [LedgerProblem] {
        try SQLiteLedger.restore(
            from: location.path, to: target.path, access: target.custody.access)
    }

    package func remove() { InterruptedCopies.remove(location.path) }
}
