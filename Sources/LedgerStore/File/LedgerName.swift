internal import Glibc
internal import Synchronization

/// The name that a ledger was asked for by, and the file that it leads to.
///
/// SQLite names the log after the file, not after a link to it; so does everything else here.
struct LedgerName: Sendable {
    /// As it was asked for.
    let given: String
    /// Without symbolic links.
    let path: String

    var log: String { path + "-wal" }
    var sharedMemory: String { path + "-shm" }
    var journal: String { path + "-journal" }
    var head: String { path + ".head" }
    var lock: String { path + ".lock" }

    /// - Throws: `.missing` for a link that leads nowhere, `.cannotOpen` where the folder is none.
    init(_ given: String) throws(LedgerStoreError) {
        self.given = given
        if let path = Self.resolved(given) {
            self.path = path
            return
        }
        // A link whose target is away, with its file system say, is no reason to make a new one.
        guard FileStamp(given) == nil else { throw .missing(path: given, beside: given) }
        let folder = Self.folder(of: given)
        guard let resolved = Self.resolved(folder) else { throw .cannotOpen(path: folder) }
        let name = given.utf8.lastIndex(of: UInt8(ascii: "/")).map {
            String(given[given.utf8.index(after: $0)...])
        }
        path = (resolved == "/" ? "" : resolved) + "/" + (name ?? given)
    }

    /// The folder that a file lies in.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// A file beside the ledger that one process at a time holds locked (`flock`).
///
/// It keeps two services from making one ledger, a restore from working beside a service, and
/// programs before version 0.2 out, which know no other lock. Who has removed it is kept out by
/// the lock on the ledger itself (`FileHold`). It stays when the lock is released; only the lock
/// counts.
final class LockFile: Sendable {
    /// Nil once released.
    private let descriptor: Mutex<Int32?>

    init(of ledger: LedgerName, access: FileAccess) throws(LedgerStoreError) {
        guard
            let descriptor = access.open(
                ledger.lock, O_RDWR | O_NOFOLLOW, besideLedger: ledger.path)
        else { throw .cannotOpen(path: ledger.lock) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .alreadyOpen
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    func release() {
        let released = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let released { close(released) }
    }
}
