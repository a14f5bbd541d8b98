package import EntitlementDerivation
package import EntitlementEngine
package import EntitlementModel

extension EntitlementEngine: QuestionSource {
    /// An engine that can be held is open and has a policy; it is not ready once writing has
    /// stopped.
    package var isReady: Bool { acceptsWrites }

    package func account(
        _ account: AccountID, through key: AppleIDKey
    ) throws(EngineError) -> (sheet: AccountSheet, revision: LedgerSequence) {
        try questions.account(account, through: key)
    }

    package func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(EngineError) -> PreflightAnswer {
        try questions.preflight(request, at: instant)
    }
}
