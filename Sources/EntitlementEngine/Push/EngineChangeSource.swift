package import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// The feed of an engine's ledger.
package struct EngineChangeSource: ChangeSource {
    private let engine: EntitlementEngine
    private let waiters = ChangeWaiters()

    package init(engine: EntitlementEngine) {
        self.engine = engine
        engine.feedFollowers.follow { [waiters] in waiters.tell($0) }
    }

    package func changes(
        after cursor: FeedCursor?, limit: Int
    ) async throws(EngineError) -> ChangePage? {
        do throws(EngineError) {
            return try engine.questions.changes(
                after: cursor, matching: ChangeFilter(), limit: limit, at: engine.now())
        } catch {
            switch error {
            case .otherFeed, .futureChange: return nil
            case .ledger, .policyRejected, .policyHistoryUnreadable, .noPolicy,
                .unknownEntitlement, .futureKnowledge, .assumption, .changedSince, .accountErased,
                .accountMaybeErased:
                throw error
            }
        }
    }

    package func wait(behind number: Int64, atMost milliseconds: Int64) async {
        let ticket = waiters.ticket()
        let timer = Task { [waiters] in
            try? await Task.sleep(for: .milliseconds(milliseconds))
            waiters.wake(ticket)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiters.add($0, as: ticket, behind: number) }
        } onCancel: {
            waiters.wake(ticket)
        }
        timer.cancel()
    }
}

/// Those who wait for a change behind the last that they know. Each is woken once.
private final class ChangeWaiters: Sendable {
    private struct Waiter {
        let last: Int64
        let wake: CheckedContinuation<Void, Never>
    }

    private struct State {
        var head: Int64 = 0
        /// Nil for one that is about to wait.
        var waiters: [Int: Waiter?] = [:]
        var tickets = 0
    }

    private let state = Mutex(State())

    func ticket() -> Int {
        state.withLock { state in
            state.tickets += 1
            state.waiters.updateValue(nil, forKey: state.tickets)
            return state.tickets
        }
    }

    /// Wakes it at once where there is such a change, or where it was woken already.
    func add(_ wake: CheckedContinuation<Void, Never>, as ticket: Int, behind last: Int64) {
        let waits = state.withLock { state in
            guard state.waiters.keys.contains(ticket), state.head <= last else {
                state.waiters.removeValue(forKey: ticket)
                return false
            }
            state.waiters.updateValue(Waiter(last: last, wake: wake), forKey: ticket)
            return true
        }
        if !waits { wake.resume() }
    }

    func wake(_ ticket: Int) {
        state.withLock { $0.waiters.removeValue(forKey: ticket) ?? nil }?.wake.resume()
    }

    /// By the writer's thread.
    func tell(_ changes: [PublishedChange]) {
        guard let head = changes.last?.number else { return }
        let woken = state.withLock { state in
            state.head = head
            let reached = state.waiters.filter { $0.value.map { $0.last < head } ?? false }
            for ticket in reached.keys { state.waiters.removeValue(forKey: ticket) }
            return reached.values.compactMap(\.self)
        }
        for waiter in woken { waiter.wake.resume() }
    }
}
