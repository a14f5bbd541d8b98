package import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// What a running engine does by itself, and where it says so.
package struct EngineJobs: Sendable {
    /// The policy folder that is watched.
    package var policyFolder: String
    /// Nil where nobody is sent changes.
    package var pusher: Pusher?
    /// Those of modules above the engine.
    package var others: [any Job] = []
    /// Called on any thread.
    package var report: @Sendable (JobReport) -> Void

    package init(policyFolder: String, report: @escaping @Sendable (JobReport) -> Void) {
        self.policyFolder = policyFolder
        self.report = report
    }
}

/// What a job says of what it has done, once for each outage.
package enum JobReport: Sendable {
    /// The ledger did not take what Apple answered.
    case appStoreAnswerLost(EngineError)
    case appStoreUnavailable(waiting: Int64)
    case appStoreAvailable(waiting: Int64)
    /// The ledger did not take an answer to a refund request; it is sent again.
    case refundAnswerLost(EngineError)
    /// Apple rejects what it was told about a request, or was told nothing in time.
    case refundMissed(LedgerSequence)
    case schedule(DueScheduleReport)
    case scheduleFailed(EngineError)
    case erased(ErasureAnswer)
    /// With its code; it is tried again.
    case erasureFailed(String)
    /// Somebody has asked for a look at the policy folder.
    case policyFolderAgain
    case policyFolder(PolicyReloader.Report)
    case reconciliationBegins
    case reconciliation(ReconciliationAnswer)
}

extension EntitlementEngine {
    /// Begins what the engine does by itself, until `stopJobs` or `close`.
    package func start(_ options: EngineJobs) {
        let report = options.report
        jobs.start(PolicyFolderJob(engine: self, folder: options.policyFolder, report: report))
        jobs.start(ScheduleJob(engine: self, report: report))
        jobs.start(ErasureJob(engine: self, report: report))
        jobs.start(AppPurchaseJob(engine: self))
        if sharedLedger != nil { jobs.start(AdoptionJob(engine: self)) }
        if let pusher = options.pusher { jobs.start(PushJob(engine: self, pusher: pusher)) }
        for job in options.others { jobs.start(job) }
    }

    /// Ends all that the engine does by itself, the feed and the findings too: what is under way is
    /// cancelled. Returns when nothing of it runs.
    package func stopJobs() async {
        impacts.end()
        feed.end()
        await jobs.stopped()
    }

    /// Looks at the policy folder as if for the first time: what was refused before is reported
    /// again.
    package func lookAtPolicyFolderAgain() {
        isFolderWanted.store(true, ordering: .relaxed)
        jobs.wake([.policyFolder])
    }

    /// The clock was set: what is due by it is looked at now, not within a minute.
    package func clockWasSet() { jobs.wake(JobKind.allCases) }
}

/// What was said of an outage is not said again before it is over.
package struct Outage: Sendable {
    private var code: String?

    package init() {}

    /// - Returns: the error, where it is another one than before.
    package mutating func news(_ error: EngineError?) -> EngineError? {
        defer { code = error?.code }
        return error?.code == code ? nil : error
    }
}

/// Puts scheduled policies into force; what was due before the start comes first.
private struct ScheduleJob: Job {
    let engine: EntitlementEngine
    let report: @Sendable (JobReport) -> Void
    var kind: JobKind { .schedules }
    var outage = Outage()

    mutating func run() async -> JobPause {
        guard engine.leads else { return JobPause() }
        var isDone = false
        do throws(EngineError) {
            let applied = try await engine.applyDueSchedule()
            _ = outage.news(nil)
            if let applied {
                report(.schedule(applied))
                if case .changed = applied {} else { isDone = true }
            }
        } catch {
            if let error = outage.news(error) { report(.scheduleFailed(error)) }
        }
        return JobPause(
            due: engine.policySchedules.pending.first?.due, rest: isDone ? .zero : JobPause.retry)
    }
}

/// Erases the accounts whose hold is over; what was due before the start comes first.
private struct ErasureJob: Job {
    let engine: EntitlementEngine
    let report: @Sendable (JobReport) -> Void
    var kind: JobKind { .erasures }
    private var failure: String?

    init(engine: EntitlementEngine, report: @escaping @Sendable (JobReport) -> Void) {
        (self.engine, self.report) = (engine, report)
    }

    mutating func run() async -> JobPause {
        do throws(EngineError) {
            switch try await engine.eraseWhatIsDue() {
            case .nothing(let next): return JobPause(due: next, rest: JobPause.retry)
            case .erased(let certificate):
                failure = nil
                report(.erased(certificate))
                return JobPause(due: engine.now())
            case .rejected(let rejection): return tryAgain(rejection.code.rawValue)
            }
        } catch {
            return tryAgain("\(error.code)")
        }
    }

    private mutating func tryAgain(_ code: String) -> JobPause {
        if failure != code { report(.erasureFailed(code)) }
        failure = code
        return JobPause(due: engine.now().advanced(byMilliseconds: 60_000), rest: JobPause.retry)
    }
}

/// Puts a changed policy folder into force. It is looked at when a watcher sees a change, and once a
/// second in any case.
private struct PolicyFolderJob: Job {
    let engine: EntitlementEngine
    let folder: String
    let report: @Sendable (JobReport) -> Void
    var kind: JobKind { .policyFolder }
    private var reloader: PolicyReloader

    init(
        engine: EntitlementEngine, folder: String, report: @escaping @Sendable (JobReport) -> Void
    ) {
        (self.engine, self.folder, self.report) = (engine, folder, report)
        reloader = PolicyReloader(engine: engine, folder: folder)
    }

    mutating func run() async -> JobPause {
        if engine.isFolderWanted.exchange(false, ordering: .relaxed) {
            report(.policyFolderAgain)
            reloader = PolicyReloader(engine: engine, folder: folder, tellsAgain: true)
        }
        // Of a fleet, the folder of the node that leads counts.
        guard engine.leads else { return JobPause() }
        if let found = await reloader.look(at: SteadyClock().now()) { report(.policyFolder(found)) }
        return JobPause(
            longest: PolicyReloader.longestPause, rest: JobPause.retry,
            descriptor: reloader.descriptor)
    }
}

/// Sends changes while this node leads, and follows the one that does otherwise.
private struct PushJob: Job {
    let engine: EntitlementEngine
    let pusher: Pusher
    var kind: JobKind { .push }

    func run() async -> JobPause {
        let begun = engine.lead
        await engine.during(begun) { [pusher] in
            await begun == nil ? pusher.follow() : pusher.run()
        }
        return .none
    }
}

/// Tries again what this node could not read of another one's entries.
private struct AdoptionJob: Job {
    let engine: EntitlementEngine
    var kind: JobKind { .adoption }

    func run() async -> JobPause {
        engine.adoptAgain()
        let isHalted = !engine.adoption.isGoingOn && !engine.adoption.isOver
        return JobPause(longest: isHalted ? JobPause.retry : nil, rest: JobPause.retry)
    }
}
