internal import NIOCore
internal import Synchronization

/// The connections of usher.sock: counted, and sent away together.
final class OpenChannels: Sendable {
    private struct Contents {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var deadline: Scheduled<Void>?
    }

    private let limit: Int
    private let contents = Mutex(Contents())

    init(limit: Int) {
        self.limit = limit
    }

    /// False where there is no room for one more.
    func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdded = contents.withLock { contents in
            guard contents.channels.count < limit else { return false }
            contents.channels[id] = channel
            return true
        }
        if isAdded { channel.closeFuture.whenComplete { [self] _ in remove(id) } }
        return isAdded
    }

    private func remove(_ id: ObjectIdentifier) {
        contents.withLock { $0.channels[id] = nil }
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
