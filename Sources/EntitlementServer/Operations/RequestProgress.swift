internal import Synchronization

/// How far the requests of a connection have come, told by those who know: the handlers that see
/// what arrives and leaves, and the task that answers.
final class RequestProgress: Sendable {
    private struct State {
        /// Bytes of a head have come, but not all of it.
        var holdsHead = false
        var heads = 0
        var ends = 0
        /// Requests whose answer was begun.
        var begun = 0
        /// Requests whose answer has gone through.
        var answered = 0
        /// The request behind which there are no others.
        var last: Int?
        var isDraining = false

        var awaited: ConnectionAwaited? {
            if ends > answered { return nil }
            if heads > ends { return .body }
            return holdsHead ? .head : .request
        }
    }

    private let state = Mutex(State())

    /// - Parameter holdsHead: whether part of a head has come.
    func bytesArrived(holdsHead: Bool) {
        state.withLock { $0.holdsHead = holdsHead }
    }

    /// - Parameter isLast: whether the peer asked for the connection to end after this one.
    func headIsRead(isLast: Bool) {
        state.withLock { state in
            state.heads += 1
            if isLast { state.last = state.heads }
        }
    }

    /// From here on it is our turn.
    func bodyIsRead() {
        state.withLock { $0.ends += 1 }
    }

    /// - Returns: the number of the request that is answered now.
    func beginAnswer() -> Int {
        state.withLock { state in
            state.begun += 1
            return state.begun
        }
    }

    func isAnswered() {
        state.withLock { $0.answered += 1 }
    }

    /// No request is taken after those that have begun.
    func drain() {
        state.withLock { $0.isDraining = true }
    }

    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Whether the connection ends after the answer to that request.
    func endsConnection(after number: Int) -> Bool {
        state.withLock { state in
            state.last == number
                || state.isDraining && state.heads == number && !state.holdsHead
        }
    }

    /// Whether requests were read that are not answered.
    var hasRequest: Bool { state.withLock { $0.heads > $0.answered } }

    /// Whether the body of a request is still to come.
    var isInBody: Bool { state.withLock { $0.heads > $0.ends } }

    var awaited: ConnectionAwaited? { state.withLock { $0.awaited } }

    func reading(sent: Int, unsent: Int) -> StallMeter.Reading {
        state.withLock {
            StallMeter.Reading(
                awaited: $0.awaited, answered: $0.answered, sent: sent, unsent: unsent)
        }
    }
}
