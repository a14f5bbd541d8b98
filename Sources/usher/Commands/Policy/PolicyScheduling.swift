internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading

/// `usher policy schedule`: a folder comes into force at an instant (spec 2.6).
struct PolicyScheduleCommand: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Have the running service put a policy folder into force at an instant.",
        discussion: """
            The text of the folder is sent to the service and recorded; later changes to the \
            folder do not matter. It is checked, and compared with the policy that will be in \
            force then: if an account loses something, today or at that instant, it is scheduled \
            only if its accept.yaml or --accept-loss accepts as many. When it is due, both happen \
            again; it then comes into force or is refused. A loss that was accepted counts only \
            against the policy that it was compared with. Exit codes: 0 scheduled, 1 not \
            scheduled, 2 failed.

            Example: usher policy schedule winter --at 2026-12-01 --reason 'winter prices'
            """)

    @Argument(help: "The policy folder.", completion: .directory)
    var folder: String

    @Option(help: .value("date", "When it comes into force."), transform: readInstant)
    var at: Instant

    @Option(help: .value("number", "Accept that up to this many accounts lose something."))
    var acceptLoss: Int64?

    @OptionGroup var action: AdminActionOptions

    /// Consent is an option of its own.
    static var asks: Bool { false }

    func validate() throws {
        try require(
            (0...1_000_000_000).contains(acceptLoss ?? 0), or: .range, "--accept-loss", "0",
            "1,000,000,000")
    }

    var call: AdminCall {
        get throws(CommandFailure) {
            let checked = CheckedFolder(folder)
            _ = try checked.required(folder, orElse: .no)
            return AdminCall(
                "/v1/policy/schedule",
                ScheduleBody(
                    files: checked.texts.map(\.file), due: at, reason: action.stated,
                    acceptLoss: acceptLoss))
        }
    }

    func write(_ done: ScheduledPolicyAnswer, to page: inout Page) {
        let undo = ShellCommand("policy unschedule", "\(done.schedule)").text
        page.add(
            whole: SchedulePhrase.scheduled, done.policy.short, done.due.date,
            "\(done.schedule)", undo)
        if let losing = done.losing { page.add(whole: SchedulePhrase.losing, "\(losing)") }
        for edit in done.edits ?? [] { page.add(whole: edit.line(in: page.language)) }
    }

    /// How to see who loses what by it: a policy that is scheduled before may be what it takes the
    /// place of, and not the one in force.
    func hint(on failure: CommandFailure) -> String? {
        guard let loss = failure.loss else { return nil }
        let status = try? Answered<StatusReport>(received: action.service.get("/status"))
        let isInForce = status.map { $0.value.policy == loss.replaces } ?? true
        let phrase: SchedulePhrase = isInForce ? .whoLoses : .whoLosesThen
        return phrase.text(output.language, ShellCommand.quoted(folder), loss.replaces.short)
            + "\n"
    }
}

/// `usher policy scheduled`: what is scheduled, and what became of what was.
struct PolicyScheduled: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "scheduled",
        abstract: "List the scheduled policies and what became of earlier ones.",
        discussion: """
            For each: when it is due, by whom and why, what it may take away, how many accounts \
            would lose something by it today, and whether it would come into force. Exit codes: 0 \
            all of them would come into force, 1 one of them would not, 2 no answer.

            Example: usher policy scheduled
            """)

    @OptionGroup var source: SourceOptions

    var output: OutputOptions { source.output }
    var quiet: Bool { source.quiet }

    func answer() throws(CommandFailure) -> Answered<PolicySchedulesAnswer> {
        try source.answers.answer {
            questions throws(EngineError) in
            try questions.policySchedules(at: SystemClock().now())
        } fromService: { call throws(CommandFailure) in
            try call.get("/v1/policy/scheduled")
        }
    }

    /// Whether all of them would come into force.
    func isYes(_ schedules: PolicySchedulesAnswer) -> Bool {
        schedules.scheduled.allSatisfy { $0.obstacle == nil }
    }

    func write(_ schedules: PolicySchedulesAnswer, to page: inout Page) { page.write(schedules) }
}

/// `usher policy unschedule`: a scheduled policy is taken back.
struct PolicyUnschedule: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unschedule",
        abstract: "Take a scheduled policy back.",
        discussion: """
            It does not come into force. Exit codes: 0 taken back, 1 it does not wait, 2 failed.

            Example: usher policy unschedule 412 --reason 'the prices are not final'
            """)

    @Argument(help: "The number that 'usher policy scheduled' lists.")
    var schedule: Int64

    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        AdminCall("/v1/policy/scheduled/\(schedule)", action.reasonOnly, isDeletion: true)
    }

    func write(_ scheduled: ScheduledPolicyAnswer, to page: inout Page) {
        page.add(
            whole: SchedulePhrase.unscheduled, scheduled.policy.short, scheduled.due.date,
            "\(scheduled.schedule)")
    }
}

/// The page of `usher policy scheduled`.
extension Page {
    mutating func write(_ schedules: PolicySchedulesAnswer) {
        if schedules.scheduled.isEmpty { add(SchedulePhrase.nothing) }
        for scheduled in schedules.scheduled { write(scheduled) }
        guard !schedules.ended.isEmpty else { return }
        add(SchedulePhrase.earlier)
        tree(schedules.ended.map { Branch(line(for: $0)) })
    }

    private mutating func write(_ scheduled: ScheduledPolicyAnswer) {
        add(
            SchedulePhrase.due, paint("\(scheduled.schedule)", .strong), scheduled.due.date,
            scheduled.policy.short)
        var branches = [
            SchedulePhrase.by.text(language, scheduled.actor.shown, scheduled.reason.shown)
        ]
        if let losses = scheduled.losses {
            let phrase: SchedulePhrase = losses == 0 ? .noLosses : .losses
            branches.append(phrase.text(language, "\(losses)"))
        }
        branches += (scheduled.firstLosses ?? []).map(\.detail.shown)
        if let losing = scheduled.losing {
            branches.append(SchedulePhrase.losing.text(language, "\(losing)"))
        }
        if let accepted = scheduled.acceptLoss {
            branches.append(
                SchedulePhrase.accepted.text(language, "\(accepted)", scheduled.replaces.short))
        }
        branches += (scheduled.edits ?? []).map { edit in
            edit.isUndoing == true
                ? paint(edit.line(in: language), .care) : edit.line(in: language)
        }
        if let obstacle = scheduled.obstacle {
            branches.append(
                paint(
                    SchedulePhrase.wouldNot.text(language, obstacle.phrase.text(language)), .care))
        } else {
            branches.append(SchedulePhrase.would.text(language))
        }
        let command = ShellCommand("policy unschedule", "\(scheduled.schedule)").text
        tree(branches.map { Branch($0) } + [Branch(command: command, language)])
    }

    private func line(for ended: EndedScheduleAnswer) -> String {
        let phrase: SchedulePhrase =
            switch ended.outcome {
            case .applied: .applied
            case .takenBack: .takenBack
            case .refused: .refused
            case .alreadyInForce: .alreadyInForce
            }
        let why = ended.obstacle?.phrase.text(language) ?? ended.reason?.shown ?? ""
        return phrase.text(
            language, "\(ended.schedule)", ended.policy.short, ended.due.date, ended.at.date, why)
    }

    /// What `usher status` says of scheduled policies.
    func scheduled(_ status: ScheduleStatusAnswer) -> String {
        guard let next = status.next, let due = status.nextDue else {
            return SchedulePhrase.nothing.text(language)
        }
        return SchedulePhrase.next.text(language, "\(status.count)", "\(next)", due.date)
    }

    /// That the last one which was due was refused.
    mutating func write(refused status: ScheduleStatusAnswer?) {
        guard let last = status?.last else { return }
        add(paint(line(for: last), .bad))
    }
}

extension Digest256 {
    /// For people.
    var short: String { String(hexadecimal.prefix(12)) }
}

extension PolicyScheduleEnd.Obstacle {
    fileprivate var phrase: SchedulePhrase {
        switch self {
        case .errors: .errors
        case .losses: .notAccepted
        case .tooManyLosing: .tooManyLosing
        case .otherBase: .otherBase
        case .rolledBack: .rolledBack
        case .erased: .erased
        }
    }
}

/// What `usher policy schedule`, `scheduled` and `unschedule` say.
enum SchedulePhrase: String, CaseIterable, UsherText, Wording {
    case title = "scheduled policies"
    case scheduled = "policy {0} is scheduled for {1} as {2}; to take it back: {3}"
    case unscheduled = "policy {0} does not come into force at {1}: schedule {2} is taken back"
    case whoLoses = "who loses what: 'usher policy diff {0} --live'; nothing was scheduled"
    case whoLosesThen = """
        policy {1}, scheduled before, will be in force then; who loses what, with its folder in \
        place of OLD: 'usher policy diff OLD {0} --live'; nothing was scheduled
        """
    case losingBeside = "; accounts that lose something: {0}, beside policy {1}"
    case nothing = "no policy is scheduled"
    case earlier = "earlier ones:"
    case due = "{0}: policy {2} is due at {1}"
    case by = "by {0}: {1}"
    case losses = "it may take something away ({0} in total)"
    case noLosses = "nobody loses anything"
    case losing = "accounts that lose something: {0}"
    case accepted = "up to {0} are accepted if it replaces {1}"
    case would = "it would come into force"
    case wouldNot = "it would be refused: {0}"
    case next = "{0}; next is {1} at {2}"
    case applied = "{0}: policy {1}, due at {2}, came into force at {3}"
    case takenBack = "{0}: policy {1}, due at {2}, was taken back at {3}: {4}"
    case refused = "{0}: policy {1}, due at {2}, was refused at {3}: {4}"
    case alreadyInForce = "{0}: policy {1}, due at {2}, was in force already at {3}"
    case errors = "it has errors"
    case notAccepted = "it may take something away, and nobody accepted that"
    case tooManyLosing = "more accounts lose something than were accepted"
    case otherBase = "the loss was accepted against another policy"
    case rolledBack = "it was taken back with 'usher policy rollback'"
    case erased = "its text was erased"
    case superseded = "a scheduled policy has replaced it"
}
