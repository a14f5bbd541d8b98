internal import Synchronization

/// How far the request of a connection has come, told by the two sides that know: the bytes that
/// arrive, and the task that answers.
final class RequestProgress: Sendable {
    private struct State {
        var awaited: ConnectionAwaited? = .request
        var answered = 0
    }

    private let state = Mutex(State())

    func bytesArrived() {
        state.withLock { if $0.awaited == .request { $0.awaited = .head } }
    }

    func headIsRead() {
        state.withLock { $0.awaited = .body }
    }

    /// From here on it is our turn.
    func bodyIsRead() {
        state.withLock { $0.awaited = nil }
    }

    func isAnswered() {
        state.withLock { state in
            state.awaited = .request
            state.answered += 1
        }
    }

    var awaited: ConnectionAwaited? { state.withLock { $0.awaited } }

    func reading(sent: Int, unsent: Int) -> PatienceMeter.Reading {
        state.withLock {
            PatienceMeter.Reading(
                awaited: $0.awaited, answered: $0.answered, sent: sent, unsent: unsent)
        }
    }
}
