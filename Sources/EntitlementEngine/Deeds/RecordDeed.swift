internal import EntitlementModel
internal import LedgerStore

/// What a deed wrote, and whose views it makes stale.
struct WrittenDeed<Done: Sendable>: Sendable {
    let report: DeedReport<Done>
    let touched: Set<AccountID>
    let head: LedgerHead
}

extension EntitlementEngine {
    /// Runs the deed in the writer, and reports only when what it wrote is durable and seen by
    /// every question.
    func record<Done: Sendable>(
        _ deed:
            @escaping @Sendable (DeedLedger) throws(LedgerStoreError)
            -> (report: DeedReport<Done>, touched: Set<AccountID>)
    ) async throws(EngineError) -> DeedReport<Done> {
        let now = clock.now()
        let written = try await ledger.writing(
            { [self] transaction throws(LedgerStoreError) in
                let ledger = DeedLedger(
                    transaction: transaction, policy: try active.policy(for: transaction),
                    now: try transaction.recordingInstant(at: now))
                let (report, touched) = try deed(ledger)
                return WrittenDeed(
                    report: report, touched: touched, head: try transaction.head())
            },
            committed: { [self] written in
                publish(touched: written.touched, head: written.head)
            })
        return written.report
    }
}

/// The ledger as a deed sees it: inside the writer's transaction.
struct DeedLedger {
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
