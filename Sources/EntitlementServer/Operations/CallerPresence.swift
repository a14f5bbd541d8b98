internal import EntitlementAnswers
internal import NIOCore
internal import Synchronization

/// Whether whoever has called on a connection is still there: nothing is begun for a caller that has
/// gone, who may have been answered elsewhere meanwhile.
final class CallerPresence: Sendable {
    private struct State {
        var hasGone = false
        /// Ends what is under way: a connection has one call at a time.
        var cancel: (@Sendable () -> Void)?
    }

    private let channel: any Channel
    private let state = Mutex(State())

    init(on channel: any Channel) {
        self.channel = channel
        channel.closeFuture.whenComplete { [weak self] _ in
            let cancel = self?.state.withLock { state in
                state.hasGone = true
                return state.cancel
            }
            cancel?()
        }
    }

    /// Behind everything that the loop knows of the connection: a process that stood still hears of
    /// its end together with the request.
    func expect() async throws(Problem) {
        let isThere = try? await channel.eventLoop.submit { [channel] in channel.isActive }.get()
        guard isThere == true else { throw Problem(.timeout) }
    }

    /// What the task comes to; it is cancelled once the caller has gone.
    func result<Value>(of task: Task<Value, Never>) async -> Value {
        let hasGone = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.hasGone
        }
        if hasGone { task.cancel() }
        defer { state.withLock { $0.cancel = nil } }
        return await task.value
    }
}
