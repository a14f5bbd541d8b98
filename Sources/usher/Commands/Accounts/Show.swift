internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher show ACCOUNT`: everything that support needs.
struct Show: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything that is known about an account.",
        discussion: """
            Prints rights, purchases with their owners, orders, balances, manual grants, blocks, \
            claims and findings. Asks the running service. With --ledger it reads the ledger file instead.

            Example: usher show alice
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Option(help: "Only this store environment.")
    var environment: StoreEnvironment?

    @OptionGroup var appleID: AppleIDOption
    @OptionGroup var reading: ReadingOptions

    var output: OutputOptions { reading.output }
    var quiet: Bool { reading.quiet }

    func answer() throws(CommandFailure) -> Answered<AccountReport> {
        try reading.accountReport(account, in: environment, through: appleID.key)
    }

    func write(_ report: AccountReport, to page: inout Page) { page.write(account: report) }
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

/// `usher find ID`: what an id is, and where it leads.
struct Find: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find what an id is and where it leads.",
        discussion: """
            The id is that of a transaction, an original transaction, an order, a grant, a block \
            or an account, a webOrderLineItemId, a key of an Apple ID, an appAccountToken, or the \
            number of a claim or a merge. The service asks Apple about an order number of an e-mail \
            of Apple's, if it is configured to. Prints one line for each meaning, with the accounts \
            that have it and those that presented it. Exit codes: 0 found, 1 nothing found, 2 no \
            answer.

            Example: usher find 400000000001001
            """)

    @Argument(help: "The id.", transform: readName)
    var id: SoughtID

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        guard reading.at == nil else {
            throw ValidationError(.findNow)
        }
    }

    var output: OutputOptions { reading.output }
    var quiet: Bool { reading.quiet }

    func answer() throws(CommandFailure) -> Answered<FoundID> {
        do throws(CommandFailure) {
            let found = try reading.answer("/v1/find/" + id.inPath) {
                questions throws(EngineError) in
                try questions.find(id)
            }
            guard !found.value.meanings.isEmpty else { throw .nothingFound(id) }
            return found
        } catch {
            throw error.code == ProblemCode.nothingFound.rawValue ? .nothingFound(id) : error
        }
    }

    func write(_ found: FoundID, to page: inout Page) { page.write(found: found) }
}
