internal import EntitlementAnswers
package import EntitlementEngine
internal import EntitlementModel

extension EngineJobs {
    /// Has the engine ask Apple about what waits, answer what Apple asks about refunds, and reconcile.
    ///
    /// - Parameters:
    ///   - reconciler: nil where nothing is reconciled.
    ///   - hours: 0 for no reconciliation on a schedule.
    package mutating func addAppleSync(
        of engine: EntitlementEngine, reconciler: Reconciler? = nil, everyHours hours: Int64 = 0
    ) {
        others.append(AppStoreJob(engine: engine, report: report))
        others.append(RefundJob(engine: engine, report: report))
        guard let reconciler else { return }
        others.append(
            ReconciliationJob(
                engine: engine, reconciler: reconciler, hours: hours, report: report))
    }
}

/// Asks Apple about what waits.
private struct AppStoreJob: Job {
    let engine: EntitlementEngine
    let report: @Sendable (JobReport) -> Void
    var kind: JobKind { .appStore }
    var outage = Outage()
    var wasUnavailable = false

    mutating func run() async -> JobPause {
        let step = await engine.askApple()
        if let error = outage.news(step.error) { report(.appStoreAnswerLost(error)) }
        // Once for each outage: what is tried in between is counted.
        if step.attempts > 0, engine.isAppStoreOutOfReach != wasUnavailable {
            wasUnavailable.toggle()
            let waiting = engine.appStoreQueueReport(at: engine.now()).tickets
            report(
                wasUnavailable
                    ? .appStoreUnavailable(waiting: waiting) : .appStoreAvailable(waiting: waiting))
        }
        let isDone = step.attempts > 0 && step.error == nil
        return JobPause(due: step.next, rest: isDone ? .zero : JobPause.retry)
    }
}

/// Answers what Apple asks about refunds.
private struct RefundJob: Job {
    let engine: EntitlementEngine
    let report: @Sendable (JobReport) -> Void
    var kind: JobKind { .refunds }
    var outage = Outage()

    mutating func run() async -> JobPause {
        guard engine.leads else { return JobPause() }
        let step = await engine.answerRefunds()
        if let error = outage.news(step.error) { report(.refundAnswerLost(error)) }
        for request in step.lost { report(.refundMissed(request)) }
        let due = engine.nextRefundLook
        // Whatever is recorded wakes it: four times a second are enough.
        let isDone = step.looks > 0 && step.error == nil
        return JobPause(
            due: due, longest: step.error == nil ? nil : .seconds(60),
            rest: isDone ? .zero : JobPause.retry)
    }
}

/// Runs reconciliations. What is under way when this node does not lead any more ends there, and
/// the one that leads next goes on with it.
private struct ReconciliationJob: Job {
    let engine: EntitlementEngine
    let reconciler: Reconciler
    let hours: Int64
    let report: @Sendable (JobReport) -> Void
    var kind: JobKind { .reconciliation }
    var lead: Int64?

    mutating func run() async -> JobPause {
        let begun = engine.lead
        if lead != begun {
            lead = begun
            if begun != nil { reconciler.beginToLead() }
        }
        guard let begun else {
            reconciler.endPending()
            return JobPause()
        }
        reconciler.forgetErased()
        if reconciler.requestIfDue(everyHours: hours) { report(.reconciliationBegins) }
        await engine.during(begun) { [reconciler, report] in
            if await reconciler.runPending(), let answer = reconciler.last {
                reconciler.forgetErased()
                report(.reconciliation(answer))
            }
        }
        return JobPause(due: reconciler.nextDue(everyHours: hours), rest: JobPause.retry)
    }
}
