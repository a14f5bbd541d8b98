package import EntitlementModel
internal import Synchronization

/// Questions that wait for the ledger to reach a revision. A waiting question holds no thread.
package final class RevisionWaiters: Sendable {
    /// Identifies a waiting question.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Waiter {
        let revision: LedgerSequence
        let wake: @Sendable () -> Void
    }

    private struct Contents {
        var waiters: [Ticket: Waiter] = [:]
        var tickets = 0
    }

    private let contents = Mutex(Contents())

    /// How many questions wait.
    package var count: Int { contents.withLock { $0.waiters.count } }

    /// Has `wake` called once, on any thread, when the revision is reached.
    ///
    /// - Parameter limit: how many questions may wait at once.
    /// - Returns: nil where there is no room for another.
    func add(
        for revision: LedgerSequence, limit: Int, wake: @escaping @Sendable () -> Void
    ) -> Ticket? {
        contents.withLock { contents in
            guard contents.waiters.count < limit else { return nil }
            contents.tickets += 1
            let ticket = Ticket(number: contents.tickets)
            contents.waiters[ticket] = Waiter(revision: revision, wake: wake)
            return ticket
        }
    }

    /// Wakes one question before its time; nothing where it was woken already.
    package func giveUp(_ ticket: Ticket) {
        contents.withLock { $0.waiters.removeValue(forKey: ticket) }?.wake()
    }

    /// Wakes all before their time: the service stops.
    package func giveUpAll() {
        let woken = contents.withLock { contents in
            let all = Array(contents.waiters.values)
            contents.waiters.removeAll()
            return all
        }
        for waiter in woken { waiter.wake() }
    }

    /// Wakes those that wait for that revision or an earlier one.
    func reach(_ revision: LedgerSequence) {
        let woken = contents.withLock { contents -> [Waiter] in
            guard !contents.waiters.isEmpty else { return [] }
            let reached = contents.waiters.filter { $0.value.revision <= revision }
            for ticket in reached.keys { contents.waiters[ticket] = nil }
            return Array(reached.values)
        }
        for waiter in woken { waiter.wake() }
    }
}

extension EntitlementEngine {
    /// Has `wake` called once, on any thread, when questions see that revision: at once if they
    /// do already.
    ///
    /// - Parameter limit: how many questions may wait at once.
    /// - Returns: nil where there is no room for another; then nothing is called.
    package func whenRevision(
        reaches revision: LedgerSequence, limit: Int, wake: @escaping @Sendable () -> Void
    ) -> RevisionWaiters.Ticket? {
        guard let ticket = revisionWaiters.add(for: revision, limit: limit, wake: wake) else {
            return nil
        }
        // The revision may have advanced before the wait was registered.
        if self.revision >= revision { revisionWaiters.giveUp(ticket) }
        return ticket
    }
}
