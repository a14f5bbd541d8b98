internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Logging
internal import ServiceLifecycle

/// Runs the reconciliations that are asked for, and those on a schedule, for as long as the service
/// runs. What is under way when it stops is gone on with by the next run.
struct ReconciliationSchedule: Service {
    let reconciler: Reconciler
    /// 0 for none on a schedule.
    let everyHours: Int
    /// Whether this node of a fleet is the one that asks Apple.
    let leads: @Sendable () -> Bool
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if leads(), reconciler.requestIfDue(everyHours: Int64(everyHours)) {
                    logger.notice("reconciliation on schedule")
                }
                if leads(), await reconciler.runPending(), let answer = reconciler.last {
                    log(answer)
                }
                do {
                    try await Task.sleep(for: .milliseconds(250))
                } catch {
                    return
                }
            }
        }
    }

    private func log(_ answer: ReconciliationAnswer) {
        var facts: Logger.Metadata = [
            "run": "\(answer.run)", "visited": "\(answer.tally.visited)",
            "calls": "\(answer.tally.calls)", "written": "\(answer.tally.written)",
            "drift": "\(answer.driftTotal)", "dry_run": "\(answer.isDryRun)",
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
