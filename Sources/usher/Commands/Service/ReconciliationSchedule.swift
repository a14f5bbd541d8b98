internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Logging

/// Runs the reconciliations that are asked for, and those on a schedule, for as long as the service
/// runs. What is under way when it stops is gone on with by the next run.
///
/// Of a fleet, the node that leads runs them; what is under way when it does not lead any more ends
/// there, and the next one goes on with it.
struct ReconciliationSchedule: ServiceTask {
    let engine: EntitlementEngine
    let reconciler: Reconciler
    /// 0 for none on a schedule.
    let everyHours: Int
    let logger: Logger

    func run() async {
        await engine.whileLeading {
            reconciler.beginToLead()
            await runWhatIsDue()
        } elsewhere: {
            reconciler.endPending()
        }
    }

    private func runWhatIsDue() async {
        while !Task.isCancelled {
            if reconciler.requestIfDue(everyHours: Int64(everyHours)) {
                logger.notice("reconciliation on schedule")
            }
            if await reconciler.runPending(), let answer = reconciler.last { log(answer) }
            do {
                try await Task.sleep(for: .milliseconds(250))
            } catch {
                return
            }
        }
    }

    private func log(_ answer: ReconciliationAnswer) {
        var facts: Logger.Metadata = [
            "run": "\(answer.run)", "visited": "\(answer.tally.visited)",
            "calls": "\(answer.tally.calls)", "written": "\(answer.tally.written)",
            "drift": "\(answer.driftTotal)",
        ]
        for count in answer.drift { facts[count.cause.rawValue] = "\(count.count)" }
        if let code = answer.code { facts["code"] = "\(code)" }
        if answer.state == .stopped {
            logger.error("reconciliation stopped before its end", metadata: facts)
        } else if answer.driftTotal > 0 || !answer.isComplete {
            logger.warning("reconciliation found drift", metadata: facts)
        } else {
            logger.notice("reconciliation found no drift", metadata: facts)
        }
    }
}

/// Waits by the machine's clock.
struct SystemPause: ReconciliationPause {
    /// In milliseconds: after so long it looks at the clock again, which may have been set.
    private static let longest: Int64 = 60_000

    func wait(until instant: Instant) async {
        while !Task.isCancelled {
            let rest = instant.milliseconds(since: SystemClock().now())
            guard rest > 0 else { return }
            try? await Task.sleep(for: .milliseconds(min(rest, Self.longest)))
        }
    }
}
