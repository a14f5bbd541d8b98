internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification

/// Merges of accounts. What follows them is the derivation's; what it has to come to is said
/// here once more: the one has nothing left, the other has it, and nobody else notices.
extension Playback {
    mutating func merge(
        _ from: AccountID, into: AccountID, isUpToNow: Bool, recordedAt: Instant
    ) {
        let cause = AccountMerge(
            from: from, into: into, isUpToNow: isUpToNow, actor: "support", reason: "a test")
        let before = Specification(policies: policies, facts: facts)
        let ended = endedUnits(by: recordedAt)
        guard record(cause, recordedAt: recordedAt) else { return }
        coverage.visit(isUpToNow ? "a merge up to now" : "a merge")
        let after = Specification(policies: policies, facts: facts)
        for unit in before.units {
            var expected = before.lastOwners(of: unit)
            if expected.remove(from) != nil { expected.insert(into) }
            expect(
                unit, after.lastOwners(of: unit), toBe: expected, "merge of \(from)",
                at: recordedAt)
        }
        expectBalances(of: from, into, after: recordedAt, "merge of \(from)", before, after, ended)
    }

    /// Whatever is where the merge put it is as it was before the merge.
    mutating func undoMerge(_ from: AccountID, into: AccountID, recordedAt: Instant) {
        let merged = facts.accountMerges.last {
            $0.value.from == from && $0.value.into == into && $0.value.undoes == nil
        }
        guard let merged else { return }
        let cause = AccountMerge(
            from: from, into: into, undoes: merged.sequence, isUpToNow: merged.value.isUpToNow,
            actor: "support", reason: "a test")
        let before = Specification(policies: policies, facts: facts)
        let ended = endedUnits(by: recordedAt)
        let isRecorded = record(cause, recordedAt: recordedAt)
        if isRecorded { coverage.visit("an undone merge") }
        let after = Specification(policies: policies, facts: facts)
        for unit in before.units {
            let moved = before.changes(of: unit).last { $0.value.cause == merged.sequence }
            var expected = before.lastOwners(of: unit)
            if let moved, before.isWhereItWasPut(unit, by: moved) {
                expected = before.ownersBefore(moved, of: unit)
            }
            expect(
                unit, after.lastOwners(of: unit), toBe: expected,
                "undone merge of \(from)", at: recordedAt)
        }
        expectBalances(of: from, into, after: recordedAt, "undone merge", before, after, ended)
    }

    /// Units of grants that are over.
    private func endedUnits(by instant: Instant) -> [CreditKey: Int64] {
        let revoked = Set(facts.grantRevocations.map(\.value.grant))
        var units: [CreditKey: Int64] = [:]
        for grant in facts.grants.map(\.value) {
            guard case .credit(let credit, let given) = grant.gift,
                revoked.contains(grant.id) || grant.until.map({ $0 <= instant }) ?? false
            else { continue }
            units[CreditKey(grant.environment, credit), default: 0] += given
        }
        return units
    }

    /// Nothing is lost on the way from the one to the other but what comes back to grants and
    /// deliveries that are over: it expires at once (spec 1.7).
    private mutating func expectBalances(
        of from: AccountID, _ into: AccountID, after instant: Instant, _ topic: String,
        _ before: Specification, _ after: Specification, _ ended: [CreditKey: Int64]
    ) {
        // A rule may count another environment's deliveries for one of them only.
        let isAccountNamed = before.policy.accessRules.contains {
            $0.when.accounts != nil || $0.unless?.accounts != nil
        }
        if isAccountNamed { return }
        // What a refund finds under `floor` is another number where a delivery has moved.
        let refunds = facts.transactions.compactMap(\.value.revocation?.date)
        let credits = before.policy.credits.keys.sorted().filter { credit in
            !refunds.contains { before.onRefund(of: credit, at: $0) == .floor }
        }
        for environment in [StoreEnvironment.production, .sandbox] {
            for key in credits.map({ CreditKey(environment, $0) }) {
                let sums = [before, after].map { specification in
                    [from, into].reduce(Int64(0)) {
                        $0 + specification.balance(of: $1, key: key, at: instant)
                    }
                }
                let lapsed = before.lapsedUnits(of: key.credit, at: instant)
                let most = ended[key, default: 0] + lapsed
                if (sums[0] - most...sums[0]).contains(sums[1]) { continue }
                disagreements.append(
                    Disagreement(
                        "\(key.credit) of both after the \(topic)", at: instant,
                        derived: "\(sums[1])", specified: "\(sums[0])"))
            }
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
        var recorded = cause
        recorded.credits = merged.credits
        if !merged.credits.isEmpty { coverage.visit("a merge that moves a spend") }
        let place = next(recorded, recordedAt)
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
        for end in merged.holdEnds { facts.holdEnds.append(next(end, recordedAt)) }
        for hold in merged.holds {
            facts.creditHolds.append(next(hold, recordedAt))
            coverage.visit("a hold that a merge moved")
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
