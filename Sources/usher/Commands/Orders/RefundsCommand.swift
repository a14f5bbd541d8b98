internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import PolicyLoading
internal import StrictJSON

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
            after: part.entry, onlyOpen: !all, at: reading.instant(of: ledger),
            limit: part.limit.limit)
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
        try require(request > 0, or: .aboveZero)
    }

    var reading: ReadingOptions { options.reading }
    var path: String { "/v1/refunds/requests/\(request)" }
    var unknown: CommandFailure {
        .serviceRejected(RejectedCall(.unknownRefund, "request", "\(request)"))
    }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> RefundRequestAnswer? {
        try ledger.refundRequest(LedgerSequence(request), at: reading.instant(of: ledger))
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
        help: .value("folder", "Try this policy folder; needs --ledger."),
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
            under: policy, after: part.entry, at: options.reading.instant(of: ledger),
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
        try require(given != withdrawn, or: .consentWord)
    }

    var call: AdminCall {
        AdminCall(
            "/v1/accounts/\(account.inPath)/refund-consent",
            RefundConsentBody(hasConsented: given, reason: action.stated))
    }

    func write(_ done: RefundConsentAnswer, to page: inout Page) {
        let phrase: RefundPhrase = done.consent.isGiven ? .consentGiven : .consentWithdrawn
        page.add(whole: phrase, done.consent.account.text)
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
        try require(request > 0, or: .aboveZero)
    }

    var call: AdminCall {
        AdminCall("/v1/refunds/requests/\(request)/answered", action.reasonOnly)
    }

    func write(_ done: RefundAnsweredAnswer, to page: inout Page) {
        page.add(whole: RefundPhrase.recorded, "\(request)")
    }
}

/// The pages of `usher refunds`.
extension Page {
    /// - Parameters:
    ///   - isFile: whether the ledger was read from its file, next to the service.
    ///   - next: what continues with the next page, but for the entry.
    mutating func write(refunds list: RefundRequestList, isFile: Bool, next: String) {
        if list.requests.isEmpty { add(RefundPhrase.none, as: .good) }
        if !list.sends, !isFile, list.requests.contains(where: { $0.state == .open }) {
            add(RefundPhrase.sendsNothing, as: .care)
        }
        for request in list.requests { write(refund: request) }
        if let entry = list.next { add(OrderPhrase.more, "\(next) \(entry)") }
    }

    mutating func write(refund request: RefundRequestAnswer) {
        let isGood = [.sent, .answered].contains(request.state)
        add(
            RefundPhrase.title,
            paint(paint.link("\(request.request)", .refund(request.request.number)), .strong),
            paint(request.state.text(language), isGood ? .good : .care))
        let about = [
            request.account.map { FindPhrase.accounts.text(language, name($0)) },
            request.product.map { FindPhrase.products.text(language, name($0)) },
            request.purchasedAt.map { AccountPhrase.purchasedAt.text(language, $0.date) },
            request.price?.price.text,
            request.transaction.map { AccountPhrase.transaction.text(language, name($0)) },
            request.environment == .production ? nil : request.environment.rawValue,
        ]
        var branches = [Branch(language.list(about.compactMap(\.self)))]
        branches.append(
            branch(RefundPhrase.asked, request.askedAt.date, request.dueAt.date))
        if let reason = request.reason {
            branches.append(branch(RefundPhrase.reason, reason.shown))
        }
        if let decision = request.decision { branches.append(branch(decision)) }
        branches += answer(to: request)
        tree(branches)
    }

    private func answer(to request: RefundRequestAnswer) -> [Branch] {
        var branches: [Branch] = []
        if let statement = request.statement?.statement {
            let phrase: RefundPhrase = request.answered == nil ? .wouldSay : .said
            let notes = request.notes.map { Branch($0.note.text(language)) }
            branches.append(Branch(phrase.text(language, words(of: statement)), notes))
        }
        if let begun = request.begun {
            branches.append(branch(RefundPhrase.begun, begun.recordedAt.date))
        }
        if let rule = request.rule { branches.append(Branch(self.rule(rule))) }
        if let obstacle = request.obstacle?.obstacle, request.answered == nil {
            branches.append(
                branch(
                    RefundPhrase.tellsNothing, obstacle.text(language), obstacle.rawValue, as: .care
                ))
            if obstacle == .noConsent, request.state == .open, let account = request.account {
                let command = ShellCommand("refunds consent --given", account.text).text
                branches.append(Branch(command: command, language))
            }
        }
        if let failure = request.failure {
            branches.append(
                branch(TicketPhrase.failure, failure.code.text(language), failure.code.rawValue))
        }
        if let answered = request.answered {
            branches.append(branch(RefundPhrase.at, answered.recordedAt.date))
            if let code = answered.code {
                branches.append(
                    branch(Phrase.coded, AppStoreTrouble.words(code, language), code.shown))
            }
            if let actor = answered.actor, let reason = answered.reason {
                branches.append(
                    branch(RefundPhrase.byPerson, actor.shown, reason.shown))
            }
        }
        return branches
    }

    /// `GRANT_PRORATED, DELIVERED, 12.5 %`.
    private func words(of statement: RefundStatement) -> String {
        var words = [statement.preference.rawValue, statement.delivery.rawValue]
        if let consumed = statement.consumed {
            words.append(RefundPhrase.used.text(language, percent(consumed)))
        }
        if statement.hadSample { words.append(RefundPhrase.sample.text(language)) }
        return language.list(words)
    }

    private func percent(_ thousandths: Int64) -> String {
        let rest = String("\(1_000 + thousandths % 1_000)".dropFirst())
        let decimals = rest.reversed().drop { $0 == "0" }.reversed()
        let whole = "\(thousandths / 1_000)"
        return decimals.isEmpty ? "\(whole) %" : "\(whole).\(String(decimals)) %"
    }

    /// What a person calls to answer it.
    mutating func write(answeringOf request: RefundRequestAnswer) {
        guard request.state == .open, request.obstacle == nil,
            let command = request.answeringCommand
        else { return }
        add(RefundPhrase.howTo)
        if let statement = request.statement?.statement, statement.isFirstVersion {
            add(RefundPhrase.file, statement.firstVersionFile.shown)
        }
        add("  \(command.shown)")
        add("  \(ShellCommand("refunds answered", "\(request.request)").text.shown)")
    }

    mutating func write(_ preview: RefundPreview) {
        add(RefundPhrase.preview, preview.policy.short)
        if preview.counts.isEmpty { add(RefundPhrase.noneYet) }
        table(
            preview.counts.map { count in
                [
                    count.answer.rawValue, "\(count.count)",
                    language.list(count.amounts.map(\.price.text)),
                    RefundPhrase.withoutConsent.text(language, "\(count.withoutConsent)"),
                ]
            })
        guard !preview.requests.isEmpty else { return }
        add(RefundPhrase.newest, "\(preview.requests.count)")
        table(
            preview.requests.map { request in
                [
                    "\(request.request)", request.askedAt.date, request.account?.text ?? "",
                    request.product?.text ?? "", request.price?.price.text ?? "",
                    request.statement.map { words(of: $0.statement) }
                        ?? request.obstacle?.obstacle.text(language) ?? "",
                    request.rule?.name ?? "",
                ]
            })
    }
}

extension RefundRequestAnswer {
    /// As a shell takes it; nil where nothing is to be said. The first version takes a file, whose
    /// content comes first.
    fileprivate var answeringCommand: String? {
        guard let statement = statement?.statement, let transaction else { return nil }
        let start =
            "usher app-store consumption \(ShellCommand.quoted(transaction.text)) --environment "
            + "\(environment.rawValue) --customer-consented"
        guard !statement.isFirstVersion else { return start + " --advanced-commerce FILE" }
        var words = [
            "--delivery \(statement.delivery.rawValue)",
            statement.hadSample ? "--sample" : "--no-sample",
            "--preference \(statement.preference.rawValue)",
        ]
        if let consumed = statement.consumed {
            words.append("--consumed-milli-percent \(consumed)")
        }
        return ([start] + words).joined(separator: " ")
    }
}

extension RefundStatement {
    /// What `usher app-store consumption --advanced-commerce` reads.
    fileprivate var firstVersionFile: String {
        var file: JSONValue = ["sampleContentProvided": .bool(hadSample)]
        file["appAccountToken"] = token.map { .string($0.text) }
        for (name, number) in firstVersion { file[name] = .integer(number) }
        return file.text
    }
}

/// What `usher refunds …` says.
enum RefundPhrase: String, CaseIterable, UsherText, Wording {
    case none = "no refund request is open"
    case noneYet = "no refund request is known"
    case sendsNothing = "this service tells Apple nothing: a person has to"
    case title = "refund request {0}: {1}"
    case asked = "asked {0}; Apple takes an answer until {1}"
    case reason = "Apple's reason: {0}"
    case wouldSay = "Apple would be told: {0}"
    case said = "Apple was told: {0}"
    case used = "{0} used"
    case sample = "tried before"
    case tellsNothing = "nothing is sent: {0} [{1}]"
    case at = "recorded {0}"
    case byPerson = "by {0}: {1}"
    case howTo = "to answer it yourself:"
    case preview = "what policy {0} would have answered, with every customer's consent"
    case withoutConsent = "{0} without consent"
    case newest = "the newest {0}:"
    case needsLedger = "--policies needs the ledger: name it with --ledger"
    case consentGiven = "recorded: {0} lets Apple be told what was used"
    case consentWithdrawn = "recorded: {0} does not let Apple be told what was used"
    case recorded = "recorded: a person has answered refund request {0}"
    case consents = "Apple may be told what was used"
    case consentsNot = "Apple may not be told what was used"
    case file = "  FILE: {0}"
    case begun = "this stands since {0}; Apple may have been told"
}
