internal import LedgerModel

/// What the engine says in English.
extension EngineError {
    package var english: String {
        switch self {
        case .ledger(let error): error.english
        case .policyRejected: "the policy has errors"
        case .policyHistoryUnreadable: "entry {0} holds a policy that this version cannot read"
        case .unknownEntitlement: "no policy has ever defined this entitlement"
        case .otherFeed: "the cursor belongs to the change feed of another ledger"
        case .futureChange: "the feed has not reached this change; its newest one is {0}"
        case .noPolicy: "no policy has ever been in force in this ledger"
        }
    }
}

extension AuditProblem {
    package var english: String {
        switch self {
        case .ledger(let problem): problem.english
        case .policyUnreadable: "the policy in entry {0} cannot be read"
        case .policyDiffers: "the policy in entry {0} does not match its digest"
        case .evidenceRefused: "the policy of its time refuses the evidence in entry {0} [{1}]"
        case .evidenceDiffers:
            "the kind or time of the evidence in entry {0} does not match the record"
        case .factUnfounded: "entry {0} does not match its evidence"
        case .decisionDiffers: "entry {0} does not follow from the facts and the policy before it"
        case .scheduleUnfounded: "entry {0} does not follow from what was scheduled before it"
        case .outlookDiffers:
            "what the change feed has told of '{0}' does not follow from the entries"
        }
    }
}
