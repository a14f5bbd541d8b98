internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import PolicyLoading

/// `usher refunds …`: what Apple asks about refunds, and what it is told (spec 1.12).
struct RefundsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refunds",
        abstract: "List what Apple asks about refunds, and what it is told.",
        discussion: "Example: usher refunds list",
        subcommands: [
            RefundsList.self, RefundsShow.self, RefundsPreview.self, RefundsConsent.self,
            RefundsAnswered.self,
        ])
}

/// `usher refunds list`.
struct RefundsList: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the refund requests that Apple still takes an answer to.",
        discussion: """
            Apple takes an answer within twelve hours. Prints for each what Apple would be told, \
            by which rule, or why it is told nothing. Exit codes: 0 none, 1 some, 2 no answer.

            Example: usher refunds list --all --limit 20
            """)

    @Flag(help: "Also list those that were answered, decided or have lapsed.")
    var all = false

    @OptionGroup var part: EntryPageOptions
    @OptionGroup var options: PresentReadingOptions

    var reading: ReadingOptions { options.reading }
    var path: String { "/v1/refunds/requests" }
    var query: Parameters { [("open", all ? "false" : "true")] + part.query }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> RefundRequestList? {
        try ledger.refundRequests(
            after: part.entry, onlyOpen: !all, at: reading.instant, limit: part.limit.limit)
    }

    /// Whether there is none.
    func isYes(_ list: RefundRequestList) -> Bool { list.requests.isEmpty }

    func write(_ list: RefundRequestList, to page: inout Page) {
        page.write(
            refunds: list, isFile: reading.ledger != nil,
            next: "usher refunds list\(all ? " --all" : "") --after")
    }
}

/// `usher refunds show REQUEST`.
struct RefundsShow: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a refund request, and the command by which a person answers it.",
        discussion: """
            Exit codes: 0 found, 1 it is no refund request, 2 no answer.

            Example: usher refunds show 42
            """)

    @Argument(help: "The entry of its notification, as the list prints it.")
    var request: Int64

    @OptionGroup var options: PresentReadingOptions

    func validate() throws {
        guard request > 0 else { throw ValidationError(.aboveZero) }
    }

    var reading: ReadingOptions { options.reading }
    var path: String { "/v1/refunds/requests/\(request)" }
    var unknown: CommandFailure {
        .serviceRejected(RejectedCall(.unknownRefund, "request", "\(request)"))
    }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> RefundRequestAnswer? {
        try ledger.refundRequest(LedgerSequence(request), at: reading.instant)
    }

    func write(_ answer: RefundRequestAnswer, to page: inout Page) {
        page.write(refund: answer)
        page.write(answeringOf: answer)
    }
}

/// `usher refunds preview`.
struct RefundsPreview: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Show what a policy would have answered to past refund requests.",
        discussion: """
            Counts all requests of the ledger by what Apple would have been told, had every customer \
            consented, and lists the newest. With --policies a folder is tried on the ledger, beside \
            a running service. Exit codes: 0 done, 2 no answer.

            Example: usher refunds preview --policies policies --ledger usher.ledger
            """)

    @Option(
        help: ArgumentHelp("Try this policy folder; needs --ledger.", valueName: "folder"),
        completion: .directory)
    var policies: String?

    @OptionGroup var part: EntryPageOptions
    @OptionGroup var options: PresentReadingOptions

    var output: OutputOptions { options.reading.output }
    var quiet: Bool { options.reading.quiet }

    func answer() throws(CommandFailure) -> Answered<RefundPreview> {
        let reading = options.reading
        guard let policies else {
            return try reading.answer("/v1/refunds/preview", part.query) {
                questions throws(EngineError) in
                try preview(from: questions, under: nil)
            }
        }
        guard let ledger = reading.ledger ?? Terminal.current.namedLedger else {
            throw .said(RefundPhrase.needsLedger.text(output.language))
        }
        let policy = try CheckedFolder(policies).required(policies)
        do throws(EngineError) {
            return Answered(try preview(from: LedgerQuestions(file: ledger), under: policy))
        } catch {
            throw .engine(error)
        }
    }

    private func preview(
        from ledger: LedgerQuestions, under policy: Policy?
    ) throws(EngineError) -> RefundPreview {
        try ledger.previewRefunds(
            under: policy, after: part.entry, at: options.reading.instant,
            limit: part.limit.limit)
    }

    func write(_ preview: RefundPreview, to page: inout Page) { page.write(preview) }
}

/// `usher refunds consent ACCOUNT`.
struct RefundsConsent: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent",
        abstract: "Record whether a customer lets Apple be told what they used.",
        discussion: """
            Without it Apple is told nothing about refunds of the account. The reason says where the \
            customer said so.

            Example: usher refunds consent alice --given --reason 'accepted the terms of 2026-06'
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Flag(help: "The customer has consented.")
    var given = false

    @Flag(help: "The customer has withdrawn the consent.")
    var withdrawn = false

    @OptionGroup var action: AdminActionOptions

    func validate() throws {
        guard given != withdrawn else {
            throw ValidationError(.consentWord)
        }
    }

    var call: AdminCall {
        AdminCall(
            "/v1/accounts/\(account.inPath)/refund-consent",
            RefundConsentBody(hasConsented: given, reason: action.stated))
    }

    func lines(on done: RefundConsentAnswer, in language: Language) -> [String] {
        let phrase: RefundPhrase = done.consent.isGiven ? .consentGiven : .consentWithdrawn
        return [phrase.text(language, done.consent.account.text)]
    }
}

/// `usher refunds answered REQUEST`.
struct RefundsAnswered: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "answered",
        abstract: "Record that a person has told Apple about a refund, or decided not to.",
        discussion: """
            The request is not answered by the service any more.

            Example: usher refunds answered 42 --reason 'told Apple with usher app-store consumption'
            """)

    @Argument(help: "The entry of its notification, as the list prints it.")
    var request: Int64

    @OptionGroup var action: AdminActionOptions

    func validate() throws {
        guard request > 0 else { throw ValidationError(.aboveZero) }
    }

    var call: AdminCall {
        AdminCall("/v1/refunds/requests/\(request)/answered", action.reasonOnly)
    }

    func lines(on done: RefundAnsweredAnswer, in language: Language) -> [String] {
        [RefundPhrase.recorded.text(language, "\(request)")]
    }
}
