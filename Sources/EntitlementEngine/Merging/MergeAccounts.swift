internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerStore

extension EntitlementEngine {
    /// Gives all that the first account has to the second, or takes such a merge back, in one
    /// commit (spec 1.6). The caller is authorised to: nothing merges by itself. An undo names the
    /// merge by its place; the same merge again is the first one.
    package func merge(
        _ cause: AccountMerge
    ) async throws(EngineError) -> AdminActionReport<Recorded<AccountMerge>> {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerStoreError) in
            var recorder = MergeRecorder(ledger)
            return (try recorder.record(cause), recorder.touched)
        }
    }

    /// Takes a merge back, named by its place in the ledger.
    package func undoMerge(
        _ place: LedgerSequence, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<Recorded<AccountMerge>> {
        let entry = try ledger.reading { reader throws(LedgerStoreError) in
            try reader.entry(place)
        }
        guard case .accountMerge(let merge)? = entry?.value else {
            return .rejected(.merge(.unknownMerge))
        }
        return try await self.merge(
            AccountMerge(
                from: merge.from, into: merge.into, undoes: place, actor: cause.actor,
                reason: cause.reason))
    }
}
