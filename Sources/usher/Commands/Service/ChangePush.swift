internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Logging

/// Sends changes to those that the settings name, for as long as the service runs and, of a fleet,
/// while this node leads. Without any it is not made, and nothing opens a connection.
struct ChangePush: ServiceTask {
    let engine: EntitlementEngine
    let pusher: Pusher

    func run() async {
        await engine.whileLeading {
            await pusher.run()
        } elsewhere: {
            await pusher.follow()
        }
    }
}

extension [PushSubscription] {
    /// What is wanted in vain is said at the start: a misspelt name looks like a right that nobody
    /// gains or loses.
    func warn(of known: KnownEntitlements, in logger: Logger) {
        for subscription in self {
            let unknown = subscription.unknownEntitlements(known)
            if unknown.isEmpty { continue }
            logger.warning(
                "a subscription names entitlements that no policy has ever had",
                metadata: [
                    "subscription": "\(subscription.name)",
                    "entitlements": "\(unknown.joined(separator: ", "))",
                ])
        }
    }
}

extension PushEvent {
    /// Writes it to the log; nothing of a change and nothing secret is in it.
    func log(to logger: Logger) {
        switch self {
        case .failing(let name, let trouble, let status):
            logger.warning(
                "a receiver of changes does not take them",
                metadata: [
                    "subscription": "\(name)", "trouble": "\(trouble.rawValue)",
                    "status": "\(status.map { "\($0)" } ?? "-")",
                    "pause": "\(trouble == .gone ? "1h" : "-")",
                ])
        case .recovered(let name):
            logger.notice(
                "a receiver of changes takes them again", metadata: ["subscription": "\(name)"])
        case .putAside(let name, let number):
            logger.error(
                "a change was not delivered",
                metadata: ["subscription": "\(name)", "number": "\(number)"])
        case .full(let name):
            logger.error(
                "too many changes were not delivered: no more are sent",
                metadata: ["subscription": "\(name)"])
        case .restarted(let name):
            logger.warning(
                "the ledger has other changes than were delivered: the next one is sent",
                metadata: ["subscription": "\(name)"])
        case .ledger(let name, let code):
            logger.error(
                "changes cannot be read, or how far they are delivered not be written",
                metadata: ["subscription": "\(name)", "code": "\(code)"])
        }
    }
}
