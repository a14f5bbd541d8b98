internal import Glibc

/// What tells that a file has been written or put in place again, even with the same contents.
package enum FileChange {
    /// Its number in the file system and the instant of its last change; empty where there is
    /// no file.
    package static func numbers(of path: String) -> [Int64] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        return [
            Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_ctim.tv_sec),
            Int64(status.st_ctim.tv_nsec),
        ]
    }
}
