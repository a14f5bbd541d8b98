internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Logging

/// Asks Apple about what waits, for as long as the service runs (spec 1.8). It looks four times a
/// second, which costs nothing while nothing is due; when something is due follows from the ledger
/// and the clock alone.
struct AppStoreWatch: ServiceTask {
    let engine: EntitlementEngine
    let logger: Logger

    func run() async {
        var told: String?
        var wasOutOfReach = false
        while !Task.isCancelled {
            let step = await engine.askApple()
            if step.error?.code != told, let error = step.error {
                logger.error(
                    "Apple's answer was not recorded", metadata: ["code": "\(error.code)"])
            }
            told = step.error?.code
            if step.attempts > 0, engine.isAppStoreOutOfReach != wasOutOfReach {
                wasOutOfReach.toggle()
                tell(isOutOfReach: wasOutOfReach)
            }
            // What is due at once is not left waiting.
            if step.attempts > 0, step.error == nil, engine.hasTicketsDue { continue }
            do {
                try await Task.sleep(for: .milliseconds(250))
            } catch {
                return
            }
        }
    }

    /// Once for each outage: what is tried in between is counted (`usher_app_store_attempts_total`).
    private func tell(isOutOfReach: Bool) {
        let waiting: Logger.Metadata = [
            "waiting": "\(engine.waitingRoomReport(at: engine.now()).tickets)"
        ]
        if isOutOfReach {
            logger.warning("Apple's servers do not answer; evidence waits", metadata: waiting)
        } else {
            logger.notice("Apple's servers answer again", metadata: waiting)
        }
    }
}
