package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
package import PolicyLoading

/// The handling of a folder by which an account may lose something (spec 2.6).
package enum PolicyGuard: String, CaseIterable, Sendable {
    /// It waits until it is accepted.
    case refuse
    /// It comes into force, and the log says what it takes away.
    case warn
}

/// Who, besides the folder itself, has consented to a policy that may take something away.
package enum PolicyConsent: Sendable {
    case nobody
    case person(actor: String, reason: String, accountsAtMost: Int64)
    /// `policy.guard: warn`.
    case setting

    package init(_ policyGuard: PolicyGuard) {
        self = policyGuard == .warn ? .setting : .nobody
    }
}

/// A policy without errors that does not come into force without consent: an account may lose
/// something by it.
package struct WaitingPolicy: Hashable, Sendable {
    package let digest: Digest256
    /// The policy that it would replace.
    package let replaces: Digest256
    /// Empty only where it is held back.
    package let losses: [PolicyLoss]
    /// The policy that the folder's `accept.yaml` was written for, if another one.
    package let acceptedAfter: Digest256?
    /// How many accounts lose something now or within the days of an impact run; nil until they
    /// are counted.
    package internal(set) var losing: Int64?
    /// How many were accepted, where they are more.
    package internal(set) var acceptedAtMost: Int64?
    /// Why it waits whatever it gives; nil where it waits for its losses.
    package internal(set) var heldBack: HeldBackPolicy?
    /// The files that the policy in force has, and its folder has not.
    package internal(set) var missingFiles: [String] = []

    package init(
        digest: Digest256, replaces: Digest256, losses: [PolicyLoss], acceptedAfter: Digest256?
    ) {
        self.digest = digest
        self.replaces = replaces
        self.losses = losses
        self.acceptedAfter = acceptedAfter
    }
}

extension WaitingPolicy {
    /// Whether it was in force and a person brought back the one before it.
    package var isRolledBack: Bool { heldBack == .rolledBack }

    /// Whether it was in force, or waited, before a scheduled policy came into force.
    package var isSuperseded: Bool { heldBack == .superseded }

    /// The first of the losses.
    package func namedLosses(_ count: Int) -> [LossAnswer] {
        losses.prefix(count).map { loss in
            LossAnswer(
                kind: loss.kind.rawValue, names: loss.names,
                detail: loss.sentence(in: .english))
        }
    }
}

/// A policy without errors that is to come into force.
struct IncomingPolicy: Sendable {
    let policy: Policy
    let texts: [PolicyText]
    let acceptance: FolderAcceptance?
    let consent: PolicyConsent
    /// Why only a person lets it in.
    var heldBack: HeldBackPolicy?
    /// The files that the policy in force has, and it has not.
    var missingFiles: [String] = []

    /// The decision on it, once the policy that it replaces is known.
    enum Verdict: Sendable {
        case allowed(PolicyActivation, losses: [PolicyLoss])
        /// It depends on how many accounts lose something: until they are counted, it waits.
        case depends(WaitingPolicy)
        case waits(WaitingPolicy)
    }

    /// - Parameter losing: how many accounts lose something; nil if not counted.
    func verdict(replacing old: Policy, losing: Int64? = nil) -> Verdict {
        let losses = losses(from: old, to: policy)
        var activation = PolicyActivation(policy, texts: texts)
        var waiting = WaitingPolicy(
            digest: policy.digest, replaces: old.digest, losses: losses,
            acceptedAfter: acceptance.flatMap { $0.from == old.digest ? nil : $0.from })
        waiting.missingFiles = missingFiles
        if let heldBack {
            guard case .person = consent else {
                waiting.heldBack = heldBack
                return .waits(waiting)
            }
        }
        guard !losses.isEmpty else { return .allowed(activation, losses: []) }
        activation.acceptance = acceptance(replacing: old)
        if activation.acceptance?.means == .setting { return .allowed(activation, losses: losses) }
        guard let losing else { return .depends(waiting) }
        waiting.losing = losing
        if losing == 0, losses.allSatisfy(\.isSeenInAccounts) {
            activation.acceptance = nil
            return .allowed(activation, losses: [])
        }
        guard let accepted = activation.acceptance?.accountsAtMost else { return .waits(waiting) }
        if losing <= accepted { return .allowed(activation, losses: losses) }
        if case .setting = consent { return .allowed(activation, losses: losses) }
        waiting.acceptedAtMost = accepted
        return .waits(waiting)
    }

    private func acceptance(replacing old: Policy) -> PolicyActivation.Acceptance? {
        if case .person(let actor, let reason, let accounts) = consent {
            return .init(
                means: .person, actor: actor, reason: reason, accountsAtMost: accounts)
        }
        if let acceptance, acceptance.from == old.digest {
            return .init(
                means: .folder, reason: acceptance.because,
                accountsAtMost: acceptance.accountsAtMost)
        }
        if case .setting = consent { return .init(means: .setting) }
        return nil
    }
}

/// What the second policy may take away compared with the first; empty if nothing.
package func losses(from old: Policy, to new: Policy) -> [PolicyLoss] {
    policyLosses(from: old, to: new, builtIns: builtInAccessRules)
}
