internal import Glibc

/// The folder that both sockets lie in, held by one service at a time (spec 3.1).
///
/// The lock makes it safe to remove a stale socket: its holder knows that no other service of this
/// kind runs.
package final class SocketFolder: Sendable {
    package let path: String
    private let lock: Int32

    /// Makes the folder if need be, with mode 0711, and takes its lock.
    package init(path: String) throws(SocketError) {
        self.path = path
        guard mkdir(path, 0o711) == 0 || errno == EEXIST else {
            throw .unusable(path: path, errno: errno)
        }
        let found = try FileFacts.required(at: path)
        guard found.isFolder, found.owner == geteuid() else { throw .folderNotOurs(path: path) }
        try check(chmod(path, 0o711), path)
        lock = try Self.lock(path + "/usher.lock", folder: path)
    }

    deinit {
        close(lock)
    }

    private static func lock(_ file: String, folder: String) throws(SocketError) -> Int32 {
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .unusable(path: file, errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .folderLocked(path: folder)
        }
        return descriptor
    }

    /// Binds a socket in the folder, ready to accept.
    ///
    /// It is created with mode 0600 and opened to its group only once it is complete, so that
    /// there is no instant at which more peers than meant could connect.
    package func listen(
        _ name: String, mode: UInt32, group: String?
    ) throws(SocketError) -> ListeningSocket {
        let socketPath = path + "/" + name
        var address = try UnixAddress(path: socketPath)
        try removeStale(socketPath, address)
        let descriptor = try UnixAddress.makeSocket()
        do throws(SocketError) {
            // Linux gives the file the mode of the socket that is bound to it.
            try check(fchmod(descriptor, 0o600), socketPath)
            try check(address.bind(descriptor), socketPath)
            if let group {
                try check(chown(socketPath, geteuid(), try Self.groupID(group)), socketPath)
            }
            try check(chmod(socketPath, mode), socketPath)
            try check(Glibc.listen(descriptor, SOMAXCONN), socketPath)
            return ListeningSocket(
                path: socketPath, descriptor: descriptor,
                facts: try FileFacts.required(at: socketPath))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Removes a stale socket of this user; refuses anything else.
    private func removeStale(
        _ socketPath: String, _ address: UnixAddress
    ) throws(SocketError) {
        guard let found = try FileFacts(at: socketPath) else { return }
        guard found.isSocket, found.owner == geteuid() else {
            throw .pathTaken(path: socketPath)
        }
        let probe = try UnixAddress.makeSocket()
        defer { close(probe) }
        var address = address
        guard address.connect(probe) != 0, errno == ECONNREFUSED else {
            throw .socketInUse(path: socketPath)
        }
        try check(unlink(socketPath), socketPath)
    }

    private static func groupID(_ name: String) throws(SocketError) -> gid_t {
        if let number = gid_t(name) { return number }
        guard let entry = getgrnam(name) else { throw .groupUnknown(name: name) }
        return entry.pointee.gr_gid
    }
}

/// A socket that accepts, and the file that it is known by.
package struct ListeningSocket: Sendable {
    package let path: String
    /// Closed by the server of the socket.
    package let descriptor: Int32
    /// Nil for a socket that is not ours to remove.
    fileprivate let facts: FileFacts?

    fileprivate init(path: String, descriptor: Int32, facts: FileFacts) {
        self.path = path
        self.descriptor = descriptor
        self.facts = facts
    }

    /// A socket that the service manager has made and keeps.
    init(givenAs descriptor: Int32, path: String) {
        self.path = path
        self.descriptor = descriptor
        facts = nil
    }

    /// Removes the file, unless it has been replaced.
    package func removeFile() {
        guard let facts, let now = try? FileFacts(at: path), now == facts, now.isSocket else {
            return
        }
        unlink(path)
    }
}

/// The file at a path; symbolic links are not followed.
private struct FileFacts: Equatable, Sendable {
    let device: UInt
    let inode: UInt
    let owner: uid_t
    let mode: mode_t

    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    var isSocket: Bool { mode & S_IFMT == S_IFSOCK }

    /// Nil where there is nothing.
    init?(at path: String) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .unusable(path: path, errno: errno) }
            return nil
        }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        owner = status.st_uid
        mode = status.st_mode
    }

    static func required(at path: String) throws(SocketError) -> FileFacts {
        guard let facts = try FileFacts(at: path) else {
            throw .unusable(path: path, errno: ENOENT)
        }
        return facts
    }

    /// The mode is omitted: it changes while the socket is made.
    static func == (left: FileFacts, right: FileFacts) -> Bool {
        left.device == right.device && left.inode == right.inode
    }
}

private func check(_ result: Int32, _ path: String) throws(SocketError) {
    guard result == 0 else { throw .unusable(path: path, errno: errno) }
}
