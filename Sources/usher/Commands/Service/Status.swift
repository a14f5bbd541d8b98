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

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func answer() throws(CommandFailure) -> Answered<StatusReport> {
        try Answered(received: ServiceCall(socket: sockets.usherSocket).get("/status"))
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
        var cells = rows.compactMap { phrase, text in text.map { [phrase.text(language), $0] } }
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
            add(LedgerPhrase.anchor.text(language, anchor))
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
                StatusPhrase.comma.text(language)
                + paint(phrase.text(language, "\(count)"), .care)
        }
        return text
    }

    private func waiting(_ room: WaitingRoomAnswer) -> String {
        guard room.tickets > 0 else { return StatusPhrase.nothingWaits.text(language) }
        return StatusPhrase.waits.text(
            language, "\(room.tickets)", length(minutes: room.oldestSeconds / 60))
    }

    private func connections(_ counts: ConnectionCounts) -> String {
        let open = StatusPhrase.open.text(language, "\(counts.query)", "\(counts.usher)")
        guard counts.turnedAway != 0 else { return open }
        return open + StatusPhrase.comma.text(language)
            + paint(StatusPhrase.turnedAway.text(language, "\(counts.turnedAway)"), .care)
    }

    /// What should be looked at.
    private mutating func writeShortcomings(of status: StatusReport) {
        for shortcoming in status.degraded {
            switch shortcoming {
            // The first line has said so.
            case .ledgerReadOnly, .diskFull: break
            case .noLeader: add(paint(StatusPhrase.noLeader.text(language), .bad))
            case .policyUnreadable:
                let entry = status.ledger?.fleet?.unreadablePolicy.map { "\($0)" } ?? ""
                add(paint(StatusPhrase.policyUnreadable.text(language, entry), .bad))
            case .ledgerReplaced: add(paint(StatusPhrase.ledgerReplaced.text(language), .bad))
            case .ledgerUnreadable:
                add(paint(StatusPhrase.ledgerUnreadable.text(language), .bad))
            case .clockBehind: add(paint(StatusPhrase.clockBehind.text(language), .bad))
            case .clockStepped: add(paint(StatusPhrase.clockStepped.text(language), .care))
            case .feedAhead: add(paint(StatusPhrase.feedAhead.text(language), .bad))
            case .feedBehind:
                if let feed = status.feed { add(paint(behind(feed, status.revision), .bad)) }
            case .policyRefused: write(status.policyRefused)
            case .scheduleRefused: write(refused: status.policyScheduled)
            case .appStore: add(paint(StatusPhrase.appStore.text(language), .care))
            case .policyWaiting:
                if let waiting = status.policyWaiting { write(waiting: waiting) }
            case .outdatedSQLite:
                let version = status.ledger?.sqlite.shown ?? ""
                add(paint(LedgerPhrase.outdated.text(language, version), .care))
            }
        }
        if status.logLinesLost != 0 {
            add(
                paint(StatusPhrase.linesLost.text(language, "\(status.logLinesLost)"), .care))
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
            + (why.map { StatusPhrase.comma.text(language) + $0 } ?? "")
    }

    private mutating func write(_ troubles: [PolicyTrouble]) {
        add(paint(StatusPhrase.policyRejected.text(language), .bad))
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
