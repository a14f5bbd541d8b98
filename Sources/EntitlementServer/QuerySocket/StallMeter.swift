/// Measures, once a second, whether a connection keeps us waiting.
///
/// Requests set no timers and read no clock: they only move counters that are compared here.
struct StallMeter: Sendable {
    enum Verdict: Sendable {
        case patient
        /// The request does not arrive.
        case expire
        /// The peer takes no bytes.
        case abandon
    }

    /// What a connection shows of itself.
    struct Reading: Sendable {
        /// Nil while it is our turn.
        var awaited: ConnectionAwaited?
        /// How many requests were answered so far.
        var answered: Int
        /// How many bytes were handed to the system so far.
        var sent: Int
        /// How many more wait for the peer to take some.
        var unsent: Int
    }

    private let patience: ConnectionPatience
    private var last = Reading(awaited: .request, answered: 0, sent: 0, unsent: 0)
    private var seconds = 0

    init(patience: ConnectionPatience) {
        self.patience = patience
    }

    /// To be called once a second.
    mutating func tick(_ now: Reading) -> Verdict {
        let isSameStep =
            now.awaited == last.awaited && now.answered == last.answered && now.sent == last.sent
            && (now.unsent > 0) == (last.unsent > 0)
        seconds = isSameStep ? seconds + 1 : 0
        last = now
        if now.unsent > 0 { return seconds >= patience.write ? .abandon : .patient }
        return switch now.awaited {
        case nil: .patient
        case .request: seconds >= patience.idle ? .expire : .patient
        case .head: seconds >= patience.head ? .expire : .patient
        case .body: seconds >= patience.body ? .expire : .patient
        }
    }
}
