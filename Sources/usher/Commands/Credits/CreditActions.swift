internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// What the commands share that take or keep units.
struct SpendOptions: ParsableArguments {
    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Argument(
        help: ArgumentHelp("The credits: all of them or none.", valueName: "credit=units"),
        transform: readCreditPart)
    var parts: [CreditPart]

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @Option(
        help: ArgumentHelp(
            "The idempotency key: with the same one nothing is done twice; generated if omitted.",
            valueName: "name"),
        transform: readName)
    var key: GrantID?

    @Option(
        help: ArgumentHelp("What it is for, in your own words.", valueName: "text"),
        transform: readReference)
    var reference: CreditReference?

    @OptionGroup var action: AdminActionOptions

    var body: SpendBody {
        SpendBody(
            credits: parts.map { CreditAmount($0) }, environment: environment,
            reason: action.stated, reference: reference)
    }
}

private func readReference(_ text: String) throws -> CreditReference {
    guard let reference = CreditReference(text) else {
        throw ValidationError(.reference)
    }
    return reference
}

/// A key of no caller's choosing: nothing else has it.
private func newKey() -> String {
    var generator = SystemRandomNumberGenerator()
    return "cli-" + (0..<2).map { _ in String(generator.next(), radix: 36) }.joined()
}

/// `usher credits spend ACCOUNT CREDIT=UNITS …`.
struct CreditsSpend: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spend",
        abstract: "Spend credits of an account.",
        discussion: """
            All of what is named is spent, or nothing. Exit codes: 0 spent, 1 not done: there is \
            too little, or it is frozen or blocked.

            Example: usher credits spend carol coins=5 gems=1 --key game-17 --reason 'by phone'
            """)

    @OptionGroup var spend: SpendOptions

    func run() throws {
        try spend.action.carryOut { call throws(CommandFailure) in
            try call.ask(
                "/v1/accounts/\(spend.account.inPath)/spend", spend.body,
                key: spend.key?.text ?? newKey())
        } telling: { (done: CreditActionAnswer, line) in
            line.credits(done)
        }
    }
}

/// `usher credits hold ACCOUNT CREDIT=UNITS … --until DATE`.
struct CreditsHold: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Hold credits of an account for a spend to come.",
        discussion: """
            What is held cannot be spent by anything else. A hold ends by itself, after 30 days \
            at the latest.

            Example: usher credits hold carol coins=5 --until 2026-07-01 --reason 'a bet'
            """)

    @OptionGroup var spend: SpendOptions

    @Option(
        help: ArgumentHelp("When the hold ends by itself.", valueName: "date"),
        transform: readInstant)
    var until: Instant

    func run() throws {
        let body = HoldBody(spend: spend.body, until: until)
        try spend.action.carryOut { call throws(CommandFailure) in
            try call.ask(
                "/v1/accounts/\(spend.account.inPath)/holds", body,
                key: spend.key?.text ?? newKey())
        } telling: { (done: CreditActionAnswer, line) in
            line.credits(done)
        }
    }
}

/// `usher credits capture HOLD [CREDIT=UNITS …]`.
struct CreditsCapture: ParsableCommand {
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
        help: ArgumentHelp("How much of it; all if omitted.", valueName: "credit=units"),
        transform: readCreditPart)
    var parts: [CreditPart] = []

    @OptionGroup var action: AdminActionOptions

    func run() throws {
        let credits = parts.isEmpty ? nil : parts.map { CreditAmount($0) }
        let body = CreditPartBody(credits: credits, reason: action.stated)
        try action.carryOut { call throws(CommandFailure) in
            try call.ask("/v1/holds/\(hold)/capture", body)
        } telling: { (done: CreditActionAnswer, line) in
            line.credits(done)
        }
    }
}

/// `usher credits release HOLD`.
struct CreditsRelease: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "End a hold; nothing is spent.",
        discussion: "Example: usher credits release 812 --reason 'the game was cancelled'")

    @Argument(help: "The hold, as printed by 'credits hold'.")
    var hold: Int64

    @OptionGroup var action: AdminActionOptions

    func run() throws {
        try action.carryOut { call throws(CommandFailure) in
            try call.ask("/v1/holds/\(hold)/release", action.reasonOnly)
        } telling: { (done: CreditActionAnswer, line) in
            line.credits(done)
        }
    }
}

/// `usher credits reverse SPEND [CREDIT=UNITS …]`.
struct CreditsReverse: ParsableCommand {
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
        help: ArgumentHelp(
            "How much of it; all that is left if omitted.", valueName: "credit=units"),
        transform: readCreditPart)
    var parts: [CreditPart] = []

    @Option(
        help: ArgumentHelp(
            "The idempotency key: with the same one nothing is done twice; generated if omitted.",
            valueName: "name"),
        transform: readName)
    var key: GrantID?

    @OptionGroup var action: AdminActionOptions

    func run() throws {
        let credits = parts.isEmpty ? nil : parts.map { CreditAmount($0) }
        let body = CreditPartBody(credits: credits, reason: action.stated)
        try action.carryOut { call throws(CommandFailure) in
            try call.ask("/v1/spends/\(spend)/reverse", body, key: key?.text ?? newKey())
        } telling: { (done: CreditActionAnswer, line) in
            line.credits(done)
        }
    }
}

/// `usher credits thaw ACCOUNT CREDIT`.
struct CreditsThaw: ParsableCommand {
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

    func run() throws {
        let body = ThawBody(environment: environment, reason: action.stated)
        try action.carryOut { call throws(CommandFailure) in
            try call.ask(
                "/v1/accounts/\(account.inPath)/credits/\(credit.inPath)/thaw", body)
        } telling: { (done: CreditActionAnswer, line) in
            line.credits(done)
        }
    }
}
