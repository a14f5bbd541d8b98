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

extension SocketError {
    /// What a person is told.
    package func sentence(in language: ProblemLanguage) -> String {
        let isEnglish = language == .english
        switch self {
        case .folderNotOurs(let path):
            return isEnglish
                ? "'\(path)' is not a folder of this user" : "“\(path)”不是本用户的文件夹"
        case .folderLocked(let path):
            return isEnglish
                ? "another service runs in '\(path)'" : "“\(path)”中已有另一个服务在运行"
        case .pathTaken(let path):
            return isEnglish
                ? "'\(path)' is not a socket of this user" : "“\(path)”不是本用户的套接字"
        case .socketInUse(let path):
            return isEnglish
                ? "another program answers on '\(path)'" : "另一个程序正在使用“\(path)”"
        case .pathTooLong(let path):
            return isEnglish
                ? "'\(path)' is longer than a socket path may be" : "套接字路径“\(path)”过长"
        case .groupUnknown(let name):
            return isEnglish ? "there is no group '\(name)'" : "没有名为“\(name)”的用户组"
        case .system(let call, let number):
            return isEnglish
                ? "the system call '\(call)' failed with error \(number)"
                : "系统调用“\(call)”失败，错误码 \(number)"
        }
    }
}
