internal import Glibc

extension Ledger {
    /// Makes a ledger of a backup, where there is none yet; on failure nothing is left behind.
    ///
    /// - Returns: What is wrong with the backup; nothing was made if anything is.
    package static func restore(
        from backup: String, to path: String
    ) throws(LedgerStoreError) -> [LedgerProblem] {
        let lockPath = path + ".lock"
        let isLockNew = !FileStatus.exists(lockPath)
        let lock = try LockFile(path: lockPath)
        // Whoever restores as root would otherwise leave a lock that nobody else may open. Removed
        // while it is held, so that nobody who has it is left without.
        defer {
            if isLockNew { unlink(lockPath) }
            lock.release()
        }
        guard !FileStatus.exists(path) else { throw .targetExists }
        try expectNoRemains(of: path)
        let reader = try openToVerify(path: backup)
        let problems = try reader.verify()
        if problems.isEmpty { try write(reader, to: path) }
        try reader.close()
        return problems
    }

    /// SQLite takes a log or a journal that lies beside a file for the file's own, and would mix
    /// it into what is restored.
    private static func expectNoRemains(of path: String) throws(LedgerStoreError) {
        for suffix in ["-wal", "-shm", "-journal"] where FileStatus.exists(path + suffix) {
            throw .remains(path: path + suffix)
        }
    }

    private static func write(
        _ reader: LedgerReader, to path: String
    ) throws(LedgerStoreError) {
        do throws(LedgerStoreError) {
            // The head file of the restored ledger is written here, too, once there is one.
            try reader.backup(to: path)
        } catch {
            // There was nothing before, so all that is there now came with this.
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
            throw error
        }
    }
}
