internal import EntitlementModel

/// A merge of two accounts with all that one of them has. An undo is the same in the other
/// direction, for what the merge moved and what still is where the merge put it.
struct MergePlan {
    let cause: AccountMerge
    let sequence: LedgerSequence
    let recordedAt: Instant
    let view: FactView
    private let ownerships: OwnershipIndex
    let standing: EffectiveMerges

    init(
        cause: AccountMerge, sequence: LedgerSequence, recordedAt: Instant, view: FactView
    ) {
        self.cause = cause
        self.sequence = sequence
        self.recordedAt = recordedAt
        self.view = view
        ownerships = OwnershipIndex(view)
        standing = EffectiveMerges(view.facts.accountMerges)
    }

    /// The merge that `cause` takes back.
    var undone: LedgerSequence? { cause.undoes }

    var merges: [Recorded<AccountMerge>] { view.facts.accountMerges }

    /// The account that is left, and the one that has it all then.
    var giver: AccountID { undone == nil ? cause.from : cause.into }
    var receiver: AccountID { undone == nil ? cause.into : cause.from }

    var isGiverBlocked: Bool {
        Blocks(on: giver, in: view).contains(recordedAt)
    }

    var facts: MergedFacts {
        var merged = MergedFacts()
        for unit in ownerships.units {
            let ownership = ownerships.ownership(of: unit)
            let decision = move(unit, ownership)
            if let decision { merged.decisions.append(decision) }
            let owners = decision?.ownersAfter ?? ownership.owners
            for claim in waitingClaims(on: unit) {
                follow(claim, on: unit, owners: owners, in: &merged)
            }
            for claim in claimsLeftBehind(on: unit) where !owners.contains(receiver) {
                merged.claims.append(waiting(claim.value, on: unit, owners: owners))
            }
        }
        moveGrants(in: &merged)
        moveHolds(in: &merged)
        merged.accountTokens = registrations
        return merged
    }
}

/// Units and claims.
extension MergePlan {
    private func move(_ unit: OwnedUnit, _ ownership: UnitOwnership) -> RuledDecision? {
        guard let newest = ownership.changes.last, let after = owners(after: ownership) else {
            return nil
        }
        return RuledDecision(
            unit: unit, transactionID: newest.value.transactionID, outcome: .accepted,
            rule: .merged, ownersBefore: ownership.owners, ownersAfter: after,
            from: recordedAt)
    }

    /// Nil where the unit stays with those who own it.
    private func owners(after ownership: UnitOwnership) -> [AccountID]? {
        guard let undone else {
            guard ownership.owners.contains(giver) else { return nil }
            return (ownership.owners.filter { $0 != giver && $0 != receiver } + [receiver]).sorted()
        }
        let moved = ownership.changes.last { $0.value.cause == undone }
        return moved.flatMap {
            OwnershipPlaces(ownership).owners(before: $0.sequence)
        }
    }

    /// Of an undo, those that came with the merge.
    private func waitingClaims(on unit: OwnedUnit) -> [Recorded<Claim>] {
        let waiting = RulingEvaluation.waitingClaims(
            ownerships.decisions(on: unit), facts: view.facts
        )
        .filter { $0.value.account == giver }
        guard let undone else { return waiting }
        let left = claimsTakenAway(on: unit)
        return waiting.filter { claim in
            claim.sequence > undone && left.contains { $0.value.isSame(as: claim.value) }
        }
    }

    /// Claims of the receiver that waited until the merge refused them, to an undo.
    private func claimsTakenAway(on unit: OwnedUnit) -> [Recorded<Claim>] {
        guard let undone else { return [] }
        let next = merges.map(\.sequence).filter { $0 > undone }.min() ?? sequence
        let causes = Set(
            ownerships.decisions(on: unit)
                .filter { $0.value.rule == .merged && undone < $0.sequence && $0.sequence < next }
                .map(\.value.cause))
        return view.facts.claims.filter {
            causes.contains($0.sequence) && $0.value.account == receiver && $0.sequence < undone
        }
    }

    /// Claims that the other account did not have to present because it owned the unit.
    private func claimsLeftBehind(on unit: OwnedUnit) -> [Recorded<Claim>] {
        claimsTakenAway(on: unit).filter { claim in
            !view.facts.claims.contains {
                claim.sequence < $0.sequence && $0.value.isSame(as: claim.value)
            }
        }
    }

    /// The claim is refused to the one, and waits for the other if the unit is not its own now.
    private func follow(
        _ claim: Recorded<Claim>, on unit: OwnedUnit, owners: [AccountID],
        in merged: inout MergedFacts
    ) {
        var refusal = waiting(claim.value, on: unit, owners: owners).decision
        refusal.deniedClaim = claim.sequence
        refusal.outcome = .denied(.denied)
        merged.decisions.append(refusal)
        guard !owners.contains(receiver) else { return }
        merged.claims.append(waiting(claim.value, on: unit, owners: owners))
    }

    private func waiting(
        _ claim: Claim, on unit: OwnedUnit, owners: [AccountID]
    ) -> MergedFacts.MovedClaim {
        var presented = claim
        presented.account = receiver
        let decision = RuledDecision(
            unit: unit, transactionID: claim.transaction.transactionID,
            outcome: .denied(.waiting), rule: .merged, ownersBefore: owners,
            ownersAfter: owners, from: recordedAt)
        return MergedFacts.MovedClaim(claim: presented, decision: decision)
    }
}

extension Claim {
    /// Whether both present one purchase on one occasion, for whatever account.
    fileprivate func isSame(as other: Claim) -> Bool {
        transaction == other.transaction && moment == other.moment
    }
}

/// What tokens mean.
extension MergePlan {
    /// Whether tokens name the account, or others were merged into it: both follow without an entry
    /// of their own.
    var hasNames: Bool {
        guard undone == nil, standing.account(standingFor: giver) == giver else { return false }
        let newest = newestRegistrations
        if newest.contains(where: { $0.value.value.account == giver }) { return true }
        if standing.accounts(standingAs: giver).count > 1 { return true }
        guard view.policy.policy.app.accountToken == .isAccountID else { return false }
        return AppAccountToken(giver.text).map { newest[$0] == nil } ?? false
    }

    private var newestRegistrations: [AppAccountToken: Recorded<AccountTokenRegistration>] {
        var newest: [AppAccountToken: Recorded<AccountTokenRegistration>] = [:]
        for registration in view.facts.accountTokens.sorted(by: { $0.sequence < $1.sequence }) {
            newest[registration.value.token] = registration
        }
        return newest
    }

    /// Merges by the first versions registered tokens for the other account; now a token names
    /// whichever account it was merged into. An undo of such a merge returns them.
    private var registrations: [AccountTokenRegistration] {
        guard let undone else { return [] }
        let moved = newestRegistrations.values.filter {
            $0.value.account == giver && $0.sequence > undone
                && wasOfTaker($0.value.token, before: undone)
        }
        return moved.map(\.value.token).sorted().map {
            AccountTokenRegistration(
                token: $0, account: receiver, actor: cause.actor, reason: cause.reason)
        }
    }

    private func wasOfTaker(_ token: AppAccountToken, before merge: LedgerSequence) -> Bool {
        AppAccountToken(receiver.text) == token
            || view.facts.accountTokens.contains {
                $0.value.token == token && $0.value.account == receiver && $0.sequence < merge
            }
    }
}
