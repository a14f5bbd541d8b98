internal import Foundation
internal import Synchronization
internal import Testing

/// A program in a process of its own, with no file of ours but those that it is given.
///
/// Not Foundation's `Process`: that lists our open files to close them, and reads past its buffer
/// where there are more than 1,300, which tests of the sockets beside this one open at times.
final class ChildProcess: Sendable {
    let id: pid_t
    private let ended = Mutex<Int32?>(nil)

    /// Where the standard streams go: nil is `/dev/null`.
    struct Streams {
        var input: Int32?
        var output: Int32?
        var errors: Int32?
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - environment: nil for ours.
    ///   - folder: where it works; nil for where we do.
    init(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil,
        folder: String? = nil, streams: Streams = Streams()
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in [streams.input, streams.output, streams.errors].enumerated() {
            if let file {
                posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
            }
        }
        // Both are GNU's own, which Swift's module of the C library leaves out.
        let closeFrom = try #require(
            dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"), "glibc 2.34 or newer")
        _ = unsafeBitCast(closeFrom, to: CloseFrom.self)(&actions, 3)
        if let folder {
            let change = try #require(dlsym(nil, "posix_spawn_file_actions_addchdir_np"))
            _ = unsafeBitCast(change, to: ChangeFolder.self)(&actions, folder)
        }
        let variables = environment ?? ProcessInfo.processInfo.environment
        id = try Self.spawn(path, arguments, variables.map { "\($0)=\($1)" }, &actions)
    }

    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    private typealias ChangeFolder =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) ->
        Int32

    private static func spawn(
        _ path: String, _ arguments: [String], _ variables: [String],
        _ actions: inout posix_spawn_file_actions_t
    ) throws -> pid_t {
        var argumentList = ([path] + arguments).map { strdup($0) } + [nil]
        var variableList = variables.map { strdup($0) } + [nil]
        defer { for text in argumentList + variableList { free(text) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of a pool hold signals back, and jobs in the background ignore Ctrl-C: a child
        // would inherit both.
        var (held, heard) = (sigset_t(), sigset_t())
        sigemptyset(&held)
        sigemptyset(&heard)
        for signal in [SIGINT, SIGTERM] { sigaddset(&heard, signal) }
        posix_spawnattr_setsigmask(&attributes, &held)
        posix_spawnattr_setsigdefault(&attributes, &heard)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        var id: pid_t = 0
        let code = posix_spawn(&id, path, &actions, &attributes, &argumentList, &variableList)
        try #require(code == 0, "cannot start '\(path)': \(code)")
        return id
    }

    /// The exit code, or 128 and the signal that ended it, as shells count.
    @discardableResult
    func waitUntilExit() -> Int32 {
        ended.withLock { ended in
            if let ended { return ended }
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7F
            let result = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            ended = result
            return result
        }
    }

    var isRunning: Bool {
        ended.withLock { ended in
            if ended != nil { return false }
            var information = siginfo_t()
            let found = waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT)
            return found == 0 && information.si_signo == 0
        }
    }

    func send(_ signal: Int32) {
        // Not to somebody else who has its number by now.
        ended.withLock { if $0 == nil { kill(id, signal) } }
    }
}

/// A pipe: one end for a child, the other for us.
struct ChildPipe {
    let reading: FileHandle
    let writing: FileHandle

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }
}
