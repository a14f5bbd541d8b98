internal import EntitlementEngine
internal import Glibc

/// A file with a secret: it is read only if nobody else can read it.
enum SecretFile {
    enum Problem: Error {
        /// There is none, it is not a file, or it is too large.
        case unreadable
        /// Its group or others may read or write it.
        case exposed
    }

    private static let limit = 65_536

    static func read(_ path: String) throws(Problem) -> Secret {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limit
        else { throw .unreadable }
        guard status.st_mode & 0o077 == 0 else { throw .exposed }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = bytes.withUnsafeMutableBytes {
            Glibc.read(descriptor, $0.baseAddress, $0.count)
        }
        guard (0...limit).contains(count),
            let text = String(validating: bytes[..<count], as: UTF8.self)
        else { throw .unreadable }
        return Secret(text)
    }
}
