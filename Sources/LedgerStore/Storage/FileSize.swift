internal import Glibc

/// How large files are.
enum FileSize {
    /// 0 where there is none.
    static func bytes(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
