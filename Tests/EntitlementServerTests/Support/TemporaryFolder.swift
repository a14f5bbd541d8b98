internal import Foundation
internal import Glibc

/// A folder that goes away with the test: short enough a path for sockets to lie in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        // mkdtemp(3) wants six of them.
        let template = "/tmp/usher-test-" + String(repeating: "X", count: 6)
        var name = Array(template.utf8CString)
        guard mkdtemp(&name) != nil else { throw FolderError() }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    struct FolderError: Error {}

    /// The permission bits of a file in it, and whether it is a socket.
    func mode(of name: String) -> (permissions: UInt32, isSocket: Bool)? {
        var status = stat()
        guard lstat(path + "/" + name, &status) == 0 else { return nil }
        return (status.st_mode & 0o7777, status.st_mode & S_IFMT == S_IFSOCK)
    }

    func write(_ name: String) {
        close(open(path + "/" + name, O_CREAT | O_WRONLY, 0o600))
    }
}
