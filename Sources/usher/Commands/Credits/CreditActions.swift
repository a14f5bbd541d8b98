internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

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
protocol CreditCommand: ActionCommand where Done == CreditActionAnswer {}

extension CreditCommand {
    /// What was done, and how to go back.
    func lines(on done: CreditActionAnswer, in language: Language) -> [String] {
        [done.sentence(language)]
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
