internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification

/// Merges of accounts. What follows them is the derivation's; what it has to come to is said
/// here once more: the one has nothing left, the other has it, and nobody else notices.
extension Playback {
    mutating func merge(_ from: AccountID, into: AccountID, recordedAt: Instant) {
        let cause = AccountMerge(from: from, into: into, actor: "support", reason: "a test")
        let before = Specification(policies: policies, facts: facts)
        guard record(cause, recordedAt: recordedAt) else { return }
        coverage.visit("a merge")
        let after = Specification(policies: policies, facts: facts)
        for unit in before.units {
            var expected = before.lastOwners(of: unit)
            if expected.remove(from) != nil { expected.insert(into) }
            expect(
                unit, after.lastOwners(of: unit), toBe: expected, "merge of \(from)",
                at: recordedAt)
        }
    }

    /// Whatever has not moved since is as it was before the merge.
    mutating func undoMerge(_ from: AccountID, into: AccountID, recordedAt: Instant) {
        let merged = facts.accountMerges.last {
            $0.value.from == from && $0.value.into == into && $0.value.undoes == nil
        }
        guard let merged else { return }
        let cause = AccountMerge(
            from: from, into: into, undoes: merged.sequence, actor: "support", reason: "a test")
        let before = Specification(policies: policies, facts: facts)
        guard record(cause, recordedAt: recordedAt) else { return }
        coverage.visit("an undone merge")
        let after = Specification(policies: policies, facts: facts)
        for unit in before.units {
            let newest = before.lastChange(of: unit)
            let isMoved = newest?.value.cause == merged.sequence
            let expected = isMoved ? newest?.value.ownersBefore : newest?.value.ownersAfter
            expect(
                unit, after.lastOwners(of: unit), toBe: Set(expected ?? []),
                "undone merge of \(from)", at: recordedAt)
        }
    }

    private mutating func expect(
        _ unit: OwnedUnit, _ owners: Set<AccountID>, toBe expected: Set<AccountID>,
        _ topic: String, at instant: Instant
    ) {
        guard owners != expected else { return }
        disagreements.append(
            Disagreement(
                "owners of \(unit.text) after the \(topic)", at: instant,
                derived: owners.map(\.text).sorted().joined(separator: "+"),
                specified: expected.map(\.text).sorted().joined(separator: "+")))
    }

    /// False where it cannot be.
    private mutating func record(_ cause: AccountMerge, recordedAt: Instant) -> Bool {
        let outcome = EntitlementDerivation.merge(
            cause, sequence: nextSequence, recordedAt: recordedAt, policies: policies,
            facts: facts)
        guard case .decided(let merged) = outcome else { return false }
        let place = next(cause, recordedAt)
        facts.accountMerges.append(place)
        for decided in merged.decisions { append(decided, cause: place.sequence, recordedAt) }
        for moved in merged.claims {
            let claim = next(moved.claim, recordedAt)
            facts.claims.append(claim)
            append(moved.decision, cause: claim.sequence, recordedAt)
        }
        for revocation in merged.grantRevocations {
            facts.grantRevocations.append(next(revocation, recordedAt))
        }
        for grant in merged.grants { facts.grants.append(next(grant, recordedAt)) }
        for registration in merged.accountTokens {
            facts.accountTokens.append(next(registration, recordedAt))
        }
        return true
    }

    private mutating func append(
        _ decided: RuledDecision, cause: LedgerSequence, _ recordedAt: Instant
    ) {
        let decision = decided.decision(ruling: cause, policy: policies.current.digest)
        facts.decisions.append(next(decision, recordedAt))
    }
}
