internal import EntitlementModel
internal import Synchronization

/// Decides which refusals get an audit line, so that a flood of them cannot fill the disk
/// (THREATS.md A28): the same evidence with the same code once an hour, and sixty lines a
/// minute in all. What is left out is counted; the caller hears of every refusal.
///
/// What it remembers is bounded by what it lets through. A line that it let through and that
/// was then not written, because the commit failed, is not let through again within the hour.
final class RefusalThrottle: Sendable {
    fileprivate struct State {
        var minute = Instant.distantPast
        var linesOfMinute = 0
        var written: [EvidenceRefusal: Instant] = [:]
        var leftOut: Int64 = 0
    }

    static let span: Int64 = 3_600_000
    static let minute: Int64 = 60_000
    static let linesPerMinute = 60

    private let state = Mutex(State())

    /// How many were left out so far.
    var leftOut: Int64 { state.withLock { $0.leftOut } }

    func admits(_ refusal: EvidenceRefusal, at now: Instant) -> Bool {
        state.withLock { state in
            state.turn(to: now)
            guard !state.hasRecent(refusal, at: now),
                state.linesOfMinute < Self.linesPerMinute
            else {
                state.leftOut += 1
                return false
            }
            state.linesOfMinute += 1
            state.written[refusal] = now
            return true
        }
    }
}

extension RefusalThrottle.State {
    /// Begins another minute if the last is over, or if the clock was set back.
    fileprivate mutating func turn(to now: Instant) {
        guard now < minute || now >= minute.advanced(byMilliseconds: RefusalThrottle.minute)
        else { return }
        minute = now
        linesOfMinute = 0
        written = written.filter { hasRecent($0.key, at: now) }
    }

    /// Whether the refusal got its line less than an hour ago.
    fileprivate func hasRecent(_ refusal: EvidenceRefusal, at now: Instant) -> Bool {
        guard let instant = written[refusal] else { return false }
        return instant <= now && now < instant.advanced(byMilliseconds: RefusalThrottle.span)
    }
}
