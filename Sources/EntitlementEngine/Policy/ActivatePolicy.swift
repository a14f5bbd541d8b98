internal import EntitlementAnswers
package import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel
package import PolicyAnalysis
package import PolicyLoading

/// What came of policy texts.
package enum PolicyActivationReport: Sendable {
    case activated(Digest256, ActivationNotes)
    /// They say what is in force already.
    case unchanged(warnings: [Diagnostic])
    /// Somebody may lose something by them, and nobody has accepted that; the policy in force
    /// stays.
    case waiting(WaitingPolicy)
    /// They have errors; the policy in force stays.
    case rejected([Diagnostic])
}

/// What there is to say of a policy that came into force.
package struct ActivationNotes: Sendable {
    package var warnings: [Diagnostic]
    /// What it may take away from those who had it.
    package var losses: [PolicyLoss] = []
    /// By whom that was accepted.
    package var acceptance: PolicyActivation.Acceptance?
    /// How many accounts lose something; nil where nobody has counted them.
    package var losing: Int64?
    /// The files that the policy before it had, and it has not.
    package var missingFiles: [String] = []
}

extension EntitlementEngine {
    /// Puts a policy into force: recorded with its text, then used for every answer at once.
    /// Texts with errors change nothing, nor do those by which somebody may lose something that
    /// nobody has accepted: before anybody has to, the accounts that lose something are counted
    /// (spec 2.6), which may take long.
    ///
    /// - Parameter goesOn: whether the texts are still those that are to come into force.
    package func activate(
        _ texts: [PolicyText], consent: PolicyConsent = .setting,
        while goesOn: @escaping @Sendable () -> Bool = { true }
    ) async throws(EngineError) -> PolicyActivationReport {
        let report = loadNewPolicy(texts)
        guard let policy = report.policy else { return .rejected(report.diagnostics) }
        let base = self.policy
        guard policy.digest != base.digest else {
            return .unchanged(warnings: report.diagnostics)
        }
        let incoming = IncomingPolicy(
            policy: policy, texts: texts, acceptance: report.acceptance, consent: consent,
            heldBack: try ledger.reading { reader throws(LedgerError) in
                try reader.policyStack().heldBack(policy.digest, inFleet: sharedLedger != nil)
            }, missingFiles: try missingFiles(among: texts.map(\.path)))
        var verdict = incoming.verdict(replacing: base.history.current)
        var losing: Int64?
        if case .depends(let waiting) = verdict {
            active.expect(waiting)
            losing = try await impact(of: policy, while: goesOn)?.losingEver
            verdict = incoming.verdict(replacing: base.history.current, losing: losing)
        }
        switch verdict {
        case .waits(let waiting), .depends(let waiting): return .waiting(waiting)
        case .allowed: break
        }
        switch try await append(incoming, verdict, knownFor: base.digest) {
        case nil: return .unchanged(warnings: report.diagnostics)
        case .waits(let waiting)?, .depends(let waiting)?: return .waiting(waiting)
        case .allowed(let entry, let losses)?:
            return .activated(
                policy.digest,
                ActivationNotes(
                    warnings: report.diagnostics, losses: losses, acceptance: entry.acceptance,
                    losing: losing, missingFiles: incoming.missingFiles))
        }
    }

    /// - Parameter verdict: holds where the policy of that digest is still in force.
    /// - Returns: nil where somebody else's call has brought it into force meanwhile.
    private func append(
        _ incoming: IncomingPolicy, _ verdict: IncomingPolicy.Verdict,
        knownFor base: Digest256
    ) async throws(EngineError) -> IncomingPolicy.Verdict? {
        typealias Appended = (IncomingPolicy.Verdict, ActivePolicy?)
        let now = clock.now()
        let appended = try await ledger.writing(
            { [self] transaction throws(LedgerError) -> Appended? in
                let before = try active.policy(for: transaction)
                guard before.digest != incoming.policy.digest else { return nil }
                var verdict = verdict
                if before.digest != base {
                    var late = incoming
                    late.heldBack = try transaction.policyStack().heldBack(
                        incoming.policy.digest, inFleet: sharedLedger != nil)
                    verdict = late.verdict(replacing: before.history.current)
                }
                guard case .allowed(let entry, _) = verdict else { return (verdict, nil) }
                let place = try transaction.append(.policyActivation(entry), at: now)
                var history = before.history
                history.activate(incoming.policy, at: try transaction.head().recordedAt)
                let next = ActivePolicy(history)
                active.append(next, at: place)
                return (verdict, next)
            },
            committed: { [self] appended, head in
                guard let next = appended?.1 else { return }
                active.commit(next)
                deriveAgain(cache.publishPolicyChange(head: head.sequence))
            })
        return appended?.0
    }
}

extension EntitlementEngine {
    /// Reads the policy folder now and puts what it says into force; a folder with errors changes
    /// nothing, and one by which somebody may lose something waits (spec 2.6).
    ///
    /// - Parameter consent: of a person; nil to look again as the watch of the folder does.
    package func reloadPolicy(
        from folder: String, consent: PolicyConsent? = nil
    ) async throws(EngineError) -> PolicyActivationReport {
        let texts: [PolicyText]
        do throws(PolicyFolderError) {
            texts = try readPolicyFolder(folder)
        } catch {
            active.refuse(error.diagnostics)
            return .rejected(error.diagnostics)
        }
        let report = try await activate(texts, consent: consent ?? PolicyConsent(policyGuard))
        switch report {
        case .rejected(let diagnostics): active.refuse(diagnostics)
        case .waiting(let waiting): active.wait(waiting)
        case .unchanged: active.accept()
        case .activated: break
        }
        return report
    }
}

/// Makes a policy of texts that are to come into force: what `checkPolicy` asks for, and each
/// certificate that the policy trusts can be read (THREATS.md B23).
///
/// Texts that the ledger holds are loaded without this: they have been in force, and a stricter
/// reading must not stop the service that once took them.
package func loadNewPolicy(
    _ texts: [PolicyText], _ options: PolicyCheckOptions = PolicyCheckOptions()
) -> PolicyReport {
    checkPolicy(
        texts, options, isCertificate: { TrustAnchor.Root.certificate($0).isReadable })
}
