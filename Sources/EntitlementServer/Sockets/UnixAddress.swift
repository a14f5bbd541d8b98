internal import Glibc

/// The address of a unix domain socket.
struct UnixAddress {
    private var storage = sockaddr_un()

    /// - Throws: `pathTooLong` for more bytes than the kernel takes.
    init(path: String) throws(SocketError) {
        let bytes = Array(path.utf8)
        storage.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &storage.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard fits else { throw .pathTooLong(path: path) }
    }

    /// A stream socket that children do not inherit.
    static func makeSocket() throws(SocketError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        return descriptor
    }

    /// As bind(2).
    mutating func bind(_ descriptor: Int32) -> Int32 {
        withPointer { Glibc.bind(descriptor, $0, $1) }
    }

    /// As connect(2).
    mutating func connect(_ descriptor: Int32) -> Int32 {
        withPointer { Glibc.connect(descriptor, $0, $1) }
    }

    private mutating func withPointer(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
