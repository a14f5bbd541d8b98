package import EntitlementModel
package import LedgerModel

/// Something in a ledger that an honest service would not have written (spec 3.4).
package enum AuditProblem: Hashable, Sendable {
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

    /// For people; the code is for programs.
    package var sentences: (english: String, chinese: String) {
        switch self {
        case .ledger(let problem): problem.sentences
        case .policyUnreadable(let sequence):
            (
                "the policy in entry \(sequence) cannot be read",
                "条目 \(sequence) 中的策略无法读取"
            )
        case .policyDiffers(let sequence):
            (
                "the policy in entry \(sequence) is not the one that its digest names",
                "条目 \(sequence) 中的策略与其摘要不符"
            )
        case .evidenceRefused(let sequence, let code):
            (
                "the policy of its time refuses the evidence in entry \(sequence) [\(code)]",
                "按当时的策略，条目 \(sequence) 中的凭证应被拒绝 [\(code)]"
            )
        case .evidenceDiffers(let sequence):
            (
                "the evidence in entry \(sequence) is of another kind or time than was recorded",
                "条目 \(sequence) 中凭证的类型或时间与记录不符"
            )
        case .factUnfounded(let sequence):
            (
                "entry \(sequence) is not what its evidence says",
                "条目 \(sequence) 与其凭证的内容不符"
            )
        case .decisionDiffers(let sequence):
            (
                "entry \(sequence) does not follow from the facts and the policy before it",
                "条目 \(sequence) 与此前的事实和策略应得的结果不符"
            )
        }
    }
}
