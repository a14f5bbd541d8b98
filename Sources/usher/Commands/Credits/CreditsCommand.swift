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
            those of that time, between opening and closing balance. --known-at leaves out what \
            was recorded later, and the policy of then decides.

            Example: usher credits show carol --statement --from 2026-06-01
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @Option(
        help: .value("date", "What was known at that instant; all that is known if omitted."),
        transform: readInstant)
    var knownAt: Instant?

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
        guard statement || (from == nil && until == nil && !csv) else {
            throw ValidationError(.statementOnly)
        }
    }

    var path: String { "/v1/accounts/\(account.inPath)/credits" }
    var query: Parameters {
        [
            ("environment", environment.rawValue), ("apple_id", appleID.key?.text),
            ("known_at", knownAt?.rfc3339),
        ]
    }
    var socket: String { reading.sockets.querySocket }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> AccountCredits? {
        let (packed, revision) =
            if let knownAt {
                try ledger.account(account, knownAt: knownAt, throughIfAny: appleID.key)
            } else {
                try ledger.account(account, throughIfAny: appleID.key)
            }
        let instant = reading.instant
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
        }
    }

    private func cells(of entry: CreditEntry) -> [String] {
        let cause =
            entry.transaction.map { AccountPhrase.transaction.text(language, $0.text) }
            ?? entry.grant.map { AccountPhrase.grantNamed.text(language, $0.text) }
            ?? entry.action.map { CreditPhrase.entry.text(language, "\($0)") } ?? ""
        return [
            entry.at.date,
            entry.units < 0 ? paint("\(entry.units)", .bad) : paint("+\(entry.units)", .good),
            entry.cause.text(language), cause,
        ]
    }
}

/// What `usher credits …` says.
enum CreditPhrase: String, CaseIterable, UsherText, Wording {
    case held = "{0} held"
    case frozen = "frozen by a refund"
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
