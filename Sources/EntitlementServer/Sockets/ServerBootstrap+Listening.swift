internal import NIOCore
internal import NIOPosix

extension ServerBootstrap {
    /// What accepting on a socket of ours takes, on either of them.
    ///
    /// When file descriptors run out, accepting pauses instead of failing again and again.
    static func listening(
        on group: any EventLoopGroup, _ configuration: ServerConfiguration
    ) -> ServerBootstrap {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Int32(configuration.backlog))
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler())
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
        guard configuration.sendBuffer > 0 else { return bootstrap }
        return bootstrap.childChannelOption(
            .socketOption(.so_sndbuf), value: SocketOptionValue(configuration.sendBuffer))
    }
}
