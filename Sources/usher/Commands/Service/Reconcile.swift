internal import AppleSync
internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher reconcile`: compares the ledger with what Apple says (spec 3.6).
struct Reconcile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Compare the ledger with Apple, add what is missing, and report the drift.",
        discussion: """
            The running service asks Apple about every customer, the riskiest first, and compares \
            Apple's notification history. What is missing is added as evidence, without a claim \
            for anyone. An interrupted run is resumed; --from-start begins again. --json prints \
            one line for each difference and the summary last: {"reconciliation": {…}}. Ctrl-C \
            ends the waiting, not the run.

            --plan, or --dry-run, prints what it costs to keep all customers reconciled, and asks \
            Apple nothing; with --ledger it reads a file.

            Exit codes: 0 no drift, 1 drift, 2 not everything could be compared.

            Example: usher reconcile --plan
            """)

    /// Where a run begins.
    enum Start: String, EnumerableFlag {
        case resume
        case fromStart
    }

    @Option(help: "Only the Apple IDs of this account.", transform: readName)
    var account: AccountID?

    @Option(
        name: .customLong("apple-id"),
        help: .value("key", "Only this Apple ID, given by any of its keys."),
        transform: readName)
    var appleID: AppleIDKey?

    @Option(help: "Only production, or only sandbox; both if omitted.")
    var environment: StoreEnvironment?

    @Flag(help: "Resume an interrupted run (the default), or begin again.")
    var starts: [Start] = []

    @Flag(help: "Only customers that are due by their class of risk.")
    var due = false

    @Option(
        help: .value(
            "number",
            "At most so many calls a second; the setting reconcile.calls-per-second if omitted."))
    var callsPerSecond: Int64?

    @Option(help: .value("number", "Visit at most so many customers."))
    var limit: Int64?

    @Option(help: .value("text", "The reason; written to the log."))
    var reason = "usher reconcile"

    @Flag(
        name: [.customLong("plan"), .customLong("dry-run")],
        help: "Print what it costs, by class of risk, and ask Apple nothing.")
    var plan = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        try require(Set(starts).count < 2, or: .exclusive, "--resume", "--from-start")
        try require(account == nil || appleID == nil, or: .exclusive, "--account", "--apple-id")
        if let environment, environment != .production && environment != .sandbox {
            throw ValidationError(.appleServers)
        }
        guard (1...1_000).contains(callsPerSecond ?? 1), (limit ?? 1) > 0 else {
            throw ValidationError(.pace)
        }
        if reading.ledger != nil, !plan {
            throw ValidationError(.planOnly, "--ledger", "--plan")
        }
        if reading.at != nil { throw ValidationError(.appleNow) }
        try reading.requirePresent()
    }

    func run() async throws {
        if plan { return try showPlan() }
        var answer: ReconciliationAnswer?
        try await reading.output.attempt { () async throws(CommandFailure) in
            let call = ServiceCall(socket: reading.sockets.usherSocket)
            let begun = try Answered<ReconciliationAnswer>(
                received: call.ask("/v1/reconciliations", body))
            let ended = try await wait(for: begun.value.run, call)
            try tell(ended, call)
            answer = ended
        }
        guard let answer else { return }
        // One who was named and has no purchase was not compared: perhaps the name is wrong.
        let isNobody = (account != nil || appleID != nil) && answer.tally.customers == 0
        if !answer.isComplete || isNobody { throw ExitCode.unanswered }
        if answer.driftTotal > 0 { throw ExitCode.no }
    }

    private var body: ReconciliationBody {
        var body = ReconciliationBody(reason: Reason(unchecked: reason))
        body.account = account
        body.appleID = appleID
        body.environment = environment
        if starts.last == .fromStart { body.isFromStart = true }
        if due { body.isOnlyDue = true }
        body.callsPerSecond = callsPerSecond
        body.limit = limit
        return body
    }

    private func showPlan() throws {
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            let rate =
                callsPerSecond ?? Int64(ServerConfiguration(folder: "").reconcileCallsPerSecond)
            let answer = try reading.answer("/v1/reconciliation-plan") {
                questions throws(EngineError) in
                try questions.reconciliationPlan(callsPerSecond: rate, at: SystemClock().now())
            }
            try reading.output.show(answer, quiet: reading.quiet) { plan, page in
                page.write(plan)
            }
        }
    }

    /// Seconds without an answer of Apple's after which it is said, once each time.
    private static let silence: Duration = .seconds(10)

    /// Shows how far it has come until it has ended.
    private func wait(
        for run: Int64, _ call: ServiceCall
    ) async throws(CommandFailure) -> ReconciliationAnswer {
        var (last, since) = (Int64(-1), ContinuousClock.now)
        while true {
            let answer = try Answered<ReconciliationAnswer>(
                received: call.get("/v1/reconciliations/\(run)")
            ).value
            guard answer.state == .running else {
                Terminal.current.printErrorText(Terminal.current.progressEraser)
                return answer
            }
            if Terminal.current.showsProgress, !reading.quiet {
                Terminal.current.printProgress(answer.progress(reading.output.language))
            }
            if answer.tally.calls != last {
                (last, since) = (answer.tally.calls, ContinuousClock.now)
            } else if ContinuousClock.now - since > Self.silence, !reading.quiet {
                Terminal.current.printError(
                    ReconciliationPhrase.silent.text(reading.output.language))
                since = .now + .seconds(3_600)
            }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    private func tell(
        _ answer: ReconciliationAnswer, _ call: ServiceCall
    ) throws(CommandFailure) {
        if reading.quiet { return }
        var page = Page(reading.output.language)
        if !reading.output.json { page.write(answer) }
        var place: Int64? = 0
        var listed = 0
        while let next = place {
            let found = try Answered<DriftPage>(
                received: call.get(
                    "/v1/reconciliations/\(answer.run)/drift?after=\(next)&limit=1000")
            ).value
            place = found.next
            if reading.output.json {
                let lines = found.drift.map { String(decoding: $0.json, as: UTF8.self) + "\n" }
                try Terminal.current.printWhole(json: lines.joined())
            } else {
                let shown = found.drift.prefix(Page.shownDrift - listed)
                page.write(Array(shown))
                listed += shown.count
                if listed == Page.shownDrift { place = nil }
            }
        }
        guard !reading.output.json else {
            let summary = String(decoding: answer.json, as: UTF8.self)
            return try Terminal.current.printWhole(
                json: "{\"reconciliation\":\(summary)}\n")
        }
        page.write(omitted: answer.driftTotal - Int64(listed))
        try Terminal.current.printWhole(page.text)
    }
}

/// The pages of `usher reconcile`.
extension Page {
    /// How many differences a page names: `--json` names all.
    static let shownDrift = 200

    /// What a run has come to.
    mutating func write(_ answer: ReconciliationAnswer) {
        let name = ReconciliationPhrase.run.text(language, "\(answer.run)", state(answer))
        add(paint(name, .strong))
        let tally = answer.tally
        let rows: [(ReconciliationPhrase, String?)] = [
            (.from, span(answer)),
            (
                .customers,
                ReconciliationPhrase.of.text(
                    language, "\(tally.visited)", "\(tally.customers)")
            ),
            (.calls, "\(tally.calls)"), (.notifications, "\(tally.notifications)"),
            (.written, "\(tally.written)"),
        ]
        table(facts(rows))
        if tally.unanswered > 0 {
            add(ReconciliationPhrase.unanswered, "\(tally.unanswered)", as: .bad)
        }
        if tally.refused > 0 {
            add(ReconciliationPhrase.refused, "\(tally.refused)", as: .bad)
        }
        if answer.drift.isEmpty {
            let isNothing = tally.visited == 0 && tally.notifications == 0
            return add(
                isNothing
                    ? paint(ReconciliationPhrase.nothingCompared.text(language), .care)
                    : paint(ReconciliationPhrase.noDrift.text(language), .good))
        }
        heading(
            ReconciliationPhrase.drift.text(
                language, "\(answer.driftTotal)", "\(answer.customersWithDrift)",
                "\(answer.accountsWithDrift)"))
        table(
            answer.drift.map {
                ["\($0.count)", paint($0.cause.text(language), .care), "[\($0.cause.rawValue)]"]
            })
        add("")
    }

    /// In one line: how it ended, or how far it is, and what it found.
    func summary(of answer: ReconciliationAnswer) -> String {
        let found = ReconciliationPhrase.found.text(language, "\(answer.driftTotal)")
        let span = answer.state == .running ? answer.progress(language) : self.span(answer)
        let count = paint(found, answer.driftTotal == 0 ? .good : .care)
        return [state(answer), span, count].joined(separator: "  ")
    }

    private func state(_ answer: ReconciliationAnswer) -> String {
        var words: [String] = []
        switch answer.state {
        case .running: words.append(ReconciliationPhrase.running.text(language))
        case .finished: words.append(ReconciliationPhrase.finished.text(language))
        case .stopped:
            words.append(
                ReconciliationPhrase.stopped.text(language, (answer.code ?? "").shown))
        }
        if answer.isResumed { words.append(ReconciliationPhrase.resumed.text(language)) }
        return language.list(words)
    }

    private func span(_ answer: ReconciliationAnswer) -> String {
        guard let end = answer.endedAt else { return answer.startedAt.date }
        return AccountPhrase.fromUntil.text(language, answer.startedAt.date, end.date)
    }

    /// Differences, those of one customer together as far as they were found together.
    mutating func write(_ drift: [DriftItem]) {
        var rest = drift[...]
        while let first = rest.first {
            let own = rest.prefix { $0.appleID == first.appleID }
            rest = rest.dropFirst(own.count)
            let accounts = Set(own.flatMap(\.accounts)).sorted().map(\.text)
            let key = first.appleID?.text ?? ReconciliationPhrase.noCustomer.text(language)
            add(
                accounts.isEmpty
                    ? key
                    : ReconciliationPhrase.customer.text(
                        language, key, language.list(accounts)))
            tree(own.map { Branch(line($0)) })
        }
    }

    private func line(_ item: DriftItem) -> String {
        let subjects = [
            item.entitlement.map(\.text), item.product?.text,
            item.lineage.map { AccountPhrase.lineage.text(language, $0.text) },
            item.transaction.map { AccountPhrase.transaction.text(language, $0.text) },
            item.notification.map {
                ReconciliationPhrase.notification.text(language, $0.shown)
            }, item.status.map { ReconciliationPhrase.status.text(language, "\($0)") },
            item.environment == .production ? nil : item.environment.rawValue,
        ].compactMap(\.self)
        let title = paint(item.cause.text(language), .care) + " [\(item.cause.rawValue)]"
        return ([title] + subjects).joined(separator: "  ")
    }

    /// Differences that are not named.
    mutating func write(omitted count: Int64) {
        if count > 0 { add(ReconciliationPhrase.omitted, "\(count)") }
    }

    /// What it costs to keep a ledger reconciled.
    mutating func write(_ plan: ReconciliationPlan) {
        let titles: [ReconciliationPhrase] = [
            .risk, .planCustomers, .planLineages, .every, .callsPerDay, .due, .callsDue,
        ]
        var rows = [titles.map { $0.text(language) }]
        for part in plan.classes {
            rows.append([
                part.risk.text(language), "\(part.customers)", "\(part.lineages)",
                ReconciliationPhrase.hours.text(language, "\(part.hoursBetweenVisits)"),
                "\(part.callsPerDay)", "\(part.due)", "\(part.callsDue)",
            ])
        }
        rows.append([
            ReconciliationPhrase.sum.text(language), "\(plan.customers)", "\(plan.lineages)", "",
            "\(plan.callsPerDay)", "\(plan.due)", "\(plan.callsDue)",
        ])
        table(rows, indentedBy: 0)
        let allowed = ReconciliationPhrase.allowed.text(
            language, "\(plan.callsPerSecond)", "\(plan.callsAllowedPerDay)")
        add(paint(allowed, plan.isAffordable ? .good : .bad))
        add(ReconciliationPhrase.duration, length(minutes: (plan.secondsDue + 59) / 60))
    }
}

extension ReconciliationAnswer {
    /// How far it has come, in one line.
    func progress(_ language: Language) -> String {
        ReconciliationPhrase.progress.text(
            language, "\(tally.visited)", "\(tally.customers)", "\(tally.calls)", "\(driftTotal)")
    }
}

/// What `usher reconcile` says.
enum ReconciliationPhrase: String, CaseIterable, UsherText, Wording {
    case run = "reconciliation {0}: {1}"
    case running, finished
    case stopped = "stopped before its end [{0}]"
    case resumed = "resumed"
    case from = "time"
    case customers = "Apple IDs"
    case of = "{0} of {1}"
    case calls = "calls"
    case notifications = "notifications"
    case written = "evidence written"
    case unanswered = "Apple gave no usable answer about {0 Apple ID|Apple IDs}"
    case refused = "{0 piece|pieces} of Apple's answers refused as evidence"
    case noDrift = "no drift"
    case nothingCompared = "nothing was compared"
    case drift = "drift: {0 difference|differences}, {1 Apple ID|Apple IDs}, {2 account|accounts}"
    case customer = "{0}: account {1}"
    case noCustomer = "no Apple ID"
    case notification = "notification {0}"
    case status = "Apple's status {0}"
    case omitted = "{0} more; '--json' prints all"
    case progress = "{0} of {1 Apple ID|Apple IDs}, {2 call|calls}, {3 difference|differences}"
    case risk = "CLASS OF RISK"
    case planCustomers = "APPLE IDS"
    case planLineages = "PURCHASES"
    case every = "EVERY"
    case hours = "{0} h"
    case silent = """
        Apple has not answered for 10 seconds; calls are repeated for about two minutes, and after \
        a limit for as long as Apple says
        """
    case callsPerDay = "CALLS/DAY"
    case due = "DUE NOW"
    case callsDue = "CALLS DUE"
    case sum = "all"
    case allowed = "{0} calls a second allow {1} calls a day"
    case duration = "what is due now takes {0} at this rate"
    case last = "reconciliation"
    case found = "{0 difference|differences}"
}
