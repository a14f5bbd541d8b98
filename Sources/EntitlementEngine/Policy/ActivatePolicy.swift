internal import EntitlementAnswers
package import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel
package import PolicyAnalysis
package import PolicyLoading

/// What came of policy texts.
package enum PolicyActivationReport: Sendable {
    case activated(Digest256, ActivationNotes)
    /// They equal the policy in force.
    case unchanged(warnings: [Diagnostic])
    /// An account may lose something by them without consent; the policy in force stays.
    case waiting(WaitingPolicy)
    /// They have errors; the policy in force stays.
    case rejected([Diagnostic])
}

/// What there is to say of a policy that came into force.
package struct ActivationNotes: Sendable {
    package var warnings: [Diagnostic]
    /// What it may take away.
    package var losses: [PolicyLoss] = []
    /// By whom that was accepted.
    package var acceptance: PolicyActivation.Acceptance?
    /// How many accounts lose something; nil if not counted.
    package var losing: Int64?
    /// The files that the policy before it had, and it has not.
    package var missingFiles: [String] = []
}

extension EntitlementEngine {
    /// For how long a policy that nobody has to consent to is compared before it comes into force;
    /// then everybody is derived again.
    private static let longestWalk = Duration.seconds(120)

    /// Puts a policy into force: recorded with its text, then used for every answer at once. Texts
    /// with errors change nothing, nor do those by which an account may lose something without
    /// consent: before consent is required, the accounts that lose something are counted (spec
    /// 2.6), which may take long.
    ///
    /// A policy that takes nothing away is compared too, so that what it leaves alone stays in
    /// memory; one that opens something to everybody comes into force at once.
    ///
    /// - Parameters:
    ///   - intent: a preview counts, and changes nothing.
    ///   - isWanted: whether the texts are still those that are to come into force.
    package func activate(
        _ texts: [PolicyText], consent: PolicyConsent = .setting, meant intent: ActionIntent = .act,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(EngineError) -> PolicyActivationReport {
        let report = loadNewPolicy(texts)
        guard let policy = report.policy else { return .rejected(report.diagnostics) }
        let base = self.policy
        guard policy.digest != base.digest else {
            note(nil, for: intent)
            return .unchanged(warnings: report.diagnostics)
        }
        let incoming = IncomingPolicy(
            policy: policy, texts: texts, acceptance: report.acceptance, consent: consent,
            heldBack: try ledger.reading { reader throws(LedgerError) in
                try reader.policyStack().heldBack(policy.digest, inFleet: sharedLedger != nil)
            }, missingFiles: try missingFiles(among: texts.map(\.path)))
        var verdict = incoming.verdict(replacing: base.history.current)
        var losing: Int64?
        var difference: PolicyDifference?
        let load = cache.beginLoad()
        defer { cache.abandonLoad() }
        let collector = DifferenceCollector(from: base, to: policy, load: load)
        switch verdict {
        case .waits: break
        case .depends(let waiting):
            if intent.acts { active.expect(waiting) }
            var walk = WaitingWalk(policy: policy.digest)
            active.note(walk)
            let counted = try await impact(of: policy, collector) { [active, walk] progress in
                var walk = walk
                (walk.done, walk.total) = (progress.done, progress.total)
                active.note(walk)
                return isWanted()
            }
            walk.impact = counted
            active.note(walk)
            note(counted, for: intent)
            losing = counted?.losingEver
            difference = counted.flatMap { collector?.difference(since: $0.revision) }
            verdict = incoming.verdict(replacing: base.history.current, losing: losing)
        case .allowed where !intent.acts:
            note(try await impact(of: policy) { _ in isWanted() }, for: intent)
        case .allowed:
            guard let collector else { break }
            let begun = ContinuousClock.now
            let walk = try await impact(of: policy, collector) { _ in
                isWanted() && ContinuousClock.now - begun < Self.longestWalk
            }
            difference = walk.map { collector.difference(since: $0.revision) }
        }
        switch verdict {
        case .waits(let waiting), .depends(let waiting): return .waiting(waiting)
        case .allowed(let entry, let losses) where !intent.acts:
            return .activated(
                policy.digest,
                ActivationNotes(
                    warnings: report.diagnostics, losses: losses, acceptance: entry.acceptance,
                    losing: losing, missingFiles: incoming.missingFiles))
        case .allowed: break
        }
        switch try await append(incoming, verdict, knownFor: base.mark, difference, intent) {
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

    /// - Parameter base: the policy for which the verdict and the difference hold.
    /// - Returns: nil if another call has put it into force meanwhile.
    private func append(
        _ incoming: IncomingPolicy, _ verdict: IncomingPolicy.Verdict,
        knownFor base: PolicyMark, _ difference: PolicyDifference?, _ intent: ActionIntent
    ) async throws(EngineError) -> IncomingPolicy.Verdict? {
        typealias Appended = (
            verdict: IncomingPolicy.Verdict?, next: ActivePolicy?, changed: [ChangedEntry]
        )
        let now = clock.now()
        let appended = try await ledger.writing(
            { [self] transaction throws(LedgerError) -> Appended in
                let before = try active.policy(for: transaction)
                guard before.digest != incoming.policy.digest else { return (nil, nil, []) }
                let changed = try transaction.activations(forbiddenBy: intent)
                guard changed.isEmpty else { return (nil, nil, changed) }
                var verdict = verdict
                if before.mark != base {
                    var late = incoming
                    late.heldBack = try transaction.policyStack().heldBack(
                        incoming.policy.digest, inFleet: sharedLedger != nil)
                    verdict = late.verdict(replacing: before.history.current)
                }
                guard case .allowed(let entry, _) = verdict else { return (verdict, nil, []) }
                let place = try transaction.append(.policyActivation(entry), at: now)
                var history = before.history
                history.activate(incoming.policy, at: try transaction.head().recordedAt)
                let next = ActivePolicy(history, after: before.mark == base ? difference : nil)
                active.append(next, at: place)
                return (verdict, next, [])
            },
            committed: { [self] appended, head in
                guard let next = appended.next else { return }
                putIntoForce(next, at: head)
            })
        guard appended.changed.isEmpty else { throw .changedSince(appended.changed) }
        return appended.verdict
    }

    /// Leaves what a policy would change with a preview.
    ///
    /// - Parameters:
    ///   - impact: nil for a policy that is in force, or that would not come into force.
    ///   - losing: how many accounts lose something by it, if more than by `impact`.
    func note(
        _ impact: PolicyImpactAnswer?, losing: Int64 = 0,
        undo: [String]? = ["usher", "policy", "rollback"], for intent: ActionIntent
    ) {
        guard case .preview(let rehearsal) = intent else { return }
        var effect = EffectAnswer(
            at: now(), takesAway: max(losing, impact?.losingEver ?? 0) > 0)
        effect.impact = impact
        if impact != nil { effect.undo = undo }
        rehearsal.note(Written(effect, impact?.revision ?? revision))
    }
}

extension LedgerReading {
    /// The policies that came into force after the entry that an action names; empty where it
    /// names none. They concern everybody.
    func activations(
        forbiddenBy intent: ActionIntent
    ) throws(LedgerError) -> [ChangedEntry] {
        guard case .actUnlessChanged(let revision) = intent else { return [] }
        return try policyActivations().filter { $0.sequence > revision }.map {
            ChangedEntry(
                entry: $0.sequence, kind: "\(EntryKind.policyActivation.name)", account: nil)
        }
    }
}

extension EntitlementEngine {
    /// Reads the policy folder now and puts it into force; a folder with errors changes nothing,
    /// and one by which an account may lose something waits (spec 2.6).
    ///
    /// - Parameter consent: of a person; nil to act like the folder's job.
    package func reloadPolicy(
        from folder: String, consent: PolicyConsent? = nil, meant intent: ActionIntent = .act
    ) async throws(EngineError) -> PolicyActivationReport {
        let texts: [PolicyText]
        do throws(PolicyFolderError) {
            texts = try readPolicyFolder(folder)
        } catch {
            if intent.acts { active.refuse(error.diagnostics) }
            return .rejected(error.diagnostics)
        }
        let report = try await activate(
            texts, consent: consent ?? PolicyConsent(policyGuard), meant: intent)
        guard intent.acts else { return report }
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
        typealias Restored = (
            next: (policy: ActivePolicy, before: Policy)?, changed: [ChangedEntry]
        )
        guard cause.intent.acts else { return try await rehearseRollback(cause.intent) }
        let now = clock.now()
        let restored = try await ledger.writing(
            { [self] transaction throws(LedgerError) -> Restored in
                let before = try active.policy(for: transaction)
                let changed = try transaction.activations(forbiddenBy: cause.intent)
                guard changed.isEmpty else { return (nil, changed) }
                guard let last = try transaction.policyStack().previous,
                    let policy = loadOldPolicy(last.texts)
                else { return (nil, []) }
                var entry = last
                (entry.schedule, entry.heldBack, entry.rules) = (nil, nil, ClaimRules.version)
                entry.acceptance = .init(
                    means: .rollback, actor: cause.actor, reason: cause.reason)
                let place = try transaction.append(.policyActivation(entry), at: now)
                var history = before.history
                history.activate(policy, at: try transaction.head().recordedAt)
                let next = ActivePolicy(history)
                active.append(next, at: place)
                return ((next, before.history.current), [])
            },
            committed: { [self] restored, head in
                guard let next = restored.next?.policy else { return }
                putIntoForce(next, at: head)
            })
        guard restored.changed.isEmpty else { throw .changedSince(restored.changed) }
        guard let restored = restored.next else { return .nothing }
        let policy = restored.policy.history.current
        return .done(
            policy.digest, replaced: restored.before.digest,
            losses: losses(from: restored.before, to: policy))
    }

    private func rehearseRollback(
        _ intent: ActionIntent
    ) async throws(EngineError) -> PolicyRollbackReport {
        let last = try ledger.reading { reader throws(LedgerError) in
            try reader.policyStack().previous
        }
        guard let last, let policy = loadOldPolicy(last.texts) else { return .nothing }
        // Done again, it goes back one more.
        note(try await impact(of: policy) { _ in true }, undo: nil, for: intent)
        let before = self.policy.history.current
        return .done(
            policy.digest, replaced: before.digest, losses: losses(from: before, to: policy))
    }
}

extension EntitlementEngine {
    /// Records that this program's own rules are newer than those of the last activation: the
    /// policy in force is activated again, so that every account is derived again and changes are
    /// published. Decisions stay (docs/LEDGER.md, "New rules").
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
                putIntoForce(renewed, at: head)
            })
    }
}

/// Why a folder waits whatever it gives: its content was in force, and was replaced without a
/// change of the folder (spec 2.6).
package enum HeldBackPolicy: Hashable, Sendable {
    /// A person brought back the policy before it.
    case rolledBack
    /// A scheduled policy came into force after it.
    case superseded
}

/// The policies that have been in force, as a rollback sees them: it takes the last one away.
struct PolicyStack {
    private var standing: [PolicyActivation] = []
    /// Taken away since a folder or a person last brought one into force, and by which entry.
    private var takenBack: [Digest256: LedgerSequence] = [:]

    init(_ activations: [Recorded<PolicyActivation>]) {
        for entry in activations {
            let activation = entry.value
            if activation.isRenewal(of: standing.last) { continue }
            if activation.acceptance?.means == .rollback {
                if let last = standing.popLast() { takenBack[last.digest] = entry.sequence }
            } else {
                standing.append(activation)
                // A scheduled policy leaves the folder as it is.
                if activation.schedule == nil { takenBack = [:] }
            }
        }
    }

    /// The policy that a rollback puts into force.
    var previous: PolicyActivation? { standing.dropLast().last }

    /// Why a folder with this content does not come into force without a person; nil if the guard
    /// decides.
    ///
    /// - Parameter inFleet: whether every node has a folder of its own: content that was in force
    ///   before is the folder of a node without the latest deployment, and needs a person.
    func heldBack(_ digest: Digest256, inFleet: Bool) -> HeldBackPolicy? {
        if digest == standing.last?.digest { return nil }
        if takenBack[digest] != nil { return .rolledBack }
        if inFleet, standing.contains(where: { $0.digest == digest }) { return .superseded }
        return superseded.contains(digest) ? .superseded : nil
    }

    /// The entry that rolled it back, if that is still in effect.
    func rollback(of digest: Digest256) -> LedgerSequence? { takenBack[digest] }

    /// The content that the folder may still have: no folder has put anything into force since.
    private var superseded: Set<Digest256> {
        var digests: Set<Digest256> = []
        for index in standing.indices.reversed() where index > 0 {
            guard standing[index].schedule != nil else { break }
            digests.insert(standing[index - 1].digest)
            if let held = standing[index].heldBack { digests.insert(held) }
        }
        return digests
    }
}

extension LedgerReading {
    func policyStack() throws(LedgerError) -> PolicyStack {
        PolicyStack(try policyActivations())
    }
}

extension PolicyActivation {
    /// Whether it is the same policy once more, because the program's own rules are new.
    func isRenewal(of last: PolicyActivation?) -> Bool {
        guard let last else { return false }
        return digest == last.digest && schedule == nil && acceptance == nil
    }

    var texts: [PolicyText] { files.map { PolicyText(path: $0.path, bytes: $0.bytes) } }
}
