internal import Glibc

/// Whether files are there, and how large.
package enum FileStatus {
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// The bytes of a file; 0 where there is none.
    package static func bytes(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
