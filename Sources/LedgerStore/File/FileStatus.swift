internal import Glibc

/// Whether files are there, and how large: a ledger, the log beside it. Opens none: a descriptor
/// of a ledger must not be closed while SQLite has the file open.
package enum FileStatus {
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// 0 where there is none.
    package static func bytes(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}

/// Which file it is, whatever its name.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// What a name leads to at one instant.
struct FileStamp: Equatable, Sendable {
    let identity: FileIdentity
    let bytes: Int64
    /// When its content last changed.
    let changedAt: ChangeTime
    /// How many names it has.
    let names: Int
    let isRegular: Bool
    /// Its permissions.
    let mode: UInt32
    let owner: uid_t
    let group: gid_t

    struct ChangeTime: Equatable, Sendable {
        let seconds: Int
        let nanoseconds: Int
    }

    /// Whether nobody wrote to it between the two.
    func isUntouched(since earlier: FileStamp) -> Bool {
        identity == earlier.identity && bytes == earlier.bytes && changedAt == earlier.changedAt
    }

    /// Nil where there is nothing.
    ///
    /// - Parameter followsLinks: whether a symbolic link is what it leads to.
    init?(_ path: String, followsLinks: Bool = false) {
        var status = stat()
        let result = followsLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { return nil }
        self.init(status)
    }

    /// Of an open file.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino))
        bytes = Int64(status.st_size)
        changedAt = ChangeTime(
            seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec))
        names = Int(status.st_nlink)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        mode = UInt32(status.st_mode & 0o7777)
        owner = status.st_uid
        group = status.st_gid
    }
}
