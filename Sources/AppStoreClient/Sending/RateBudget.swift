internal import EntitlementModel
internal import Synchronization

/// The average number of calls to an environment: a second's worth at once, then one after the
/// other. Each call gets the instant at which it may start.
final class RateBudget: Sendable {
    private let callsPerSecond: Double
    /// How far ahead of their turn calls may start. Microseconds.
    private let burst: Int64
    /// No pause of Apple's is longer. Milliseconds.
    private let longestPause: Int64
    private let state = Mutex(State())

    fileprivate struct State {
        /// When the calls so far have had their turn. Microseconds since 1970.
        var spent = Int64.min
        /// When the last call asked.
        var asked = Int64.min
        /// Nothing starts before.
        var pausedUntil = Int64.min
    }

    /// - Parameters:
    ///   - callsPerSecond: more than 0; less than 1 is allowed.
    ///   - longestPause: what `pause` is bounded by, in milliseconds.
    init(callsPerSecond: Double, longestPause: Int64) {
        self.callsPerSecond = callsPerSecond
        self.longestPause = longestPause
        burst = max(0, 1_000_000 - Int64(1_000_000 / callsPerSecond))
    }

    /// When a call may start, which then has its turn; nil and no turn if that is later than
    /// `longestWait` milliseconds from now.
    ///
    /// - Parameter limit: Apple's limit for this kind of call, in calls a second; a kind that is
    ///   limited more than the budget takes as many turns as keep it within its own.
    func start(limit: Double, at now: Instant, longestWait: Int64) -> Result<Instant, Later> {
        let cost = max(1, callsPerSecond / limit)
        let microseconds = now.microseconds
        return state.withLock { state in
            state.follow(microseconds, longestPause: 1_000 * longestPause)
            let start = max(
                microseconds, state.pausedUntil,
                state.spent == .min ? .min : state.spent - burst)
            let instant = Instant(milliseconds: (start + 999) / 1_000)
            guard start - microseconds <= 1_000 * longestWait else {
                return .failure(Later(startsAt: instant))
            }
            let turns = (cost * 1_000_000 / callsPerSecond).rounded(.up)
            state.spent = max(state.spent, start) + Int64(turns)
            return .success(instant)
        }
    }

    /// Lets nothing start before an instant: Apple has said so.
    func pause(until instant: Instant) {
        state.withLock { $0.pausedUntil = max($0.pausedUntil, instant.microseconds) }
    }

    /// When there is a turn again, for a call that would have to wait too long.
    struct Later: Error {
        let startsAt: Instant
    }
}

extension RateBudget.State {
    /// A clock that was set back must not stop all calls until it is there again: turns move with
    /// it, and a pause ends in time.
    mutating func follow(_ now: Int64, longestPause: Int64) {
        if spent != .min, now < asked - 1_000_000 { spent -= asked - now }
        asked = now
        pausedUntil = min(pausedUntil, now + longestPause)
    }
}

extension Instant {
    /// Bounded, so that sums of it cannot overflow.
    fileprivate var microseconds: Int64 {
        min(max(milliseconds, -(1 << 50)), 1 << 50) * 1_000
    }
}

/// Admits that many calls at once; the others wait in their order.
final class CallGate: Sendable {
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var next: UInt64 = 0
        var waiting: [Waiter] = []
    }

    private let state: Mutex<State>

    init(places: Int) {
        state = Mutex(State(free: places))
    }

    /// Returns when there is a place, which `leave` gives back.
    func enter() async throws(CancellationError) {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, as: number) }
        } onCancel: {
            giveUp(number)
        }
        if !isIn { throw CancellationError() }
    }

    func leave() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }

    private func wait(_ continuation: CheckedContinuation<Bool, Never>, as number: UInt64) {
        let isIn = state.withLock { state -> Bool? in
            // A later cancellation finds the call among those that wait.
            if Task.isCancelled { return false }
            if state.free > 0 {
                state.free -= 1
                return true
            }
            state.waiting.append(Waiter(number: number, continuation: continuation))
            return nil
        }
        if let isIn { continuation.resume(returning: isIn) }
    }

    private func giveUp(_ number: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            return state.waiting.remove(at: index)
        }
        waiter?.continuation.resume(returning: false)
    }
}
