package import EntitlementModel
internal import Glibc

/// The address of a unix domain socket.
struct UnixAddress {
    private var storage = sockaddr_un()
    private var length: socklen_t

    /// - Throws: `pathTooLong` for more bytes than the kernel takes.
    init(path: String) throws(SocketError) {
        let bytes = Array(path.utf8)
        storage.sun_family = sa_family_t(AF_UNIX)
        length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + 1)
        let fits = withUnsafeMutableBytes(of: &storage.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            // An address that begins with an at sign has no file: it is all bytes, none at its end.
            if bytes.first == UInt8(ascii: "@") {
                room[0] = 0
                length -= 1
            }
            return true
        }
        guard fits else { throw .pathTooLong(path: path) }
    }

    /// A stream socket that children do not inherit.
    static func makeSocket(
        _ kind: __socket_type = SOCK_STREAM
    ) throws(SocketError) -> Int32 {
        let kind = Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        return descriptor
    }

    /// The path that a socket is bound to; nil if it has none.
    static func path(boundTo descriptor: Int32) -> String? {
        var storage = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isFound = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isFound, storage.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let path = withUnsafeBytes(of: storage.sun_path) { Array($0.prefix { $0 != 0 }) }
        return path.isEmpty ? nil : String(validating: path, as: UTF8.self)
    }

    /// As bind(2).
    mutating func bind(_ descriptor: Int32) -> Int32 {
        withPointer { Glibc.bind(descriptor, $0, $1) }
    }

    /// As connect(2).
    mutating func connect(_ descriptor: Int32) -> Int32 {
        withPointer { Glibc.connect(descriptor, $0, $1) }
    }

    /// Sends one datagram without waiting; it is lost if the receiver does not take it.
    func send(_ bytes: [UInt8], through descriptor: Int32) {
        var copy = self
        _ = copy.withPointer { address, length in
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            return Int32(sendto(descriptor, bytes, bytes.count, flags, address, length))
        }
    }

    private mutating func withPointer(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let length = length
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

/// Why the sockets cannot be served.
package enum SocketError: Error, Equatable, Sendable {
    /// The folder is a file or a symbolic link, or belongs to another user.
    case folderNotOurs(path: String)
    /// Another service runs in this folder.
    case folderLocked(path: String)
    /// The path is taken by something that is not a socket of this service.
    case pathTaken(path: String)
    /// Another process serves the socket.
    case socketInUse(path: String)
    /// The kernel takes at most 107 bytes.
    case pathTooLong(path: String)
    case groupUnknown(name: String)
    /// The system does not allow the folder or a file in it to be created or changed.
    case unusable(path: String, errno: Int32)
    /// A system call failed.
    case system(call: String, errno: Int32)

    package var english: String {
        switch self {
        case .folderNotOurs: "'{0}' is not a folder of this user"
        case .folderLocked: "another service is running in '{0}'"
        case .pathTaken: "'{0}' is not a socket of this user"
        case .socketInUse: "another program is using '{0}'"
        case .pathTooLong: "the socket path '{0}' is too long"
        case .groupUnknown: "unknown group '{0}'"
        case .unusable: "'{0}' cannot be used: {1}"
        case .system: "the system call '{0}' failed: {1}"
        }
    }
}

extension SocketError: ServerText {
    package func facts(in language: Language) -> [String] {
        switch self {
        case .folderNotOurs(let path), .folderLocked(let path), .pathTaken(let path),
            .socketInUse(let path), .pathTooLong(let path):
            [path]
        case .groupUnknown(let name): [name]
        case .unusable(let path, let number): [path, String(cString: strerror(number))]
        case .system(let call, let number): [call, String(cString: strerror(number))]
        }
    }
}
