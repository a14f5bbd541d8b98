internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher check ACCOUNT ENTITLEMENT`: one question, one line, one exit code.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Ask whether an account may use an entitlement.",
        discussion: """
            Asks the running service. With --ledger it reads the ledger file instead, whether or \
            not a service is running.

            Example: usher check alice premium --at 2026-03-01
            """)

    @OptionGroup var right: RightOptions

    func run() throws {
        var isGranted = false
        let reading = right.reading
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            let answer = try answer()
            isGranted = answer.value.decision
            try reading.output.show(answer, quiet: reading.quiet) { value, page in
                page.write(check: value, of: right.account.text)
            }
        }
        if !isGranted {
            warnOfUnknownAccount()
            throw ExitCode.no
        }
    }

    /// A misspelt account may use nothing, like one that has bought nothing. Said beside the
    /// answer, where whoever asks may see the account at all.
    private func warnOfUnknownAccount() {
        let reading = right.reading
        guard !reading.quiet, let report = try? reading.accountReport(right.account),
            report.value.saysNothing
        else { return }
        Terminal.current.printError(
            Phrase.nothingKnown.text(reading.output.language, right.account.text))
    }

    /// Every service may ask query.sock, so that is the socket asked.
    private func answer() throws(CommandFailure) -> Answered<Answer> {
        let path =
            "/v1/accounts/\(right.account.inPath)/entitlements/\(right.entitlement.inPath)"
        return try right.reading.answer(
            path, right.query, socket: right.reading.sockets.querySocket
        ) { questions throws(EngineError) in
            try questions.answer(
                right.key, of: right.account, at: right.reading.instant,
                through: right.appleID.key)
        }
    }
}
