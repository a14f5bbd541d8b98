internal import EntitlementModel
internal import Synchronization

/// Limits the evidence that is verified at once: in bytes, since the cost of verification grows
/// with size and the sender is not trusted yet (THREATS.md H28), and in number, so that other calls
/// find a thread after the next one.
///
/// Who finds no room waits for it, in the order of coming; how many can wait is bounded by the
/// calls that are worked on at once.
final class EvidenceMemory: Sendable {
    fileprivate struct State {
        var bytes = 0
        var working = 0
        var waiting: [Waiting] = []
    }

    fileprivate struct Waiting {
        let bytes: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private let limit: Int
    private let processors: Int
    private let state = Mutex(State())

    init(bytes limit: Int, processors: Int) {
        self.limit = limit
        self.processors = processors
    }

    /// Whether a processor is free for more.
    var hasTime: Bool {
        state.withLock { $0.working < processors && $0.waiting.isEmpty }
    }

    /// Runs a verification of that many bytes once there is room. One that is larger than the limit
    /// runs alone.
    func verify<Result: Sendable>(_ bytes: Int, _ work: () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let isAdmitted = state.withLock { state in
                guard state.waiting.isEmpty, hasRoom(for: bytes, in: state) else {
                    state.waiting.append(Waiting(bytes: bytes, continuation: continuation))
                    return false
                }
                state.begin(bytes)
                return true
            }
            if isAdmitted { continuation.resume() }
        }
        defer { leave(bytes) }
        return work()
    }

    private func leave(_ bytes: Int) {
        let next = state.withLock { state in
            state.bytes -= bytes
            state.working -= 1
            var next: [Waiting] = []
            while let first = state.waiting.first, hasRoom(for: first.bytes, in: state) {
                state.begin(first.bytes)
                next.append(state.waiting.removeFirst())
            }
            return next
        }
        for waiting in next { waiting.continuation.resume() }
    }

    private func hasRoom(for bytes: Int, in state: State) -> Bool {
        state.working == 0 || state.working < processors && state.bytes + bytes <= limit
    }
}

extension EvidenceMemory.State {
    fileprivate mutating func begin(_ bytes: Int) {
        self.bytes += bytes
        working += 1
    }
}

/// What the peers of one user, or the person for whom a delegate asks, may cost on usher.sock
/// (THREATS.md A28, H27): calls at once, and processor time for evidence that is refused.
///
/// The time fills a bucket that empties at the allowed rate. A user whose bucket is full is
/// answered 429, but only while others wait for the processor: a user is often a web tier that
/// forwards evidence of strangers, genuine pieces among it.
final class PeerBudget: Sendable {
    /// Budgets are separate: junk sent as evidence does not block notifications, nor the other way
    /// round.
    enum Lane: Hashable, Sendable {
        case calls
        case notifications
    }

    private struct Account: Hashable {
        let user: String
        let lane: Lane
    }

    private struct Spending {
        var calls = 0
        /// Nanoseconds of processor time, as of `asOf`.
        var refusals: Int64 = 0
        var asOf = Instant.distantPast

        /// Lets the bucket empty until `now`; nothing is taken back if the clock is.
        mutating func settle(at now: Instant, _ millisecondsPerSecond: Int) {
            let elapsed = asOf == .distantPast ? 0 : now.milliseconds - asOf.milliseconds
            let milliseconds = min(max(0, elapsed), 3_600_000)
            refusals = max(0, refusals - milliseconds * Int64(millisecondsPerSecond) * 1_000)
            asOf = now
        }

        /// Nothing would be otherwise without it.
        var isNothing: Bool { calls == 0 && refusals == 0 }
    }

    private let callLimit: Int
    /// Processor time that may go into refusals in each second.
    private let refusalMilliseconds: Int
    /// Of more, those that owe nothing any more are forgotten: delegates can ask for anybody.
    private static let limit = 1_024
    private let spendings = Mutex<[Account: Spending]>([:])

    init(callLimit: Int, refusalMilliseconds: Int) {
        self.callLimit = callLimit
        self.refusalMilliseconds = refusalMilliseconds
    }

    /// Of how many something is counted.
    var known: Int { spendings.withLock(\.count) }

    /// Takes a call on, unless too many of the same user are being worked on. `endCall` must
    /// follow.
    func beginCall(of user: String, in lane: Lane) -> Bool {
        spendings.withLock { spendings in
            let account = Account(user: user, lane: lane)
            guard spendings[account]?.calls ?? 0 < callLimit else { return false }
            spendings[account, default: Spending()].calls += 1
            return true
        }
    }

    func endCall(of user: String, in lane: Lane) {
        spendings.withLock { spendings in
            let account = Account(user: user, lane: lane)
            spendings[account]?.calls -= 1
            if spendings[account]?.isNothing == true { spendings[account] = nil }
        }
    }

    /// Whether evidence of this user is verified now even if others wait.
    func isWithinBudget(_ user: String, in lane: Lane, at now: Instant) -> Bool {
        spendings.withLock { spendings in
            let account = Account(user: user, lane: lane)
            guard var spending = spendings[account] else { return true }
            spending.settle(at: now, refusalMilliseconds)
            spendings[account] = spending
            return spending.refusals < Int64(refusalMilliseconds) * 1_000_000
        }
    }

    /// Counts what evidence may cost before it is read and, less that, what it has cost where it was
    /// refused: in nanoseconds of processor time.
    func charge(_ nanoseconds: Int64, to user: String, in lane: Lane, at now: Instant) {
        guard nanoseconds != 0 else { return }
        spendings.withLock { spendings in
            let account = Account(user: user, lane: lane)
            var spending = spendings[account] ?? Spending()
            spending.settle(at: now, refusalMilliseconds)
            spending.refusals = max(0, spending.refusals + nanoseconds)
            if spendings.count >= Self.limit {
                spendings = spendings.compactMapValues { other in
                    var other = other
                    other.settle(at: now, refusalMilliseconds)
                    return other.isNothing ? nil : other
                }
            }
            spendings[account] = spending
        }
    }
}
