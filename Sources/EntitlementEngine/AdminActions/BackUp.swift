internal import LedgerStore

extension EntitlementEngine {
    /// Writes a complete, checked copy of the ledger; it is on the disk when this returns.
    /// Blocks.
    package func backUp(to path: String) throws(EngineError) {
        do {
            try ledger.reader.backup(to: path)
        } catch {
            throw .ledger(error)
        }
    }

    /// Removes what backups into the folder have left that were interrupted; `isOwn` knows the
    /// names that those would have got. Not while any is under way.
    package static func removeInterruptedBackups(
        in folder: String, named isOwn: (Substring) -> Bool
    ) {
        InterruptedCopies.remove(in: folder, where: isOwn)
    }
}
