internal import EntitlementModel
internal import Synchronization

/// What the peers of one user may cost all others on usher.sock (THREATS.md A28, H27): calls at
/// once, and processor time for evidence that turns out to be worth nothing.
///
/// That time fills a bucket that empties at the rate allowed. Who has filled it is answered 429,
/// but only while others wait for the processor: a user is often a web tier that passes on what
/// strangers send, and what is genuine among it comes from the same user.
final class PeerBudget: Sendable {
    /// What has a budget of its own: strangers that post junk as evidence, or as notifications, do
    /// not shut out the other.
    enum Lane: Hashable, Sendable {
        case calls
        case notifications
    }

    private struct Account: Hashable {
        let user: UInt32
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
    }

    private let callLimit: Int
    /// Processor time that may go into refusals in each second.
    private let refusalMilliseconds: Int
    /// By user: there are no more of them than users of the machine.
    private let spendings = Mutex<[Account: Spending]>([:])

    init(callLimit: Int, refusalMilliseconds: Int) {
        self.callLimit = callLimit
        self.refusalMilliseconds = refusalMilliseconds
    }

    /// Takes a call on, unless too many of the same user are being worked on. `endCall` must
    /// follow.
    func beginCall(of user: UInt32, in lane: Lane) -> Bool {
        spendings.withLock { spendings in
            let account = Account(user: user, lane: lane)
            guard spendings[account]?.calls ?? 0 < callLimit else { return false }
            spendings[account, default: Spending()].calls += 1
            return true
        }
    }

    func endCall(of user: UInt32, in lane: Lane) {
        spendings.withLock { $0[Account(user: user, lane: lane)]?.calls -= 1 }
    }

    /// Whether evidence of this user is looked at now, even where others wait.
    func isWithinBudget(_ user: UInt32, in lane: Lane, at now: Instant) -> Bool {
        spendings.withLock { spendings in
            let account = Account(user: user, lane: lane)
            guard var spending = spendings[account] else { return true }
            spending.settle(at: now, refusalMilliseconds)
            spendings[account] = spending
            return spending.refusals < Int64(refusalMilliseconds) * 1_000_000
        }
    }

    /// Counts what refused evidence has cost, in nanoseconds of processor time.
    func charge(_ nanoseconds: Int64, to user: UInt32, in lane: Lane, at now: Instant) {
        guard nanoseconds > 0 else { return }
        spendings.withLock { spendings in
            let account = Account(user: user, lane: lane)
            var spending = spendings[account] ?? Spending()
            spending.settle(at: now, refusalMilliseconds)
            spending.refusals += nanoseconds
            spendings[account] = spending
        }
    }
}
