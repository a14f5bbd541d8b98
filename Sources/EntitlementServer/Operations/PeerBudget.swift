internal import EntitlementModel
internal import Synchronization

/// What the peers of one user may cost all others on usher.sock (threats, A28): calls at once,
/// and evidence that turns out to be worth nothing. What is beyond is answered 429.
///
/// Refusals fill a bucket that empties at the rate allowed, so that a list of a thousand bad
/// pieces costs its sender the seconds that it has cost us.
final class PeerBudget: Sendable {
    private struct Spending {
        var calls = 0
        /// Thousandths of a refusal, as of `asOf`.
        var refusals: Int64 = 0
        var asOf = Instant.distantPast

        /// Lets the bucket empty until `now`; nothing is taken back if the clock is.
        mutating func settle(at now: Instant, perSecond rate: Int) {
            let elapsed = asOf == .distantPast ? 0 : now.milliseconds - asOf.milliseconds
            let seconds = min(max(0, elapsed), 3_600_000)
            refusals = max(0, refusals - seconds * Int64(rate))
            asOf = now
        }
    }

    private let callLimit: Int
    private let refusalsPerSecond: Int
    /// By user: there are no more of them than users of the machine.
    private let spendings = Mutex<[UInt32: Spending]>([:])

    init(callLimit: Int, refusalsPerSecond: Int) {
        self.callLimit = callLimit
        self.refusalsPerSecond = refusalsPerSecond
    }

    /// Takes a call on, unless too many of the same user are being worked on. `endCall` must
    /// follow.
    func beginCall(of user: UInt32) -> Bool {
        spendings.withLock { spendings in
            guard spendings[user]?.calls ?? 0 < callLimit else { return false }
            spendings[user, default: Spending()].calls += 1
            return true
        }
    }

    func endCall(of user: UInt32) {
        spendings.withLock { $0[user]?.calls -= 1 }
    }

    /// Whether evidence of this user is looked at now.
    func admitsEvidence(of user: UInt32, at now: Instant) -> Bool {
        spendings.withLock { spendings in
            var spending = spendings[user] ?? Spending()
            spending.settle(at: now, perSecond: refusalsPerSecond)
            spendings[user] = spending
            return spending.refusals < Int64(refusalsPerSecond) * 1_000
        }
    }

    func countRefusals(_ count: Int, of user: UInt32, at now: Instant) {
        guard count > 0 else { return }
        spendings.withLock { spendings in
            var spending = spendings[user] ?? Spending()
            spending.settle(at: now, perSecond: refusalsPerSecond)
            spending.refusals += Int64(count) * 1_000
            spendings[user] = spending
        }
    }
}
