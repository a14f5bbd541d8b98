internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// `usher findings [ACCOUNT …]`: what a person should look at.
struct Findings: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what a person should look at.",
        discussion: """
            Findings that stand at the instant asked about; --past shows those that have resolved \
            themselves too. Without an account, --ledger lists those of all accounts. Exit codes: \
            0 nothing to look at, 1 findings.

            Example: usher findings alice --past
            """)

    @Argument(help: "The accounts; all of a ledger if left out.", transform: readName)
    var accounts: [AccountID] = []

    @Flag(help: "Show those too that stand no longer, or not yet.")
    var past = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        guard !accounts.isEmpty || reading.ledger != nil else {
            throw ValidationError("name an account, or a ledger with --ledger")
        }
    }

    func run() throws {
        var count = 0
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            if accounts.isEmpty, let ledger = reading.ledger {
                count = try tellAll(in: ledger)
            }
            for account in accounts {
                count += try tell(findings(of: account), of: account, evenIfNone: true)
            }
        }
        if count > 0 { throw ExitCode.no }
    }

    /// Prints the findings of one account; returns how many stand.
    private func tell(
        _ answer: Answered, of account: AccountID, evenIfNone: Bool
    ) throws(CommandFailure) -> Int {
        let instant = answer.value.instant("at") ?? reading.instant
        let all = answer.value.list("findings")
        let standing = all.filter { $0.contains(instant) }
        let shown = past ? all : standing
        if evenIfNone || !shown.isEmpty {
            try reading.output.show(answer, quiet: reading.quiet) { _, page in
                page.write(shown, of: account.text)
            }
        }
        return standing.count
    }

    private func findings(of account: AccountID) throws(CommandFailure) -> Answered {
        try reading.answer("/v1/accounts/\(account.inPath)/findings") {
            questions, writer throws(EngineError) in
            writer.append(
                findingsOf: try questions.report(on: account, at: reading.instant))
        }
    }

    /// Prints those of all accounts of a ledger, as of one instant; returns how many stand.
    private func tellAll(in ledger: String) throws(CommandFailure) -> Int {
        let instant = reading.instant
        let questions = try Self.asking { () throws(EngineError) in
            try LedgerQuestions(ledgerPath: ledger)
        }
        var count = 0
        var last: AccountID?
        while true {
            let accounts = try Self.asking { () throws(EngineError) in
                try questions.accounts(after: last, limit: 1_000)
            }
            if accounts.isEmpty { return count }
            for account in accounts {
                let report = try Self.asking { () throws(EngineError) in
                    try questions.report(on: account, at: instant)
                }
                var writer = AnswerWriter(reserving: 4_096)
                writer.append(findingsOf: report)
                count += try tell(Answered(writer.bytes), of: account, evenIfNone: false)
            }
            last = accounts.last
        }
    }

    private static func asking<Answer>(
        _ question: () throws(EngineError) -> Answer
    ) throws(CommandFailure) -> Answer {
        do throws(EngineError) {
            return try question()
        } catch {
            throw .engine(error)
        }
    }
}
