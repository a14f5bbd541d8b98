internal import EntitlementModel
internal import LedgerModel

extension EntitlementEngine {
    /// Records that this program's own rules are newer than those of the last activation: the
    /// policy in force comes into force once more, so that every account is derived again and what
    /// changes for it is told. Decisions stand (docs/LEDGER.md, "New rules").
    func recordRules() async throws(EngineError) {
        let now = clock.now()
        _ = try await ledger.writing(
            { [self] transaction throws(LedgerError) -> ActivePolicy? in
                guard var entry = try transaction.policyActivations().last?.value,
                    entry.rules < ClaimRules.version
                else { return nil }
                entry = PolicyActivation(digest: entry.digest, files: entry.files)
                let place = try transaction.append(.policyActivation(entry), at: now)
                var history = try active.policy(for: transaction).history
                history.activate(history.current, at: try transaction.head().recordedAt)
                let next = ActivePolicy(history)
                active.append(next, at: place)
                return next
            },
            committed: { [self] renewed, head in
                guard let renewed else { return }
                active.commit(renewed)
                deriveAgain(cache.publishPolicyChange(head: head.sequence))
            })
    }
}
