internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel

/// `usher credits ACCOUNT`: balances, and what made them (spec 1.7).
struct Credits: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credits",
        abstract: "Show the credit balances of an account, with every entry.",
        discussion: """
            Asks the running service. With --ledger it reads the ledger file instead.

            Example: usher credits carol
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @OptionGroup var appleID: AppleIDOption
    @OptionGroup var reading: ReadingOptions

    func run() throws {
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            let answer = try answer()
            try reading.output.show(answer, quiet: reading.quiet) { $1.write(credits: $0) }
        }
    }

    private func answer() throws(CommandFailure) -> Answered<AccountCredits> {
        try reading.answer(
            "/v1/accounts/\(account.inPath)/credits",
            [("environment", environment.rawValue)] + AppleIDKey.query(appleID.key),
            socket: reading.sockets.querySocket
        ) { questions throws(EngineError) in
            let (packed, revision) = try questions.account(account, throughIfAny: appleID.key)
            let instant = reading.instant
            return AccountCredits(
                account: account,
                frame: ListFrame(environment: environment, at: instant, revision: revision),
                balances: packed.balances(in: environment, at: instant))
        }
    }
}

extension LedgerQuestions {
    /// The whole account, or as far as what it has came through one Apple ID.
    func account(
        _ account: AccountID, throughIfAny key: AppleIDKey?
    ) throws(EngineError) -> (packed: PackedAccount, revision: LedgerSequence) {
        guard let key else { return try self.account(account) }
        return try self.account(account, through: key)
    }
}
