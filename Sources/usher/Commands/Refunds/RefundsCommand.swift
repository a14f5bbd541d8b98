internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

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
struct RefundsList: ParsableCommand {
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
    @OptionGroup var options: OrderReadingOptions

    func run() throws {
        var isEmpty = true
        let query = [(name: "open", value: all ? "false" : "true")] + part.query
        try options.show { reading throws(CommandFailure) in
            let answer = try reading.answer("/v1/refunds/requests", query) {
                questions throws(EngineError) -> RefundRequestList? in
                try questions.refundRequests(
                    after: part.entry, onlyOpen: !all, at: reading.instant,
                    limit: part.limit.limit)
            }
            isEmpty = answer.value.requests.isEmpty
            return answer
        } as: { (list: RefundRequestList, page) in
            page.write(
                refunds: list, isFile: options.reading.ledger != nil,
                next: "usher refunds list\(all ? " --all" : "") --after")
        }
        if !isEmpty { throw ExitCode.no }
    }
}

/// `usher refunds show REQUEST`.
struct RefundsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a refund request, and the command by which a person answers it.",
        discussion: """
            Exit codes: 0 found, 1 it is no refund request, 2 no answer.

            Example: usher refunds show 42
            """)

    @Argument(help: "The entry of its notification, as the list prints it.")
    var request: Int64

    @OptionGroup var options: OrderReadingOptions

    func validate() throws {
        guard request > 0 else { throw ValidationError(.aboveZero) }
    }

    func run() throws {
        try options.show { reading throws(CommandFailure) in
            try reading.answer(
                "/v1/refunds/requests/\(request)",
                unknown: .serviceRejected(RejectedCall(.unknownRefund, "request", "\(request)"))
            ) { questions throws(EngineError) -> RefundRequestAnswer? in
                try questions.refundRequest(LedgerSequence(request), at: reading.instant)
            }
        } as: { (answer: RefundRequestAnswer, page) in
            page.write(refund: answer)
            page.write(answeringOf: answer)
        }
    }
}

/// `usher refunds preview`.
struct RefundsPreview: ParsableCommand {
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
    @OptionGroup var options: OrderReadingOptions

    func run() throws {
        let reading = options.reading
        guard let policies else {
            return try options.show { reading throws(CommandFailure) in
                try reading.answer("/v1/refunds/preview", part.query) {
                    questions throws(EngineError) -> RefundPreview? in
                    try questions.previewRefunds(
                        under: nil, after: part.entry, at: reading.instant,
                        limit: part.limit.limit)
                }
            } as: { (preview: RefundPreview, page) in
                page.write(preview)
            }
        }
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            guard let ledger = reading.ledger ?? Terminal.current.namedLedger else {
                throw .said(RefundPhrase.needsLedger.text(reading.output.language))
            }
            let policy = try CheckedFolder(policies).required(policies)
            let preview: RefundPreview
            do throws(EngineError) {
                preview = try LedgerQuestions(file: ledger).previewRefunds(
                    under: policy, after: part.entry, at: reading.instant,
                    limit: part.limit.limit)
            } catch {
                throw .engine(error)
            }
            try reading.output.show(Answered(preview), quiet: reading.quiet) { value, page in
                page.write(value)
            }
        }
    }
}

/// `usher refunds consent ACCOUNT`.
struct RefundsConsent: ParsableCommand {
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

    func run() throws {
        let body = RefundConsentBody(hasConsented: given, reason: action.stated)
        try action.carryOut { call throws(CommandFailure) in
            try call.ask("/v1/accounts/\(account.inPath)/refund-consent", body)
        } telling: { (done: RefundConsentAnswer, line) in
            line.refundConsent(done)
        }
    }
}

/// `usher refunds answered REQUEST`.
struct RefundsAnswered: ParsableCommand {
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

    func run() throws {
        try action.carryOut { call throws(CommandFailure) in
            try call.ask("/v1/refunds/requests/\(request)/answered", action.reasonOnly)
        } telling: { (done: RefundAnsweredAnswer, line) in
            line.refundAnswered(done, request: request)
        }
    }
}
