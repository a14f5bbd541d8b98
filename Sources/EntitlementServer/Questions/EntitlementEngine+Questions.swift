internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

/// What questions ask of the engine, in their own words.
extension EntitlementEngine {
    /// An engine that can be held is open and has a policy; it is not ready once writing has
    /// stopped, and while there is no room on the disk.
    var isReady: Bool { acceptsWrites && !isDiskFull }

    /// What it is not ready for, if it is not.
    var unreadiness: ProblemCode {
        if isLedgerReplaced { return .ledgerReplaced }
        return isDiskFull ? .diskFull : .unavailable
    }

    /// The account as far as what it has came through one Apple ID. Blocks.
    func account(
        _ account: AccountID, through key: AppleIDKey
    ) throws(EngineError) -> (packed: PackedAccount, revision: LedgerSequence) {
        try questions.account(account, through: key)
    }

    /// What there is to say before a purchase. Blocks.
    func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(EngineError) -> PreflightAnswer {
        try questions.preflight(request, at: instant)
    }
}
