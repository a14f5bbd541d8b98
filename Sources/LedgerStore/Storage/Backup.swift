internal import FoundationEssentials
internal import GRDB
internal import Glibc

/// A copy of a ledger that is in use: complete, checked and on the disk, or not there at all.
enum Backup {
    /// Through SQLite's online backup into a file beside the target, which is checked, synced
    /// and only then given its name.
    ///
    /// - Parameter ledger: the ledger whose file the copy is to be or to lie beside, if any.
    static func write(
        _ source: any DatabaseReader, to path: String, _ access: FileAccess,
        besideLedger ledger: String? = nil
    ) throws(LedgerStoreError) {
        let temporary = path + InterruptedCopies.suffix
        remove(temporary)
        defer { remove(temporary) }
        try make(temporary, access, besideLedger: ledger)
        try LedgerStoreError.mapping(temporary) { try copy(source, to: temporary) }
        try sync(temporary)
        guard rename(temporary, path) == 0 else { throw .cannotOpen(path: path) }
        try syncFolder(LedgerName.folder(of: path))
    }

    /// Before SQLite opens it, which would leave its mode to the umask.
    private static func make(
        _ path: String, _ access: FileAccess, besideLedger ledger: String?
    ) throws(LedgerStoreError) {
        guard
            let descriptor = access.open(
                path, O_WRONLY | O_EXCL | O_NOFOLLOW, besideLedger: ledger)
        else { throw .cannotOpen(path: path) }
        close(descriptor)
    }

    private static func copy(_ source: any DatabaseReader, to path: String) throws {
        let target = try DatabaseQueue(path: path)
        try source.backup(to: target)
        try target.writeWithoutTransaction { database in
            // The copy is one file: no log beside it that could be forgotten.
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            let verdict = try String.fetchOne(database, sql: "PRAGMA integrity_check")
            guard verdict == "ok" else { throw LedgerStoreError.corrupt }
        }
        try target.close()
    }

    private static func sync(_ path: String) throws(LedgerStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .inputOutput(code: errno) }
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }
}
