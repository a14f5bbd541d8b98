internal import Dispatch
package import EntitlementModel
internal import Glibc
internal import Synchronization

/// The thread that keeps the feed: it works while there is something to tell, sleeps until
/// something is due or a commit wakes it, and gives way to questions.
final class FeedThread: Sendable {
    /// When to look again.
    enum Pause {
        case none
        case milliseconds(Int64)
    }

    private struct State {
        var isKept = false
        var hasStopped = false
        var isWanted = false
        /// Since when there has been something to do all the time.
        var busySince: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let signal = SteadySignal()
    private let threads = DispatchGroup()
    /// Runs what the thread waits for.
    fileprivate let executor = BlockingExecutor()

    /// Milliseconds for which commits are gathered before they are told: a feed that followed
    /// each commit at once would make a client that sends one thing after the other wait for two
    /// syncs of the disk each time.
    private static let gathering: UInt32 = 10
    /// Milliseconds after which it looks at the clock again, which somebody may have set.
    private static let longestSleep: Int64 = 1_000

    /// From now on the feed is kept.
    ///
    /// - Parameter work: does the next portion and says when to look again.
    func keep(_ work: @escaping @Sendable () -> Pause) {
        let begins = state.withLock { state in
            defer { state.isKept = true }
            return !state.isKept && !state.hasStopped
        }
        guard begins else { return }
        threads.enter()
        let hasStarted = DetachedThread.start(taking: .afterQuestions) { [self] in
            run(work)
            threads.leave()
        }
        if !hasStarted {
            state.withLock { $0.isKept = false }
            threads.leave()
        }
    }

    /// There may be something to tell.
    func wake() {
        let isNew = state.withLock { state in
            defer { state.isWanted = true }
            return state.isKept && !state.isWanted
        }
        if isNew { signal.raise() }
    }

    /// Ends it. Blocks until a portion that is under way is written.
    func stop() {
        state.withLock { $0.hasStopped = true }
        signal.raise()
        threads.wait()
    }

    /// For how long there has been something to tell all the time; nil while there is nothing.
    var busyFor: Duration? {
        state.withLock { $0.busySince.map { ContinuousClock.now - $0 } }
    }

    private var hasStopped: Bool { state.withLock(\.hasStopped) }

    private func run(_ work: () -> Pause) {
        while !hasStopped {
            state.withLock { state in
                state.isWanted = false
                if state.busySince == nil { state.busySince = .now }
            }
            guard case .milliseconds(let pause) = work() else { continue }
            state.withLock { $0.busySince = nil }
            let milliseconds = min(max(pause, 1), Self.longestSleep)
            if signal.wait(milliseconds: milliseconds) {
                usleep(Self.gathering * 1_000)
            }
        }
    }
}

extension EntitlementEngine {
    /// Begins to keep the change feed, in the background.
    package func keepFeed() {
        feedThread.keep { [weak self] in self?.tellNext() ?? .milliseconds(1_000) }
    }

    /// Tells the next portion of what has changed, by the given instant. Without `keepFeed`,
    /// nobody else does.
    ///
    /// - Returns: whether there may be more to tell at once.
    package func advanceFeed(at now: Instant) async throws(EngineError) -> Bool {
        try await feed.advance(at: now)
    }

    /// Whether what is to be told comes faster than it is told here: for seconds, without a pause.
    package var isFeedBehind: Bool { feedThread.busyFor.map { $0 > .seconds(5) } ?? false }

    /// What changes, told to whoever waits for it.
    package var feedFollowers: FeedFollowers { feed.followers }

    /// On the feed's own thread. Where the ledger cannot be read or written, nothing is told until
    /// it can.
    ///
    /// - Returns: until when there is no more.
    func tellNext() -> FeedThread.Pause {
        // Another node tells it, or this one once it leads.
        guard leads else { return .milliseconds(1_000) }
        let now = now()
        do throws(EngineError) {
            let step = try feed.plan(at: now)
            if case .nothing(let due) = step {
                return .milliseconds(due?.milliseconds(since: now) ?? .max)
            }
            return try perform(step, at: now) ? .none : .milliseconds(10)
        } catch {
            return .milliseconds(1_000)
        }
    }

    /// Waits on this thread, which nobody else uses, for what is written. That goes on on a queue of
    /// its own: whoever closes the engine may keep a thread of the others waiting until it is done.
    private func perform(_ step: FeedKeeper.Step, at now: Instant) throws(EngineError) -> Bool {
        let outcome = Outcome()
        Task(executorPreference: feedThread.executor) { [feed] in
            do throws(EngineError) {
                outcome.give(.success(try await feed.perform(step, at: now)))
            } catch {
                outcome.give(.failure(error))
            }
        }
        return try outcome.take().get()
    }

    private final class Outcome: Sendable {
        private let result = Mutex<Result<Bool, EngineError>>(.success(false))
        private let isGiven = DispatchSemaphore(value: 0)

        func give(_ given: Result<Bool, EngineError>) {
            result.withLock { $0 = given }
            isGiven.signal()
        }

        func take() -> Result<Bool, EngineError> {
            isGiven.wait()
            return result.withLock(\.self)
        }
    }
}
