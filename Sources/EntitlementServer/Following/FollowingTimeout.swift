internal import EntitlementEngine

/// How followers of the change feed wait: without a thread, and not for ever.
struct FollowingTimeout: Sendable {
    /// Calls something after so long.
    typealias Schedule = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    private let followers: FeedFollowers
    private let limit: Int
    private let schedule: Schedule

    /// - Parameter limit: how many may wait at once.
    init(followers: FeedFollowers, limit: Int, schedule: @escaping Schedule) {
        self.followers = followers
        self.limit = limit
        self.schedule = schedule
    }

    /// Waits for a change behind that number, or until the time is over.
    ///
    /// - Throws: where too many wait already.
    func wait(behind number: Int64, atMost duration: Duration) async throws(Problem) {
        let hasRoom = await withCheckedContinuation { continuation in
            let outcome = followers.wait(behind: number, limit: limit) {
                continuation.resume(returning: true)
            }
            switch outcome {
            case .isThere: continuation.resume(returning: true)
            case .noRoom: continuation.resume(returning: false)
            case .waits(let ticket):
                schedule(duration) { [followers] in followers.giveUp(ticket) }
            }
        }
        guard hasRoom else { throw Problem(.overloaded) }
    }
}

extension Duration {
    /// As the event loop counts.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
