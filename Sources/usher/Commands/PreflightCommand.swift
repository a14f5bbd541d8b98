internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

/// `usher preflight ACCOUNT PRODUCT`: what there is to say before the payment sheet (spec 1.8).
struct PreflightCommand: ParsableCommand {
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

    @Option(
        help: ArgumentHelp(
            "Read this ledger file instead of asking the service.", valueName: "file"),
        completion: .file())
    var ledger: String?

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var mayProceed = false
        try output.attempt(quiet: quiet) { () throws(CommandFailure) in
            let answer = try verdict()
            mayProceed = answer.value.verdict.effect != .block
            try output.show(answer, quiet: quiet) { $1.write(preflight: $0) }
        }
        if !mayProceed { throw ExitCode.no }
    }

    private func verdict() throws(CommandFailure) -> Answered<PreflightAnswer> {
        let request = PreflightRequest(
            account: account, product: product, environment: environment, appleID: appleID)
        return try AnswerSource(ledger: ledger, socket: sockets.usherSocket).answer {
            questions throws(EngineError) in
            try questions.preflight(request, at: SystemClock().now())
        } fromService: { call throws(CommandFailure) in
            try call.ask("/v1/preflight", request)
        }
    }
}
