internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// Judges every claim, ruling and merge of a ledger once more, by the policy in force and the
/// facts before it, and compares what follows with the entries that came after it.
///
/// What another version of the rules decided is counted, and so is what depends on an entry that
/// was erased: neither is known to be wrong.
struct DecisionRecheck {
    /// An entry that is judged, until the rules of its decision are known from the next one.
    private var pending: JudgedEntry?
    /// The entries that have to come next, in this order.
    private var expected: ArraySlice<LedgerEntry> = []
    /// The next entries follow from something that is not judged again.
    private var unjudged: UnjudgedEntry?
    private var erased: Set<LedgerSequence> = []
    /// Decisions that came as they had to.
    private(set) var count: Int64 = 0
    /// Decisions by other versions of the rules, for each version.
    private(set) var otherRules: [Int64: Int64] = [:]
    /// Decisions of which nothing can be said, because of entries that were erased.
    private(set) var unknown: Int64 = 0

    /// Judges the last entry, now that the entries after it are known; nil at the end of the
    /// ledger, and if it was erased. To be called before the next entry is read.
    mutating func settle(
        before next: Recorded<LedgerEntry>?, in ledger: any LedgerReading
    ) throws(LedgerError) -> AuditProblem? {
        guard let judged = pending else { return nil }
        pending = nil
        if case .decision(let decision) = judged.entry.value {
            return try settle(decision, judged, in: ledger)
        }
        if unjudged?.leads(to: judged.entry, decidedBy: next?.value) == true { return nil }
        unjudged = nil
        let place = judged.entry.sequence
        guard judged.rules(followedBy: next) == ClaimRules.version else {
            unjudged = UnjudgedEntry(judged.entry, reason: .otherRules)
            return nil
        }
        switch try judged.consequences(in: ledger) {
        case .unknown: unjudged = UnjudgedEntry(judged.entry, reason: .unknown)
        case .impossible: return .decisionDiffers(place)
        case .known(let consequences): expected = consequences[...]
        }
        return nil
    }

    /// A succession has to follow from the facts before it.
    private mutating func settle(
        _ decision: OwnershipDecision, _ judged: JudgedEntry, in ledger: any LedgerReading
    ) throws(LedgerError) -> AuditProblem? {
        guard decision.rules == ClaimRules.version else {
            otherRules[decision.rules, default: 0] += 1
            return nil
        }
        switch try judged.consequences(in: ledger) {
        case .unknown: unknown += 1
        case .impossible: return .decisionDiffers(judged.entry.sequence)
        case .known: count += 1
        }
        return nil
    }

    mutating func compare(
        _ entry: Recorded<LedgerEntry>, under policy: ActivePolicy?
    ) -> AuditProblem? {
        if let wanted = expected.popFirst() {
            if entry.value == wanted {
                if case .decision = entry.value { count += 1 }
                return nil
            }
            expected = []
            return .decisionDiffers(entry.sequence)
        }
        switch entry.value {
        case .claim, .ruling, .accountMerge:
            pending = JudgedEntry(entry: entry, policy: policy)
            return nil
        case .decision(let decision) where decision.rule == .succession:
            unjudged = nil
            pending = JudgedEntry(entry: entry, policy: policy)
            return nil
        case .decision(let decision):
            return compare(decision, at: entry.sequence, isKnown: policy != nil)
        case .grantRevocation, .grant, .accountToken, .holdEnd, .creditHold:
            // They may follow from a merge.
            return nil
        default:
            unjudged = nil
            return nil
        }
    }

    /// A decision that nothing known has led to.
    private mutating func compare(
        _ decision: OwnershipDecision, at place: LedgerSequence, isKnown: Bool
    ) -> AuditProblem? {
        if let unjudged, unjudged.leads(to: decision) {
            if unjudged.reason == .otherRules {
                otherRules[decision.rules, default: 0] += 1
            } else {
                unknown += 1
            }
            return nil
        }
        unjudged = nil
        if erased.contains(decision.cause) || !isKnown {
            unknown += 1
            return nil
        }
        return .decisionDiffers(place)
    }

    /// Passes an entry whose content was erased: a decision, perhaps, on the last one.
    mutating func skip(_ place: LedgerSequence) {
        erased.insert(place)
        if let judged = pending {
            pending = nil
            unjudged = UnjudgedEntry(judged.entry, reason: .unknown)
        } else if expected.popFirst() == nil, unjudged == nil {
            unjudged = UnjudgedEntry(erasedAt: place)
        }
    }

    /// A ledger does not end in the middle of a commit.
    mutating func finish(
        at head: LedgerSequence, in ledger: any LedgerReading
    ) throws(LedgerError) -> AuditProblem? {
        if let problem = try settle(before: nil, in: ledger) { return problem }
        return expected.isEmpty ? nil : .decisionDiffers(head)
    }
}

/// A claim, a ruling or a merge that is not judged again, or an erased entry that may have been
/// one.
private struct UnjudgedEntry {
    enum Reason {
        case otherRules
        case unknown
    }

    let reason: Reason
    private let cause: LedgerSequence
    private let mayBeMerge: Bool
    private let mayBeRuling: Bool

    init(_ entry: Recorded<LedgerEntry>, reason: Reason) {
        self.reason = reason
        cause = entry.sequence
        if case .accountMerge = entry.value { mayBeMerge = true } else { mayBeMerge = false }
        if case .ruling = entry.value { mayBeRuling = true } else { mayBeRuling = false }
    }

    init(erasedAt place: LedgerSequence) {
        reason = .unknown
        cause = place
        mayBeMerge = true
        mayBeRuling = true
    }

    /// A ruling decides on the other claims that wait, too, and a merge names its own rule.
    func leads(to decision: OwnershipDecision) -> Bool {
        decision.cause == cause || (mayBeMerge && decision.rule == .merged)
            || (mayBeRuling && decision.cause < cause)
    }

    /// Whether an entry that looks like a claim is one that a merge has moved.
    func leads(to claim: Recorded<LedgerEntry>, decidedBy next: LedgerEntry?) -> Bool {
        guard mayBeMerge, case .claim = claim.value, case .decision(let decision)? = next else {
            return false
        }
        return decision.cause == claim.sequence && decision.rule == .merged
    }
}

/// What had to follow an entry in its commit.
private enum Consequences {
    /// It depends on an erased entry.
    case unknown
    /// An honest service would not have recorded the entry.
    case impossible
    /// None of a merge that nothing but names follows.
    case known([LedgerEntry])
}

/// A claim, a ruling or a merge, with the policy in force when it was recorded; nil if unknown.
private struct JudgedEntry {
    let entry: Recorded<LedgerEntry>
    let policy: ActivePolicy?

    /// The version of the rules that it was decided by.
    func rules(followedBy next: Recorded<LedgerEntry>?) -> Int64 {
        if case .accountMerge(let merge) = entry.value { return merge.rules }
        guard case .decision(let decision)? = next?.value, decision.cause == entry.sequence else {
            return ClaimRules.version
        }
        return decision.rules
    }

    func consequences(in ledger: any LedgerReading) throws(LedgerError) -> Consequences {
        guard let policy else { return .unknown }
        let facts = try facts(in: ledger).before(entry.sequence)
        guard facts.erased.isEmpty, try !dependsOnRestated(facts, in: ledger) else {
            return .unknown
        }
        let known = KnownEntry(entry: entry, policy: policy, facts: facts)
        return switch entry.value {
        case .claim(let claim): known.decision(on: claim)
        case .ruling(let ruling): known.decisions(after: ruling)
        case .accountMerge(let merge): known.consequences(of: merge)
        case .decision(let decision): known.consequences(of: decision)
        default: .impossible
        }
    }

    /// A rule may have asked for an account that has another name by now.
    private func dependsOnRestated(
        _ facts: FactSet, in ledger: any LedgerReading
    ) throws(LedgerError) -> Bool {
        guard try ledger.erasure(named: Erasure.anyName) != nil else { return false }
        let places =
            [entry.sequence] + facts.claims.map(\.sequence) + facts.decisions.map(\.sequence)
        for place in places where try ledger.restatement(of: place) != nil { return true }
        return false
    }

    private func facts(in ledger: any LedgerReading) throws(LedgerError) -> FactSet {
        switch entry.value {
        case .claim(let claim):
            try ledger.facts(forClaimsOn: [claim.transaction], by: [claim.account])
        case .ruling(let ruling): try ledger.facts(about: ruling.unit)
        case .accountMerge(let merge): try ledger.facts(about: merge)
        case .decision(let decision): try ledger.facts(about: decision.unit)
        default: FactSet()
        }
    }
}

/// The same with the facts before it.
private struct KnownEntry {
    let entry: Recorded<LedgerEntry>
    let policy: ActivePolicy
    let facts: FactSet

    /// A claim that is answered as the first time is not recorded.
    func decision(on claim: Claim) -> Consequences {
        let judged = policy.deriver.judge(claim, recordedAt: entry.recordedAt, facts).first
        guard let judged, judged.isRecorded else { return .impossible }
        let decision = judged.decision(cause: entry.sequence, policy: policy.digest)
        return .known([.decision(decision)])
    }

    func decisions(after ruling: Ruling) -> Consequences {
        let outcome = policy.deriver.rule(ruling, recordedAt: entry.recordedAt, facts)
        guard case .decided(let decided) = outcome else { return .impossible }
        return .known(
            decided.map { .decision($0.decision(ruling: entry.sequence, policy: policy.digest)) })
    }

    /// A succession has no consequences: it has to be the one that follows from the facts.
    func consequences(of decision: OwnershipDecision) -> Consequences {
        let made = policy.deriver.successions(
            firstKnownSince: nil, recordedAt: entry.recordedAt, facts
        ).first { $0.unit == decision.unit }
        return made == decision ? .known([]) : .impossible
    }

    /// The balances that it moves follow from the facts before it, too.
    func consequences(of merge: AccountMerge) -> Consequences {
        var asked = merge
        asked.credits = []
        let outcome = policy.deriver.merge(
            asked, sequence: entry.sequence, recordedAt: entry.recordedAt, facts)
        guard case .decided(let merged) = outcome, merged.credits == merge.credits else {
            return .impossible
        }
        return .known(merged.entries(after: entry.sequence, policy: policy.digest))
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
        entries += accountTokens.map(LedgerEntry.accountToken)
        entries += holdEnds.map(LedgerEntry.holdEnd)
        return entries + holds.map(LedgerEntry.creditHold)
    }
}

/// Compares the change feed's record of every account and order, and when the next change is due,
/// with what follows from the published entries (spec 1.10).
struct OutlookRecheck {
    private static let portion = 256

    let ledger: any LedgerReading
    /// The one in force where the feed is.
    let policy: ActivePolicy
    private(set) var count: Int64 = 0
    private let place: FeedPlace
    /// The instant of the comparison: no later changes were published.
    private let instant: Instant

    init(_ ledger: any LedgerReading, _ policy: ActivePolicy) throws(LedgerError) {
        self.ledger = ledger
        self.policy = policy
        place = try ledger.feedPlace()
        let recordedAt = try ledger.entry(place.place)?.recordedAt
        instant = max(place.reached, recordedAt ?? place.reached)
    }

    /// - Returns: the names of those that differ, in their order, and no more than are wanted.
    mutating func differing(atMost most: Int) throws(LedgerError) -> [String] {
        var (found, last): ([String], String?) = ([], "")
        while let name = last, found.count < most {
            let subjects = try ledger.outlooks(afterName: name, limit: Self.portion)
            for (subject, outlook) in subjects where !awaitsPolicy(subject) {
                count += 1
                if try !agrees(subject, outlook) { found.append(subject.name) }
            }
            last = subjects.count < Self.portion ? nil : subjects.last?.subject.name
        }
        var account: AccountID?
        repeat {
            let accounts = try ledger.accounts(
                after: account, limit: Self.portion, folded: policy.history.current.foldsAccounts)
            for account in accounts where try isMissing(account) { found.append(account.text) }
            account = accounts.count < Self.portion ? nil : accounts.last
        } while account != nil && found.count < most
        return Array(found.prefix(most))
    }

    /// Whether its record may be by an older policy.
    private func awaitsPolicy(_ subject: FeedSubject) -> Bool {
        guard let scan = place.scan, case .account = subject else { return false }
        return subject.name > scan
    }

    private func agrees(
        _ subject: FeedSubject, _ stored: FeedOutlook
    ) throws(LedgerError) -> Bool {
        // A change due at this very instant may not be published yet.
        var told = stored
        _ = told.advance(to: instant)
        switch subject {
        case .account(let account):
            guard policy.name(account) == account else { return told == FeedOutlook() }
            return told == (try derived(account))
        case .order(let id):
            guard let order = try ledger.order(id)?.known(upTo: place.place) else { return false }
            let settings = policy.orderSettings(order.order.value.policy)
            return told == FeedOutlook(order, at: instant, settings)
        case .entry(let entry):
            let findings = try ledger.feedFindings(becauseOf: entry, upTo: place.place, policy)
            return told == FeedOutlook(findings, of: entry, at: instant)
        }
    }

    private func derived(_ account: AccountID) throws(LedgerError) -> FeedOutlook {
        let facts = try ledger.facts(withDenialsFor: account).known(upTo: place.place)
        return FeedOutlook(policy.deriver.deriveAccount(account, facts), at: instant)
    }

    /// Whether nothing is kept of an account of which something is answered.
    private func isMissing(_ account: AccountID) throws(LedgerError) -> Bool {
        guard policy.name(account) == account, try ledger.outlook(of: .account(account)) == nil,
            try !ledger.isPseudonym(account)
        else { return false }
        return try derived(account) != FeedOutlook()
    }
}
