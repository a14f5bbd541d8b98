internal import Glibc
internal import Synchronization

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
