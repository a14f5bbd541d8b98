internal import EntitlementEngine
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// Serves usher.sock: everything, on Hummingbird's connections (spec 3.1).
struct OperationsServer<Responder: OperationsResponding>: Sendable {
    let socket: ListeningSocket
    let configuration: ServerConfiguration
    let logger: Logger
    let status: ServiceStatus
    let responder: Responder

    private typealias Connection = (http: HTTP1Channel, value: HTTP1Channel.Value)

    /// Serves until graceful shutdown, then drains.
    ///
    /// - Parameter whenServing: called once connections are accepted.
    func run(whenServing: @Sendable () -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        group.any().execute { ThreadPrecedence.afterQuestions.take() }
        do {
            try await serve(on: group, whenServing)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try await group.shutdownGracefully()
    }

    private func serve(
        on group: MultiThreadedEventLoopGroup, _ whenServing: @Sendable () -> Void
    ) async throws {
        let open = OpenChannels(configuration, status)
        let (connections, accepted) = AsyncStream.makeStream(of: Connection.self)
        let listener = try await ServerBootstrap.listening(on: group, configuration)
            .childChannelInitializer { channel in admit(channel, to: open, accepted) }
            .withBoundSocket(socket.descriptor)
            .get()
        whenServing()
        await withDiscardingTaskGroup { tasks in
            tasks.addTask {
                // It ends by graceful shutdown or by cancellation: the same to us.
                try? await gracefulShutdown()
                try? await listener.close()
                accepted.finish()
                open.drain(within: configuration.drainSeconds, on: group.any())
            }
            for await connection in connections {
                tasks.addTask {
                    await connection.http.handle(value: connection.value, logger: logger)
                }
            }
        }
        open.drained()
    }

    /// Hands the connection on, or turns the peer away.
    private func admit(
        _ channel: any Channel, to open: OpenChannels,
        _ accepted: AsyncStream<Connection>.Continuation
    ) -> EventLoopFuture<Void> {
        PeerCredentials.ofPeer(on: channel).flatMap { peer in
            guard let role = configuration.access.role(of: peer, on: .operations) else {
                return turnAway(channel, .peer)
            }
            let room = open.add(channel)
            guard room != .none else { return turnAway(channel, .overloaded) }
            let isReserved = room == .forHealth
            let progress = RequestProgress()
            let patience =
                isReserved ? configuration.patience.beyondTheLimit : configuration.patience
            let http = makeHTTP(
                for: Caller(credentials: peer, role: role, isBeyondTheLimit: isReserved),
                progress)
            return http.setup(channel: channel, logger: logger).flatMapThrowing { value in
                do {
                    try watch(channel, progress, patience)
                } catch {
                    abandon(value)
                    throw error
                }
                if case .enqueued = accepted.yield((http, value)) { return }
                // It came while we stopped accepting.
                abandon(value)
            }
        }
    }

    /// What nobody will handle has to be closed in form.
    private func abandon(_ value: HTTP1Channel.Value) {
        Task { try? await value.executeThenClose { _, _ in } }
    }

    /// Puts the handlers beside those of HTTP that see how far a request has come: one before
    /// the decoder, one right behind it.
    private func watch(
        _ channel: any Channel, _ progress: RequestProgress, _ patience: ConnectionPatience
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(
            PatienceHandler(progress: progress, patience: patience), position: .first)
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(RequestPartsHandler(progress: progress), position: .after(decoder))
    }

    private func turnAway(_ channel: any Channel, _ code: ProblemCode) -> EventLoopFuture<Void> {
        status.countTurnedAway(.operations, code)
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(TurningAwayHandler(code: code))
        }
    }

    private func makeHTTP(for caller: Caller, _ progress: RequestProgress) -> HTTP1Channel {
        HTTP1Channel(
            responder: { request, writer, _ in
                defer { progress.isAnswered() }
                if request.headers[.expect]?.lowercased() == "100-continue" {
                    try await writer.writeInformationalHead(HTTPResponse(status: .continue))
                }
                let response = await responder.respond(to: request, from: caller)
                let answer = response.response
                try await writer.write(response: answer.head, body: answer.body)
                if response.closes { throw ConnectionEnds() }
            },
            configuration: HTTP1Channel.Configuration(
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: configuration.limits.lineBytes,
                    maxHeaderListSize: configuration.limits.headBytes,
                    maxHeaderFieldCount: configuration.limits.fieldCount)))
    }
}

/// Ends a connection after its answer.
private struct ConnectionEnds: Error {}

/// Who is at the other end of a connection, and what they may do.
struct Caller: Equatable, Sendable {
    var credentials: PeerCredentials
    var role: PeerRole
    /// Whether its connection is one that may only ask how the service is.
    var isBeyondTheLimit = false

    /// How the ledger names whoever did something: by user, never by process.
    var actor: String { "uid:\(credentials.user)" }
}

/// What answers requests on usher.sock.
protocol OperationsResponding: Sendable {
    /// Never fails: what goes wrong is an answer too.
    func respond(to request: Request, from caller: Caller) async -> OperationsResponse
}

/// An answer of usher.sock.
struct OperationsResponse: Sendable {
    var response: Response
    /// Whether the connection has to end: bytes of the request were left unread.
    var closes = false
}
