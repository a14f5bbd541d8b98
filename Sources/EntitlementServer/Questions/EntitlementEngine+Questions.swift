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
}
