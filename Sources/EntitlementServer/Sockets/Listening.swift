internal import Glibc
internal import NIOCore
internal import NIOPosix

extension ServerBootstrap {
    /// The options of an accepting socket, for both sockets.
    ///
    /// When file descriptors run out, accepting pauses instead of failing again and again.
    static func listening(
        on group: any EventLoopGroup, to socket: ListeningSocket,
        _ configuration: ServerConfiguration
    ) -> ServerBootstrap {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try socket.setBacklog(configuration.backlog)
                    try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler())
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
        guard configuration.sendBuffer > 0 else { return bootstrap }
        return bootstrap.childChannelOption(
            .socketOption(.so_sndbuf), value: SocketOptionValue(configuration.sendBuffer))
    }
}

extension ListeningSocket {
    /// Says how many connections may wait to be accepted.
    ///
    /// NIO calls listen(2) with 128 for a socket that it is given, whatever its options say and
    /// whatever the service manager had asked for. Calling it again changes nothing else.
    fileprivate func setBacklog(_ backlog: Int) throws(SocketError) {
        guard listen(descriptor, Int32(clamping: backlog)) == 0 else {
            throw .system(call: "listen", errno: errno)
        }
    }
}

/// Pauses accepting while no descriptor is free: accepting would fail again and again (THREATS.md
/// G11). New connections wait in the backlog.
final class AcceptPauseHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// How long it rests.
    private static let pause = TimeAmount.milliseconds(250)

    private var isPaused = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.passes(error.errnoCode) else {
            context.fireErrorCaught(error)
            return
        }
        guard !isPaused else { return }
        isPaused = true
        setReading(false, context)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            let (handler, context) = bound.value
            handler.isPaused = false
            handler.setReading(true, context)
        }
    }

    /// Whether it is the machine that has run out of something, for now.
    private static func passes(_ code: CInt) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
    }

    private func setReading(_ reads: Bool, _ context: ChannelHandlerContext) {
        // A socket that was closed meanwhile has no options.
        try? context.channel.syncOptions?.setOption(.autoRead, value: reads)
    }
}

/// The end of a connection whose peer may still be sending (THREATS.md H32): everything is sent and
/// the output is closed; further bytes are discarded until the peer closes. Closing with bytes
/// unread would signal an error to the peer before it has read the answer.
struct LingeringClose: Sendable {
    /// More than any body that is taken.
    static let bytes = 128 * 1_024 * 1_024

    private var discarded = 0

    /// - Returns: whether it has sent too much.
    mutating func discard(_ count: Int) -> Bool {
        discarded += count
        return discarded > Self.bytes
    }
}

/// How many files this process may have open, and what of that is for connections.
package enum OpenFiles {
    /// Descriptors for the ledger, the policies, the log and the event loops.
    static let own = 48

    /// Raises the soft limit as far as allowed.
    ///
    /// - Returns: what it is then.
    package static func raiseLimit() -> Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 0 }
        let most = min(limits.rlim_max, 65_536)
        if limits.rlim_cur < most {
            var raised = rlimit(rlim_cur: most, rlim_max: limits.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
                limits = raised
            }
        }
        return Int(clamping: limits.rlim_cur)
    }
}

extension ServerConfiguration {
    /// Connections of each event loop beyond the limit that get one answer, which says why they are
    /// rejected.
    var rejectedConnections: Int { max(4, reservedConnections) }

    /// Takes no more connections than there can be files, half for each socket.
    ///
    /// - Returns: whether that is fewer than was asked for.
    package mutating func limitConnections(toFiles files: Int) -> Bool {
        let most = max(2, (files - OpenFiles.own) / 2)
        let wanted = connectionLimit + reservedConnections * queryLoops
        guard wanted > most else { return false }
        reservedConnections = min(reservedConnections, max(1, most / 8 / queryLoops))
        connectionLimit = most - reservedConnections * queryLoops
        return true
    }
}
