internal import NIOCore
internal import Synchronization

/// The connections of usher.sock: counted, and sent away together.
final class OpenChannels: Sendable {
    private struct Contents {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var deadline: Scheduled<Void>?
    }

    private let limit: Int
    private let reserved: Int
    private let status: ServiceStatus
    private let contents = Mutex(Contents())

    init(_ configuration: ServerConfiguration, _ status: ServiceStatus) {
        limit = configuration.connectionLimit
        reserved = configuration.reservedConnections
        self.status = status
    }

    /// Takes the connection on, unless there is no room for it.
    func add(_ channel: any Channel) -> ConnectionRoom {
        let id = ObjectIdentifier(channel)
        let room = contents.withLock { contents in
            let room = ConnectionRoom(
                taken: contents.channels.count, limit: limit, reserved: reserved)
            if room != .none { contents.channels[id] = channel }
            return room
        }
        guard room != .none else { return room }
        status.operationsConnections.wrappingAdd(1, ordering: .relaxed)
        channel.closeFuture.whenComplete { [self] _ in remove(id) }
        return room
    }

    private func remove(_ id: ObjectIdentifier) {
        contents.withLock { $0.channels[id] = nil }
        status.operationsConnections.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Asks every connection to end after the request it is at, and ends those that have not
    /// after `seconds`.
    func drain(within seconds: Int, on eventLoop: any EventLoop) {
        let deadline = eventLoop.scheduleTask(in: .seconds(Int64(seconds))) { [self] in
            for channel in all { channel.close(promise: nil) }
        }
        contents.withLock { $0.deadline = deadline }
        for channel in all {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    /// To be called once all have ended.
    func drained() {
        contents.withLock { $0.deadline }?.cancel()
    }

    private var all: [any Channel] { contents.withLock { Array($0.channels.values) } }
}
