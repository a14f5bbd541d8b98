internal import Dispatch
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// How far the accounts that a policy change dropped from memory are derived again.
package struct RederivationProgress: Equatable, Sendable {
    /// How many were dropped.
    package let accounts: Int
    /// How many are not loaded yet; zero once all are.
    package let left: Int
}

/// Derives in the background what a policy change has dropped from memory, and after a start what
/// may be asked about.
///
/// No question waits for it: an account that is not loaded yet is derived on demand, by the new
/// policy. The most recently used are loaded first.
final class Rederivation: Sendable {
    /// Loads accounts; false if the policy has changed meanwhile, and they were discarded. Locks
    /// that questions take are left to the thread.
    typealias BringBack = @Sendable (DroppedAccounts.Run, WorkerThread) -> Bool

    /// How many accounts share one view of the ledger.
    private static let portion = 256

    private struct State {
        /// The next portion is the beginning of the last run.
        var runs: [DroppedAccounts.Run] = []
        var accounts = 0
        var left = 0
        var workers = 0
        /// The newest change whose accounts are among these.
        var publication: UInt64 = 0
        var hasStopped = false

        mutating func expect(_ count: Int, of publication: UInt64 = 0) {
            accounts = left + count
            left = accounts
            self.publication = max(self.publication, publication)
        }

        mutating func beginWork(limit: Int) -> Bool {
            guard workers < limit else { return false }
            workers += 1
            return true
        }

        /// Whether nothing is left, and nobody works.
        var isDone: Bool { left == 0 && workers == 0 && !hasStopped }

        /// Nil once nothing is left: then the worker has ended.
        mutating func take(_ count: Int) -> DroppedAccounts.Run? {
            runs.removeAll { $0.accounts.isEmpty }
            guard !hasStopped, var last = runs.popLast() else {
                workers -= 1
                return nil
            }
            let portion = DroppedAccounts.Run(
                accounts: last.accounts.prefix(count), wereRecent: last.wereRecent)
            last.accounts.removeFirst(portion.accounts.count)
            runs.append(last)
            left -= portion.accounts.count
            return portion
        }

        mutating func putBack(_ portion: DroppedAccounts.Run) {
            runs.append(portion)
            left += portion.accounts.count
        }
    }

    private let state = Mutex(State())
    private let urgent = Mutex<WorkerThread?>(nil)
    private let threads = DispatchGroup()
    private let workerLimit: Int

    init(workers: Int) {
        workerLimit = workers
    }

    var progress: RederivationProgress {
        state.withLock { RederivationProgress(accounts: $0.accounts, left: $0.left) }
    }

    /// Starts the thread for locks that questions wait for, if there is none, with the priority of
    /// the calling thread.
    @discardableResult
    func keepUrgentThread() -> WorkerThread {
        urgent.withLock { urgent in
            let thread = urgent ?? WorkerThread("usher-cache", priority: nil)
            urgent = thread
            return thread
        }
    }

    /// Adds dropped accounts to those left from an earlier change.
    ///
    /// - Parameters:
    ///   - arrange: puts accounts into the order in which they are read fastest.
    ///   - whenDone: told the newest change whose accounts have all been loaded.
    func begin(
        _ dropped: DroppedAccounts,
        arrange: @escaping @Sendable ([AccountID]) -> [AccountID] = { $0 },
        whenDone: @escaping @Sendable (UInt64) -> Void = { _ in },
        bringBack: @escaping BringBack
    ) {
        state.withLock { $0.expect(dropped.count, of: dropped.publication) }
        let urgent = keepUrgentThread()
        // This thread ends when all is listed, and the old packed accounts with it: the new ones
        // take their memory.
        start { [self] in
            let runs = dropped.runs(arrange)
            state.withLock { $0.runs += runs }
            startWorkers(bringBack, urgent, whenDone)
        }
    }

    /// Loads accounts that were not in memory.
    ///
    /// - Parameter list: the runs to load, the last one first. Blocks, on a thread of its own.
    func begin(
        listing list: @escaping @Sendable () -> [DroppedAccounts.Run],
        bringBack: @escaping BringBack
    ) {
        let urgent = keepUrgentThread()
        start { [self] in
            let runs = list()
            state.withLock { state in
                state.expect(runs.map(\.accounts.count).reduce(0, +))
                state.runs += runs
            }
            startWorkers(bringBack, urgent) { _ in }
        }
    }

    private func startWorkers(
        _ bringBack: @escaping BringBack, _ urgent: WorkerThread,
        _ whenDone: @escaping @Sendable (UInt64) -> Void
    ) {
        for _ in 0..<workerLimit {
            start { [self] in work(bringBack, urgent, whenDone) }
        }
    }

    /// Ends it, done or not. Blocks until no thread of it runs.
    func stop() {
        state.withLock { $0.hasStopped = true }
        threads.wait()
    }

    /// Returns once nothing is left to do.
    func finished() async {
        await withCheckedContinuation { continuation in
            threads.notify(queue: .global()) { continuation.resume() }
        }
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        threads.enter()
        let hasStarted = WorkerThread.start("usher-derive", priority: .idle) { [threads] in
            body()
            threads.leave()
        }
        // Without a thread the accounts are loaded on demand.
        if !hasStarted { threads.leave() }
    }

    private func work(
        _ bringBack: BringBack, _ urgent: WorkerThread, _ whenDone: @Sendable (UInt64) -> Void
    ) {
        guard state.withLock({ $0.beginWork(limit: workerLimit) }) else { return }
        while let portion = state.withLock({ $0.take(Self.portion) }) {
            if !bringBack(portion, urgent) { state.withLock { $0.putBack(portion) } }
        }
        let done = state.withLock { $0.isDone ? $0.publication : nil }
        if let done { whenDone(done) }
    }
}

extension EntitlementEngine {
    /// Has questions answered by the policy; called once its activation is durable. What it answers
    /// otherwise than the one before is derived again in the background.
    func putIntoForce(_ policy: ActivePolicy, at head: LedgerHead) {
        let dropped = cache.publishPolicyChange(head: head.sequence, after: policy.difference) {
            active.commit(policy)
        }
        jobs.wake([.appPurchases, .counts])
        deriveAgain(dropped)
    }

    /// No answer in memory stays.
    func forgetAnswers(at head: LedgerHead) {
        deriveAgain(cache.publishPolicyChange(head: head.sequence))
    }

    private func deriveAgain(_ dropped: DroppedAccounts) {
        rederivation.begin(
            dropped, arrange: { [self] in inLedgerOrder($0) },
            whenDone: { [cache] in cache.endTakeover(of: $0) },
            bringBack: { [self] in bringBack($0, by: $1) })
    }

    /// Accounts that became known together lie together in the file: reading a million of them
    /// here and there is many times slower where the file is not in memory.
    private func inLedgerOrder(_ accounts: [AccountID]) -> [AccountID] {
        let arranged = try? ledger.reading { reader throws(LedgerError) in
            try reader.inLedgerOrder(accounts)
        }
        return arranged ?? accounts
    }

    /// If the ledger cannot be read, questions about the accounts report the error.
    func bringBack(_ run: DroppedAccounts.Run, by urgent: WorkerThread) -> Bool {
        let (accounts, begun) = urgent.run { [cache] in
            (cache.missing(run.accounts), cache.beginLoad())
        }
        let packedAccounts = try? inOneView { view throws(LedgerError) in
            var packedAccounts: [PackedAccount] = []
            packedAccounts.reserveCapacity(accounts.count)
            for account in accounts {
                packedAccounts.append(try view.account(account, through: nil))
            }
            return packedAccounts
        }
        return urgent.run { [cache] in
            cache.finishLoad(packedAccounts ?? [], begunAt: begun, asRecent: run.wereRecent)
        }
    }
}

/// The accounts that a policy change has dropped from memory, with their packed accounts.
///
/// Listing a million of them, and freeing them, takes longer than a question may wait for a lock:
/// both are left to the receiver.
struct DroppedAccounts: Sendable {
    /// Accounts that come back together.
    struct Run: Sendable {
        var accounts: ArraySlice<AccountID>
        /// Whether they were asked about since the last change of generations.
        let wereRecent: Bool
    }

    let recent: PackedAccountTables
    let earlier: PackedAccountTables
    /// Numbers the change in the order of the cache.
    var publication: UInt64 = 0

    var count: Int { recent.count + earlier.count }

    /// The most recently used are last.
    consuming func runs(_ arrange: ([AccountID]) -> [AccountID] = { $0 }) -> [Run] {
        [
            Run(accounts: arrange(earlier.accounts)[...], wereRecent: false),
            Run(accounts: arrange(recent.accounts)[...], wereRecent: true),
        ]
    }
}
