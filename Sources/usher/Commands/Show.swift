internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel

/// `usher show ACCOUNT`: everything that support needs.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show everything that is known of an account.",
        discussion: """
            Rights, purchases with their owners, balances, what was given by hand, blocks, claims \
            and findings. Asks the running service; with --ledger it reads the ledger file itself.

            Example: usher show alice
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @OptionGroup var reading: ReadingOptions

    func run() throws {
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            let answer = try reading.accountReport(account)
            reading.output.show(answer, quiet: reading.quiet) { $1.write(account: $0) }
        }
    }
}

extension ReadingOptions {
    /// Everything about an account.
    func accountReport(_ account: AccountID) throws(CommandFailure) -> Answered {
        try answer("/v1/accounts/" + account.inPath) { questions, writer throws(EngineError) in
            writer.append(try questions.report(on: account, at: instant))
        }
    }
}
