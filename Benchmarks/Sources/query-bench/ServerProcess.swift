internal import CLinux
internal import Glibc

/// The process at the other end of a connection, as the kernel names it.
///
/// What it spends on an answer moves less than how many it gives in a second: a machine that is
/// shared takes time away, but adds no work.
struct ServerProcess {
    private let id: pid_t

    init(_ socket: Socket) throws(BenchFailure) {
        // Glibc's module leaves 'ucred' out: process, user and group, four bytes each.
        var peer: [pid_t] = [0, 0, 0]
        var size = socklen_t(peer.count * MemoryLayout<pid_t>.size)
        guard getsockopt(socket.descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else {
            throw .system("getsockopt", errno)
        }
        id = peer[0]
    }

    /// What all its threads have spent so far, in seconds. Processes that it started are left
    /// out, so this says nothing of PostgreSQL.
    func processorTime() throws(BenchFailure) -> Double {
        var text = [UInt8](repeating: 0, count: 1_024)
        let file = open("/proc/\(id)/stat", O_RDONLY)
        guard file >= 0 else { throw .system("open", errno) }
        defer { close(file) }
        let count = read(file, &text, text.count)
        // The second field is a name in parentheses, which may hold anything.
        let fields = text.prefix(max(count, 0)).split(separator: UInt8(ascii: ")")).last?
            .split(separator: UInt8(ascii: " ")).map { Double(String(decoding: $0, as: UTF8.self)) }
        guard let fields, fields.count > 12, let user = fields[11], let system = fields[12] else {
            throw .wrongAnswer("/proc/\(id)/stat")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
