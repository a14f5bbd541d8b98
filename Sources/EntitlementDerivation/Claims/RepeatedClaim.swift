internal import EntitlementModel

/// A repeated claim (spec 1.6): it gets the first decision again, and is evaluated again only if
/// something that decision depended on may have changed. Newer signatures of Apple are no such
/// change.
extension ClaimEvaluation {
    /// The denial that answers this claim too; nil if it has to be evaluated.
    var standingDecision: Recorded<OwnershipDecision>? {
        if let refusal = newestDecision(of: formerSelves, where: { $0.rule == .byHand }),
            !isRuledOn(since: refusal)
        {
            return refusal
        }
        guard let last = lastDecision, stands(last) else { return nil }
        return last
    }

    /// Whether the same claim waits for a person already.
    var isWaiting: Bool {
        guard let last = lastDecision, last.value.outcome == .denied(.waiting) else {
            return false
        }
        return !view.facts.rulings.contains {
            $0.value.verb == .approve && $0.value.claim == last.value.cause
        }
    }

    private func stands(_ first: Recorded<OwnershipDecision>) -> Bool {
        guard case .denied(let refusal) = first.value.outcome,
            refusal != .ownedByOther, refusal != .accountClosed, first.value.rule != .takenByHand,
            first.value.rule != .byHand, first.value.rule != .merged,
            !hasOtherOwners(since: first)
        else { return false }
        if refusal == .token { return true }
        return first.value.policy == view.policy.policy.digest
            && !hasPassed(first, refusal) && !isRightOver(first, refusal)
            && !isHeirGone(first, refusal)
            && (first.value.rule != .freshPurchase || isFresh)
    }
}

/// Rulings.
extension ClaimEvaluation {
    /// Claims follow a merge, and what a person said to them does.
    private var formerSelves: Set<AccountID> {
        EffectiveMerges(view.facts.accountMerges)
            .accounts(standingAs: claim.account, boughtAt: view.bought(purchase, unit))
    }

    /// A person has ruled again on the unit or for the claimant. That another claim was approved
    /// or refused in addition to this one opens nothing.
    private func isRuledOn(since refusal: Recorded<OwnershipDecision>) -> Bool {
        let later = view.facts.rulings.filter { $0.sequence > refusal.sequence }
        guard !later.isEmpty else { return false }
        let decisions = ownerships.decisions(on: unit)
        let causes = Set(decisions.map(\.value.cause))
        let claims = Set(
            view.facts.claims.filter { causes.contains($0.sequence) }
                .filter { formerSelves.contains($0.value.account) }.map(\.sequence))
        return later.contains { ruling in
            switch ruling.value.verb {
            case .transfer, .release, .undo: causes.contains(ruling.sequence)
            case .approve: ruling.value.claim.map(claims.contains) ?? false
            case .refuse: false
            }
        }
    }
}

/// What a decision depended on.
extension ClaimEvaluation {
    /// Whether the unit has other owners since, apart from changes in the decision's own commit.
    private func hasOtherOwners(since first: Recorded<OwnershipDecision>) -> Bool {
        var expected = first.value.ownersAfter
        for change in ownership.changes where change.sequence > first.sequence {
            guard isFollower(change, of: first) else { return true }
            expected = change.value.ownersAfter
        }
        return expected != ownership.owners
    }

    /// Whether it is the claim of the account that the token names, which follows at once.
    private func isFollower(
        _ change: Recorded<OwnershipDecision>, of first: Recorded<OwnershipDecision>
    ) -> Bool {
        guard first.value.outcome == .denied(.token),
            change.value.cause.number == first.sequence.number + 1,
            change.recordedAt == first.recordedAt,
            let claim = view.facts.claims.first(where: { $0.sequence == change.value.cause })
        else { return false }
        return claim.value.transaction == self.claim.transaction
            && claim.value.moment == self.claim.moment
    }

    /// Whether a cooldown, a window or an `at` that the decision depended on has passed since.
    private func hasPassed(
        _ first: Recorded<OwnershipDecision>, _ refusal: ClaimDenial
    ) -> Bool {
        var instants = rulesAsked(by: first).flatMap { rule in
            ((rule.when.at ?? []) + (rule.unless?.at ?? [])).flatMap(\.instants)
        }
        if let rule = policyRule(of: first) {
            let moves = moves
            let waits = refusal == .waiting && rule.limits.excess == .ask
            if refusal == .cooldown || waits, let cooldown = rule.limits.cooldown {
                instants += moves.max().map { [cooldown.end(from: $0)] } ?? []
            }
            if refusal == .limit || waits, !isShareFull(rule),
                let window = rule.limits.moves?.window
            {
                instants += moves.map { window.end(from: $0) }
            }
        }
        return instants.contains { first.recordedAt < $0 && $0 <= recordedAt }
    }

    private func isShareFull(_ rule: ClaimRule) -> Bool {
        guard case .share(let maximum) = rule.verb else { return false }
        return ownership.owners.count >= maximum
    }

    /// Whether the owner was left the unit for the sake of a right that it does not give now.
    private func isRightOver(
        _ first: Recorded<OwnershipDecision>, _ refusal: ClaimDenial
    ) -> Bool {
        let rule = policyRule(of: first) ?? builtInClaimRules.first { $0.isNamed(by: first) }
        return refusal == .kept && rule?.verb == .transferIfInactive && !wasPaid
    }

    /// Whether the unit was left to an heir that there is no more, or that the claimant is now.
    private func isHeirGone(
        _ first: Recorded<OwnershipDecision>, _ refusal: ClaimDenial
    ) -> Bool {
        guard refusal == .kept, policyRule(of: first)?.verb == .inherit else { return false }
        return heir == nil || heir == claim.account
    }

    /// Whether a rule that was asked looks at what may be otherwise now without a word: the state
    /// of the unit, and its seats.
    func asksForStanding(_ first: Recorded<OwnershipDecision>) -> Bool {
        guard first.value.rule != .byHand, first.value.outcome != .denied(.token) else {
            return false
        }
        return rulesAsked(by: first).contains {
            $0.when.asksForStanding || $0.unless?.asksForStanding ?? false
        }
    }

    private func policyRule(of decision: Recorded<OwnershipDecision>) -> ClaimRule? {
        view.policy.policy.claimRules.first { $0.isNamed(by: decision) }
    }

    /// The policy's rules up to the one that decided, of those that were about the unit as it was;
    /// none for kinds that no policy rule is about.
    private func rulesAsked(by decision: Recorded<OwnershipDecision>) -> [ClaimRule] {
        guard purchase.kind?.known?.isAccountScoped != true else { return [] }
        let rules = view.policy.policy.claimRules
        let last = rules.firstIndex { $0.isNamed(by: decision) } ?? rules.count - 1
        let wasOwned = !decision.value.ownersBefore.isEmpty
        return rules.prefix(last + 1).filter {
            wasOwned ? $0.verb.speaksOfOwned : $0.verb.speaksOfUnowned
        }
    }
}

/// Decisions on the same claim.
extension ClaimEvaluation {
    private var lastDecision: Recorded<OwnershipDecision>? {
        newestDecision(of: [claim.account]) { _ in true }
    }

    /// The newest on a claim of these accounts on the same transaction and occasion.
    private func newestDecision(
        of accounts: Set<AccountID>, where isMeant: (OwnershipDecision) -> Bool
    ) -> Recorded<OwnershipDecision>? {
        let same = view.facts.claims.filter {
            accounts.contains($0.value.account) && $0.value.transaction == claim.transaction
                && $0.value.moment == claim.moment
        }
        guard !same.isEmpty else { return nil }
        let causes = Set(same.map(\.sequence))
        return view.facts.decisions
            .filter { causes.contains($0.value.cause) && isMeant($0.value) }
            .max { $0.sequence < $1.sequence }
    }
}

extension Condition {
    var asksForStanding: Bool { states != nil || paid != nil || quantities != nil }
}

extension ClaimRule {
    fileprivate func isNamed(by decision: Recorded<OwnershipDecision>) -> Bool {
        reference == decision.value.rule
    }
}
