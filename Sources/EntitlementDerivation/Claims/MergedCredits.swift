internal import EntitlementModel

/// Holds go from account to account as holds of other places, each known by its first one's.
extension MergePlan {
    func moveHolds(in merged: inout MergedFacts) {
        let ended = Set(view.facts.holdEnds.map(\.value.hold))
        let open = view.facts.creditHolds.filter {
            $0.value.account == giver && recordedAt < $0.value.until
                && $0.recordedAt < $0.value.until && !ended.contains($0.sequence)
        }
        for hold in open.sorted(by: { $0.sequence < $1.sequence }) where isMoved(hold) {
            merged.holdEnds.append(
                HoldEnd(
                    hold: hold.sequence, account: giver, actor: cause.actor,
                    reason: cause.reason))
            var moved = hold.value
            moved.account = taker
            moved.key = nil
            moved.origin = hold.value.origin ?? hold.sequence
            merged.holds.append(moved)
        }
    }

    /// Of an undo, those that were the taker's before.
    private func isMoved(_ hold: Recorded<CreditHold>) -> Bool {
        guard let undone else { return true }
        guard let origin = hold.value.origin, undone < hold.sequence else { return false }
        return view.facts.creditHolds.contains {
            ($0.value.origin ?? $0.sequence) == origin && $0.value.account == taker
                && $0.sequence < undone
        }
    }

    /// An undo takes back what the merge has moved, while the account it went to is still its own
    /// and nobody has taken it back before.
    var creditsToTakeBack: [CarriedCredit] {
        guard let undone, standing.account(standingFor: giver) == giver,
            !merges.contains(where: { $0.value.undoes == undone }),
            let merge = merges.first(where: { $0.sequence == undone })
        else { return [] }
        return merge.value.credits.map {
            CarriedCredit(
                environment: $0.environment, credit: $0.credit,
                units: $0.units == .min ? .max : -$0.units)
        }
    }
}

extension Deriver {
    /// What is left in the balances of the account after all else has moved: what it has spent,
    /// and what it owes. It goes too, so that nothing is left.
    func carried(
        by plan: MergePlan, _ merged: MergedFacts, _ facts: FactSet
    ) -> [CarriedCredit] {
        let after = plan.facts(facts, after: merged, policy: policy.policy.digest)
        let balances = deriveAccount(plan.giver, after).balances
        let left = balances.compactMap { key, timeline -> CarriedCredit? in
            let units = Int64(clamping: timeline.balance(at: plan.recordedAt))
            guard units != 0 else { return nil }
            return CarriedCredit(environment: key.environment, credit: key.credit, units: units)
        }
        return left.sorted {
            ($0.environment.rawValue, $0.credit) < ($1.environment.rawValue, $1.credit)
        }
    }
}

extension MergePlan {
    /// The facts as they are once the merge and what follows from it is recorded.
    fileprivate func facts(
        _ before: FactSet, after merged: MergedFacts, policy: Digest256
    ) -> FactSet {
        var (facts, place) = (before, sequence)
        func next<Value>(_ value: Value) -> Recorded<Value> {
            place = LedgerSequence(place.number + 1)
            return Recorded(sequence: place, recordedAt: recordedAt, value: value)
        }
        facts.accountMerges.append(
            Recorded(sequence: sequence, recordedAt: recordedAt, value: cause))
        for decided in merged.decisions {
            facts.decisions.append(next(decided.decision(ruling: sequence, policy: policy)))
        }
        for revocation in merged.grantRevocations {
            facts.grantRevocations.append(next(revocation))
        }
        for end in merged.holdEnds { facts.holdEnds.append(next(end)) }
        return facts
    }
}
