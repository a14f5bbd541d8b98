internal import NIOCore
internal import NIOPosix

/// One event loop of query.sock with its connections.
struct QueryLoop: Sendable {
    let eventLoop: any EventLoop
    /// To be touched on the event loop only.
    let registry: NIOLoopBoundBox<QueryConnectionRegistry>
    /// The same.
    let briefConnections: NIOLoopBoundBox<BriefConnections>
    /// For what blocks.
    let readers: NIOThreadPool
    /// Done once it has drained and the last connection has gone.
    let drained: EventLoopFuture<Void>

    init(
        eventLoop: any EventLoop, readers: NIOThreadPool, _ configuration: ServerConfiguration,
        _ status: ServiceStatus
    ) {
        let loops = configuration.queryLoops
        let registry = QueryConnectionRegistry(
            connectionLimit: max(1, configuration.connectionLimit / loops),
            coldWorkLimit: max(1, configuration.inFlightLimit / loops),
            readers: readers, status: status, eventLoop: eventLoop)
        self.eventLoop = eventLoop
        self.readers = readers
        drained = registry.drained
        briefConnections = .makeBoxSendingValue(
            BriefConnections(limit: configuration.briefConnections), eventLoop: eventLoop)
        self.registry = .makeBoxSendingValue(registry, eventLoop: eventLoop)
    }

    /// Looks at every connection once a second, until it drains.
    func startTicking() -> RepeatedTask {
        eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) {
            [registry] _ in registry.value.tick()
        }
    }

    /// Lets the connections finish, and closes those that have not after `seconds`.
    func drain(within seconds: Int) {
        eventLoop.execute { [registry, briefConnections] in
            briefConnections.value.close()
            registry.value.drain()
        }
        let deadline = eventLoop.scheduleTask(in: .seconds(Int64(seconds))) { [registry] in
            registry.value.abort()
        }
        drained.whenComplete { _ in deadline.cancel() }
    }
}
