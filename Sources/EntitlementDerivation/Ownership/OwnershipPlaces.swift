internal import EntitlementModel

/// Where a unit has been (spec 1.6). Each change of owners puts it at a place of its own; one
/// that undoes another puts it back where it was before that one. So a decision can be undone as
/// long as the unit is at its place: moves that were themselves undone do not count.
struct OwnershipPlaces {
    private struct Place {
        let owners: [AccountID]
        /// Nil for the beginning, when nobody owns it.
        let decision: LedgerSequence?
    }

    private var places = [Place(owners: [], decision: nil)]
    private var before: [LedgerSequence: Int] = [:]
    private var after: [LedgerSequence: Int] = [:]
    private var current = 0

    init(_ ownership: UnitOwnership, facts: FactSet) {
        for change in ownership.changes {
            let owners = change.value.ownersAfter
            let undone = Self.decision(undoneBy: change, of: ownership.changes, facts: facts)
            before[change.sequence] = current
            if let undone, let place = before[undone], places[place].owners == owners {
                current = place
            } else {
                places.append(Place(owners: owners, decision: change.sequence))
                current = places.count - 1
            }
            after[change.sequence] = current
        }
    }

    /// The newest change that stands; nil where all is as it was in the beginning.
    var standing: LedgerSequence? { places[current].decision }

    /// Whether the decision changed the owners of this unit.
    func isChange(_ decision: LedgerSequence) -> Bool { after[decision] != nil }

    /// Who owned the unit before the decision, if the unit is where it put it.
    func owners(before decision: LedgerSequence) -> [AccountID]? {
        guard after[decision] == current, let place = before[decision] else { return nil }
        return places[place].owners
    }

    /// What a change took back: the decision that a ruling names, or what a merge moved.
    private static func decision(
        undoneBy change: Recorded<OwnershipDecision>,
        of changes: [Recorded<OwnershipDecision>], facts: FactSet
    ) -> LedgerSequence? {
        switch change.value.rule {
        case .byHand:
            let ruling = facts.rulings.first { $0.sequence == change.value.cause }?.value
            return ruling?.verb == .undo ? ruling?.decision : nil
        case .merged:
            let merge = facts.accountMerges.first { $0.sequence == change.value.cause }
            return merge?.value.undoes.flatMap { undone in
                changes.last { $0.value.cause == undone }?.sequence
            }
        default: return nil
        }
    }
}
