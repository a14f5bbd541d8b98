package import EntitlementModel

extension Deriver {
    /// The decisions by which lineages get the owners of those that they succeed, in the order in
    /// which they are recorded: before the claims of their evidence are judged (spec 1.4).
    ///
    /// Nothing is decided twice, and nothing on a lineage that ever had an owner and has it still,
    /// but where that is another account.
    ///
    /// - Parameter place: the first entry of the evidence: earlier ones were decided before. Nil
    ///   for all undecided ones.
    package func successions(
        firstKnownSince place: LedgerSequence?, recordedAt: Instant, _ facts: FactSet
    ) -> [OwnershipDecision] {
        // By place: a loop over the snapshots would copy each of them.
        let areNamed = facts.transactions.indices.contains {
            facts.transactions[$0].value.previousOriginalTransactionID != nil
        }
        guard areNamed else { return [] }
        let view = FactView(facts, policy: policy)
        let earlier = place.map { FactView(facts.before($0), policy: policy).successions } ?? []
        let known = Set(earlier.map(\.successor))
        var evaluation = SuccessionEvaluation(view: view, recordedAt: recordedAt)
        for succession in view.successions where !known.contains(succession.successor) {
            evaluation.judge(succession)
        }
        return evaluation.decisions
    }
}

/// Judges one succession after the other, the older lineages first, so that a chain of three
/// that becomes known at once gives its last one the owners of its first.
private struct SuccessionEvaluation {
    let view: FactView
    let recordedAt: Instant
    private let ownerships: OwnershipIndex
    private(set) var decisions: [OwnershipDecision] = []

    init(view: FactView, recordedAt: Instant) {
        self.view = view
        self.recordedAt = recordedAt
        ownerships = OwnershipIndex(view)
    }

    mutating func judge(_ succession: Succession) {
        let unit = OwnedUnit.lineage(succession.successor)
        let heirs = owners(of: .lineage(succession.predecessor))
        guard !heirs.isEmpty,
            !ownerships.decisions(on: unit).contains(where: { $0.value.rule == .succession })
        else { return }
        let own = ownerships.ownership(of: unit)
        var decision = OwnershipDecision(
            cause: succession.statement, unit: unit, transactionID: succession.transactionID,
            outcome: .accepted, rule: .succession, policy: view.policy.policy.digest,
            ownersBefore: [], ownersAfter: heirs, from: .distantPast)
        if !own.changes.isEmpty {
            guard !own.owners.isEmpty, !Set(heirs).isSubset(of: own.owners) else { return }
            decision.outcome = .denied(.kept)
            decision.ownersBefore = own.owners
            decision.ownersAfter = own.owners
            decision.from = recordedAt
        }
        decisions.append(decision)
    }

    private func owners(of unit: OwnedUnit) -> [AccountID] {
        decisions.last { $0.unit == unit }?.ownersAfter ?? ownerships.ownership(of: unit).owners
    }
}

/// Units without an owner, on an Apple ID whose other units one account owns (spec 1.6, `inherit`).
extension ClaimEvaluation {
    /// The policy's rule for a unit without an owner: the first `deny` or `inherit` that matches.
    /// Account-scoped kinds have none.
    var ruleOfUnowned: ClaimRule? {
        guard purchase.kind?.known?.isAccountScoped != true else { return nil }
        return view.policy.policy.claimRules.first { rule in
            switch rule.verb {
            case .deny: matches(rule)
            case .inherit: token == TokenMatch.none && matches(rule) && heir != nil
            case .keep, .transfer, .transferIfInactive, .share, .ask: false
            }
        }
    }

    var heir: AccountID? { view.heir(of: unit, ownerships) }

    /// Whether the claimant gets the unit by an `inherit` rule.
    var inherits: Bool {
        ownership.owners.isEmpty && ruleOfUnowned?.verb == .inherit && heir == claim.account
    }
}

extension FactView {
    /// The owner of all other owned lineages of the unit's Apple ID, if that is one account.
    func heir(of unit: OwnedUnit, _ ownerships: OwnershipIndex) -> AccountID? {
        guard case .lineage(let own) = unit else { return nil }
        let others = AppleIDs(self).lineages(withAppleIDOf: own).filter { $0 != own }
        let owners = Set(others.flatMap { ownerships.ownership(of: .lineage($0)).owners })
        return owners.count == 1 ? owners.first : nil
    }
}

/// A subscription that continues an older one under another `originalTransactionId`: Apple names
/// the older one in `previousOriginalTransactionId` (spec 1.4).
struct Succession {
    let successor: LineageKey
    let predecessor: LineageKey
    /// When the first period of the successor starts.
    let start: Instant
    /// What names that period.
    let transactionID: TransactionID
    /// The snapshot that names the predecessor.
    let statement: LedgerSequence
    /// The basis of the first period, and the statement.
    let facts: [LedgerSequence]
}

extension FactView {
    /// Those by which other lineages succeed this one.
    func successions(of predecessor: LineageKey) -> [Succession] {
        guard namesPredecessors else { return [] }
        return successions.filter { $0.predecessor == predecessor }
    }

    func findSuccessions() -> [Succession] {
        lineages.compactMap(succession).sorted {
            ($0.start, $0.successor) < ($1.start, $1.successor)
        }
    }

    /// Both have to be subscriptions, and the other one older: so nothing succeeds itself,
    /// directly or through others.
    private func succession(by lineage: Lineage) -> Succession? {
        guard let statement = newestStatement(in: lineage),
            let named = facts.transactions[statement].value.previousOriginalTransactionID,
            let other = self.lineage(LineageKey(lineage.key.environment, named)),
            let first = firstPeriod(of: lineage), let older = firstPeriod(of: other),
            older.start < first.start
        else { return nil }
        let sequence = facts.transactions[statement].sequence
        return Succession(
            successor: lineage.key, predecessor: other.key, start: first.start,
            transactionID: first.transactionID, statement: sequence,
            facts: first.sequences(in: self) + [sequence])
    }

    /// Of the snapshots that name another lineage, the newest. Of equal ones the first that was
    /// recorded.
    private func newestStatement(in lineage: Lineage) -> Int? {
        let all = facts.transactions
        let stating = lineage.transactions.filter {
            let named = all[$0].value.previousOriginalTransactionID
            return named != nil && named != lineage.key.originalTransactionID
        }
        return stating.max { left, right in
            if SnapshotOrder.precedes(all[left].value, all[right].value) { return true }
            if SnapshotOrder.precedes(all[right].value, all[left].value) { return false }
            return all[left].sequence > all[right].sequence
        }
    }

    /// Nil for a lineage that is no subscription.
    private func firstPeriod(of lineage: Lineage) -> Purchase? {
        let periods = purchases(of: lineage).filter { !$0.isAccountScoped }
        guard lastingKind(of: periods)?.isKnown(.autoRenewable) == true else { return nil }
        return periods.first
    }
}
