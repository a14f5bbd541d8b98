package import EntitlementModel

/// The evaluation of one claim by the claim rules, with everything they depend on (spec 1.6).
struct ClaimEvaluation {
    let claim: Claim
    let recordedAt: Instant
    let view: FactView
    let unit: OwnedUnit
    let purchase: Purchase
    let ownerships: OwnershipIndex
    let ownership: UnitOwnership
    /// The account that the purchase's token names.
    let namedAccount: AccountID?
    /// What people have said of the unit.
    let personDecisions: PersonDecisions

    /// Nil for a transaction that is not known or has no effect.
    init?(_ claim: Claim, recordedAt: Instant, view: FactView) {
        guard let (unit, purchase) = view.unit(of: claim.transaction) else { return nil }
        self.claim = claim
        self.recordedAt = recordedAt
        self.view = view
        self.unit = unit
        self.purchase = purchase
        ownerships = OwnershipIndex(view)
        ownership = ownerships.ownership(of: unit)
        personDecisions = PersonDecisions(ownership, view.facts)
        namedAccount =
            claim.hasErasedToken
            ? nil
            : AccountTokens(view).account(
                namedBy: purchase, of: unit, besides: personDecisions.released)
    }

    var token: TokenMatch {
        guard let namedAccount else { return .none }
        return namedAccount == claim.account ? .matches : .other
    }

    var judged: JudgedClaim {
        if ownership.owners.contains(claim.account) {
            return verdict(.alreadyOwned, .ownClaim, isRecorded: false)
        }
        if Blocks(on: claim.account, in: view).close(at: recordedAt) {
            return toldOnce(.accountClosed, .closedAccount)
        }
        if isTakenByUndo { return toldOnce(.denied, .takenByHand) }
        guard let first = standingDecision else {
            return comesBack ? judgedUnowned : judgedAnew
        }
        if asksForStanding(first) {
            let judged = judgedAnew
            let isSameRule =
                judged.rule == first.value.rule
                || judged.rule.isBuiltIn && first.value.rule.isBuiltIn
            if !isSameRule || judged.outcome != first.value.outcome { return judged }
        }
        return verdict(first.value.outcome, first.value.rule, isRecorded: false)
    }

    /// Whether only people who were erased have it, and the claimant presents it for the first time:
    /// whoever was refused before is refused as before.
    private var comesBack: Bool {
        claim.isReturn && !ownership.owners.isEmpty
            && ownership.owners.allSatisfy(claim.erasedOwners.contains)
            && standingDecision == nil
    }

    private var judgedAnew: JudgedClaim {
        ownership.owners.isEmpty ? judgedUnowned : judgedOwned
    }

    /// A person's decision comes first. Of the policy's rules only `deny` and `inherit` apply to
    /// units without an owner; then the token decides, and otherwise the first claim owns.
    private var judgedUnowned: JudgedClaim {
        if isReleased, [.listed, .notification].contains(claim.moment) {
            return toldOnce(.denied, .takenByHand)
        }
        if let rule = ruleOfUnowned {
            if rule.verb == .deny { return refused(.denied, rule.reference) }
            return heir == claim.account
                ? owned(by: rule.reference) : refused(.kept, rule.reference)
        }
        if token == .other { return refused(.token, .token) }
        if view.needsPersonDecision(purchase) { return refused(.waiting, .beforeClaims) }
        if claim.isReturn, ownership.changes.isEmpty || comesBack,
            view.policy.policy.onReturn == .ask
        {
            return refused(.waiting, .ownerErased)
        }
        return owned(by: .firstClaim)
    }

    /// The claimant becomes the owner of a unit without one. The past of what somebody had who was
    /// erased is nobody's.
    private func owned(by rule: RuleReference) -> JudgedClaim {
        let isFirst = ownership.changes.isEmpty && !claim.isReturn
        return verdict(
            .accepted, rule, owners: [claim.account], from: isFirst ? .distantPast : recordedAt)
    }

    private var judgedOwned: JudgedClaim {
        let isListed = claim.moment == .listed
        if purchase.kind?.known?.isAccountScoped == true {
            return isListed
                ? toldOnce(.ownedByOther, .accountScoped) : refused(.kept, .accountScoped)
        }
        let rules =
            view.policy.policy.claimRules.filter(\.verb.speaksOfOwned)
            + builtInClaimRules.dropFirst()
        guard let rule = rules.first(where: matches) else {
            preconditionFailure("the last built-in claim rule matches every claim")
        }
        if isListed { return listed(rule) }
        switch rule.verb {
        case .keep, .inherit: return refused(.kept, rule.reference)
        case .deny: return refused(.denied, rule.reference)
        case .ask: return refused(.waiting, rule.reference)
        case .transfer, .transferIfInactive:
            if isSharedByTheFamily { return refused(.kept, .familyShared) }
            if isFresh { return refused(.kept, .freshPurchase) }
            if rule.verb == .transferIfInactive, wasPaid {
                return refused(.kept, rule.reference)
            }
            return moved(by: rule, to: [claim.account])
        case .share(let maximum):
            guard ownership.owners.count < maximum else { return refused(.limit, rule.reference) }
            return moved(by: rule, to: (ownership.owners + [claim.account]).sorted())
        }
    }

    /// A list of the device's purchases takes nothing from an owner: at most the unit is shared.
    private func listed(_ rule: ClaimRule) -> JudgedClaim {
        guard case .share(let maximum) = rule.verb, ownership.owners.count < maximum,
            !isReleased, excess(over: rule.limits) == nil
        else { return toldOnce(.ownedByOther, .listed) }
        return moved(by: rule, to: (ownership.owners + [claim.account]).sorted())
    }

    /// A purchase claim never moves what the family shares (spec 1.6, "Families").
    private var isSharedByTheFamily: Bool {
        claim.moment == .purchase && purchase.ownership(in: view) == .familyShared
    }

    func matches(_ rule: ClaimRule) -> Bool {
        guard holds(rule.when) else { return false }
        return !(rule.unless.map(holds) ?? false)
    }

    private func holds(_ condition: Condition) -> Bool {
        guard isNamed(by: condition.moments),
            condition.tokens?.contains(token) ?? true,
            condition.admits(purchase.productID, purchase.catalogued(in: view))
        else { return false }
        let known = condition.asksForStanding ? standing(at: recordedAt) : nil
        if let counts = condition.quantities {
            let quantity = known?.seats ?? 1
            guard counts.contains(where: { $0.range.contains(quantity) }) else { return false }
        }
        var circumstances = Circumstances(
            purchased: purchase.start, firstPurchased: purchase.start, enteredAt: recordedAt,
            storefront: purchase.storefront(in: view), account: claim.account)
        circumstances.bits.set(.state, to: known?.state)
        circumstances.bits.set(.paid, to: known.map { $0.state == .active ? PaidWord.yes : .no })
        circumstances.bits.set(.kind, to: purchase.kind?.known)
        circumstances.bits.set(.environment, to: unit.environment)
        circumstances.bits.set(.ownership, to: OwnershipWord(purchase.ownership(in: view)))
        circumstances.bits.set(.offer, to: OfferWord(purchase.offer(in: view)))
        let compiled = CompiledCondition(
            condition, foldsAccounts: view.policy.policy.foldsAccounts)
        return compiled.holds(circumstances, at: recordedAt)
    }

    /// A unit without an owner is restored by being listed, too.
    private func isNamed(by moments: [ClaimMoment]?) -> Bool {
        guard let moments else { return true }
        if moments.contains(claim.moment) { return true }
        return claim.moment == .listed && (ownership.owners.isEmpty || comesBack)
            && moments.contains(.restore)
    }

    /// Whether the unit was paid for just before (spec 1.6, `transfer-if-inactive`): neither the
    /// leeway of a late renewal nor rights after the end are paid for.
    var wasPaid: Bool {
        let isNew = claim.moment == .purchase && !hasOwnedByThisPurchase
        let instant = isNew ? purchase.start.advanced(byMilliseconds: -1) : recordedAt
        return standing(at: instant).map { [.active, .grace].contains($0.state) } ?? false
    }

    /// The state of the unit by what is known, and the seats of its period, if it has one; nil where
    /// it has no state.
    private func standing(at instant: Instant) -> (state: EntitlementState, seats: Int64?)? {
        let index = UnitIndex(view, ownerships: ownerships) { unit == .lineage($0) }
        guard let derived = index.units.first(where: { $0.unit == unit }),
            let span = derived.states.spanIndex(at: instant)
        else { return nil }
        let states = derived.states
        let period = states.purchases[states.purchaseOfSpan[span]]
        let hasPeriods = derived.kind.isKnown(.autoRenewable)
        return (states.spans[span].state, hasPeriods ? period.seats(in: view) : nil)
    }
}

extension ClaimEvaluation {
    /// Gives the unit to other owners, unless it moved too lately or too often.
    private func moved(by rule: ClaimRule, to owners: [AccountID]) -> JudgedClaim {
        if let excess = excess(over: rule.limits) {
            return refused(rule.limits.excess == .ask ? .waiting : excess, rule.reference)
        }
        return verdict(.accepted, rule.reference, owners: owners, from: recordedAt)
    }

    /// The limit that one more move would be beyond; nil within all.
    private func excess(over limits: ClaimLimits) -> ClaimDenial? {
        guard limits.cooldown != nil || limits.moves != nil else { return nil }
        let moves = moves
        if let cooldown = limits.cooldown, let last = moves.max(),
            recordedAt < cooldown.end(from: last)
        {
            return .cooldown
        }
        if let limit = limits.moves {
            let counted = moves.filter { recordedAt < limit.window.end(from: $0) }
            if counted.count >= limit.count { return .limit }
        }
        return nil
    }

    /// When the unit was moved to an account that did not own it, unless that was undone.
    var moves: [Instant] {
        OwnershipPlaces(ownership).moves.map(\.recordedAt)
    }

    /// A claim that waits keeps waiting.
    private func refused(_ refusal: ClaimDenial, _ rule: RuleReference) -> JudgedClaim {
        verdict(.denied(refusal), rule, isRecorded: refusal != .waiting || !isWaiting)
    }

    /// Says the same, whatever is presented, until the owners change: it is recorded once.
    private func toldOnce(_ refusal: ClaimDenial, _ rule: RuleReference) -> JudgedClaim {
        verdict(.denied(refusal), rule, isRecorded: !isTold(refusal))
    }

    private func verdict(
        _ outcome: ClaimOutcome, _ rule: RuleReference, owners: [AccountID]? = nil,
        from: Instant? = nil, isRecorded: Bool = true
    ) -> JudgedClaim {
        JudgedClaim(
            claim: claim, unit: unit, outcome: outcome, rule: rule,
            ownersBefore: ownership.owners, ownersAfter: owners ?? ownership.owners,
            from: from ?? recordedAt, isRecorded: isRecorded)
    }
}

extension Contribution {
    func isGranted(at instant: Instant) -> Bool {
        spans.contains { $0.isGranted && $0.interval.contains(instant) }
    }
}

/// The decision on a claim. It becomes an `OwnershipDecision` in the commit that records the claim,
/// and is never evaluated again (spec 1.6).
package struct JudgedClaim: Hashable, Sendable {
    package var claim: Claim
    package var unit: OwnedUnit
    package var outcome: ClaimOutcome
    package var rule: RuleReference
    /// Sorted.
    package var ownersBefore: [AccountID]
    /// Sorted.
    package var ownersAfter: [AccountID]
    /// From when `ownersAfter` own it.
    package var from: Instant
    /// False for the owner's own claim and for one that is answered as the first time: they are
    /// answered, not recorded.
    package var isRecorded: Bool

    /// The fact to append. `cause` is the ledger entry of the claim.
    package func decision(cause: LedgerSequence, policy: Digest256) -> OwnershipDecision {
        OwnershipDecision(
            cause: cause, unit: unit, transactionID: claim.transaction.transactionID,
            outcome: outcome, rule: rule, policy: policy, ownersBefore: ownersBefore,
            ownersAfter: ownersAfter, from: from)
    }
}

/// Judges a claim, once, by the policy in force and the facts recorded before it. `facts`
/// include the snapshots that came with the same evidence.
///
/// The claim itself comes first, then claims that follow from it in the same commit: a purchase
/// whose token names another account is claimed for that account. Empty for a transaction that
/// is not known or has no effect.
package func judge(
    _ claim: Claim, recordedAt: Instant, policies: PolicyHistory, facts: FactSet
) -> [JudgedClaim] {
    Deriver(policies: policies).judge(claim, recordedAt: recordedAt, facts)
}

extension Deriver {
    /// The account that the token of the purchase names.
    package func account(namedBy payment: TransactionKey, _ facts: FactSet) -> AccountID? {
        let view = FactView(facts, policy: policy)
        return view.unit(of: payment).flatMap { unit, purchase in
            AccountTokens(view).account(namedBy: purchase, of: unit, besides: [])
        }
    }

    /// As the free function `judge(_:recordedAt:policies:facts:)`.
    package func judge(
        _ claim: Claim, recordedAt: Instant, _ facts: FactSet
    ) -> [JudgedClaim] {
        var claim = claim
        claim.account = policy.policy.name(claim.account)
        claim.erasedOwners = claim.erasedOwners.map(policy.policy.name)
        let view = FactView(facts, policy: policy)
        guard let evaluation = ClaimEvaluation(claim, recordedAt: recordedAt, view: view) else {
            return []
        }
        let judged = evaluation.judged
        guard judged.outcome == .denied(.token), judged.isRecorded,
            let named = evaluation.namedAccount
        else {
            return [judged]
        }
        var following = claim
        (following.account, following.order) = (named, nil)
        let second = ClaimEvaluation(following, recordedAt: recordedAt, view: view)
        return [judged] + (second.map { [$0.judged] } ?? [])
    }
}
