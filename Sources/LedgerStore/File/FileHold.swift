internal import Glibc
package import LedgerModel
internal import Synchronization

/// Keeps a ledger's file for as long as SQLite has it open, by any name: one writer on the whole
/// machine, and no descriptor closed too early.
///
/// A process loses all its POSIX locks on a file, SQLite's too, as soon as it closes any descriptor
/// of it. So a descriptor opened here is closed only once this process no longer has the file open
/// through SQLite. `flock` locks are independent of them; on file systems that map one to the other
/// (NFS) no ledger can be kept.
final class FileHold: Sendable {
    private struct File {
        /// Descriptors opened by `LedgerStore`: the writer's, and any that had to be kept open.
        var descriptors: [Int32] = []
        var users = 0
        var isWritten = false
    }

    private static let files = Mutex<[FileIdentity: File]>([:])

    let identity: FileIdentity
    private let isWriter: Bool
    private let isReleased = Mutex(false)

    /// For a connection that only reads: nothing is opened, only counted.
    init?(readingFileAt path: String) {
        guard let found = FileStamp(path, followsLinks: true) else { return nil }
        identity = found.identity
        isWriter = false
        Self.files.withLock { $0[found.identity, default: File()].users += 1 }
    }

    /// For the writer; the file is created if there is none. An existing file is not changed: it
    /// may not be a ledger.
    ///
    /// - Throws: `.alreadyOpen` if the file is in use, by any name; `.notALedger` if it is not a
    ///   regular file.
    init(writingFileAt path: String, access: FileAccess) throws(LedgerStoreError) {
        let result = Self.files.withLock { files in
            Result<FileIdentity, LedgerStoreError> { () throws(LedgerStoreError) in
                try Self.take(path, access, &files)
            }
        }
        identity = try result.get()
        isWriter = true
    }

    deinit {
        release()
    }

    /// Once SQLite has closed the file.
    func release() {
        let wasReleased = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return isReleased
        }
        if wasReleased { return }
        Self.files.withLock { files in
            guard var file = files.removeValue(forKey: identity) else { return }
            file.users -= 1
            if isWriter {
                file.isWritten = false
                for descriptor in file.descriptors { flock(descriptor, LOCK_UN) }
            }
            if file.users > 0 {
                files[identity] = file
            } else {
                for descriptor in file.descriptors { close(descriptor) }
            }
        }
    }

    /// Whether this process has the file open through SQLite: then it must not be opened and closed
    /// elsewhere.
    static func isOpen(_ path: String) -> Bool {
        guard let found = FileStamp(path, followsLinks: true) else { return false }
        return files.withLock { $0[found.identity] != nil }
    }

    private static func take(
        _ path: String, _ access: FileAccess, _ files: inout [FileIdentity: File]
    ) throws(LedgerStoreError) -> FileIdentity {
        let known = FileStamp(path)
        // Opening a device does something already.
        if let known, !known.isRegular { throw .notALedger }
        // Before it is opened, which could not be undone.
        if let known, files[known.identity]?.isWritten == true { throw .alreadyOpen }
        let descriptor = try open(path, isNew: known == nil, access)
        guard let found = FileStamp(descriptor: descriptor) else {
            close(descriptor)
            throw .cannotOpen(path: path)
        }
        let isFree = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        guard var file = files[found.identity] else {
            guard isFree else {
                close(descriptor)
                throw .alreadyOpen
            }
            files[found.identity] = File(descriptors: [descriptor], users: 1, isWritten: true)
            return found.identity
        }
        // Others of this process have it open: the descriptor stays as long as they do.
        file.descriptors.append(descriptor)
        if isFree {
            file.users += 1
            file.isWritten = true
        }
        files[found.identity] = file
        guard isFree else { throw .alreadyOpen }
        return found.identity
    }

    private static func open(
        _ path: String, isNew: Bool, _ access: FileAccess
    ) throws(LedgerStoreError) -> Int32 {
        guard isNew else {
            let descriptor = Glibc.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw .cannotOpen(path: path) }
            return descriptor
        }
        guard
            let descriptor = access.open(
                path, O_RDWR | O_EXCL | O_NOFOLLOW, besideLedger: path)
        else { throw .cannotOpen(path: path) }
        do {
            // A log must never be found without the ledger that it belongs to.
            try syncFolder(LedgerName.folder(of: path))
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }
}

/// Keeps services from a ledger that is being moved.
package struct LedgerHold {
    private let lock: LockFile

    /// - Throws: where a service has the ledger open.
    package init(_ path: String) throws(LedgerError) {
        do throws(LedgerStoreError) {
            lock = try LockFile(of: LedgerName(path), access: FileAccess())
        } catch {
            throw LedgerError(error)
        }
    }

    package func release() { lock.release() }
}
