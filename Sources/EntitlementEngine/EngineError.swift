package import EntitlementModel
package import LedgerModel
package import PolicyLoading

/// Why the engine could not do what it was asked for. What is wrong with the caller's data is
/// never an error but a value (`SubmissionReport.refused`).
package enum EngineError: Error, Sendable {
    /// The store failed. A write that fails so has an unknown outcome; repeating it is safe.
    case ledger(LedgerError)
    /// The policy has errors, and there is none in force.
    case policyRejected([Diagnostic])
    /// The ledger names a policy that this version cannot read.
    case policyHistoryUnreadable(LedgerSequence)
    /// No policy was ever in force in the ledger.
    case noPolicy
    /// Asked about an entitlement that no policy of the ledger ever named.
    case unknownEntitlement(nearest: EntitlementName?)

    /// Stable, for logs and scripts.
    package var code: String {
        switch self {
        case .ledger(let error): error.code
        case .policyRejected: "policy.refused"
        case .policyHistoryUnreadable: "policy.history-unreadable"
        case .noPolicy: "policy.none"
        case .unknownEntitlement: "entitlement.unknown"
        }
    }

    /// For people; the code is for programs.
    package var sentences: (english: String, chinese: String) {
        switch self {
        case .ledger(let error): error.sentences
        case .policyRejected: ("the policy has errors", "策略有错误")
        case .policyHistoryUnreadable(let sequence):
            (
                "entry \(sequence) of the ledger holds a policy that this version cannot read",
                "账本第 \(sequence) 条记录中的策略无法被此版本读取"
            )
        case .unknownEntitlement:
            ("no policy ever named this entitlement", "从未有策略命名过此权益")
        case .noPolicy: ("no policy was ever in force in this ledger", "此账本中从未有过生效的策略")
        }
    }

    /// Whether there was no room on the ledger's disk: nothing was written.
    package var isDiskFull: Bool {
        guard case .ledger(let error) = self else { return false }
        return error.kind == .full
    }

    /// Whether the same call may succeed later without anybody repairing anything.
    package var isTransient: Bool {
        guard case .ledger(let error) = self else { return false }
        return error.isTransient
    }
}
