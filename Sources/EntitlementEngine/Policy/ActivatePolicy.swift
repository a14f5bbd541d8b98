package import EntitlementModel
internal import LedgerStore
package import PolicyLoading

/// What came of policy texts.
package enum PolicyActivationReport: Sendable {
    case activated(Digest256, warnings: [Diagnostic])
    /// They say what is in force already.
    case unchanged(warnings: [Diagnostic])
    /// They have errors; the policy in force stays.
    case refused([Diagnostic])
}

extension EntitlementEngine {
    /// Puts a policy into force: recorded with its text, then used for every answer at once.
    /// Texts with errors change nothing.
    package func activate(
        _ texts: [PolicyText]
    ) async throws(EngineError) -> PolicyActivationReport {
        let report = loadNewPolicy(texts)
        guard let policy = report.policy else { return .refused(report.diagnostics) }
        guard policy.digest != self.policy.digest else {
            return .unchanged(warnings: report.diagnostics)
        }
        let entry = PolicyActivation(policy, texts: texts)
        let now = clock.now()
        let activated = try await ledger.writing(
            { [self] transaction throws(LedgerStoreError) -> (ActivePolicy, LedgerHead)? in
                let before = try active.policy(for: transaction)
                // Somebody else's call may have brought it into force meanwhile.
                guard before.digest != policy.digest else { return nil }
                let place = try transaction.append(.policyActivation(entry), at: now)
                var history = before.history
                let head = try transaction.head()
                history.activate(policy, at: head.recordedAt)
                let next = ActivePolicy(history)
                active.append(next, at: place)
                return (next, head)
            },
            committed: { [self] activated in
                guard let (next, head) = activated else { return }
                active.commit(next)
                publishPolicyChange(head: head)
            })
        return activated == nil
            ? .unchanged(warnings: report.diagnostics)
            : .activated(policy.digest, warnings: report.diagnostics)
    }
}
