package import EntitlementModel

/// What a ruling by hand comes to (spec 1.6).
package enum SpecifiedRuling: Hashable, Sendable {
    case decided(owners: Set<AccountID>, refused: Set<LedgerSequence>)
    /// 409, for this reason.
    case impossible(String)
}

extension Specification {
    /// Nil where no transaction of the unit is known.
    package func ruling(_ ruling: Ruling, on unit: OwnedUnit) -> SpecifiedRuling {
        let owners = lastOwners(of: unit)
        var ruling = ruling
        ruling.account = ruling.account.map { name($0) }
        switch ruling.verb {
        case .approve, .refuse:
            let waiting = waitingClaims(on: unit)
            guard let claim = waiting.first(where: { $0.sequence == ruling.claim }) else {
                return .impossible("not-waiting")
            }
            if ruling.verb == .refuse {
                return .decided(owners: owners, refused: [claim.sequence])
            }
            if owners == [claim.value.account] { return .impossible("already-owner") }
            return .decided(
                owners: [claim.value.account],
                refused: Set(waiting.map(\.sequence)).subtracting([claim.sequence]))
        case .transfer:
            guard let account = ruling.account else { return .impossible("missing-account") }
            if owners == [account] { return .impossible("already-owner") }
            return .decided(owners: [account], refused: [])
        case .release:
            if owners.isEmpty { return .impossible("unowned") }
            guard let account = ruling.account else { return .decided(owners: [], refused: []) }
            guard owners.contains(account) else { return .impossible("not-owner") }
            return .decided(owners: owners.subtracting([account]), refused: [])
        case .undo:
            guard let undone = changes(of: unit).first(where: { $0.sequence == ruling.decision })
            else { return .impossible("nothing-to-undo") }
            guard isWhereItWasPut(unit, by: undone) else { return .impossible("moved-since") }
            return .decided(owners: ownersBefore(undone, of: unit), refused: [])
        }
    }

    /// Claims on the unit that a person has to rule on.
    package func waitingClaims(on unit: OwnedUnit) -> [Recorded<Claim>] {
        facts.claims.filter { claim in
            let decided = facts.decisions.filter { $0.value.cause == claim.sequence }
                .max { $0.sequence < $1.sequence }
            guard let decided, decided.value.outcome == .denied(.waiting) else { return false }
            let isApproved = facts.rulings.contains {
                $0.value.verb == .approve && $0.value.claim == claim.sequence
            }
            return !isApproved && self.unit(decidedBy: decided.value) == unit
        }
    }

    /// Undo is refused only if the unit is not where the undone decision put it.
    package func isWhereItWasPut(
        _ unit: OwnedUnit, by decision: Recorded<OwnershipDecision>
    ) -> Bool {
        let changes = changes(of: unit)
        guard let place = changes.firstIndex(where: { $0.sequence == decision.sequence }) else {
            return false
        }
        return origin(of: changes.count - 1, in: changes) == origin(of: place, in: changes)
    }

    /// The change that brought the unit to where a change put it: that change itself, or, for
    /// one that undid another, whatever brought it to where it was before the other. -1 for the
    /// beginning. So moves that were themselves undone do not count.
    func origin(of place: Int, in changes: [Recorded<OwnershipDecision>]) -> Int {
        guard place >= 0, let undone = undone(by: changes[place], in: changes), undone < place
        else { return place }
        let before = undone == 0 ? [] : changes[undone - 1].value.ownersAfter
        guard before == changes[place].value.ownersAfter else { return place }
        return origin(of: undone - 1, in: changes)
    }

    func undone(
        by change: Recorded<OwnershipDecision>, in changes: [Recorded<OwnershipDecision>]
    ) -> Int? {
        let ruling = facts.rulings.first { $0.sequence == change.value.cause }?.value
        if ruling?.verb == .undo {
            return changes.firstIndex { $0.sequence == ruling?.decision }
        }
        let merge = facts.accountMerges.first { $0.sequence == change.value.cause }?.value
        guard let undone = merge?.undoes else { return nil }
        return changes.lastIndex { $0.value.cause == undone }
    }

    /// Who owned the unit until a change.
    package func ownersBefore(
        _ change: Recorded<OwnershipDecision>, of unit: OwnedUnit
    ) -> Set<AccountID> {
        let before = changes(of: unit).last { $0.sequence < change.sequence }
        return Set(before?.value.ownersAfter ?? [])
    }
}
