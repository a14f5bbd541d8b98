internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import StrictJSON

/// `usher explain ACCOUNT ENTITLEMENT`: why the answer is what it is (spec 1.10).
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain why an account may or may not use an entitlement.",
        discussion: """
            The rule that decided with its file and line, the purchases and claims, the facts \
            with their evidence and dates, and the smallest thing that would change the answer. \
            The exit code is that of 'check': 0 yes, 1 no.

            Example: usher explain mallory premium --at 2026-02-20
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Argument(help: "The entitlement.", transform: readName)
    var entitlement: EntitlementName

    @Option(help: "The environment to ask for.")
    var environment = StoreEnvironment.production

    @OptionGroup var appleID: AppleIDOption
    @OptionGroup var reading: ReadingOptions

    func run() throws {
        var isGranted = false
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            let answer = try explanation()
            guard let decision = answer.value["answer"]?["decision"]?.bool else {
                throw .unreadableAnswer
            }
            isGranted = decision
            try reading.output.show(answer, quiet: reading.quiet) { $1.write(explanation: $0) }
        }
        if !isGranted { throw ExitCode.no }
    }

    private func explanation() throws(CommandFailure) -> Answered {
        let path = "/v1/accounts/\(account.inPath)/explain/\(entitlement.inPath)"
        let key = RightKey(environment, entitlement)
        return try reading.answer(
            path, [("environment", environment.rawValue)] + AppleIDKey.query(appleID.key)
        ) {
            questions, writer throws(EngineError) in
            writer.append(
                try questions.explain(
                    key, of: account, at: reading.instant, through: appleID.key))
        }
    }
}

extension Identifier {
    /// As one segment of a path.
    var inPath: String { LocalClient.encoded(text) }
}
