package import EntitlementDerivation
package import EntitlementModel
internal import LedgerStore

/// What became of a merge that a person asked for. Both are final: a refusal has written nothing.
package enum MergeReport: Hashable, Sendable {
    /// Durable. An undo names the merge by its place; the same merge again is the first one.
    case merged(Recorded<AccountMerge>)
    case refused(MergeObstacle)
}

extension EntitlementEngine {
    /// Gives all that the first account has to the second, or takes such a merge back, in one
    /// commit (spec 1.6). The caller is authorised to: nothing merges by itself.
    package func merge(_ cause: AccountMerge) async throws(EngineError) -> MergeReport {
        let now = clock.now()
        let written = try await ledger.writing(
            { [self] transaction throws(LedgerStoreError) in
                var recorder = MergeRecorder(
                    ledger: transaction, policy: try active.policy(for: transaction), now: now)
                let report = try recorder.record(cause)
                return WrittenMerge(
                    report: report, touched: recorder.touched,
                    head: try transaction.head())
            },
            committed: { [self] written in
                publish(touched: written.touched, head: written.head)
            })
        return written.report
    }

    /// Takes a merge back, named by its place in the ledger.
    package func undoMerge(
        _ place: LedgerSequence, _ cause: DeedCause
    ) async throws(EngineError) -> MergeReport {
        let entry = try ledger.reading { reader throws(LedgerStoreError) in
            try reader.entry(place)
        }
        guard case .accountMerge(let merge)? = entry?.value else { return .refused(.unknownMerge) }
        return try await self.merge(
            AccountMerge(
                from: merge.from, into: merge.into, undoes: place, actor: cause.actor,
                reason: cause.reason))
    }
}

/// What one commit has written.
private struct WrittenMerge: Sendable {
    let report: MergeReport
    let touched: Set<AccountID>
    let head: LedgerHead
}
