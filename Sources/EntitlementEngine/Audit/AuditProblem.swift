package import EntitlementModel
package import LedgerModel

/// Something in a ledger that an honest service would not have written (spec 3.4).
package enum AuditProblem: Hashable, LocalizedText, Sendable {
    /// In the file, the chain or the index.
    case ledger(LedgerProblem)
    /// The text of a policy cannot be read as one.
    case policyUnreadable(LedgerSequence)
    /// The text of a policy is not the one that its digest names.
    case policyDiffers(LedgerSequence)
    /// The policy of its time refuses the evidence, with a code of spec 4.2.
    case evidenceRefused(LedgerSequence, code: String)
    /// The evidence is genuine, and of another kind or time than was recorded.
    case evidenceDiffers(LedgerSequence)
    /// The evidence that a fact or a claim names does not say it.
    case factUnfounded(LedgerSequence)
    /// The facts and the policy before it lead to something else (spec 1.6).
    case decisionDiffers(LedgerSequence)

    /// Stable.
    package var code: String {
        switch self {
        case .ledger(let problem): problem.code
        case .policyUnreadable: "policy-unreadable"
        case .policyDiffers: "policy-differs"
        case .evidenceRefused: "evidence-refused"
        case .evidenceDiffers: "evidence-differs"
        case .factUnfounded: "fact-unfounded"
        case .decisionDiffers: "decision-differs"
        }
    }

    /// Whether something was erased, so that all that does not depend on it can be checked.
    var isErasure: Bool {
        switch self {
        case .ledger(let problem): problem.isErasure
        default: false
        }
    }

    /// Where it is, if it is at one entry.
    package var sequence: LedgerSequence? {
        switch self {
        case .ledger(let problem): problem.sequence
        case .policyUnreadable(let sequence), .policyDiffers(let sequence),
            .evidenceRefused(let sequence, _), .evidenceDiffers(let sequence),
            .factUnfounded(let sequence), .decisionDiffers(let sequence):
            sequence
        }
    }

    package func facts(in language: Language) -> [String] {
        switch self {
        case .ledger(let problem): problem.facts(in: language)
        case .policyUnreadable(let sequence), .policyDiffers(let sequence),
            .evidenceDiffers(let sequence), .factUnfounded(let sequence),
            .decisionDiffers(let sequence):
            ["\(sequence)"]
        case .evidenceRefused(let sequence, let code): ["\(sequence)", code]
        }
    }
}
