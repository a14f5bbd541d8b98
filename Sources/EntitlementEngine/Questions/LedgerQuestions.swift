package import EntitlementModel
internal import LedgerStore

/// Answers from a ledger file, read-only and safely beside a running service, by the policy
/// that was last in force in it.
package struct LedgerQuestions {
    private let ledger: LedgerReader
    private let policy: ActivePolicy

    /// - Throws: `.ledger` if the file cannot be opened, `.noPolicy` if no policy was ever in
    ///   force in it.
    package init(ledgerPath: String) throws(EngineError) {
        do {
            ledger = try Ledger.openReadOnly(path: ledgerPath)
        } catch {
            throw .ledger(error)
        }
        guard let history = try PolicyHistory(recordedIn: ledger) else { throw .noPolicy }
        policy = ActivePolicy(history)
    }

    package func account(
        _ account: AccountID
    ) throws(EngineError) -> (view: AccountView, revision: LedgerSequence) {
        try ledger.reading { reader throws(LedgerStoreError) in
            let facts = try reader.facts(forAccount: account)
            return (policy.view(of: account, facts: facts), try reader.head().sequence)
        }
    }
}
