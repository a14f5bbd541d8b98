package import EntitlementModel

/// Why the sockets cannot be served.
package enum SocketError: Error, Equatable, Sendable {
    /// The folder is a file or a symbolic link, or belongs to somebody else.
    case folderNotOurs(path: String)
    /// Another service runs in this folder.
    case folderLocked(path: String)
    /// The path is taken by something that is not a socket of ours.
    case pathTaken(path: String)
    /// Somebody answers on the socket that lies there.
    case socketInUse(path: String)
    /// The kernel takes at most 107 bytes.
    case pathTooLong(path: String)
    case groupUnknown(name: String)
    /// A system call failed.
    case system(call: String, errno: Int32)
}

extension SocketError: LocalizedText {
    package func facts(in language: Language) -> [String] {
        switch self {
        case .folderNotOurs(let path), .folderLocked(let path), .pathTaken(let path),
            .socketInUse(let path), .pathTooLong(let path):
            [path]
        case .groupUnknown(let name): [name]
        case .system(let call, let number): [call, "\(number)"]
        }
    }
}
