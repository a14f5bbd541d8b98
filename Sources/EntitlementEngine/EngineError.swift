package import EntitlementModel
package import LedgerModel
package import PolicyLoading

/// Why the engine could not do what it was asked for. What is wrong with the caller's data is
/// never an error but a value (`SubmissionReport.refused`).
package enum EngineError: Error, LocalizedText, Sendable {
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

    package func facts(in language: Language) -> [String] {
        switch self {
        case .ledger(let error): error.facts(in: language)
        case .policyHistoryUnreadable(let sequence): ["\(sequence)"]
        case .policyRejected, .noPolicy, .unknownEntitlement: []
        }
    }

    /// Whether there was no room on the ledger's disk: nothing was written.
    package var isDiskFull: Bool {
        guard case .ledger(let error) = self else { return false }
        return error.kind == .full
    }

    /// Whether the ledger is not the file that was opened.
    package var isLedgerReplaced: Bool {
        guard case .ledger(let error) = self else { return false }
        return error.kind == .replaced
    }

    /// Whether the same call may succeed later without anybody repairing anything.
    package var isTransient: Bool {
        guard case .ledger(let error) = self else { return false }
        return error.isTransient
    }
}
