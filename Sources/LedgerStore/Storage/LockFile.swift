internal import Glibc
internal import Synchronization

/// A file beside the ledger that one process at a time holds locked (`flock`).
///
/// The ledger itself must never be opened by anything but SQLite: closing it would drop SQLite's
/// own locks. The file stays when the lock is released; only the lock counts.
final class LockFile: Sendable {
    /// Nil once released.
    private let descriptor: Mutex<Int32?>

    init(path: String) throws(LedgerStoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen }
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
