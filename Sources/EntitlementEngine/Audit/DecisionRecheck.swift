internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerStore

/// Judges every claim, ruling and merge of a ledger once more, by the policy in force and the
/// facts before it, and compares what follows with the entries that came after it.
struct DecisionRecheck {
    /// What has to come next, in this order.
    private var expected: ArraySlice<LedgerEntry> = []
    /// Decisions that came as they had to.
    private(set) var count: Int64 = 0

    mutating func compare(
        _ entry: Recorded<LedgerEntry>, in ledger: any LedgerReading, under policy: ActivePolicy?
    ) throws(LedgerStoreError) -> AuditProblem? {
        if let wanted = expected.popFirst() {
            if entry.value == wanted {
                if case .decision = entry.value { count += 1 }
                return nil
            }
            expected = []
            return .decisionDiffers(entry.sequence)
        }
        guard let policy, entry.value.isJudged else { return nil }
        let audited = AuditedEntry(entry: entry, ledger: ledger, policy: policy)
        guard let consequences = try audited.consequences else {
            return .decisionDiffers(entry.sequence)
        }
        expected = consequences[...]
        return nil
    }

    /// A ledger does not end in the middle of a commit.
    func missing(atEndOf head: LedgerSequence) -> AuditProblem? {
        expected.isEmpty ? nil : .decisionDiffers(head)
    }
}

/// An entry that something followed from, beside what was known before it.
private struct AuditedEntry {
    let entry: Recorded<LedgerEntry>
    let ledger: any LedgerReading
    let policy: ActivePolicy

    /// The entries that its commit had to add; nil where it could not be, and for a decision
    /// that nothing led to.
    var consequences: [LedgerEntry]? {
        get throws(LedgerStoreError) {
            switch entry.value {
            case .claim(let claim): try decision(on: claim)
            case .ruling(let ruling): try decisions(after: ruling)
            case .accountMerge(let merge): try consequences(of: merge)
            default: nil
            }
        }
    }

    /// A claim that is answered as the first time is not recorded.
    private func decision(on claim: Claim) throws(LedgerStoreError) -> [LedgerEntry]? {
        let facts = try ledger.facts(forClaimsOn: [claim.transaction], by: [claim.account])
        let judged = policy.deriver.judge(
            claim, recordedAt: entry.recordedAt, facts.before(entry.sequence)
        ).first
        guard let judged, judged.isRecorded else { return nil }
        return [.decision(judged.decision(cause: entry.sequence, policy: policy.digest))]
    }

    private func decisions(after ruling: Ruling) throws(LedgerStoreError) -> [LedgerEntry]? {
        let facts = try ledger.facts(forRulingOn: ruling.unit)
        let outcome = policy.deriver.rule(
            ruling, recordedAt: entry.recordedAt, facts.before(entry.sequence))
        guard case .decided(let decided) = outcome else { return nil }
        return decided.map { .decision($0.decision(ruling: entry.sequence, policy: policy.digest)) }
    }

    private func consequences(
        of merge: AccountMerge
    ) throws(LedgerStoreError) -> [LedgerEntry]? {
        let facts = try ledger.facts(about: merge).before(entry.sequence)
        let outcome = policy.deriver.merge(
            merge, sequence: entry.sequence, recordedAt: entry.recordedAt, facts)
        guard case .decided(let merged) = outcome else { return nil }
        return merged.entries(after: entry.sequence, policy: policy.digest)
    }
}

extension MergedFacts {
    /// The entries that follow a merge, in the order in which they are appended.
    fileprivate func entries(
        after merge: LedgerSequence, policy: Digest256
    ) -> [LedgerEntry] {
        var entries: [LedgerEntry] = decisions.map {
            .decision($0.decision(ruling: merge, policy: policy))
        }
        for moved in claims {
            let place = LedgerSequence(merge.number + Int64(entries.count) + 1)
            entries.append(.claim(moved.claim))
            entries.append(.decision(moved.decision.decision(ruling: place, policy: policy)))
        }
        entries += grantRevocations.map(LedgerEntry.grantRevocation)
        entries += grants.map(LedgerEntry.grant)
        return entries + accountTokens.map(LedgerEntry.accountToken)
    }
}

extension LedgerEntry {
    /// Whether something is decided on it, or it is itself a decision.
    fileprivate var isJudged: Bool {
        switch self {
        case .claim, .ruling, .accountMerge, .decision: true
        default: false
        }
    }
}
