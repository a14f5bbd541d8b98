internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// Verifies the evidence of a ledger once more, and compares the facts with what it says.
struct EvidenceRecheck {
    /// Facts are usually near their evidence.
    private static let remembered = 256

    /// Of the evidence examined last.
    private var verdicts: [LedgerSequence: EvidenceVerdict] = [:]
    private var order: [LedgerSequence] = []
    private(set) var count: Int64 = 0

    /// Looks at a piece of evidence.
    mutating func verify(
        _ evidence: Recorded<EvidenceRecord>, under policies: PolicyReplay
    ) -> AuditProblem? {
        guard let verdict = judge(evidence, under: policies) else { return nil }
        count += 1
        let (kind, judgedAt): (EvidenceKind, Instant)
        switch verdict {
        case .accepted(let verified): (kind, judgedAt) = (verified.kind, verified.judgedAt)
        case .quarantined(let kept): (kind, judgedAt) = (kept.kind, kept.judgedAt)
        case .refused(let refusal):
            return .evidenceRefused(evidence.sequence, code: refusal.code.rawValue)
        }
        return evidence.agrees(on: kind, judgedAt: judgedAt)
            ? nil : .evidenceDiffers(evidence.sequence)
    }

    /// Looks at an entry that names evidence; nil for all others.
    mutating func compare(
        _ entry: Recorded<LedgerEntry>, in ledger: any LedgerReading,
        under policies: PolicyReplay
    ) throws(LedgerError) -> AuditProblem? {
        guard let place = entry.value.signedEvidence else { return nil }
        guard place < entry.sequence else { return .factUnfounded(entry.sequence) }
        let verdict: EvidenceVerdict?
        if let known = verdicts[place] {
            verdict = known
        } else {
            // A missing entry was erased: the chain has been checked.
            guard let named = try ledger.entry(place) else { return nil }
            guard case .evidence(let record) = named.value else {
                return .factUnfounded(entry.sequence)
            }
            verdict = judge(named.with(record), under: policies)
        }
        return verdict?.supports(entry.value) ?? true ? nil : .factUnfounded(entry.sequence)
    }

    /// Nil where the policy of its time cannot be read, where the bytes were erased, and where they
    /// were never judged by themselves.
    private mutating func judge(
        _ evidence: Recorded<EvidenceRecord>, under policies: PolicyReplay
    ) -> EvidenceVerdict? {
        guard !evidence.value.bytes.isEmpty else { return nil }
        let verifiers = policies.verifiers(
            at: evidence.sequence, recordedAt: evidence.recordedAt)
        let judged = verifiers.compactMap {
            $0.verifyAgain(evidence.value, recordedAt: evidence.recordedAt)
        }
        guard let verdict = judged.first(where: \.isGenuine) ?? judged.first else { return nil }
        if verdicts.updateValue(verdict, forKey: evidence.sequence) == nil {
            order.append(evidence.sequence)
            if order.count > Self.remembered { verdicts[order.removeFirst()] = nil }
        }
        return verdict
    }
}

extension Recorded<EvidenceRecord> {
    /// Whether this is what the record says. Evidence without a time of its own was judged at
    /// the instant of the call, some time before it was recorded.
    fileprivate func agrees(on kind: EvidenceKind, judgedAt: Instant) -> Bool {
        let hasOwnTime = judgedAt != recordedAt
        return kind == value.kind
            && (hasOwnTime ? judgedAt == value.judgedAt : value.judgedAt <= recordedAt)
    }
}

extension EvidenceVerdict {
    fileprivate var isGenuine: Bool {
        if case .refused = self { false } else { true }
    }

    /// Whether the evidence contains this. Refused evidence is reported once, at its own entry.
    fileprivate func supports(_ entry: LedgerEntry) -> Bool {
        switch self {
        case .accepted(let evidence): evidence.supports(entry)
        case .quarantined(let evidence): evidence.part.supports(entry)
        case .refused: true
        }
    }
}

extension VerifiedEvidence {
    /// With that of the app itself.
    private var purchases: [TransactionSnapshot] {
        transactions + [appPurchase].compactMap(\.self)
    }

    fileprivate func supports(_ entry: LedgerEntry) -> Bool {
        switch entry {
        case .transaction(let fact):
            purchases.contains { $0 == fact.snapshot || $0.asRead(in: fact) == fact.snapshot }
        case .renewal(let fact):
            renewals.contains { $0 == fact.snapshot || $0.asRead(in: fact) == fact.snapshot }
        case .appTransaction(let fact): appTransaction == fact.snapshot
        case .notification(let fact): notification?.isSaid(by: fact, in: environment) ?? false
        case .quarantine(let quarantine):
            quarantine.wasNotUnderstood || implausible.contains { $0.supports(entry) }
        case .claim(let claim): purchases.contains { $0.key == claim.transaction }
        default: false
        }
    }
}

extension TransactionSnapshot {
    /// Without the members that the program which wrote the fact did not know.
    fileprivate func asRead(in fact: TransactionFact) -> TransactionSnapshot {
        var snapshot = self
        let known = fact.snapshot
        if known.previousOriginalTransactionID == nil {
            snapshot.previousOriginalTransactionID = nil
        }
        if known.commitmentPeriod == nil { snapshot.commitmentPeriod = nil }
        if known.commitmentPeriods == nil { snapshot.commitmentPeriods = nil }
        if known.multiSeat == nil { snapshot.multiSeat = nil }
        return snapshot
    }
}

extension RenewalSnapshot {
    /// Without the members that the program which wrote the fact did not know.
    fileprivate func asRead(in fact: RenewalFact) -> RenewalSnapshot {
        var snapshot = self
        if fact.snapshot.commitment == nil { snapshot.commitment = nil }
        return snapshot
    }
}

extension QuarantinedPart {
    fileprivate func supports(_ entry: LedgerEntry) -> Bool {
        guard case .quarantine(let quarantine) = entry else { return false }
        return quarantine.wasNotUnderstood
            || code.rawValue == quarantine.code && transaction == quarantine.transaction
    }
}

extension Quarantine {
    /// A later program may understand more: that what an earlier one did not was kept without
    /// effect stays true.
    fileprivate var wasNotUnderstood: Bool { code.hasPrefix("payload.") }
}

extension NotificationHead {
    fileprivate func isSaid(by fact: NotificationFact, in environment: StoreEnvironment) -> Bool {
        fact.environment == environment && fact.uuid == uuid && fact.type == type
            && fact.subtype == subtype && fact.signedDate == signedDate
    }
}
