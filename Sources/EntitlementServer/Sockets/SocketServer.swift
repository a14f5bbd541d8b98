internal import EntitlementAnswers
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Serves one of the two sockets, straight on event loops (spec 3.1).
struct SocketServer: Sendable {
    let name: PeerAccess.Socket
    let socket: ListeningSocket
    let configuration: ServerConfiguration
    let status: ServiceStatus
    /// Makes what a connection asks. Called once for each connection.
    let makeAnswering: @Sendable (Caller, any Channel) -> any RequestAnswering
    /// Makes what a connection beyond the limit may ask.
    let makeHealth: @Sendable () -> any RequestAnswering

    /// How requests are read.
    private var limits: HTTPLimits {
        var limits = configuration.limits
        guard name == .operations else { return limits }
        limits.takesChunks = true
        // The endpoint sets the limit of a body.
        limits.bodyBytes = .max
        return limits
    }

    /// Serves until stopped, then drains.
    ///
    /// - Parameters:
    ///   - threads: they go on afterwards.
    ///   - whenServing: called once connections are accepted.
    func run(
        on threads: SocketThreads, until stop: StopSignal, whenServing: @Sendable () -> Void
    ) async throws {
        let eventLoops = Array(threads.loops.makeIterator())
        let loops = eventLoops.map {
            SocketLoop(of: name, $0, oneOf: eventLoops.count, threads, configuration, status)
        }
        let ticking = loops.map { $0.startTicking() }
        defer { for task in ticking { task.cancel() } }
        let listener = try await listen(on: threads.loops, loops)
        whenServing()
        await stop.wait()
        try? await listener.close()
        for loop in loops { loop.drain(within: configuration.drainSeconds) }
        for loop in loops { try? await loop.drained.get() }
    }

    private func listen(
        on group: MultiThreadedEventLoopGroup, _ loops: [SocketLoop]
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
    private func admit(_ channel: any Channel, _ loops: [SocketLoop]) -> EventLoopFuture<Void> {
        PeerCredentials.ofPeer(on: channel).flatMap { peer in
            guard let loop = loops.first(where: { $0.eventLoop === channel.eventLoop }) else {
                preconditionFailure("every connection lives on one of our event loops")
            }
            guard let standing = configuration.access.standing(of: peer, on: name) else {
                return channel.eventLoop.makeCompletedFuture {
                    try turnAway(channel, .peer, on: loop)
                }
            }
            return callerName(of: peer, on: channel.eventLoop).flatMapThrowing { named in
                let registry = loop.registry.value
                guard named != .unknown, registry.hasRoom else {
                    return try turnAway(
                        channel, .overloaded,
                        answering: configuration.reservedConnections > 0 ? makeHealth() : nil,
                        on: loop)
                }
                var caller = Caller(credentials: peer, standing: standing)
                if case .name(let name) = named { caller.name = name }
                try channel.pipeline.syncOperations.addHandler(
                    ConnectionHandler(
                        connection: Connection(
                            answering: makeAnswering(caller, channel), limits: limits),
                        timeouts: configuration.timeouts, registry: registry))
            }
        }
    }

    /// Questions on query.sock are recorded under no name.
    private func callerName(
        of peer: PeerCredentials, on loop: any EventLoop
    ) -> EventLoopFuture<CallerName> {
        name == .operations
            ? configuration.names.name(of: peer.user, on: loop)
            : loop.makeSucceededFuture(.nameless)
    }

    /// Says why, or how the service is.
    private func turnAway(
        _ channel: any Channel, _ code: ProblemCode, answering: (any RequestAnswering)? = nil,
        on loop: SocketLoop
    ) throws {
        let purpose = RejectedConnectionHandler.Purpose(rejection: code, answering: answering) {
            [status, name] in status.countTurnedAway(name, code)
        }
        try channel.pipeline.syncOperations.addHandler(
            RejectedConnectionHandler(
                purpose, limits: configuration.limits, in: loop.rejectedConnections.value,
                readers: loop.readers))
    }
}

/// Signals a stop, once.
package final class StopSignal: Sendable {
    private struct State {
        var isGiven = false
        var tickets = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package func give() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            state.isGiven = true
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once it is signalled or the task is cancelled.
    package func wait() async {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isGiven, !Task.isCancelled else { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
        }
    }

    /// Runs work until it ends or the stop is signalled, which cancels it.
    package func cancelling(_ work: @escaping @Sendable () async throws -> Void) async {
        await withTaskGroup { group in
            group.addTask { try? await work() }
            group.addTask { await self.wait() }
            await group.next()
            group.cancelAll()
        }
    }
}
