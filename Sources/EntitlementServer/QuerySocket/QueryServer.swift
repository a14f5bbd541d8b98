internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// Serves query.sock: questions, straight on the event loops (spec 3.1).
struct QueryServer: Sendable {
    let socket: ListeningSocket
    let configuration: ServerConfiguration
    let status: ServiceStatus
    /// Makes what a connection asks. Called once for each connection.
    let makeAnswering: @Sendable () -> any RequestAnswering

    /// Serves until graceful shutdown, then drains.
    ///
    /// - Parameters:
    ///   - threads: with as many loops as the configuration says; they go on afterwards.
    ///   - whenServing: called once connections are accepted.
    func run(
        on threads: QueryThreads, whenServing: @Sendable () -> Void
    ) async throws {
        let loops = threads.loops.makeIterator().map {
            QueryLoop(eventLoop: $0, readers: threads.readers, configuration, status)
        }
        let ticking = loops.map { $0.startTicking() }
        defer { for task in ticking { task.cancel() } }
        let listener = try await listen(on: threads.loops, loops)
        whenServing()
        // It ends by graceful shutdown or by cancellation: the same to us.
        try? await gracefulShutdown()
        try? await listener.close()
        await drain(loops)
    }

    private func listen(
        on group: MultiThreadedEventLoopGroup, _ loops: [QueryLoop]
    ) async throws -> any Channel {
        try await ServerBootstrap.listening(on: group, to: socket, configuration)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                admit(channel, loops)
            }
            .withBoundSocket(socket.descriptor)
            .get()
    }

    /// Puts the handler in place, or the one that turns the peer away.
    private func admit(_ channel: any Channel, _ loops: [QueryLoop]) -> EventLoopFuture<Void> {
        PeerCredentials.ofPeer(on: channel).flatMapThrowing { peer in
            guard let loop = loops.first(where: { $0.eventLoop === channel.eventLoop }) else {
                preconditionFailure("every connection lives on one of our event loops")
            }
            guard configuration.access.role(of: peer, on: .query) != nil else {
                return try turnAway(channel, .peer, on: loop)
            }
            let registry = loop.registry.value
            guard registry.hasRoom else {
                let answering = HealthOnlyAnswering(base: makeAnswering())
                return try turnAway(
                    channel, .overloaded,
                    answering: configuration.reservedConnections > 0 ? answering : nil, on: loop)
            }
            try channel.pipeline.syncOperations.addHandler(
                QueryConnectionHandler(
                    connection: Connection(
                        answering: makeAnswering(), limits: configuration.limits),
                    patience: configuration.patience, registry: registry))
        }
    }

    /// Says why, or how the service is.
    private func turnAway(
        _ channel: any Channel, _ code: ProblemCode, answering: (any RequestAnswering)? = nil,
        on loop: QueryLoop
    ) throws {
        let purpose = BriefConnectionHandler.Purpose(rejection: code, answering: answering) {
            [status] in status.countTurnedAway(.query, code)
        }
        try channel.pipeline.syncOperations.addHandler(
            BriefConnectionHandler(
                purpose, limits: configuration.limits, in: loop.briefConnections.value,
                readers: loop.readers))
    }

    private func drain(_ loops: [QueryLoop]) async {
        for loop in loops {
            loop.drain(within: configuration.drainSeconds)
        }
        for loop in loops {
            try? await loop.drained.get()
        }
    }
}
