package import EntitlementDerivation
package import EntitlementEngine
package import EntitlementModel

/// What questions are answered from: the engine, or in tests something smaller.
package protocol QuestionSource: Sendable {
    /// As of when is answered where nothing is said.
    func now() -> Instant
    /// Whether answers can be given and evidence be taken.
    var isReady: Bool { get }
    /// The newest ledger entry that answers reflect.
    var revision: LedgerSequence { get }
    /// The account, if it is in memory.
    func cachedAccount(_ account: AccountID) -> (sheet: AccountSheet, revision: LedgerSequence)?
    /// The account, read if need be. Blocks.
    func account(
        _ account: AccountID
    ) throws(EngineError) -> (sheet: AccountSheet, revision: LedgerSequence)
    /// The account as far as what it has came through one Apple ID. Blocks.
    func account(
        _ account: AccountID, through key: AppleIDKey
    ) throws(EngineError) -> (sheet: AccountSheet, revision: LedgerSequence)
    /// The Apple ID that a key names; nil if no fact knows it. Blocks.
    func appleID(
        _ key: AppleIDKey
    ) throws(EngineError) -> (view: AppleIDView, revision: LedgerSequence)?
    /// What there is to say before a purchase. Blocks.
    func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(EngineError) -> PreflightAnswer
}
