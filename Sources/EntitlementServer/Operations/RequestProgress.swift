internal import Synchronization

/// How far the request of a connection has come, told by those who know: the handlers that see
/// what arrives, and the task that answers.
final class RequestProgress: Sendable {
    private struct State {
        /// Bytes of a head have come, but not all of it.
        var hasBegun = false
        var heads = 0
        var ends = 0
        var answered = 0
        var refusal: ProblemCode?

        var awaited: ConnectionAwaited? {
            if refusal != nil || ends > answered { return nil }
            if heads > ends { return .body }
            return hasBegun ? .head : .request
        }
    }

    private let state = Mutex(State())

    func bytesArrived() {
        state.withLock { $0.hasBegun = true }
    }

    func headIsRead() {
        state.withLock { state in
            state.heads += 1
            state.hasBegun = false
        }
    }

    /// From here on it is our turn.
    func bodyIsRead() {
        state.withLock { state in
            state.ends += 1
            state.hasBegun = false
        }
    }

    func isAnswered() {
        state.withLock { $0.answered += 1 }
    }

    /// What came is no HTTP: nothing more of it is read, and it is our turn to say so.
    func isUnreadable(_ code: ProblemCode) {
        state.withLock { $0.refusal = code }
    }

    /// Why nothing more is read.
    var refusal: ProblemCode? { state.withLock { $0.refusal } }

    var awaited: ConnectionAwaited? { state.withLock { $0.awaited } }

    func reading(sent: Int, unsent: Int) -> PatienceMeter.Reading {
        state.withLock {
            PatienceMeter.Reading(
                awaited: $0.awaited, answered: $0.answered, sent: sent, unsent: unsent)
        }
    }
}
