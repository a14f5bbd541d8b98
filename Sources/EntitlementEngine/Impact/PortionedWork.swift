internal import Dispatch
internal import PolicyAnalysis
internal import Synchronization

/// Work in numbered portions, on several threads. It ends with the last portion, the first failure,
/// or when the receiver of its progress says so.
final class PortionedWork: Sendable {
    private struct State {
        var next = 0
        var finished = 0
        var failure: EngineError?
        var isEnded = false
    }

    private let portions: Int
    private let body: @Sendable (Int) throws(EngineError) -> Void
    /// Told how many portions are done, one call after the other.
    private let finished: @Sendable (Int) -> Bool
    private let state = Mutex(State())
    private let telling = Mutex(())

    init(
        portions: Int, body: @escaping @Sendable (Int) throws(EngineError) -> Void,
        finished: @escaping @Sendable (Int) -> Bool
    ) {
        self.portions = portions
        self.body = body
        self.finished = finished
    }

    /// Blocks until no thread works on it.
    ///
    /// - Returns: false where it was ended before all portions were done.
    func run(workers: Int, priority: ThreadPriority?) throws(EngineError) -> Bool {
        let threads = DispatchGroup()
        for _ in 0..<min(workers, portions) {
            threads.enter()
            let hasStarted = WorkerThread.start("usher-impact", priority: priority) { [self] in
                work()
                threads.leave()
            }
            // The caller's own thread does all of it where the machine has no other.
            if !hasStarted {
                work()
                threads.leave()
            }
        }
        threads.wait()
        let state = state.withLock { $0 }
        if let failure = state.failure { throw failure }
        return !state.isEnded
    }

    private func work() {
        while let portion = take() {
            do throws(EngineError) {
                try body(portion)
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
                return
            }
            telling.withLock { _ in
                let count = state.withLock { state in
                    state.finished += 1
                    return state.finished
                }
                if !finished(count) { state.withLock { $0.isEnded = true } }
            }
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard !state.isEnded, state.failure == nil, state.next < portions else { return nil }
            state.next += 1
            return state.next - 1
        }
    }
}

/// A value that several threads change.
final class Shared<Value: Sendable>: Sendable {
    private let contents: Mutex<Value>

    init(_ value: Value) {
        contents = Mutex(value)
    }

    var value: Value { contents.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) {
        contents.withLock { body(&$0) }
    }
}

/// The tallies of an impact run's portions, added in their order: an interrupted run can resume
/// from the sum.
final class OrderedTallies: Sendable {
    private struct State {
        var tally: ImpactTally
        var next = 0
        var early: [Int: (tally: ImpactTally, rows: [ImpactRow])] = [:]
    }

    /// Told what the portions list, in their order.
    private let rows: (@Sendable ([ImpactRow]) -> Void)?

    private let state: Mutex<State>

    init(_ tally: ImpactTally, rows: (@Sendable ([ImpactRow]) -> Void)? = nil) {
        self.rows = rows
        state = Mutex(State(tally: tally))
    }

    /// All of the first portions without a gap, and how many these are.
    var merged: (tally: ImpactTally, portions: Int) {
        state.withLock { ($0.tally, $0.next) }
    }

    func add(_ tally: ImpactTally, _ listed: [ImpactRow] = [], for portion: Int) {
        state.withLock { state in
            state.early[portion] = (tally, listed)
            while let next = state.early.removeValue(forKey: state.next) {
                state.tally.add(next.tally)
                if !next.rows.isEmpty { rows?(next.rows) }
                state.next += 1
            }
        }
    }
}
