internal import NIOCore
internal import Synchronization

/// The connections of usher.sock: counted, looked at once a second, and sent away together.
final class OpenChannels: Sendable {
    private struct Contents {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var deadline: Scheduled<Void>?
    }

    private let limit: Int
    private let status: ServiceStatus
    private let contents = Mutex(Contents())

    init(_ configuration: ServerConfiguration, _ status: ServiceStatus) {
        limit = configuration.connectionLimit
        self.status = status
    }

    /// Takes the connection on, unless there is no room for it.
    func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let hasRoom = contents.withLock { contents in
            guard contents.channels.count < limit else { return false }
            contents.channels[id] = channel
            return true
        }
        guard hasRoom else { return false }
        status.operationsConnections.wrappingAdd(1, ordering: .relaxed)
        channel.closeFuture.whenComplete { [self] _ in remove(id) }
        return true
    }

    private func remove(_ id: ObjectIdentifier) {
        contents.withLock { $0.channels[id] = nil }
        status.operationsConnections.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Looks at every connection once a second. One timer for all of them: what says nothing costs
    /// next to nothing, however much of it there is.
    func startTicking(on eventLoop: any EventLoop) -> RepeatedTask {
        eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) {
            [self] _ in tell(OperationsConnectionHandler.SecondPassed())
        }
    }

    /// Asks every connection to end after the request it is at, and ends those that have not
    /// after `seconds`.
    func drain(within seconds: Int, on eventLoop: any EventLoop) {
        let deadline = eventLoop.scheduleTask(in: .seconds(Int64(seconds))) { [self] in
            tell(OperationsConnectionHandler.CloseNow())
        }
        contents.withLock { $0.deadline = deadline }
        // In one turn of the loop that all are on: whoever sees one of them end knows that the
        // others are told.
        eventLoop.execute { [self] in
            tell(ChannelShouldQuiesceEvent())
        }
    }

    /// To be called once all have ended.
    func drained() {
        contents.withLock { $0.deadline }?.cancel()
    }

    private func tell(_ event: some Sendable) {
        for channel in contents.withLock({ Array($0.channels.values) }) {
            channel.pipeline.fireUserInboundEventTriggered(event)
        }
    }
}
