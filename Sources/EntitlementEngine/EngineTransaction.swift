internal import EntitlementModel
internal import LedgerStore

/// The ledger inside one commit: what is decided there is decided as of `now` and by `policy`.
struct EngineTransaction {
    let transaction: LedgerTransaction
    let policy: ActivePolicy
    let now: Instant

    /// The entry as the ledger has it, with the instant that it was given.
    func append<Value: Sendable>(
        _ value: Value, as entry: LedgerEntry
    ) throws(LedgerStoreError) -> Recorded<Value> {
        let sequence = try transaction.append(entry, at: now)
        return Recorded(
            sequence: sequence, recordedAt: try transaction.head().recordedAt, value: value)
    }
}

/// What one commit has written.
private struct Written<Value: Sendable>: Sendable {
    let value: Value
    let touched: Set<AccountID>
    let head: LedgerHead
}

extension EntitlementEngine {
    /// Runs the body in the writer, and returns only when what it wrote is durable and every
    /// question sees it.
    ///
    /// - Parameters:
    ///   - called: when it was asked for; it is recorded then, or at the last entry's instant.
    ///   - body: returns, beside its value, the accounts whose views it makes stale.
    func commit<Value: Sendable>(
        calledAt called: Instant,
        _ body:
            @escaping @Sendable (EngineTransaction) throws(LedgerStoreError)
            -> (value: Value, touched: Set<AccountID>)
    ) async throws(EngineError) -> Value {
        let written = try await ledger.writing(
            { [self] transaction throws(LedgerStoreError) in
                let (value, touched) = try body(
                    EngineTransaction(
                        transaction: transaction, policy: try active.policy(for: transaction),
                        now: try transaction.recordingInstant(at: called)))
                return Written(value: value, touched: touched, head: try transaction.head())
            },
            committed: { [self] written in
                publish(touched: written.touched, head: written.head)
            })
        return written.value
    }
}
