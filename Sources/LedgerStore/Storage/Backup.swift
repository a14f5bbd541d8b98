internal import FoundationEssentials
internal import GRDB
internal import Glibc

/// A copy of a ledger that is in use: complete, checked and on the disk, or not there at all.
enum Backup {
    /// Through SQLite's online backup into a file beside the target, which is checked, synced
    /// and only then given its name.
    static func write(_ source: any DatabaseReader, to path: String) throws(LedgerStoreError) {
        let temporary = path + InterruptedCopies.suffix
        remove(temporary)
        defer { remove(temporary) }
        try LedgerStoreError.mapping { try copy(source, to: temporary) }
        try sync(temporary)
        guard rename(temporary, path) == 0 else { throw .cannotOpen }
        try sync(directory(of: path))
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
        guard descriptor >= 0 else { throw .cannotOpen }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .inputOutput(code: errno) }
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
