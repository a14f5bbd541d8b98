internal import EntitlementModel

/// What is said of ledgers in English.
extension LedgerProblem {
    package var english: String {
        switch self {
        case .file: "the file is damaged: {0}"
        case .missing: "entry {0} was removed"
        case .recordedEarlier: "entry {0} was recorded before the previous entry"
        case .payloadChanged: "the content of entry {0} was changed after it was written"
        case .chainBroken: "the hash chain is broken at entry {0}"
        case .payloadErased: "the content of entry {0} was erased"
        case .unreadable: "entry {0} cannot be read"
        case .evidenceChanged: "the evidence bytes of entry {0} are missing or were changed"
        case .evidenceErased: "the evidence bytes of entry {0} were erased"
        case .schemaDiffers: "schema: {0}"
        case .indexDiffers: "the index table '{0}' does not match the entries"
        case .outlookUnreadable:
            "what the change feed keeps of '{0}' is unreadable or filed wrongly"
        case .feedDiffers: "change {0} of the change feed is missing, out of order or unreadable"
        case .anchorMissing: "entry {0} does not match the anchor"
        }
    }
}

extension SchemaDifference {
    package var english: String {
        switch self {
        case .foreign: "{0} does not belong to the ledger"
        case .changed: "{0} was changed"
        case .missing: "{0} is missing"
        }
    }
}

extension EntryKind {
    package var english: String {
        switch self {
        case .policyActivation: "policy activations"
        case .evidence: "evidence"
        case .transaction: "signed transactions"
        case .renewal: "signed renewal infos"
        case .appTransaction: "signed app transactions"
        case .notification: "notifications"
        case .claim: "claims"
        case .decision: "decisions"
        case .ruling: "manual rulings"
        case .refusal: "evidence refusals"
        case .quarantine: "quarantined parts"
        case .grant: "manual grants"
        case .grantRevocation: "grant revocations"
        case .block: "blocks"
        case .blockRemoval: "block removals"
        case .accountToken: "account tokens"
        case .accountMerge: "account merges"
        case .order: "orders"
        case .orderEvent: "order events"
        case .storeReport: "store reports"
        case .repeatedOrder: "repeated orders"
        case .evidenceTicket: "evidence tickets"
        case .ticketClosed: "closed tickets"
        case .creditSpend: "credit spends"
        case .creditHold: "credit holds"
        case .holdEnd: "ended holds"
        case .spendReversal: "spend reversals"
        case .creditThaw: "lifted freezes"
        case .refundConsent: "consents to answers about refunds"
        case .refundAnswer: "answered refund requests"
        case .policySchedule: "scheduled policies"
        case .policyScheduleEnd: "ends of scheduled policies"
        }
    }
}

extension LedgerError {
    /// The store's own sentence.
    package var english: String { failure.english }
}
