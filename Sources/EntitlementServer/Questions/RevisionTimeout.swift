package import EntitlementEngine
internal import EntitlementModel

/// How long a question waits for a revision that the ledger has not reached (spec 3.1): what a
/// caller has seen elsewhere may be on its way here.
package struct RevisionTimeout: Sendable {
    /// Calls something after so many seconds.
    package typealias Schedule = @Sendable (Int, @escaping @Sendable () -> Void) -> Void

    private let engine: EntitlementEngine
    private let seconds: Int
    private let limit: Int
    private let schedule: Schedule

    /// - Parameters:
    ///   - seconds: 0 for not waiting.
    ///   - limit: how many questions may wait at once; the others are answered at once.
    package init(
        engine: EntitlementEngine, seconds: Int, limit: Int, schedule: @escaping Schedule
    ) {
        self.engine = engine
        self.seconds = seconds
        self.limit = limit
        self.schedule = schedule
    }

    /// What a question has to wait for before it is answered; nil where it need not, or cannot.
    func wait(for revision: LedgerSequence) -> ColdWork.Wait? {
        guard seconds > 0, engine.revision < revision else { return nil }
        return { [self] wake in
            let ticket = engine.whenRevision(reaches: revision, limit: limit, wake: wake)
            guard let ticket else { return wake() }
            schedule(seconds) { [engine] in engine.revisionWaiters.giveUp(ticket) }
        }
    }

    /// The same for a task.
    func waited(for revision: LedgerSequence) async {
        guard let wait = wait(for: revision) else { return }
        await withCheckedContinuation { continuation in
            wait { continuation.resume() }
        }
    }
}
