internal import FoundationEssentials
internal import GRDB
internal import Glibc
package import LedgerModel
internal import SQLiteHardening

/// A copy of a ledger that is in use: complete, checked and on the disk, or not there at all.
enum Backup {
    /// Through SQLite's online backup into a file next to the target, which is checked, synced
    /// and only then given its name.
    ///
    /// - Parameters:
    ///   - ledger: the ledger whose file the copy is to be or to lie next to, if any.
    ///   - replaces: whether a file of that name is replaced.
    /// - Throws: `.targetExists` if another process was faster.
    static func write(
        _ source: any DatabaseReader, to path: String, _ access: FileAccess,
        besideLedger ledger: String? = nil, replaces: Bool = false
    ) throws(LedgerStoreError) {
        InterruptedCopies.remove(of: path)
        let (temporary, descriptor) = try make(beside: path, access, besideLedger: ledger)
        // SQLite has closed it by then.
        defer { close(descriptor) }
        // After the rename, the temporary name is free for others.
        var isNamed = false
        defer { if !isNamed { remove(temporary) } }
        try LedgerStoreError.mapping(temporary) { try copy(source, to: temporary) }
        guard fsync(descriptor) == 0 else { throw .inputOutput(code: errno) }
        if replaces {
            guard Glibc.rename(temporary, path) == 0 else { throw .cannotOpen(path: path) }
        } else {
            try rename(temporary, toNew: path)
        }
        isNamed = true
        try syncFolder(LedgerName.folder(of: path))
    }

    /// A file of its own for each copy, held until that is made: before SQLite opens it, which
    /// would leave its mode to the umask.
    private static func make(
        beside path: String, _ access: FileAccess, besideLedger ledger: String?
    ) throws(LedgerStoreError) -> (path: String, descriptor: Int32) {
        var number = 0
        while true {
            number += 1
            let temporary = "\(path).\(number)\(InterruptedCopies.suffix)"
            if let descriptor = access.open(
                temporary, O_WRONLY | O_EXCL | O_NOFOLLOW, besideLedger: ledger)
            {
                flock(descriptor, LOCK_EX)
                // A cleanup of interrupted copies may have removed it.
                if isThere(descriptor) { return (temporary, descriptor) }
                close(descriptor)
                continue
            }
            guard errno == EEXIST else { throw .cannotOpen(path: temporary) }
        }
    }

    private static func isThere(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Replaces nothing. If the file system cannot guarantee that, only a concurrent copy to the
    /// same name could collide.
    private static func rename(_ temporary: String, toNew path: String) throws(LedgerStoreError) {
        if rename_to_new_name(temporary, path) == 0 { return }
        guard errno != EEXIST, !FileStatus.exists(path) else { throw .targetExists }
        guard Glibc.rename(temporary, path) == 0 else { throw .cannotOpen(path: path) }
    }

    private static func copy(_ source: any DatabaseReader, to path: String) throws {
        let target = try DatabaseQueue(path: path)
        try source.backup(to: target)
        try target.writeWithoutTransaction { database in
            // The copy is one file: no log next to it that could be forgotten.
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            let verdict = try String.fetchOne(database, sql: "PRAGMA integrity_check")
            guard verdict == "ok" else { throw LedgerStoreError.corrupt }
        }
        try target.close()
    }

    /// The main file last: after that, its name may be used again.
    private static func remove(_ path: String) {
        for suffix in ["-journal", "-wal", "-shm", ""] { unlink(path + suffix) }
    }
}

extension SQLiteLedger {
    /// Makes a ledger of a backup, where there is none yet; a failure leaves nothing behind.
    ///
    /// - Parameter erasures: by which its first opening makes the erasures again that a list has
    ///   and the backup lacks; nil where there is to be no list.
    /// - Returns: Problems of the backup; if there are any, nothing was made.
    package static func restore(
        from backup: String, to path: String, access: FileAccess = FileAccess(),
        erasures: ErasureCustody? = nil
    ) throws(LedgerError) -> [LedgerProblem] {
        try LedgerError.mapping { try restore(backup, to: path, access, erasures) }
    }

    private static func restore(
        _ backup: String, to path: String, _ access: FileAccess, _ erasures: ErasureCustody?
    ) throws -> [LedgerProblem] {
        let name = try LedgerName(path)
        let isLockNew = !FileStatus.exists(name.lock)
        let lock = try LockFile(of: name, access: access)
        // A restore as root would otherwise leave a lock file that the service cannot open. It is
        // removed while it is held, so that no other process loses its lock.
        defer {
            if isLockNew { unlink(name.lock) }
            lock.release()
        }
        guard !FileStatus.exists(name.path) else { throw LedgerStoreError.targetExists }
        try expectNoRemains(of: name)
        let reader = try openToVerify(path: backup)
        let problems = try reader.verify()
        if problems.isEmpty {
            let isListNew = try erasures?.prepare(reader, for: name, access) ?? false
            do {
                try write(reader, to: name, access)
            } catch {
                if isListNew { unlink(name.erasures) }
                throw error
            }
        }
        try reader.close()
        return problems
    }

    /// SQLite takes a log or journal next to a file as the file's own, and would mix it into the
    /// restored ledger.
    private static func expectNoRemains(of name: LedgerName) throws(LedgerStoreError) {
        for path in [name.log, name.sharedMemory, name.journal] where FileStatus.exists(path) {
            throw .remains(path: path)
        }
    }

    /// A restore gives up what the earlier ledger has acknowledged: the head file names the
    /// restored head from now on.
    private static func write(
        _ reader: SQLiteLedgerReader, to name: LedgerName, _ access: FileAccess
    ) throws {
        do {
            try Backup.write(reader.pool, to: name.path, access, besideLedger: name.path)
            // The head next to it may still be that of the ledger before.
            let restored = try openToVerify(path: name.path)
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

/// Remains of interrupted copies: a copy gets its name only when it is complete, so none of these
/// was ever used.
enum InterruptedCopies {
    static let suffix = ".incomplete"
    /// The part of the name that marks a fetched database before it is complete.
    static let fetched = ".fetched"
    /// SQLite's own files next to one, and a ledger's.
    private static let endings = ["", "-journal", "-wal", "-shm", ".head", ".lock"]

    /// Removes one with the files next to it.
    static func remove(_ path: String) {
        for ending in endings { unlink(path + ending) }
    }

    /// Removes those of a ledger: of a restore, a fetch, or the copy before a migration.
    ///
    static func remove(besideLedger path: String) {
        remove(next: path) { stem, name in
            guard stem.hasPrefix(name) else { return false }
            let rest = stem.dropFirst(name.count)
            guard rest.hasPrefix(".before-") else { return rest.isEmpty || rest == fetched }
            let version = rest.dropFirst(".before-".count)
            return !version.isEmpty && version.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// Removes those of copies that were to have this name.
    static func remove(of path: String) {
        remove(next: path) { stem, name in stem == name }
    }

    private static func remove(
        next path: String, where own: (_ stem: Substring, _ name: String) -> Bool
    ) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(path[..<path.utf8.index(after: $0)]) } ?? "./"
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        remove(in: folder) { own($0, name) }
    }

    /// Removes all in a folder whose names without the marker satisfy `own`, unless another process
    /// is writing them.
    static func remove(in folder: String, where own: (Substring) -> Bool) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let (stem, file) = stem(of: name), own(stem) || own(withoutNumber(stem))
            else { continue }
            remove(file, in: dirfd(stream))
        }
    }

    /// Removes one unless another process is writing it. It is held meanwhile, and created if only
    /// SQLite's files of it are left, so that no other process begins one of that name.
    private static func remove(_ file: String, in folder: Int32) {
        let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        var descriptor = openat(folder, file, O_RDONLY | flags)
        if descriptor < 0, errno == ENOENT {
            descriptor = openat(folder, file, O_RDONLY | O_CREAT | O_EXCL | flags, 0o600)
            if descriptor < 0, errno == EEXIST { return }
        }
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        for ending in endings.reversed() { unlinkat(folder, file + ending, 0) }
    }

    /// Which of several copies it is that were made at once.
    private static func withoutNumber(_ stem: Substring) -> Substring {
        guard let point = stem.lastIndex(of: "."), stem.index(after: point) < stem.endIndex,
            stem[stem.index(after: point)...].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return stem }
        return stem[..<point]
    }

    /// The name that the copy would have got, and that of its file; nil for any other file.
    private static func stem(of name: String) -> (stem: Substring, file: String)? {
        for ending in endings where name.hasSuffix(suffix + ending) {
            return (
                name.dropLast(suffix.count + ending.count), String(name.dropLast(ending.count))
            )
        }
        return nil
    }
}
