internal import Glibc

/// A program that was started here, with an empty environment and nothing to say.
struct ChildProcess {
    private let name: String
    private let id: pid_t

    init(_ command: [String]) throws(BenchFailure) {
        name = command.first ?? "no command"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var id: pid_t = 0
        let code = posix_spawnp(&id, name, &actions, nil, &arguments, &environment)
        guard code == 0 else { throw .system("posix_spawnp", code) }
        self.id = id
    }

    func terminate() { kill(id, SIGTERM) }

    /// Does not wait; throws where it has ended and not well.
    func hasEnded() throws(BenchFailure) -> Bool {
        var status: Int32 = 0
        let ended = waitpid(id, &status, WNOHANG)
        guard ended >= 0 else { throw .system("waitpid", errno) }
        guard ended == id else { return false }
        guard status == 0 else { throw .command(name, status >> 8) }
        return true
    }

    /// Blocks until it has ended, and throws unless it ended well.
    func wait() throws(BenchFailure) {
        var status: Int32 = 0
        guard waitpid(id, &status, 0) == id else { throw .system("waitpid", errno) }
        guard status == 0 else { throw .command(name, status >> 8) }
    }
}
