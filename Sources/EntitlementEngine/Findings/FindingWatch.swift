internal import Dispatch
package import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// The thread that keeps the list of findings: it runs while there is something to look at, and
/// gives way to questions. Whoever asks for the list never waits for it. It rests for much longer
/// than it has looked: what comes meanwhile is looked at together.
final class FindingWatch: Sendable {
    private struct State {
        var isKept = false
        var isRunning = false
        var isWanted = false
        var hasStopped = false
    }

    private let state = Mutex(State())
    private let threads = DispatchGroup()
    private let ending = DispatchSemaphore(value: 0)
    /// How many times as long as it has looked it rests, and for how many seconds at most.
    private static let (rest, mostRest) = (9.0, 5.0)

    /// From now on the list is kept; nothing is looked at before.
    func keep(_ advance: @escaping @Sendable () -> Bool) {
        state.withLock { $0.isKept = true }
        wake(advance)
    }

    /// There may be something to look at.
    ///
    /// - Parameter advance: looks at the next portion; false once nothing is left.
    func wake(_ advance: @escaping @Sendable () -> Bool) {
        let begins = state.withLock { state -> Bool in
            guard state.isKept, !state.hasStopped else { return false }
            state.isWanted = true
            guard !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        guard begins else { return }
        threads.enter()
        let hasStarted = DetachedThread.start(taking: .afterQuestions) { [self] in
            run(advance)
            threads.leave()
        }
        guard !hasStarted else { return }
        // Whoever asks for the list looks at some portions too.
        state.withLock { $0.isRunning = false }
        threads.leave()
    }

    /// Ends it. Blocks until its thread looks at nothing more.
    func stop() {
        state.withLock { $0.hasStopped = true }
        ending.signal()
        threads.wait()
    }

    /// Whether nobody wants anything to be looked at any more.
    var hasStopped: Bool { state.withLock(\.hasStopped) }

    private func run(_ advance: () -> Bool) {
        while goesOn() {
            let looked = ContinuousClock().measure { while !hasStopped, advance() {} }
            let rest = min(looked / .seconds(1) * Self.rest, Self.mostRest)
            // Whoever stops it ends the rest.
            if ending.wait(timeout: .now() + rest) == .success { ending.signal() }
        }
    }

    /// Whether somebody woke it since it last looked.
    private func goesOn() -> Bool {
        state.withLock { state in
            let goesOn = state.isWanted && !state.hasStopped
            state.isWanted = false
            if !goesOn { state.isRunning = false }
            return goesOn
        }
    }
}

extension EntitlementEngine {
    /// Begins to keep the list of all findings, in the background. Without it the list is looked
    /// for by whoever asks.
    package func keepFindings() {
        findingWatch.keep { [weak self] in self?.advanceFindings() ?? false }
    }

    /// What was committed may change the list.
    func wakeFindings() {
        findingWatch.wake { [weak self] in self?.advanceFindings() ?? false }
    }

    /// Where the ledger cannot be read, the list stays as it is until the next entry.
    private func advanceFindings() -> Bool {
        let ending = findingWatch
        return
            (try? findings.advance(ledger, by: policy, at: now()) { ending.hasStopped }) ?? false
    }

    /// The findings of the whole ledger that stand at the instant, by kind and age. Blocks.
    ///
    /// What is new is looked at first, as far as that is done in moments.
    package func findings(
        of kind: Finding.Kind?, after place: FindingPosition?, at instant: Instant, limit: Int
    ) throws(EngineError) -> FindingPage {
        for _ in 0..<3 {
            guard try findings.advance(ledger, by: policy, at: now()) else { break }
        }
        return findings.page(of: kind, after: place, at: instant, limit: limit, by: policy)
    }

    /// How many findings of each kind stand. Nothing is derived for it.
    package func findingCounts(
        at instant: Instant
    ) -> (counts: [Finding.Kind: Int], isComplete: Bool) {
        findings.counts(at: instant)
    }
}

extension LedgerQuestions {
    /// The findings of a whole ledger, all of it looked at for this page. Blocks.
    package func findings(
        of kind: Finding.Kind?, after place: FindingPosition?, at instant: Instant, limit: Int
    ) throws(EngineError) -> FindingPage {
        let findings = LedgerFindings()
        while try findings.advance(ledger, by: policy, at: instant) {}
        return findings.page(of: kind, after: place, at: instant, limit: limit, by: policy)
    }
}
