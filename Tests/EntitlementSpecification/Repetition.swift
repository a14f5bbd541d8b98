internal import EntitlementModel

/// The same claim again (spec 1.6).
extension Specification {
    /// The refusal that a claim is answered with, because nothing that it looked at may have
    /// changed since; nil where the claim is to be judged.
    func standingRefusal(
        of claim: Claim, on purchase: Purchase, recordedAt: Instant
    ) -> OwnershipDecision? {
        let selves = accountsStanding(as: claim.account, boughtAt: bought(purchase))
        let byPerson = decisions(on: claim, of: selves).last {
            $0.value.rule.name == "ruled by hand"
        }
        if let byPerson, !hasPersonRuled(on: purchase.unit, claim, since: byPerson) {
            return byPerson.value
        }
        guard let last = decisions(on: claim, of: [claim.account]).last,
            case .denied(let refusal) = last.value.outcome,
            ![.ownedByOther, .accountClosed].contains(refusal),
            !["ruled by hand", "a person took it from the account"].contains(last.value.rule.name),
            last.value.rule.name != "the accounts were merged",
            !hasOwnerChanged(of: purchase.unit, since: last, claim)
        else { return nil }
        let stands =
            refusal == .token
            || last.value.policy == policy.digest
                && !hasTimePassed(last, refusal, purchase, recordedAt)
                && !hasRightEnded(last, refusal, purchase, claim, recordedAt)
                && !isInheritanceOver(last, refusal, purchase, claim)
                && !isDayOver(last, purchase, claim, recordedAt)
        return stands ? last.value : nil
    }

    /// Whether the same claim waits for a person as it is.
    func isWaiting(_ claim: Claim) -> Bool {
        guard let last = decisions(on: claim, of: [claim.account]).last else { return false }
        return last.value.outcome == .denied(.waiting)
            && !facts.rulings.contains {
                $0.value.verb == .approve && $0.value.claim == last.value.cause
            }
    }

    /// What was decided on the same transaction and occasion for any of these accounts.
    private func decisions(
        on claim: Claim, of accounts: Set<AccountID>
    ) -> [Recorded<OwnershipDecision>] {
        facts.decisions.filter { decision in
            facts.claims.contains { earlier in
                earlier.sequence == decision.value.cause
                    && accounts.contains(earlier.value.account)
                    && earlier.value.transaction == claim.transaction
                    && earlier.value.moment == claim.moment
            }
        }.sorted { $0.sequence < $1.sequence }
    }

    /// A ruling that gave or took the unit, or that approved the claimant.
    private func hasPersonRuled(
        on unit: OwnedUnit, _ claim: Claim, since refusal: Recorded<OwnershipDecision>
    ) -> Bool {
        let selves = accountsStanding(
            as: claim.account, boughtAt: bought(claim.transaction) ?? .distantPast)
        return facts.rulings.contains { ruling in
            guard ruling.sequence > refusal.sequence, ruling.value.verb != .refuse else {
                return false
            }
            guard ruling.value.verb == .approve else {
                return facts.decisions.contains {
                    $0.value.cause == ruling.sequence && self.unit(decidedBy: $0.value) == unit
                }
            }
            return facts.claims.contains { approved in
                approved.sequence == ruling.value.claim && selves.contains(approved.value.account)
                    && facts.decisions.contains {
                        $0.value.cause == approved.sequence
                            && self.unit(decidedBy: $0.value) == unit
                    }
            }
        }
    }

    /// By another claim or ruling than the decision's own commit's: there the account that a
    /// token names claims right after the refusal.
    private func hasOwnerChanged(
        of unit: OwnedUnit, since first: Recorded<OwnershipDecision>, _ claim: Claim
    ) -> Bool {
        var owners = first.value.ownersAfter
        for change in changes(of: unit) where change.sequence > first.sequence {
            let isOwn =
                first.value.outcome == .denied(.token)
                && change.recordedAt == first.recordedAt
                && facts.claims.contains { following in
                    following.sequence == change.value.cause
                        && following.sequence.number == first.sequence.number + 1
                        && following.value.transaction == claim.transaction
                        && following.value.moment == claim.moment
                }
            if !isOwn { return true }
            owners = change.value.ownersAfter
        }
        return Set(owners) != lastOwners(of: unit)
    }

    /// An `at` of a rule that was asked, or the cooldown or window of the one that decided.
    private func hasTimePassed(
        _ first: Recorded<OwnershipDecision>, _ refusal: ClaimDenial, _ purchase: Purchase,
        _ recordedAt: Instant
    ) -> Bool {
        var asked: [ClaimRule] = []
        let wasOwned = !first.value.ownersBefore.isEmpty
        for rule in policy.claimRules {
            let speaksOfIt =
                wasOwned ? rule.verb != .inherit : [.deny, .inherit].contains(rule.verb)
            if speaksOfIt { asked.append(rule) }
            if rule.reference == first.value.rule { break }
        }
        // None is asked about what is account-scoped by now; what was denied for a limit ends.
        let isAskedAbout = purchase.kind?.known?.isAccountScoped != true
        let conditions = isAskedAbout ? asked : []
        let bounds = conditions.flatMap { ($0.when.at ?? []) + ($0.unless?.at ?? []) }
        var instants = bounds.flatMap { bound -> [Instant] in
            switch bound {
            case .before(let instant), .from(let instant): [instant]
            case .within(let start, let end): [start, end]
            }
        }
        let decided = asked.last { $0.reference == first.value.rule }
        let moves = moves(of: purchase.unit)
        // A claim beyond a limit may have been left to a person.
        let waits = refusal == .waiting && decided?.limits.excess == .ask
        if refusal == .cooldown || waits, let cooldown = decided?.limits.cooldown,
            let last = moves.max()
        {
            instants.append(cooldown.end(from: last))
        }
        if refusal == .limit || waits, let decided, !isFull(decided, purchase.unit) {
            instants += moves.compactMap { decided.limits.moves?.window.end(from: $0) }
        }
        return instants.contains { first.recordedAt < $0 && $0 <= recordedAt }
    }

    /// Whether a rule that was asked, up to the one that decided, looks at the state of the unit, at
    /// whether it is paid for, or at its seats.
    func isAboutState(_ first: OwnershipDecision, _ purchase: Purchase) -> Bool {
        guard first.rule.name != "ruled by hand", first.outcome != .denied(.token),
            purchase.kind?.known?.isAccountScoped != true
        else { return false }
        for rule in policy.claimRules {
            let speaksOfIt =
                first.ownersBefore.isEmpty
                ? [.deny, .inherit].contains(rule.verb) : rule.verb != .inherit
            let conditions = [rule.when] + (rule.unless.map { [$0] } ?? [])
            let looks = conditions.contains {
                $0.states != nil || $0.paid != nil || $0.quantities != nil
            }
            if speaksOfIt, looks { return true }
            if rule.reference == first.rule { return false }
        }
        return false
    }

    /// Whether an heir that the unit was kept for is none any more, or is the claimant.
    private func isInheritanceOver(
        _ first: Recorded<OwnershipDecision>, _ refusal: ClaimDenial, _ purchase: Purchase,
        _ claim: Claim
    ) -> Bool {
        let isForAnHeir = policy.claimRules.contains {
            $0.reference == first.value.rule && $0.verb == .inherit
        }
        guard refusal == .kept, isForAnHeir else { return false }
        let heir = heir(of: purchase.unit)
        return heir == nil || heir == claim.account
    }

    private func isFull(_ rule: ClaimRule, _ unit: OwnedUnit) -> Bool {
        if case .share(let maximum) = rule.verb {
            lastOwners(of: unit).count >= maximum
        } else {
            false
        }
    }

    /// Whether what was kept on the day of a purchase would be kept so no longer.
    private func isDayOver(
        _ first: Recorded<OwnershipDecision>, _ purchase: Purchase, _ claim: Claim,
        _ recordedAt: Instant
    ) -> Bool {
        first.value.rule.name == "a restore takes nothing that was bought in the last 24 hours"
            && !isKeptForTheDay(purchase, claim, recordedAt: recordedAt)
    }

    /// Whether an owner that was left the unit because it was paid for does not pay now.
    private func hasRightEnded(
        _ first: Recorded<OwnershipDecision>, _ refusal: ClaimDenial, _ purchase: Purchase,
        _ claim: Claim, _ recordedAt: Instant
    ) -> Bool {
        let isForTheRight =
            policy.claimRules.contains {
                $0.reference == first.value.rule && $0.verb == .transferIfInactive
            } || first.value.rule.name == "a lapsed subscription bought by its new account moves"
        guard refusal == .kept, isForTheRight else { return false }
        return !isPaidJustBefore(claim, purchase, recordedAt: recordedAt)
    }
}
