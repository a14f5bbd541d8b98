internal import Glibc

/// The service manager that started the process, by its environment: the sockets it has passed, and
/// where it wants to be notified (systemd's sd_listen_fds and sd_notify).
package struct ServiceManager: Sendable {
    /// A notification to the manager.
    package enum State: Sendable {
        case ready
        case stopping
        case alive

        fileprivate var text: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            }
        }
    }

    /// The descriptors, by the names that the manager gave them.
    package let sockets: [String: Int32]
    /// How often it expects a sign of life; nil if it does not.
    package let heartbeat: Duration?
    private let notifyAddress: String?

    /// - Parameters:
    ///   - environment: the process's variables.
    ///   - process: the own process ID: variables meant for a parent are ignored.
    package init(environment: [String: String], process: Int32 = getpid()) {
        notifyAddress = environment["NOTIFY_SOCKET"]
        heartbeat = Self.heartbeat(environment, process)
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == process,
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0, count < 16
        else {
            sockets = [:]
            return
        }
        let names = (environment["LISTEN_FDNAMES"] ?? "")
            .split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var sockets: [String: Int32] = [:]
        for (name, descriptor) in zip(names, Self.firstDescriptor..<Self.firstDescriptor + count) {
            sockets[name] = descriptor
        }
        self.sockets = sockets
    }

    /// A manager that has passed these sockets and wants no notifications.
    init(sockets: [String: Int32]) {
        self.sockets = sockets
        notifyAddress = nil
        heartbeat = nil
    }

    /// Half of the watchdog timeout (sd_watchdog_enabled).
    private static func heartbeat(_ environment: [String: String], _ process: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
            microseconds > 0
        else { return nil }
        if let named = environment["WATCHDOG_PID"], Int32(named) != process { return nil }
        return .microseconds(microseconds / 2)
    }

    private static let firstDescriptor: Int32 = 3

    /// Sends a notification, if the manager wants any; failures are ignored.
    package func tell(_ state: State) {
        guard let notifyAddress, notifyAddress.utf8.count > 1,
            let descriptor = try? UnixAddress.makeSocket(SOCK_DGRAM),
            let address = try? UnixAddress(path: notifyAddress)
        else { return }
        defer { close(descriptor) }
        address.send(Array(state.text.utf8), through: descriptor)
    }

    /// The socket that the manager has made under this name; nil where it has made none.
    /// - Throws: where it is no listening unix stream socket.
    func listeningSocket(_ name: String) throws(SocketError) -> ListeningSocket? {
        guard let descriptor = sockets[name] else { return nil }
        guard Self.option(SO_DOMAIN, of: descriptor) == AF_UNIX,
            Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
            Self.option(SO_ACCEPTCONN, of: descriptor) == 1
        else { throw .pathTaken(path: "LISTEN_FDS:" + name) }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw .system(call: "fcntl", errno: errno)
        }
        let path = UnixAddress.path(boundTo: descriptor) ?? name
        return ListeningSocket(givenAs: descriptor, path: path)
    }

    private static func option(_ option: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, option, &value, &length) == 0 else { return nil }
        return value
    }
}
