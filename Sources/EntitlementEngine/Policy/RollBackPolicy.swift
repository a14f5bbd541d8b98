package import EntitlementModel
internal import LedgerModel
package import PolicyLoading

/// What came of bringing back the policy before.
package enum PolicyRollbackReport: Sendable {
    /// It is in force again; what the other one gave and it does not.
    case done(Digest256, replaced: Digest256, losses: [PolicyLoss])
    /// There was none before it.
    case nothing
}

extension EntitlementEngine {
    /// Puts the policy into force again that was in force before this one, by its text in the
    /// ledger (spec 2.6). Done again, it goes back one more. The folder that held the other waits
    /// until it changes, or until a person accepts it.
    package func rollBackPolicy(
        _ cause: AdminActionCause
    ) async throws(EngineError) -> PolicyRollbackReport {
        typealias Restored = (next: ActivePolicy, before: Policy)
        let now = clock.now()
        let restored = try await ledger.writing(
            { [self] transaction throws(LedgerError) -> Restored? in
                let before = try active.policy(for: transaction)
                guard let last = try transaction.policyStack().previous,
                    let policy = loadOldPolicy(last.texts)
                else { return nil }
                var entry = last
                (entry.schedule, entry.heldBack, entry.rules) = (nil, nil, ClaimRules.version)
                entry.acceptance = .init(
                    means: .rollback, actor: cause.actor, reason: cause.reason)
                let place = try transaction.append(.policyActivation(entry), at: now)
                var history = before.history
                history.activate(policy, at: try transaction.head().recordedAt)
                let next = ActivePolicy(history)
                active.append(next, at: place)
                return (next, before.history.current)
            },
            committed: { [self] restored, head in
                guard let next = restored?.next else { return }
                active.commit(next)
                deriveAgain(cache.publishPolicyChange(head: head.sequence))
            })
        guard let restored else { return .nothing }
        let policy = restored.next.history.current
        return .done(
            policy.digest, replaced: restored.before.digest,
            losses: losses(from: restored.before, to: policy))
    }
}
