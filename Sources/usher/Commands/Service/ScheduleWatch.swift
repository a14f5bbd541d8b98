internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Logging

/// Puts scheduled policies into force when they are due, for as long as the service runs (spec
/// 2.6). It looks four times a second; what was due before the start comes first.
struct ScheduleWatch: ServiceTask {
    let engine: EntitlementEngine
    let logger: Logger

    func run() async {
        var told: String?
        while !Task.isCancelled {
            do throws(EngineError) {
                let report = engine.leads ? try await engine.applyDueSchedule() : nil
                told = nil
                // The next one may be due, too.
                if let report {
                    log(report)
                    guard case .changed = report else { continue }
                }
            } catch {
                if told != error.code {
                    logger.error(
                        "scheduled policy not put into force",
                        metadata: ["code": "\(error.code)"])
                }
                told = error.code
            }
            do {
                try await Task.sleep(for: .milliseconds(250))
            } catch {
                return
            }
        }
    }

    private func log(_ report: DueScheduleReport) {
        switch report {
        case .applied(let scheduled, let notes):
            logger.notice(
                "scheduled policy activated",
                metadata: [
                    "policy": "\(scheduled.digest.hexadecimal)", "schedule": "\(scheduled.place)",
                    "due": "\(scheduled.due.rfc3339)",
                ])
            logger.tell(notes.losses)
        case .ended(let scheduled, let end):
            var metadata: Logger.Metadata = [
                "policy": "\(scheduled.digest.hexadecimal)", "schedule": "\(scheduled.place)",
                "due": "\(scheduled.due.rfc3339)", "outcome": "\(end.outcome.rawValue)",
            ]
            if let obstacle = end.obstacle { metadata["obstacle"] = "\(obstacle.rawValue)" }
            if let losing = end.losing { metadata["losing"] = "\(losing)" }
            logger.log(
                level: end.outcome == .refused ? .error : .notice,
                "scheduled policy not put into force", metadata: metadata)
        case .changed: break
        }
    }
}
