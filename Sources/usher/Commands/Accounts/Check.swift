internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher check ACCOUNT ENTITLEMENT`: one question, one line, one exit code.
struct Check: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Ask whether an account may use an entitlement.",
        discussion: """
            Asks the running service. With --ledger it reads the ledger file instead, whether or \
            not a service is running.

            Example: usher check alice premium --at 2026-03-01
            """)

    @OptionGroup var right: RightOptions

    var reading: ReadingOptions { right.reading }
    var path: String {
        "/v1/accounts/\(right.account.inPath)/entitlements/\(right.entitlement.inPath)"
    }
    var query: Parameters { right.query }
    /// Every service may ask query.sock, so that is the socket asked.
    var socket: String { reading.sockets.querySocket }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> Answer? {
        try ledger.answer(
            right.key, of: right.account, at: reading.instant, through: right.appleID.key)
    }

    func isYes(_ answer: Answer) -> Bool { answer.decision }

    func write(_ answer: Answer, to page: inout Page) {
        page.write(check: answer, of: right.account.text)
    }

    func run() throws {
        if try tell() { return }
        warnOfUnknownAccount()
        throw ExitCode.no
    }

    /// A misspelt account may use nothing, like one that has bought nothing. Said next to the
    /// answer, where whoever asks may see the account at all.
    private func warnOfUnknownAccount() {
        guard !reading.quiet, let report = try? reading.accountReport(right.account),
            report.value.saysNothing
        else { return }
        Terminal.current.printError(
            Phrase.nothingKnown.text(reading.output.language, right.account.text))
    }
}

/// `usher preflight ACCOUNT PRODUCT`: what there is to say before the payment sheet (spec 1.8).
struct PreflightCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "preflight",
        abstract: "Check a purchase before payment.",
        discussion: """
            Exit codes: 0 proceed, possibly after a warning; 1 do not proceed.

            Example: usher preflight bob com.example.reader.gold.monthly \
            --apple-id otx:production:400000000001001
            """)

    @Argument(help: "The account that is about to buy.", transform: readName)
    var account: AccountID

    @Argument(help: "The product.", transform: readName)
    var product: ProductID

    @Option(
        name: .customLong("apple-id"),
        help: ArgumentHelp("Any key of the device's Apple ID.", valueName: "key"),
        transform: readName)
    var appleID: AppleIDKey?

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @OptionGroup var prices: StorefrontOption

    @Option(
        help: ArgumentHelp(
            "Read this ledger file instead of asking the service.", valueName: "file"),
        completion: .file())
    var ledger: String?

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func answer() throws(CommandFailure) -> Answered<PreflightAnswer> {
        let request = PreflightRequest(
            account: account, product: product, environment: environment, appleID: appleID,
            storefront: prices.storefront)
        return try AnswerSource(ledger: ledger, socket: sockets.usherSocket).answer {
            questions throws(EngineError) in
            try questions.preflight(request, at: SystemClock().now())
        } fromService: { call throws(CommandFailure) in
            try call.ask("/v1/preflight", request)
        }
    }

    /// Whether it may proceed.
    func isYes(_ answer: PreflightAnswer) -> Bool { answer.verdict.effect != .block }

    func write(_ answer: PreflightAnswer, to page: inout Page) { page.write(preflight: answer) }
}
