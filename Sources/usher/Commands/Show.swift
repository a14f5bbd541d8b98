internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel

/// `usher show ACCOUNT`: everything that support needs.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything that is known about an account.",
        discussion: """
            Prints rights, purchases with their owners, balances, manual grants, blocks, claims \
            and findings. Asks the running service. With --ledger it reads the ledger file instead.

            Example: usher show alice
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Option(help: "Only this store environment.")
    var environment: StoreEnvironment?

    @OptionGroup var appleID: AppleIDOption
    @OptionGroup var reading: ReadingOptions

    func run() throws {
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            let answer = try reading.accountReport(
                account, in: environment, through: appleID.key)
            try reading.output.show(answer, quiet: reading.quiet) { $1.write(account: $0) }
        }
    }
}

extension ReadingOptions {
    /// Everything about an account, or what is of one environment or one Apple ID.
    func accountReport(
        _ account: AccountID, in environment: StoreEnvironment? = nil,
        through appleID: AppleIDKey? = nil
    ) throws(CommandFailure) -> Answered<AccountReport> {
        let place = environment.map { [(name: "environment", value: $0.rawValue)] } ?? []
        return try answer("/v1/accounts/" + account.inPath, place + AppleIDKey.query(appleID)) {
            questions throws(EngineError) in
            try questions.report(on: account, at: instant, in: environment, through: appleID)
        }
    }
}
