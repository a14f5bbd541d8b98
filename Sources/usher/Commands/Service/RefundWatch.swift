internal import EntitlementEngine
internal import EntitlementModel
internal import Logging

/// Answers what Apple asks about refunds, for as long as the service runs (spec 1.12). It looks when
/// something was recorded and when a look is due, four times a second at most; what is due follows
/// from the ledger and the clock.
struct RefundWatch: ServiceTask {
    let engine: EntitlementEngine
    let logger: Logger

    func run() async {
        var told: String?
        while !Task.isCancelled {
            guard engine.leads else {
                try? await Task.sleep(for: .milliseconds(250))
                continue
            }
            let step = await engine.answerRefunds()
            if step.error?.code != told, let error = step.error {
                logger.error(
                    "an answer to a refund request was not recorded",
                    metadata: ["code": "\(error.code)"])
            }
            told = step.error?.code
            for request in step.lost {
                logger.warning(
                    "Apple was not told about a refund", metadata: ["request": "\(request)"])
            }
            // What is due at once is not left waiting.
            if step.looks > 0, step.error == nil, engine.hasRefundsDue { continue }
            do {
                try await Task.sleep(for: .milliseconds(250))
            } catch {
                return
            }
            await engine.waitForRefunds()
        }
    }
}
