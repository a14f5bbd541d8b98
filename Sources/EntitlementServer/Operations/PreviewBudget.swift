internal import Synchronization

/// How many previews of actions are made: each has the writer for itself.
final class PreviewBudget: Sendable {
    private let limit: Int
    private let taken = Mutex<[ContinuousClock.Instant]>([])

    /// - Parameter limit: in a second.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether one more may be made: not where a second has had its share.
    func take(at now: ContinuousClock.Instant) -> Bool {
        taken.withLock { taken in
            taken.removeAll { $0 <= now - .seconds(1) }
            guard taken.count < limit else { return false }
            taken.append(now)
            return true
        }
    }
}
