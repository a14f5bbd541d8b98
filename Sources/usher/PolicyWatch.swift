internal import EntitlementEngine
internal import EntitlementModel
internal import Logging
internal import PolicyLoading
internal import ServiceLifecycle

/// Asks four times a second, for as long as the service runs, whether the policy folder has a new
/// policy that stands. After SIGHUP it looks as if for the first time: what was refused before is
/// said again.
struct PolicyWatch: Service {
    let engine: EntitlementEngine
    let folder: String
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var reloader = PolicyReloader(engine: engine, folder: folder)
            let clock = SystemClock()
            while !Task.isCancelled {
                if ServeSignals.takeHangUps() {
                    logger.notice("looking at the policy folder again")
                    reloader = PolicyReloader(engine: engine, folder: folder)
                }
                if let report = await reloader.look(at: clock.now()) { log(report) }
                do {
                    try await Task.sleep(for: .milliseconds(250))
                } catch {
                    return
                }
            }
        }
    }

    private func log(_ report: PolicyReloader.Report) {
        switch report {
        case .activated(let digest):
            logger.notice("policy activated", metadata: ["policy": "\(digest.hexadecimal)"])
        case .refused(let diagnostics, let texts):
            let options = RenderOptions(folder: folder, outcome: .unchanged)
            logger.error("\(render(diagnostics, sources: texts, as: options))")
        case .failed(let error):
            logger.error("policy not activated", metadata: ["code": "\(error.code)"])
        }
    }
}
