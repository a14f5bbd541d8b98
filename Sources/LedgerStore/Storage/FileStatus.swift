internal import Glibc

/// Whether files are there, and how large: a ledger, the log beside it.
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
