package import EntitlementAnswers
package import EntitlementEngine
package import EntitlementModel
package import LedgerModel
internal import Synchronization

/// Reconciles a ledger with Apple, one run at a time (spec 3.6): those that are asked for, and
/// those on a schedule.
package final class Reconciler: ReconciliationRunner {
    private struct State {
        /// Asked for, and not begun.
        var pending: ReconciliationRequest?
        var isRunning = false
        var last: ReconciliationAnswer?
        var report = DriftReport()
        var counts = ReconciliationCounts()
        /// Counts up with each run that is asked for.
        var number: Int64 = 0
        var hasReadJournal = false
        /// When the last whole run that wrote came to its end.
        var lastWholeEnd: Instant?
        /// The newest erasure whose account is in no difference any more.
        var forgotten: LedgerSequence?
        /// When the last run stopped before its end, and how many have in a row.
        var lastStop: Instant?
        var stopsInRow = 0

        /// Milliseconds that the schedule rests after a run that stopped: a quarter of an hour, twice
        /// as long after each further one.
        var restAfterStop: Int64 { (RiskRules.hour / 4) << Int64(max(0, min(stopsInRow, 10) - 1)) }
    }

    /// How many differences a page has at most.
    private static let pageLength = 1_000

    private let engine: EntitlementEngine
    private let servers: any AppStoreServers
    private let store: (any ReconciliationStore)?
    private let context: any ClientContext
    /// Of runs on a schedule, and of others that do not say.
    package let callsPerSecond: Int64
    private let state = Mutex(State())

    /// - Parameter store: what it goes on from; nil where nothing is kept.
    package init(
        engine: EntitlementEngine, servers: any AppStoreServers,
        store: (any ReconciliationStore)?, context: any ClientContext,
        callsPerSecond: Int64
    ) {
        self.engine = engine
        self.servers = servers
        self.store = store
        self.context = context
        self.callsPerSecond = callsPerSecond
    }

    /// Where a request is put until somebody runs it; nil where one waits or runs already.
    package func request(_ request: ReconciliationRequest) -> ReconciliationAnswer? {
        let now = engine.now()
        let answer: ReconciliationAnswer? = state.withLock { state in
            guard state.pending == nil, !state.isRunning else { return nil }
            state.pending = request
            state.number = max(state.number, state.last?.run ?? 0) + 1
            let answer = ReconciliationAnswer(
                run: state.number, state: .running, startedAt: now, isResumed: false,
                tally: ReconciliationTally())
            state.last = answer
            state.report = DriftReport()
            return answer
        }
        engine.jobs.wake([.reconciliation])
        return answer
    }

    /// Another node may have run what this one knows nothing of: what is kept is read once more.
    package func beginToLead() {
        state.withLock { state in
            (state.hasReadJournal, state.lastWholeEnd) = (false, nil)
            (state.lastStop, state.stopsInRow) = (nil, 0)
        }
    }

    /// What was asked for and not begun is not this node's to do any more.
    package func endPending() {
        let now = engine.now()
        state.withLock { state in
            guard state.pending != nil else { return }
            state.pending = nil
            state.last?.state = .stopped
            state.last?.code = FleetError.notLeader.code
            state.last?.endedAt = now
        }
    }

    /// Runs what was asked for.
    /// - Returns: false where nothing was.
    package func runPending() async -> Bool {
        let next = state.withLock { state -> (ReconciliationRequest, Int64)? in
            guard let request = state.pending, !state.isRunning else { return nil }
            state.pending = nil
            state.isRunning = true
            return (request, state.number)
        }
        guard let (request, number) = next else { return false }
        let calls = AppStoreCalls(
            servers, perSecond: request.callsPerSecond, context: context)
        let walk = ReconciliationWalk(
            request, run: number, engine: engine, calls: calls, store: store
        ) { [self] answer, report in
            state.withLock { state in
                state.last = answer.numbered(number)
                state.report = report
            }
        }
        let (answer, report) = await walk.run()
        state.withLock { state in
            state.last = answer.numbered(number)
            state.report = report
            state.isRunning = false
            state.counts.add(answer, calls: calls.count)
            guard answer.state == .finished else {
                state.lastStop = engine.clock.now()
                state.stopsInRow += 1
                return
            }
            (state.lastStop, state.stopsInRow) = (nil, 0)
            if request.keepsJournal, request.limit == nil { state.lastWholeEnd = answer.endedAt }
        }
        return true
    }

    /// Asks for a run of all that is due, if the last whole one ended that long ago.
    /// - Returns: whether it did.
    package func requestIfDue(everyHours hours: Int64) -> Bool {
        guard let next = nextDue(everyHours: hours), next <= engine.clock.now() else {
            return false
        }
        var due = ReconciliationRequest(callsPerSecond: callsPerSecond)
        due.isOnlyDue = true
        return request(due) != nil
    }

    /// When the next run on a schedule is due; nil where there is none. Blocks the first time.
    package func nextDue(everyHours hours: Int64) -> Instant? {
        guard hours > 0 else { return nil }
        let span = hours * RiskRules.hour
        let next = lastWholeEnd()?.advanced(byMilliseconds: span) ?? .distantPast
        return state.withLock { state in
            guard let stop = state.lastStop else { return next }
            return max(next, stop.advanced(byMilliseconds: min(span, state.restAfterStop)))
        }
    }

    /// Blocks the first time.
    private func lastWholeEnd() -> Instant? {
        let needsJournal = state.withLock { state in
            defer { state.hasReadJournal = true }
            return !state.hasReadJournal
        }
        if needsJournal, let store {
            let lines = try? ReconciliationJournal(store).lines()
            if let end = lines.flatMap({ JournalContent($0).end }), end.isFinished {
                state.withLock { $0.lastWholeEnd = $0.lastWholeEnd ?? end.at }
            }
        }
        return state.withLock(\.lastWholeEnd)
    }

    /// The run that is under way, else the last one since the engine was opened.
    package var last: ReconciliationAnswer? { state.withLock(\.last) }

    package var counts: ReconciliationCounts { state.withLock(\.counts) }

    /// Differences of the last run, from a place on; nil for any other run.
    package func drift(ofRun run: Int64, after place: Int64, limit: Int64) -> DriftPage? {
        state.withLock { state in
            guard state.last?.run == run else { return nil }
            let items = state.report.items
            let start = Int(min(max(0, place), Int64(items.count)))
            let length = min(Int(max(1, min(limit, Int64(Self.pageLength)))), items.count - start)
            let end = start + length
            return DriftPage(
                run: run, drift: Array(items[start..<end]),
                next: end < items.count ? Int64(end) : nil)
        }
    }

    /// What it costs to keep all customers reconciled. Reads the whole ledger; blocks.
    package func plan(callsPerSecond: Int64?) throws(EngineError) -> ReconciliationPlan {
        try engine.questions.reconciliationPlan(
            callsPerSecond: callsPerSecond ?? self.callsPerSecond, at: engine.now(),
            notes: store)
    }
}

/// What erasures take of it (docs/PRIVACY.md).
extension Reconciler {
    /// Between runs: takes out, and out of what is kept, each difference that names an account of
    /// which the ledger knows nothing. What fails is tried again.
    package func forgetErased() {
        let newest = try? engine.reading { reader throws(LedgerError) in
            try reader.newestErasure()
        }
        guard let newest, state.withLock({ $0.forgotten != newest }) else { return }
        let lines = store.flatMap { try? ReconciliationJournal($0).lines() } ?? []
        let listed = lines.compactMap(\.drift) + state.withLock(\.report.items)
        let named = Set(listed.flatMap(\.accounts))
        let gone = try? engine.reading { reader throws(LedgerError) in
            var gone: Set<AccountID> = []
            for account in named where try !reader.knows(account) { gone.insert(account) }
            return gone
        }
        guard let gone else { return }
        let left = lines.filter { $0.drift?.accounts.contains(where: gone.contains) != true }
        do {
            if let store, left.count != lines.count {
                try ReconciliationJournal(store).replace(with: left)
            }
            state.withLock { state in
                state.report.remove(gone)
                state.forgotten = newest
            }
        } catch {
            return
        }
    }
}

extension ReconciliationAnswer {
    /// Callers know a run by the number that they were given; the journal has its own.
    fileprivate func numbered(_ number: Int64) -> ReconciliationAnswer {
        var answer = self
        answer.run = number
        return answer
    }
}

extension ReconciliationCounts {
    fileprivate mutating func add(_ answer: ReconciliationAnswer, calls: Int64) {
        runs[answer.state, default: 0] += 1
        self.calls += calls
        for count in answer.drift { drift[count.cause, default: 0] += count.count }
        lastEndedAt = answer.endedAt
    }
}

extension ReconciliationRequest {
    /// Whether it goes on from what the journal says, and writes there what it does.
    var keepsJournal: Bool { scope == .all }
}

/// The differences of a run, each counted once.
struct DriftReport: Sendable {
    /// How many are listed; those beyond are counted only.
    static let most = 100_000

    private(set) var items: [DriftItem] = []
    private(set) var unlisted: Int64 = 0
    private var identities: Set<DriftItem> = []
    private var counts: [DriftCause: Int64] = [:]
    private var customers: Set<AppleIDKey> = []
    private var accounts: Set<AccountID> = []

    /// - Returns: those that were not known.
    mutating func insert(_ found: [DriftItem]) -> [DriftItem] {
        found.filter { item in
            guard items.count < Self.most else {
                counts[item.cause, default: 0] += 1
                unlisted += 1
                return false
            }
            guard identities.insert(item.identity).inserted else { return false }
            items.append(item)
            counts[item.cause, default: 0] += 1
            if let key = item.appleID { customers.insert(key) }
            accounts.formUnion(item.accounts)
            return true
        }
    }

    /// What concerns one of these is counted, and listed no more.
    mutating func remove(_ gone: Set<AccountID>) {
        items.removeAll { $0.accounts.contains(where: gone.contains) }
        identities = Set(items.map(\.identity))
        accounts.subtract(gone)
    }

    var byCause: [DriftCount] {
        DriftCause.allCases.compactMap { cause in
            counts[cause].map { DriftCount(cause: cause, count: $0) }
        }
    }

    var customerCount: Int64 { Int64(customers.count) }
    var accountCount: Int64 { Int64(accounts.count) }
}
