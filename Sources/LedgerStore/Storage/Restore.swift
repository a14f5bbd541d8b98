internal import Glibc

extension Ledger {
    /// Makes a ledger of a backup, where there is none yet; on failure nothing is left behind.
    ///
    /// - Returns: What is wrong with the backup; nothing was made if anything is.
    package static func restore(
        from backup: String, to path: String, access: FileAccess = FileAccess()
    ) throws(LedgerStoreError) -> [LedgerProblem] {
        let name = try LedgerName(path)
        let isLockNew = !FileStatus.exists(name.lock)
        let lock = try LockFile(of: name, access: access)
        // Whoever restores as root would otherwise leave a lock that nobody else may open. Removed
        // while it is held, so that nobody who has it is left without.
        defer {
            if isLockNew { unlink(name.lock) }
            lock.release()
        }
        guard !FileStatus.exists(name.path) else { throw .targetExists }
        try expectNoRemains(of: name)
        let reader = try openToVerify(path: backup)
        let problems = try reader.verify()
        if problems.isEmpty { try write(reader, to: name, access) }
        try reader.close()
        return problems
    }

    /// SQLite takes a log or a journal that lies beside a file for the file's own, and would mix
    /// it into what is restored.
    private static func expectNoRemains(of name: LedgerName) throws(LedgerStoreError) {
        for path in [name.log, name.sharedMemory, name.journal] where FileStatus.exists(path) {
            throw .remains(path: path)
        }
    }

    /// What was acknowledged by the ledger that was there before is given up by restoring: its
    /// head file says from now on what the restored one ends with.
    private static func write(
        _ reader: LedgerReader, to name: LedgerName, _ access: FileAccess
    ) throws(LedgerStoreError) {
        do throws(LedgerStoreError) {
            try Backup.write(reader.pool, to: name.path, access, besideLedger: name.path)
            let restored = try openReadOnly(path: name.path)
            let place = LedgerPosition(try restored.head())
            try restored.close()
            try HeadFile(of: name, access: access).write(place)
        } catch {
            // There was nothing before, so all that is there now came with this.
            for path in [name.path, name.log, name.sharedMemory, name.journal] { unlink(path) }
            throw error
        }
    }
}
