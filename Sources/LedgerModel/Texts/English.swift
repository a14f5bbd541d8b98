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
        case .headMissing:
            "entry {0} was acknowledged, as the head file next to the ledger says, and is missing"
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

extension FleetError {
    package var english: String {
        switch self {
        case .unreachable: "the database does not answer: {0}"
        case .refused: "the database refuses this node: {0}"
        case .standby:
            "the database is a standby and takes no writes; connect to the primary, or promote it"
        case .foreign: "the schema 'usher' of the database was not made by this program: {0}"
        case .otherFormat:
            "the database keeps a ledger of format {0}, and this version knows format {1}; use "
                + "the same version on all nodes"
        case .otherLedger:
            "the ledger file is no copy of the ledger in the database: they differ at entry {0}; "
                + "check the database's address; where it is right, move the file away to get a new "
                + "copy"
        case .unexpectedLedger:
            "the database keeps the ledger {0}, and 'fleet.ledger' names {1}; check the database's "
                + "address"
        case .vacant: "the database keeps no ledger"
        case .damaged: "what the database keeps is no sound ledger: {0}"
        case .empty:
            "the database is empty and the ledger file is not; move the ledger into the database "
                + "with 'usher ledger copy', or move the file away to start a new ledger"
        case .behind:
            "the database ends with entry {0}, and this node's ledger file has {1} more, from "
                + "entry {2} to {3}, which may have been acknowledged; connect to the database "
                + "that has them, or keep them with 'usher ledger export --after {0}', move the "
                + "file away with all files whose names begin with its name, and start again: "
                + "the ledger is fetched from the database"
        case .otherChanges:
            "change {0} of the feed in this node's ledger file is not in the database, and receivers "
                + "may have been told it; connect to the database that has it, or move the file "
                + "away with all files whose names begin with its name, and start again: the "
                + "ledger is fetched from the database, which gives that number to another change"
        case .ahead:
            "the database has this ledger already: it ends with entry {0}, and the file with {1}; "
                + "there is nothing to copy"
        case .weak: "the database promises {0}, and 'fleet.durability' asks for {1}"
        case .notLeader: "this node does not lead: another one of the fleet does, or none now"
        case .ofFleet:
            "the ledger is a copy that a node of a fleet keeps ('{0}' is there): what is recorded "
                + "in it alone begins a second ledger; set 'fleet.database-file', or, where there "
                + "is no fleet any more, remove that file"
        case .outcomeUnknown:
            "the connection to the database ended during a commit; repeat the call to learn "
                + "whether it was recorded"
        case .full: "the database has no room; nothing was written"
        case .failed: "the database failed [{0}]: {1}"
        }
    }
}
