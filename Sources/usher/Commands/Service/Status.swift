internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// `usher status`: the operator's page.
struct Status: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print the status of the running service.",
        discussion: """
            Exit codes: 0 healthy, 1 needs attention (it accepts no evidence, or a changed policy \
            was rejected), 2 no service answers.

            Example: usher status
            """)

    @OptionGroup var service: ServiceOptions

    var output: OutputOptions { service.output }
    var quiet: Bool { service.quiet }

    func answer() throws(CommandFailure) -> Answered<StatusReport> {
        try Answered(received: service.call.get("/status"))
    }

    func isYes(_ status: StatusReport) -> Bool { status.isWell }

    func write(_ status: StatusReport, to page: inout Page) { page.write(status) }
}

/// `usher version`.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the versions of the program and of its five contracts.",
        discussion: "Example: usher version --json")

    @OptionGroup var output: OutputOptions

    func run() {
        let text =
            output.json
            ? #"{"usher":"\#(ProgramVersion.text)","policy_format":1,"#
                + #""ledger_format":\#(LedgerFile.format),"socket_protocol":1,"#
                + #""command_json":1,"metrics":1}"#
            : "usher \(ProgramVersion.text) (policy format 1, ledger format \(LedgerFile.format), "
                + "socket protocol 1, command JSON 1, metrics 1)"
        Terminal.current.printLine(text)
    }
}

extension StatusReport {
    var isReady: Bool { status == .ready }

    /// What is said first.
    fileprivate var headline: StatusPhrase {
        if isReady { return .ready }
        if status == .halted { return .halted }
        return degraded.contains(.diskFull) ? .diskFull : .readOnly
    }

    /// Whether nothing needs a person: an old SQLite is worth a line and stops nothing.
    var isWell: Bool { isReady && degraded.allSatisfy { $0 == .outdatedSQLite } }
}

/// The page of `usher status`.
extension Page {
    mutating func write(_ status: StatusReport) {
        add(paint(status.headline.text(language), status.isReady ? .good : .bad))
        let rows: [(StatusPhrase, String?)] = [
            (.version, status.version.shown), (.running, running(status)),
            (.policy, policy(status)), (.ledger, status.ledger.map(kept)),
            (.fleet, status.ledger?.fleet.map(part)),
            (.fleetLedger, status.ledger?.fleet?.ledger.map(\.shown)),
            (.evidence, evidence(status.evidence)), (.waiting, waiting(status.waiting)),
            (.connections, connections(status.connections)), (.questions, "\(status.questions)"),
        ]
        var cells = facts(rows)
        if let last = status.reconciliation {
            cells.append([ReconciliationPhrase.last.text(language), summary(of: last)])
        }
        if let schedules = status.policyScheduled {
            cells.append([SchedulePhrase.title.text(language), scheduled(schedules)])
        }
        for standing in status.push {
            cells.append([
                StatusPhrase.push.text(language, standing.subscription.shown),
                summary(of: standing),
            ])
        }
        table(cells)
        if let ledger = status.ledger {
            // What `usher ledger verify` takes.
            let anchor = "\(ledger.head):\(ledger.hash.hexadecimal)"
            add(LedgerPhrase.anchor, anchor)
        }
        writeShortcomings(of: status)
    }

    private func running(_ status: StatusReport) -> String {
        let passed = status.now.milliseconds(since: status.startedAt)
        return StatusPhrase.since.text(
            language, status.startedAt.toTheSecond, length(minutes: passed / 60_000))
    }

    /// In the two largest units.
    func length(minutes: Int64) -> String {
        let (days, hours) = (minutes / 1_440, minutes / 60 % 24)
        if days > 0 { return StatusPhrase.days.text(language, "\(days)", "\(hours)") }
        if hours > 0 { return StatusPhrase.hours.text(language, "\(hours)", "\(minutes % 60)") }
        return StatusPhrase.minutes.text(language, "\(minutes)")
    }

    private func policy(_ status: StatusReport) -> String {
        StatusPhrase.since.text(
            language, status.policySince.toTheSecond,
            status.policy.short)
    }

    private func kept(_ ledger: LedgerConditionAnswer) -> String {
        StatusPhrase.kept.text(
            language, "\(ledger.head)", ledger.recordedAt.toTheSecond,
            fileSize(ledger.fileBytes), fileSize(ledger.logBytes), "\(ledger.waitingWrites)")
    }

    /// What this node does in its fleet.
    private func part(in fleet: FleetAnswer) -> String {
        let epoch = "\(fleet.epoch)"
        var text = StatusPhrase.fleetAlone.text(language, fleet.node.shown)
        if fleet.leads {
            text = StatusPhrase.fleetLeads.text(
                language, fleet.node.shown, epoch, promise(of: fleet))
        } else if let leader = fleet.leader {
            text = StatusPhrase.fleetFollows.text(
                language, fleet.node.shown, leader.shown, epoch, promise(of: fleet))
        }
        guard let problem = fleet.problem else { return text }
        let since = fleet.answeredAt.map {
            StatusPhrase.fleetSince.text(language, $0.toTheSecond)
        }
        return text
            + paint(
                StatusPhrase.fleetProblem.text(language, problem.shown) + (since ?? ""), .care)
    }

    /// What the database's acknowledgement is worth, and by which of its settings.
    private func promise(of fleet: FleetAnswer) -> String {
        let settings = [fleet.synchronousCommit, fleet.synchronousStandbys]
            .compactMap { $0 }.filter { !$0.isEmpty }.map(\.shown)
        let detail = settings.isEmpty ? "" : " (\(settings.joined(separator: "; ")))"
        return (fleet.durability?.shown ?? "?") + detail
    }

    private func evidence(_ counts: EvidenceCounts) -> String {
        var text = StatusPhrase.judged.text(language, "\(counts.judged)")
        for (phrase, count) in [
            (StatusPhrase.refused, counts.refused), (.unrecorded, counts.refusalsUnrecorded),
            (.quarantined, counts.quarantined),
        ] where count != 0 {
            text +=
                Phrase.listSeparator.text(language)
                + paint(phrase.text(language, "\(count)"), .care)
        }
        return text
    }

    private func waiting(_ room: AppStoreQueueAnswer) -> String {
        guard room.tickets > 0 else { return TicketPhrase.none.text(language) }
        return StatusPhrase.waits.text(
            language, "\(room.tickets)", length(minutes: room.oldestSeconds / 60))
    }

    private func connections(_ counts: ConnectionCounts) -> String {
        let open = StatusPhrase.open.text(language, "\(counts.query)", "\(counts.usher)")
        guard counts.rejected != 0 else { return open }
        return open + Phrase.listSeparator.text(language)
            + paint(StatusPhrase.turnedAway.text(language, "\(counts.rejected)"), .care)
    }

    /// What should be looked at.
    mutating func writeShortcomings(of status: StatusReport) {
        for shortcoming in status.degraded {
            switch shortcoming {
            // The first line has said so.
            case .ledgerReadOnly, .diskFull: break
            case .noLeader: add(StatusPhrase.noLeader, as: .bad)
            case .policyUnreadable:
                let entry = status.ledger?.fleet?.unreadablePolicy.map { "\($0)" } ?? ""
                add(StatusPhrase.policyUnreadable, entry, as: .bad)
            case .ledgerReplaced: add(StatusPhrase.ledgerReplaced, as: .bad)
            case .ledgerUnreadable:
                add(StatusPhrase.ledgerUnreadable, as: .bad)
            case .clockBehind: add(StatusPhrase.clockBehind, as: .bad)
            case .clockStepped: add(StatusPhrase.clockStepped, as: .care)
            case .feedAhead: add(StatusPhrase.feedAhead, as: .bad)
            case .feedBehind:
                if let feed = status.feed { add(paint(behind(feed, status.revision), .bad)) }
            case .policyRefused: write(status.policyRefused)
            case .scheduleRefused: write(refused: status.policyScheduled)
            case .noPrivacyKey: add(StatusPhrase.noPrivacyKey, as: .bad)
            case .erasureOverdue: add(StatusPhrase.erasureOverdue, as: .bad)
            case .appStore: add(StatusPhrase.appStore, as: .care)
            case .policyWaiting:
                if let waiting = status.policyWaiting { write(waiting: waiting) }
            case .outdatedSQLite:
                let version = status.ledger?.sqlite.shown ?? ""
                add(LedgerPhrase.outdated, version, as: .care)
            }
        }
        if status.logLinesLost != 0 {
            add(StatusPhrase.linesLost, "\(status.logLinesLost)", as: .care)
        }
    }

    private func behind(_ feed: FeedStatusAnswer, _ revision: LedgerSequence) -> String {
        let why: String? =
            switch feed.behind {
            case .entries:
                StatusPhrase.untoldEntries.text(
                    language, "\(revision.number - feed.revision.number)",
                    "\(feed.revision.number + 1)")
            case .policy: StatusPhrase.untoldPolicy.text(language)
            case .time: StatusPhrase.untoldTime.text(language)
            case nil: nil
            }
        return StatusPhrase.feedBehind.text(language, "\(feed.lagMilliseconds / 1_000)")
            + (why.map { Phrase.listSeparator.text(language) + $0 } ?? "")
    }

    private mutating func write(_ troubles: [PolicyTrouble]) {
        add(StatusPhrase.policyRejected, as: .bad)
        tree(
            troubles.map { trouble in
                Branch("\(trouble.file):\(trouble.line):\(trouble.column) [\(trouble.id)]")
            })
    }
}

extension Instant {
    /// For pages on which nobody looks for milliseconds.
    var toTheSecond: String { rfc3339.prefix(19) + "Z" }
}

/// What `usher status` says.
enum StatusPhrase: String, CaseIterable, UsherText, Wording {
    case ready = "ready"
    case readOnly = "read-only: writing stopped after a failure; repair the cause and restart"
    case diskFull = "read-only: the disk of the ledger is full; writing resumes when there is space"
    case version = "version"
    case running = "uptime"
    case since = "since {0} ({1})"
    case days = "{0} d {1} h"
    case hours = "{0} h {1} min"
    case minutes = "{0} min"
    case policy = "policy"
    case policyRejected = "the policy folder has changed and has errors; see 'usher policy check':"
    case ledger = "ledger"
    case kept = "entry {0}, recorded {1}; {2}, log {3}; pending writes: {4}"
    case ledgerUnreadable = "the ledger cannot be read"
    case ledgerReplaced = """
        the ledger was moved, removed, replaced or written by another program: restore the right \
        file, then restart
        """
    case clockBehind = """
        the clock is behind the ledger: answers are as of its newest entry minus five minutes; \
        correct the clock
        """
    case clockStepped = "the clock has been changed by more than five minutes since the start"
    case feedAhead = """
        changes were told up to an instant more than five minutes ahead of the clock: entries are \
        recorded as of then until the clock has caught up
        """
    case connections = "connections"
    case open = "{0} on query.sock, {1} on usher.sock"
    case turnedAway = "rejected: {0}"
    case questions = "questions"
    case linesLost = "log lines lost: {0}"
    case evidence = "evidence"
    case judged = "{0} accepted since the start"
    case refused = "{0} refused"
    case unrecorded = "{0} of them without an audit line"
    case quarantined = "{0} quarantined"
    case waiting = "waiting"
    case waits = "{0 ticket waits|tickets wait} for Apple, the oldest for {1}"
    case noPrivacyKey = """
        accounts were erased or wait for that, and 'privacy.key-file' is not set, or has another key: \
        nothing is known again that they had, and a consumable may be delivered twice (docs/PRIVACY.md)
        """
    case erasureOverdue =
        "accounts are not erased although their time has come: the log says why, 'account not erased'"
    case appStore =
        "evidence waits, and Apple is not asked or does not answer: see 'usher evidence waiting'"
    case push = "push to {0}"
    case fleet = "fleet"
    case fleetLedger = "fleet's ledger"
    case fleetLeads = "'{0}' leads, change of leader {1}; commits are kept on {2}"
    case fleetFollows = "'{0}' follows '{1}', change of leader {2}; commits are kept on {3}"
    case fleetAlone = "'{0}' knows of no leader"
    case fleetProblem = "; neither leads nor follows [{0}]"
    case noLeader = "no node of the fleet leads: questions are answered, writes are not"
    case fleetSince = ", answers with what the database had at {0}"
    case halted = "answers nothing: what another node wrote to the ledger cannot be read"
    case policyUnreadable = """
        this version cannot read the policy of entry {0}; install the version that the other nodes \
        run
        """
    case feedBehind = "the change feed is {0} s behind"
    case untoldEntries = "{0} entries wait to be told, from entry {1} on"
    case untoldPolicy = "a new policy is being applied to one account after the other"
    case untoldTime = "what has ended or begun by time waits to be told"
}
