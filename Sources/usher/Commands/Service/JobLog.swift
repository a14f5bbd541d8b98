internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import LedgerModel
internal import Logging
internal import PolicyLoading

extension JobReport {
    /// Writes it to the log.
    ///
    /// - Parameter folder: the policy folder that is watched.
    func log(to logger: Logger, folder: String) {
        switch self {
        case .appStoreAnswerLost(let error):
            logger.error("Apple's answer was not recorded", metadata: ["code": "\(error.code)"])
        case .appStoreUnavailable(let waiting):
            logger.warning(
                "Apple's servers do not answer; evidence waits",
                metadata: ["waiting": "\(waiting)"])
        case .appStoreAvailable(let waiting):
            logger.notice(
                "Apple's servers answer again", metadata: ["waiting": "\(waiting)"])
        case .refundAnswerLost(let error):
            logger.error(
                "an answer to a refund request was not recorded",
                metadata: ["code": "\(error.code)"])
        case .refundMissed(let request):
            logger.warning("Apple was not told about a refund", metadata: ["request": "\(request)"])
        case .schedule(let report): report.log(to: logger)
        case .scheduleFailed(let error):
            logger.error(
                "scheduled policy not put into force", metadata: ["code": "\(error.code)"])
        case .erased(let certificate):
            logger.notice("account erased", metadata: certificate.facts)
        case .erasureFailed(let code):
            logger.error("account not erased", metadata: ["code": "\(code)"])
        case .policyFolderAgain: logger.notice("looking at the policy folder again")
        case .policyFolder(let report): report.log(to: logger, folder: folder)
        case .reconciliationBegins: logger.notice("reconciliation on schedule")
        case .reconciliation(let answer): answer.log(to: logger)
        }
    }
}

extension ErasureAnswer {
    fileprivate var facts: Logger.Metadata {
        [
            "reference": "\(reference)", "entry": "\(erasure)",
            "entries": "\(entries.reduce(0) { $0 + $1.count })",
            "digest": "\(digest?.hexadecimal ?? "-")",
        ]
    }
}

extension DueScheduleReport {
    fileprivate func log(to logger: Logger) {
        switch self {
        case .applied(let scheduled, let notes):
            logger.notice("scheduled policy activated", metadata: scheduled.facts)
            logger.tell(notes.losses)
        case .ended(let scheduled, let end):
            var metadata = scheduled.facts
            metadata["outcome"] = "\(end.outcome.rawValue)"
            if let obstacle = end.obstacle { metadata["obstacle"] = "\(obstacle.rawValue)" }
            if let losing = end.losing { metadata["losing"] = "\(losing)" }
            logger.log(
                level: end.outcome == .refused ? .error : .notice,
                "scheduled policy not put into force", metadata: metadata)
        case .changed: break
        }
    }
}

extension ScheduledPolicy {
    fileprivate var facts: Logger.Metadata {
        ["policy": "\(digest.hexadecimal)", "schedule": "\(place)", "due": "\(due.rfc3339)"]
    }
}

extension PolicyReloader.Report {
    fileprivate func log(to logger: Logger, folder: String) {
        switch self {
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

extension ReconciliationAnswer {
    fileprivate func log(to logger: Logger) {
        var facts: Logger.Metadata = [
            "run": "\(run)", "visited": "\(tally.visited)", "calls": "\(tally.calls)",
            "written": "\(tally.written)", "drift": "\(driftTotal)",
        ]
        for count in drift { facts[count.cause.rawValue] = "\(count.count)" }
        if let code { facts["code"] = "\(code)" }
        if state == .stopped {
            logger.error("reconciliation stopped before its end", metadata: facts)
        } else if driftTotal > 0 || !isComplete {
            logger.warning("reconciliation found drift", metadata: facts)
        } else {
            logger.notice("reconciliation found no drift", metadata: facts)
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
        case .parked(let name, let number):
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
