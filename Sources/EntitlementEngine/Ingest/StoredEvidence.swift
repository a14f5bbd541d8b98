internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// One piece of evidence on its way into the ledger. Its bytes are written at most once, and
/// only if something in it is new.
struct StoredEvidence {
    let record: EvidenceRecord
    let ledger: any LedgerWriting
    let now: Instant
    /// The entry that holds the bytes, once written.
    private(set) var sequence: LedgerSequence?
    /// The first entry that it brought, but for its own bytes.
    private(set) var firstNewFact: LedgerSequence?

    var hasNewFacts: Bool { firstNewFact != nil }

    init(_ record: EvidenceRecord, ledger: any LedgerWriting, now: Instant) {
        self.record = record
        self.ledger = ledger
        self.now = now
    }

    mutating func appendNewFacts(
        of evidence: VerifiedEvidence, presentedBy account: AccountID?
    ) throws(LedgerError) {
        for snapshot in evidence.transactions where try ledger.sequence(of: snapshot) == nil {
            let place = try store()
            try append(.transaction(TransactionFact(snapshot: snapshot, evidence: place)))
        }
        for snapshot in evidence.renewals where try ledger.sequence(of: snapshot) == nil {
            let place = try store()
            try append(.renewal(RenewalFact(snapshot: snapshot, evidence: place)))
        }
        if let snapshot = evidence.appTransaction,
            try ledger.sequence(of: snapshot, presentedBy: account) == nil
        {
            let place = try store()
            let fact = AppTransactionFact(snapshot: snapshot, account: account, evidence: place)
            try append(.appTransaction(fact))
        }
        if let head = evidence.notification,
            try ledger.sequence(ofNotification: head.uuid) == nil
        {
            let place = try store()
            try append(.notification(NotificationFact(head, evidence, at: place)))
        }
    }

    /// Keeps what must have no effect, once.
    mutating func appendQuarantine(
        _ parts: [QuarantinedPart], presentedBy account: AccountID?
    ) throws(LedgerError) {
        guard !parts.isEmpty, try ledger.sequence(ofEvidence: record.digest) == nil else { return }
        for part in parts {
            let quarantine = Quarantine(
                evidence: try store(), code: part.code.rawValue, transaction: part.transaction,
                account: account)
            try append(.quarantine(quarantine))
        }
    }

    /// The evidence that a claim points to: these bytes if they brought something new, else
    /// those that made the transaction known.
    mutating func sequenceForClaim(
        on transaction: TransactionKey
    ) throws(LedgerError) -> LedgerSequence {
        if let sequence { return sequence }
        if let known = try ledger.evidence(of: transaction) { return known }
        return try store()
    }

    private mutating func append(_ entry: LedgerEntry) throws(LedgerError) {
        let place = try ledger.append(entry, at: now)
        firstNewFact = firstNewFact ?? place
    }

    /// Where the bytes are kept.
    mutating func store() throws(LedgerError) -> LedgerSequence {
        if let sequence { return sequence }
        if let known = try ledger.sequence(ofEvidence: record.digest),
            case .evidence(let kept)? = try ledger.entry(known)?.value, kept.kind == record.kind
        {
            sequence = known
            return known
        }
        let place = try ledger.append(.evidence(record), at: now)
        sequence = place
        return place
    }
}

extension NotificationFact {
    fileprivate init(
        _ head: NotificationHead, _ evidence: VerifiedEvidence, at place: LedgerSequence
    ) {
        self.init(
            environment: evidence.environment, uuid: head.uuid, type: head.type,
            subtype: head.subtype, signedDate: head.signedDate, evidence: place,
            notice: evidence.notice)
    }
}
