internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher explain ACCOUNT ENTITLEMENT`: why the answer is what it is (spec 1.10).
struct Explain: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain why an account may or may not use an entitlement.",
        discussion: """
            Prints the deciding rule with its file and line, the purchases and claims, the facts \
            with their evidence and dates, and the smallest change that would change the answer. \
            The exit code is that of 'check': 0 yes, 1 no.

            Example: usher explain mallory premium --at 2026-02-20
            """)

    @OptionGroup var right: RightOptions

    var reading: ReadingOptions { right.reading }
    var path: String {
        "/v1/accounts/\(right.account.inPath)/explain/\(right.entitlement.inPath)"
    }
    var query: Parameters { right.query }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> Explanation? {
        try ledger.explain(
            right.key, of: right.account, at: reading.instant, through: right.appleID.key)
    }

    func isYes(_ explanation: Explanation) -> Bool { explanation.answer.decision }

    func write(_ explanation: Explanation, to page: inout Page) {
        page.write(explanation: explanation)
    }
}

extension Identifier {
    /// As one segment of a path.
    var inPath: String { LocalClient.encoded(text) }
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
