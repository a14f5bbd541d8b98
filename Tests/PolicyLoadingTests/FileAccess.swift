internal import Foundation
internal import Testing

/// Whose rights files are opened with.
enum FileAccess {
    private typealias SetFileUser = @convention(c) (uid_t) -> CInt

    /// Runs `body` on this thread with the rights of nobody, where we are root; any other user's
    /// rights are few enough. The rest of the process keeps its own.
    static func asNobody<Value>(_ body: () throws -> Value) throws -> Value {
        guard geteuid() == 0 else { return try body() }
        // It has no place in the module of the system's library.
        let symbol = try #require(dlsym(nil, "setfsuid"))
        let setFileUser = unsafeBitCast(symbol, to: SetFileUser.self)
        _ = setFileUser(65_534)
        defer { _ = setFileUser(0) }
        return try body()
    }
}
