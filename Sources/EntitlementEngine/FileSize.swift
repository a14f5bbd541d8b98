internal import Glibc

/// The bytes of a file; 0 for one that is not there.
func bytesOfFile(at path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
}
