internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading

/// `usher policy schedule`: a folder comes into force at an instant (spec 2.6).
struct PolicyScheduleCommand: ParsableCommand {
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

    @Option(
        help: ArgumentHelp("When it comes into force.", valueName: "date"), transform: readInstant)
    var at: Instant

    @Option(
        help: ArgumentHelp(
            "Accept that up to this many accounts lose something.", valueName: "number"))
    var acceptLoss: Int64?

    @OptionGroup var action: AdminActionOptions

    func validate() throws {
        guard (0...1_000_000_000).contains(acceptLoss ?? 0) else {
            throw ValidationError(.range, "--accept-loss", "0", "1,000,000,000")
        }
    }

    func run() throws {
        let checked = CheckedFolder(folder)
        if checked.isReadable, checked.policy == nil {
            let errors = CommandFailure.policyErrors(checked.errors(in: folder))
            throw action.output.tell(errors, quiet: action.quiet, exitCode: .no)
        }
        var loss: SchedulingLoss?
        do {
            try action.carryOut { call throws(CommandFailure) in
                _ = try checked.required(folder)
                let files = checked.texts.map(\.file)
                let body = ScheduleBody(
                    files: files, due: at, reason: action.stated, acceptLoss: acceptLoss)
                do throws(CommandFailure) {
                    return try call.ask("/v1/policy/schedule", body)
                } catch {
                    loss = error.loss
                    throw error
                }
            } telling: { (done: ScheduledPolicyAnswer, language) in
                done.lines(language)
            }
        } catch let code as ExitCode where code == .no {
            if let loss, !action.quiet, !action.output.json {
                Terminal.current.printError(hint(loss))
            }
            throw code
        }
    }

    /// How to see who loses what by it: a policy that is scheduled before may be what it takes the
    /// place of, and not the one in force.
    private func hint(_ loss: SchedulingLoss) -> String {
        let status = try? Answered<StatusReport>(received: action.service.get("/status"))
        let isInForce = status.map { $0.value.policy == loss.replaces } ?? true
        let phrase: SchedulePhrase = isInForce ? .whoLoses : .whoLosesThen
        return phrase.text(
            action.output.language, ShellCommand.quoted(folder), loss.replaces.short)
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

    @Option(
        help: ArgumentHelp(
            "Read this ledger file instead of asking the service.", valueName: "file"),
        completion: .file())
    var ledger: String?

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func answer() throws(CommandFailure) -> Answered<PolicySchedulesAnswer> {
        try AnswerSource(ledger: ledger, socket: sockets.usherSocket).answer {
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

    func lines(on scheduled: ScheduledPolicyAnswer, in language: Language) -> [String] {
        [
            SchedulePhrase.unscheduled.text(
                language, scheduled.policy.short, scheduled.due.date, "\(scheduled.schedule)")
        ]
    }
}
