internal import Glibc
internal import NIOCore
internal import NIOPosix

extension ServerBootstrap {
    /// What accepting on a socket of ours takes, on either of them.
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
