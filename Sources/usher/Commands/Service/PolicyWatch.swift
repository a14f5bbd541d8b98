internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import Logging
internal import PolicyLoading

/// Asks four times a second, for as long as the service runs, whether the policy folder has a new
/// policy that stands. After SIGHUP it looks as if for the first time: what was refused before is
/// said again.
struct PolicyWatch: ServiceTask {
    let engine: EntitlementEngine
    let folder: String
    let logger: Logger

    func run() async {
        var reloader = PolicyReloader(engine: engine, folder: folder)
        let clock = SystemClock()
        while !Task.isCancelled {
            if ServeSignals.takeHangUps() {
                logger.notice("looking at the policy folder again")
                reloader = PolicyReloader(
                    engine: engine, folder: folder, tellsAgain: true)
            }
            // Of a fleet, the folder of the node that leads counts.
            if engine.leads, let report = await reloader.look(at: clock.now()) { log(report) }
            engine.adoptAgain()
            do {
                try await Task.sleep(for: .milliseconds(250))
            } catch {
                return
            }
        }
    }

    private func log(_ report: PolicyReloader.Report) {
        switch report {
        case .activated(let digest, let notes):
            logger.notice("policy activated", metadata: ["policy": "\(digest.hexadecimal)"])
            logger.tell(notes.losses)
            logger.tell(missingFiles: notes.missingFiles)
        case .waits(let waiting): logger.tell(waiting)
        case .rejected(let diagnostics, let texts):
            let options = RenderOptions(folder: folder, outcome: .unchanged)
            logger.error("\(render(diagnostics, sources: texts, as: options))")
        case .failed(let error):
            logger.error("policy not activated", metadata: ["code": "\(error.code)"])
        }
    }
}

extension Logger {
    /// How many losses a line names.
    private static let named = 5

    /// Says what waits to be accepted, and what it would take away.
    func tell(_ waiting: WaitingPolicy) {
        warning(
            "policy waits to be accepted",
            metadata: [
                "policy": "\(waiting.digest.hexadecimal)",
                "replaces": "\(waiting.replaces.hexadecimal)",
                "losses": "\(waiting.losses.count)", "first": "\(Self.text(waiting.losses))",
            ])
        tell(missingFiles: waiting.missingFiles)
    }

    /// Says what a policy takes away that has come into force; nothing where it takes nothing.
    /// How many accounts that concerns is not counted.
    func tell(_ losses: [PolicyLoss]) {
        guard !losses.isEmpty else { return }
        warning(
            "policy takes something away",
            metadata: ["losses": "\(losses.count)", "first": "\(Self.text(losses))"])
    }

    private static func text(_ losses: [PolicyLoss]) -> String {
        losses.prefix(named).map { $0.sentence(in: .english) }.joined(separator: "; ")
    }
}
