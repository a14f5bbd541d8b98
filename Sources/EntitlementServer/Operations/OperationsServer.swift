internal import EntitlementEngine
internal import EntitlementModel
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
        let brief = try await group.any().submit { [configuration] in
            NIOLoopBound(
                BriefConnections(limit: configuration.briefConnections), eventLoop: group.any())
        }.get()
        let (connections, accepted) = AsyncStream.makeStream(of: Connection.self)
        let listener = try await ServerBootstrap.listening(on: group, to: socket, configuration)
            .childChannelInitializer { channel in admit(channel, to: open, brief, accepted) }
            .withBoundSocket(socket.descriptor)
            .get()
        let ticking = open.startTicking(on: group.any())
        whenServing()
        await withDiscardingTaskGroup { tasks in
            tasks.addTask {
                // It ends by graceful shutdown or by cancellation: the same to us.
                try? await gracefulShutdown()
                try? await listener.close()
                accepted.finish()
                group.any().execute { brief.value.close() }
                open.drain(within: configuration.drainSeconds, on: group.any())
            }
            for await connection in connections {
                tasks.addTask {
                    await connection.http.handle(value: connection.value, logger: logger)
                }
            }
        }
        ticking.cancel()
        open.drained()
    }

    /// Hands the connection on, or turns the peer away.
    private func admit(
        _ channel: any Channel, to open: OpenChannels, _ brief: NIOLoopBound<BriefConnections>,
        _ accepted: AsyncStream<Connection>.Continuation
    ) -> EventLoopFuture<Void> {
        PeerCredentials.ofPeer(on: channel).flatMap { peer in
            guard let role = configuration.access.role(of: peer, on: .operations) else {
                return turnAway(channel, .peer, nil, brief)
            }
            return configuration.names.name(of: peer.user, on: channel.eventLoop).flatMap { name in
                guard name != .unknown, open.add(channel) else {
                    let isReserved = configuration.reservedConnections > 0
                    return turnAway(
                        channel, .overloaded, isReserved ? responder.answeringHealth : nil, brief)
                }
                var caller = Caller(credentials: peer, role: role)
                if case .name(let name) = name { caller.name = name }
                return begin(channel, from: caller, accepted)
            }
        }
    }

    private func begin(
        _ channel: any Channel, from caller: Caller,
        _ accepted: AsyncStream<Connection>.Continuation
    ) -> EventLoopFuture<Void> {
        let progress = RequestProgress()
        let http = makeHTTP(for: caller, on: channel, progress)
        return http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            do {
                try watch(channel, progress)
            } catch {
                abandon(value)
                throw error
            }
            if case .enqueued = accepted.yield((http, value)) { return }
            // It came while we stopped accepting.
            abandon(value)
        }
    }

    /// What nobody will handle has to be closed in form.
    private func abandon(_ value: HTTP1Channel.Value) {
        Task { try? await value.executeThenClose { _, _ in } }
    }

    /// Adds our handlers to those of HTTP: one before the decoder, one right behind it.
    private func watch(_ channel: any Channel, _ progress: RequestProgress) throws {
        let pipeline = channel.pipeline.syncOperations
        let gate = RequestGate(limits: configuration.limits) { [configuration] path in
            configuration.bodyLimit(ofPath: path)
        }
        let connection = OperationsConnectionHandler(
            progress: progress, gate: gate, patience: configuration.patience
        ) { [status] code in
            status.count(code.status, after: .zero)
        }
        try pipeline.addHandler(connection, position: .first)
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(
            RequestPartsHandler(progress: progress, connection: connection),
            position: .after(decoder))
    }

    /// Says why, or how the service is.
    private func turnAway(
        _ channel: any Channel, _ code: ProblemCode, _ answering: (any RequestAnswering)?,
        _ brief: NIOLoopBound<BriefConnections>
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let purpose = BriefConnectionHandler.Purpose(rejection: code, answering: answering) {
                [status] in status.countTurnedAway(.operations, code)
            }
            try channel.pipeline.syncOperations.addHandler(
                BriefConnectionHandler(
                    purpose, limits: configuration.limits, in: brief.value,
                    readers: NIOThreadPool.singleton))
        }
    }

    private func makeHTTP(
        for caller: Caller, on channel: any Channel, _ progress: RequestProgress
    ) -> HTTP1Channel {
        let presence = CallerPresence(on: channel)
        return HTTP1Channel(
            responder: { request, writer, _ in
                let (number, head) = progress.beginAnswer()
                // Whoever sends too much is told at once, and not asked for it first.
                if request.headers[.expect] != nil, !configuration.isTooLarge(request, head) {
                    try await writer.writeInformationalHead(HTTPResponse(status: .continue))
                }
                let response = await responder.respond(
                    to: request, head, from: caller, presence)
                let closes = response.closes || progress.endsConnection(after: number)
                var answer = response.response
                if closes { answer.headers[.connection] = "close" }
                try await writer.write(response: answer.head, body: answer.body)
                if closes { throw ConnectionEnds() }
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
    /// Of the user, on the machine that was called; nil where that has none.
    var name: String?

    /// How the ledger names whoever did something: by user, never by process.
    var actor: String { name.map { "user:\($0)" } ?? number }

    /// How it did before users had names: what was recorded so is still this user's.
    var formerActor: String? { name == nil ? nil : number }

    private var number: String { "uid:\(credentials.user)" }
}

/// What answers requests on usher.sock.
protocol OperationsResponding: Sendable {
    /// Never fails: what goes wrong is an answer too.
    ///
    /// - Parameter head: the head of the request as the gate has read it.
    func respond(
        to request: Request, _ head: ReadHead, from caller: Caller, _ presence: CallerPresence
    ) async -> OperationsResponse

    /// What a connection beyond the limit may ask.
    var answeringHealth: any RequestAnswering { get }
}

/// An answer of usher.sock.
struct OperationsResponse: Sendable {
    var response: Response
    /// Whether the connection has to end: bytes of the request were left unread.
    var closes = false
}

extension ServerConfiguration {
    /// Bytes of a body that is sent to that path.
    func bodyLimit(ofPath path: Span<UInt8>) -> Int {
        let endpoints = EndpointTable.match(0..<path.count, in: path)?.path.endpoints ?? []
        let carriesEvidence = endpoints.contains {
            $0.traffic == .evidence || $0.traffic == .notifications
        }
        return carriesEvidence ? evidenceBytes : limits.bodyBytes
    }

    func bodyLimit(of read: ReadHead) -> Int {
        bodyLimit(ofPath: read.bytes.readableBytesUInt8Span.extracting(read.head.path))
    }

    /// Whether the length that a request announces is beyond the limit.
    func isTooLarge(_ request: Request, _ head: ReadHead) -> Bool {
        guard let length = request.headers[.contentLength].flatMap({ Int($0) }) else {
            return false
        }
        return length > bodyLimit(of: head)
    }
}
