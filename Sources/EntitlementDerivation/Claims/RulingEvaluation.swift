internal import EntitlementModel

/// A ruling with the unit that it is about (spec 1.6).
struct RulingEvaluation {
    private let ruling: Ruling
    private let recordedAt: Instant
    private let unit: OwnedUnit
    private let ownership: UnitOwnership
    private let places: OwnershipPlaces
    private let waiting: [Recorded<Claim>]
    private let transactionID: TransactionID

    /// Nil for a unit of which no transaction is known.
    init?(_ ruling: Ruling, recordedAt: Instant, view: FactView) {
        guard let named = view.transactionNaming(ruling.unit) else { return nil }
        let unit = view.currentName(of: ruling.unit, presenting: named)
        guard let transactionID = view.transactionNaming(unit) else { return nil }
        let ownerships = OwnershipIndex(view)
        self.ruling = ruling
        self.recordedAt = recordedAt
        self.unit = unit
        self.transactionID = transactionID
        ownership = ownerships.ownership(of: unit)
        places = OwnershipPlaces(ownership)
        waiting = Self.waitingClaims(ownerships.decisions(on: unit), facts: view.facts)
    }

    var outcome: RulingOutcome {
        switch ruling.verb {
        case .approve: approved
        case .refuse: refused
        case .transfer: transferred
        case .release: released
        case .undo: undone
        }
    }

    private var approved: RulingOutcome {
        guard let claim = waiting.first(where: { $0.sequence == ruling.claim }) else {
            return .impossible(.notWaiting)
        }
        guard ownership.owners != [claim.value.account] else {
            return .impossible(.alreadyOwner)
        }
        var decided = [
            decision(
                .accepted, owners: [claim.value.account],
                presenting: claim.value.transaction.transactionID)
        ]
        decided += waiting.filter { $0.sequence != claim.sequence }
            .map { refusal(of: $0, owners: [claim.value.account]) }
        return .decided(decided)
    }

    private var refused: RulingOutcome {
        guard let claim = waiting.first(where: { $0.sequence == ruling.claim }) else {
            return .impossible(.notWaiting)
        }
        return .decided([refusal(of: claim, owners: ownership.owners)])
    }

    private var transferred: RulingOutcome {
        guard let account = ruling.account else { return .impossible(.missingAccount) }
        guard ownership.owners != [account] else { return .impossible(.alreadyOwner) }
        return .decided([decision(.accepted, owners: [account], presenting: transactionID)])
    }

    /// By all of its owners, or by one of several.
    private var released: RulingOutcome {
        guard !ownership.owners.isEmpty else { return .impossible(.unowned) }
        guard let account = ruling.account else {
            return .decided([decision(.accepted, owners: [], presenting: transactionID)])
        }
        guard ownership.owners.contains(account) else { return .impossible(.notOwner) }
        let rest = ownership.owners.filter { $0 != account }
        return .decided([decision(.accepted, owners: rest, presenting: transactionID)])
    }

    /// From now on as before the decision; what lay between stays as it was.
    private var undone: RulingOutcome {
        let undone = ownership.changes.first { $0.sequence == ruling.decision }
        guard let undone else { return .impossible(.nothingToUndo) }
        guard let owners = places.owners(before: undone.sequence) else {
            return .impossible(.movedSince)
        }
        return .decided([
            decision(.accepted, owners: owners, presenting: undone.value.transactionID)
        ])
    }

    /// The first owner of all owns the past too.
    private func decision(
        _ outcome: ClaimOutcome, owners: [AccountID], presenting transactionID: TransactionID
    ) -> RuledDecision {
        RuledDecision(
            unit: unit, transactionID: transactionID, outcome: outcome, rule: .byHand,
            ownersBefore: ownership.owners, ownersAfter: owners,
            from: ownership.changes.isEmpty && !ruling.isReturn ? .distantPast : recordedAt)
    }

    private func refusal(of claim: Recorded<Claim>, owners: [AccountID]) -> RuledDecision {
        RuledDecision(
            deniedClaim: claim.sequence, unit: unit,
            transactionID: claim.value.transaction.transactionID, outcome: .denied(.denied),
            rule: .byHand, ownersBefore: owners, ownersAfter: owners, from: recordedAt)
    }

    /// Claims whose newest decision is to wait, and that no ruling has approved.
    static func waitingClaims(
        _ decisions: [Recorded<OwnershipDecision>], facts: FactSet
    ) -> [Recorded<Claim>] {
        var newest: [LedgerSequence: ClaimOutcome] = [:]
        for decision in decisions { newest[decision.value.cause] = decision.value.outcome }
        let approved = Set(
            facts.rulings.filter { $0.value.verb == .approve }.compactMap(\.value.claim))
        return facts.claims
            .filter {
                newest[$0.sequence] == .denied(.waiting) && !approved.contains($0.sequence)
            }
            .sorted { $0.sequence < $1.sequence }
    }
}

extension FactView {
    /// A transaction that names the unit: of a lineage the newest purchase, or, if some of its
    /// purchases are units of their own, the newest of the others. Nil if none is known.
    fileprivate func transactionNaming(_ unit: OwnedUnit) -> TransactionID? {
        switch unit {
        case .purchase(let key): return lineage(of: key).map { _ in key.transactionID }
        case .lineage(let key):
            let purchases = lineage(key).map { self.purchases(of: $0) } ?? []
            return (purchases.last { !$0.isAccountScoped } ?? purchases.last)?.transactionID
        }
    }
}
