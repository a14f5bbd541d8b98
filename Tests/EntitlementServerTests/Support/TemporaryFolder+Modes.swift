internal import Glibc
internal import TestSupport

extension TemporaryFolder {
    /// The permission bits of a file in it, and whether it is a socket.
    func mode(of name: String) -> (permissions: UInt32, isSocket: Bool)? {
        var status = stat()
        guard lstat(path + "/" + name, &status) == 0 else { return nil }
        return (status.st_mode & 0o7777, status.st_mode & S_IFMT == S_IFSOCK)
    }

    /// Makes a file with nothing in it.
    func write(_ name: String) {
        close(open(path + "/" + name, O_CREAT | O_WRONLY, 0o600))
    }
}
