internal import Synchronization

/// Wakes whoever answers refund requests: once, however often it is rung meanwhile.
final class RefundBell: Sendable {
    private struct State {
        var hasRung = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func ring() {
        let woken = state.withLock { state in
            let sleeper = state.sleeper
            state.sleeper = nil
            state.hasRung = sleeper == nil
            return sleeper
        }
        woken?.resume()
    }

    /// Returns when it is rung, at once if it was since the last time, or when the task is cancelled.
    /// One waits at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard !state.hasRung else {
                        state.hasRung = false
                        return false
                    }
                    state.sleeper = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            ring()
        }
    }
}
