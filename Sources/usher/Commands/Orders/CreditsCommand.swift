internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher credits …`: what an account has, and what is done with it (spec 1.7).
struct CreditsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credits",
        abstract: "Show, spend, hold and give back the credits of an account.",
        discussion: """
            Without another word it is 'credits show'.

            Example: usher credits carol
            """,
        subcommands: [
            CreditsShow.self, CreditsSpend.self, CreditsHold.self, CreditsCapture.self,
            CreditsRelease.self, CreditsReverse.self, CreditsThaw.self,
        ],
        defaultSubcommand: CreditsShow.self)
}

/// `usher credits [show] ACCOUNT`: balances, and what made them.
struct CreditsShow: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the credit balances of an account, with every entry.",
        discussion: """
            Asks the running service. With --ledger it reads the ledger file instead. \
            --statement prints each entry with the balance after it; with --from and --until only \
            those of that time, between opening and closing balance.

            Example: usher credits show carol --statement --from 2026-06-01
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @Flag(help: "Print a statement: each entry with the balance after it.")
    var statement = false

    @Option(help: .value("date", "Start of the statement."), transform: readInstant)
    var from: Instant?

    @Option(help: .value("date", "End of the statement; not included."), transform: readInstant)
    var until: Instant?

    @Flag(help: "Print the statement as comma-separated values.")
    var csv = false

    @OptionGroup var appleID: AppleIDOption
    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        try require(statement || (from == nil && until == nil && !csv), or: .statementOnly)
    }

    var path: String { "/v1/accounts/\(account.inPath)/credits" }
    var query: Parameters {
        [
            ("environment", environment.rawValue), ("apple_id", appleID.key?.text),
        ]
    }
    var socket: String { reading.sockets.querySocket }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> AccountCredits? {
        let (packed, revision) = try ledger.account(account, throughIfAny: appleID.key)
        let instant = reading.instant(of: ledger)
        return AccountCredits(
            account: account,
            frame: ListFrame(environment: environment, at: instant, revision: revision),
            balances: packed.balances(in: environment, at: instant))
    }

    func write(_ credits: AccountCredits, to page: inout Page) { page.write(credits: credits) }

    func run() throws {
        guard statement else {
            _ = try tell()
            return
        }
        try output.attempt(quiet: quiet) { () throws(CommandFailure) in
            let told = CreditStatement(try answer().value, from: from, until: until)
            try output.show(Answered(told), quiet: quiet) { told, page in
                if csv {
                    for line in told.csv { page.add(line) }
                } else {
                    page.write(told)
                }
            }
        }
    }
}

/// Reads `coins=5`.
func readCreditPart(_ text: String) throws -> CreditPart {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let credit = CreditName(String(parts[0])),
        let units = Int64(parts[1]), GrantedGift.possibleUnits.contains(units)
    else {
        throw ValidationError(.notCredit, text.shown)
    }
    return CreditPart(credit, units)
}

/// The pages of `usher credits`.
extension Page {
    mutating func write(credits answer: AccountCredits) {
        if answer.balances.isEmpty { add(AccountPhrase.noCredits) }
        for balance in answer.balances {
            let name = paint(balance.credit.text, .strong)
            var words = ["\(balance.balance)"]
            if balance.held != 0 {
                words.append(CreditPhrase.held.text(language, "\(balance.held)"))
            }
            if balance.isFrozen {
                words.append(paint(CreditPhrase.frozen.text(language), .care))
            }
            add(Phrase.labelled, name, words.joined(separator: ", "))
            table(balance.entries.map { cells(of: $0) })
            table(cells(of: balance.lapses))
        }
    }

    private func cells(of lapses: [CreditLapse]?) -> [[String]] {
        (lapses ?? []).map { lapse in
            [lapse.at.date, "\(lapse.units)", CreditPhrase.lapses.text(language)]
        }
    }

    mutating func write(_ statement: CreditStatement) {
        if statement.credits.isEmpty { add(AccountPhrase.noCredits) }
        for credit in statement.credits {
            heading(credit.credit.text)
            let opening = [
                statement.from?.date ?? "", "", "\(credit.opening)",
                CreditPhrase.opening.text(language),
            ]
            let closing = [
                statement.until?.date ?? "", "", "\(credit.closing)",
                CreditPhrase.closing.text(language),
            ]
            let lines = credit.lines.map { line in
                var cells = cells(of: line.entry)
                cells.insert("\(line.balance)", at: 2)
                return cells
            }
            table([opening] + lines + [closing])
            table(cells(of: credit.lapses))
        }
    }

    private func cells(of entry: CreditEntry) -> [String] {
        let cause =
            entry.transaction.map { AccountPhrase.transaction.text(language, name($0)) }
            ?? entry.grant.map { AccountPhrase.grantNamed.text(language, name($0)) }
            ?? entry.action.map { action in
                let number = "\(action)"
                return CreditPhrase.entry.text(
                    language,
                    entry.cause == .spend ? paint.link(number, .spend(action.number)) : number)
            } ?? ""
        let period = entry.period.map { period in
            CreditPhrase.period.text(language, period.start.date, period.end?.date ?? "")
        }
        return [
            entry.at.date,
            entry.units < 0 ? paint("\(entry.units)", .bad) : paint("+\(entry.units)", .good),
            entry.cause.text(language), cause,
        ] + (period.map { [$0] } ?? [])
    }
}

/// What `usher credits …` says.
enum CreditPhrase: String, CaseIterable, UsherText, Wording {
    case held = "{0} held"
    case frozen = "frozen by a refund"
    case lapses = "will lapse unless spent"
    case period = "for {0} to {1}"
    case opening = "opening balance"
    case closing = "closing balance"
    case entry = "entry {0}"
    case spent = "Spent {0} of {1} (spend {2}). Balance: {3}. To reverse it: {4}"
    case heldUntil = "Held {0} of {1} until {2} (hold {3}). Balance: {4}."
    case captured = "Captured {0} of {1} (spend {2}). Balance: {3}."
    case released = "Released {0} of {1}. Balance: {2}."
    case reversed = "Gave {0} back to {1}. Balance: {2}."
    case lifted = "Credit {0} of {1} can be spent again."
    case nothingToLift = "No refund freezes credit {0} of {1}."
}

/// What the commands share that take or keep units.
struct SpendOptions: ParsableArguments {
    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Argument(
        help: .value("credit=units", "The credits: all of them or none."),
        transform: readCreditPart)
    var parts: [CreditPart]

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @OptionGroup var key: SpendKeyOption

    @Option(help: .value("text", "What it is for, in your own words."), transform: readReference)
    var reference: CreditReference?

    @OptionGroup var action: AdminActionOptions

    var body: SpendBody {
        SpendBody(
            credits: parts.map { CreditAmount($0) }, environment: environment,
            reason: action.stated, reference: reference)
    }
}

/// What makes a repeated command do nothing more.
struct SpendKeyOption: ParsableArguments {
    @Option(
        help: .value(
            "name",
            "The idempotency key: with the same one nothing is done twice; generated if omitted."),
        transform: readName)
    var key: GrantID?

    /// One of no caller's choosing is no other's.
    var text: String {
        if let key { return key.text }
        var generator = SystemRandomNumberGenerator()
        return "cli-" + (0..<2).map { _ in String(generator.next(), radix: 36) }.joined()
    }
}

private func readReference(_ text: String) throws -> CreditReference {
    guard let reference = CreditReference(text) else {
        throw ValidationError(.reference)
    }
    return reference
}

extension AdminActionOptions {
    /// All of something, or a part of it.
    fileprivate func body(of parts: [CreditPart]) -> CreditPartBody {
        CreditPartBody(
            credits: parts.isEmpty ? nil : parts.map { CreditAmount($0) }, reason: stated)
    }
}

/// A command that does something with credits.
protocol CreditCommand: ActionCommand where Report == CreditActionAnswer {}

extension CreditCommand {
    /// What was done, and how to go back.
    func write(_ done: CreditActionAnswer, to page: inout Page) {
        page.add(whole: done.sentence(page.language))
    }
}

extension CreditActionAnswer {
    fileprivate func sentence(_ language: Language) -> String {
        let units = language.list(credits.map { "\($0.amount) \($0.credit)" })
        let balance = language.list(balances.map { "\($0.balance) \($0.credit)" })
        let (account, id) = (account.text, id.map { "\($0)" } ?? "")
        switch action {
        case .spend:
            return CreditPhrase.spent.text(
                language, units, account, id, balance, ShellCommand("credits reverse", id).text)
        case .hold:
            return CreditPhrase.heldUntil.text(
                language, units, account, until?.date ?? "", id, balance)
        case .capture: return CreditPhrase.captured.text(language, units, account, id, balance)
        case .release: return CreditPhrase.released.text(language, units, account, balance)
        case .reversal: return CreditPhrase.reversed.text(language, units, account, balance)
        case .thaw:
            let phrase: CreditPhrase = lifted.isEmpty ? .nothingToLift : .lifted
            return phrase.text(language, balances.first?.credit.text ?? "", account)
        }
    }
}

/// `usher credits spend ACCOUNT CREDIT=UNITS …`.
struct CreditsSpend: CreditCommand {
    static let configuration = CommandConfiguration(
        commandName: "spend",
        abstract: "Spend credits of an account.",
        discussion: """
            All of what is named is spent, or nothing. Exit codes: 0 spent, 1 not done: there is \
            too little, or it is frozen or blocked.

            Example: usher credits spend carol coins=5 gems=1 --key game-17 --reason 'by phone'
            """)

    @OptionGroup var spend: SpendOptions

    var action: AdminActionOptions { spend.action }

    var call: AdminCall {
        AdminCall(
            "/v1/accounts/\(spend.account.inPath)/spend", spend.body,
            key: spend.key.text)
    }
}

/// `usher credits hold ACCOUNT CREDIT=UNITS … --until DATE`.
struct CreditsHold: CreditCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Hold credits of an account for a spend to come.",
        discussion: """
            What is held cannot be spent by anything else. A hold ends by itself, after 30 days \
            at the latest.

            Example: usher credits hold carol coins=5 --until 2026-07-01 --reason 'a bet'
            """)

    @OptionGroup var spend: SpendOptions

    @Option(help: .value("date", "When the hold ends by itself."), transform: readInstant)
    var until: Instant

    var action: AdminActionOptions { spend.action }

    var call: AdminCall {
        AdminCall(
            "/v1/accounts/\(spend.account.inPath)/holds",
            HoldBody(spend: spend.body, until: until), key: spend.key.text)
    }
}

/// `usher credits capture HOLD [CREDIT=UNITS …]`.
struct CreditsCapture: CreditCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Spend what is held, or a part of it.",
        discussion: """
            The rest is free again.

            Example: usher credits capture 812 coins=3 --reason 'the bet is lost'
            """)

    @Argument(help: "The hold, as printed by 'credits hold'.")
    var hold: Int64

    @Argument(
        help: .value("credit=units", "How much of it; all if omitted."),
        transform: readCreditPart)
    var parts: [CreditPart] = []

    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        AdminCall("/v1/holds/\(hold)/capture", action.body(of: parts))
    }
}

/// `usher credits release HOLD`.
struct CreditsRelease: CreditCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "End a hold; nothing is spent.",
        discussion: "Example: usher credits release 812 --reason 'the game was cancelled'")

    @Argument(help: "The hold, as printed by 'credits hold'.")
    var hold: Int64

    @OptionGroup var action: AdminActionOptions

    var call: AdminCall { AdminCall("/v1/holds/\(hold)/release", action.reasonOnly) }
}

/// `usher credits reverse SPEND [CREDIT=UNITS …]`.
struct CreditsReverse: CreditCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Give units of a spend back.",
        discussion: """
            Never more in all than the spend took. What has expired since expires at once.

            Example: usher credits reverse 811 coins=2 --reason 'the level did not load'
            """)

    @Argument(help: "The spend, as printed by 'credits spend'.")
    var spend: Int64

    @Argument(
        help: .value("credit=units", "How much of it; all that is left if omitted."),
        transform: readCreditPart)
    var parts: [CreditPart] = []

    @OptionGroup var key: SpendKeyOption

    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        AdminCall(
            "/v1/spends/\(spend)/reverse", action.body(of: parts), key: key.text)
    }
}

/// `usher credits thaw ACCOUNT CREDIT`.
struct CreditsThaw: CreditCommand {
    static let configuration = CommandConfiguration(
        commandName: "thaw",
        abstract: "Let a credit be spent again that a refund has frozen.",
        discussion: """
            Lifts what freezes the credit now; another refund freezes it again.

            Example: usher credits thaw carol coins --reason 'she explained the refund'
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Argument(help: "The credit.", transform: readName)
    var credit: CreditName

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        AdminCall(
            "/v1/accounts/\(account.inPath)/credits/\(credit.inPath)/thaw",
            ThawBody(environment: environment, reason: action.stated))
    }
}
