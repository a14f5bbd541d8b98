package import EntitlementModel
internal import Synchronization

/// Those who wait for the feed: each is told once that there is more, and then reads it. Whoever
/// waits holds no thread.
package final class FeedFollowers: Sendable {
    /// What a follower is known by.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Waiter {
        /// The last change that it knows.
        let last: Int64
        let wake: @Sendable () -> Void
    }

    private struct State {
        var head: Int64 = 0
        var waiters: [Ticket: Waiter] = [:]
        var tickets = 0
        var hasEnded = false
        var tellers: [@Sendable ([ToldChange]) -> Void] = []
    }

    private let state = Mutex(State())

    init() {}

    /// Whether nobody may wait any more: the service stops.
    package var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// How many wait.
    package var count: Int { state.withLock { $0.waiters.count } }

    /// Hands all changes to `follower` in their order, each commit of them at once, when they are
    /// durable. It must not block.
    package func follow(_ follower: @escaping @Sendable ([ToldChange]) -> Void) {
        state.withLock { $0.tellers.append(follower) }
    }

    /// Has `wake` called once, on any thread, when there is a change behind that number.
    ///
    /// - Parameter limit: how many may wait at once.
    package func wait(
        behind number: Int64, limit: Int, wake: @escaping @Sendable () -> Void
    ) -> WaitOutcome {
        state.withLock { state in
            if state.head > number || state.hasEnded { return .isThere }
            guard state.waiters.count < limit else { return .noRoom }
            state.tickets += 1
            let ticket = Ticket(number: state.tickets)
            state.waiters[ticket] = Waiter(last: number, wake: wake)
            return .waits(ticket)
        }
    }

    package enum WaitOutcome: Sendable {
        /// There is a change already; nothing is called.
        case isThere
        case noRoom
        case waits(Ticket)
    }

    /// Wakes one before its time; nothing where it was woken already.
    package func giveUp(_ ticket: Ticket) {
        state.withLock { $0.waiters.removeValue(forKey: ticket) }?.wake()
    }

    /// Wakes all before their time, and lets nobody wait any more: the service stops.
    package func giveUpAll() {
        let woken = state.withLock { state in
            defer {
                state.waiters = [:]
                state.hasEnded = true
            }
            return Array(state.waiters.values)
        }
        for waiter in woken { waiter.wake() }
    }

    /// By the writer's thread only, once the changes are durable.
    func tell(_ changes: [ToldChange]) {
        guard let last = changes.last?.number else { return }
        let (woken, tellers) = state.withLock { state in
            state.head = max(state.head, last)
            let reached = state.waiters.filter { $0.value.last < last }
            for ticket in reached.keys { state.waiters[ticket] = nil }
            return (Array(reached.values), state.tellers)
        }
        for teller in tellers { teller(changes) }
        for waiter in woken { waiter.wake() }
    }
}
