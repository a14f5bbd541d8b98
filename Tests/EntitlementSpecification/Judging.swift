package import EntitlementModel

/// What a claim comes to (spec 1.6).
package struct SpecifiedJudgement: Hashable, Sendable {
    package var unit: OwnedUnit
    package var outcome: ClaimOutcome
    /// Nil where no policy rule decided.
    package var rule: RuleReference?
    package var ownersBefore: [AccountID]
    package var ownersAfter: [AccountID]
    package var from: Instant
    /// False for the owner's own claim, and for the same claim again.
    package var isRecorded = true
    /// For the refusal `token`: the account that the token names, which claims the unit next.
    package var named: AccountID?
}

/// Judging a claim, once, by the policy in force and the facts before it (spec 1.6).
extension Specification {
    /// Nil where the presented transaction is not known.
    package func judgement(of presented: Claim, recordedAt: Instant) -> SpecifiedJudgement? {
        var claim = presented
        claim.account = name(presented.account)
        claim.erasedOwners = presented.erasedOwners.map(name)
        guard let purchase = purchase(named: claim.transaction) else { return nil }
        let owners = decisions(on: purchase.unit).last?.value.ownersAfter ?? []
        var judgement = SpecifiedJudgement(
            unit: purchase.unit, outcome: .alreadyOwned, rule: nil, ownersBefore: owners,
            ownersAfter: owners, from: recordedAt)
        if owners.contains(claim.account) {
            judgement.isRecorded = false
            return judgement
        }
        if isStopped(claim.account, for: .closure, at: recordedAt) {
            deny(.accountClosed, claim, on: purchase.unit, in: &judgement)
            return judgement
        }
        if isTakenByUndo(purchase.unit, from: claim.account) {
            deny(.denied, claim, on: purchase.unit, in: &judgement)
            return judgement
        }
        let first = standingRefusal(of: claim, on: purchase, recordedAt: recordedAt)
        guard let first else {
            let areErased = owners.allSatisfy(claim.erasedOwners.contains)
            return judged(
                claim, purchase, judgement, recordedAt: recordedAt,
                comesBack: claim.isReturn && !owners.isEmpty && areErased)
        }
        if isAboutState(first, purchase) {
            let again = judged(claim, purchase, judgement, recordedAt: recordedAt)
            let isSameRule = again.rule.map { $0 == first.rule } ?? (first.rule.file == "built-in")
            if again.outcome != first.outcome || !isSameRule { return again }
        }
        judgement.isRecorded = false
        judgement.outcome = first.outcome
        judgement.rule = first.rule
        return judgement
    }

    /// As if it came for the first time.
    private func judged(
        _ claim: Claim, _ purchase: Purchase, _ start: SpecifiedJudgement, recordedAt: Instant,
        comesBack: Bool = false
    ) -> SpecifiedJudgement {
        var judgement = start
        let owners = judgement.ownersBefore
        let subject = claimCase(of: purchase, claim: claim, recordedAt: recordedAt)
        // A policy rule on an account-scoped kind would be an error.
        let isAccountScoped = purchase.kind?.known?.isAccountScoped == true
        if owners.isEmpty || comesBack {
            claimUnowned(purchase, subject: subject, claim: claim, in: &judgement)
            return judgement
        }
        if isAccountScoped, claim.moment == .listed {
            deny(.ownedByOther, claim, on: purchase.unit, in: &judgement)
            return judgement
        }
        let rule =
            isAccountScoped
            ? nil : policy.claimRules.first { $0.verb != .inherit && $0.matches(subject) }
        judgement.rule = rule?.reference
        if claim.moment == .listed, !isShared(by: rule, purchase, claim, recordedAt: recordedAt) {
            judgement.rule = nil
            deny(.ownedByOther, claim, on: purchase.unit, in: &judgement)
            return judgement
        }
        if rule?.verb == .deny {
            judgement.outcome = .denied(.denied)
            return judgement
        }
        let verb = rule?.verb ?? defaultVerb(subject, isAccountScoped: isAccountScoped)
        if verb.moves,
            isKeptInTheFamily(purchase, claim)
                || isKeptForTheDay(purchase, claim, recordedAt: recordedAt)
        {
            judgement.rule = nil
            judgement.outcome = .denied(.kept)
            return judgement
        }
        let refusal = refusal(
            of: verb, limits: rule?.limits ?? ClaimLimits(), purchase: purchase, claim: claim,
            recordedAt: recordedAt)
        if let refusal {
            judgement.outcome = .denied(refusal)
            judgement.isRecorded = refusal != .waiting || !isWaiting(claim)
            return judgement
        }
        judgement.outcome = .accepted
        judgement.ownersAfter = [claim.account]
        if case .share = verb { judgement.ownersAfter = (owners + [claim.account]).sorted() }
        return judgement
    }

    /// The first accepted claim owns the unit, for its whole past too; after a release, from
    /// the claim on. The first `deny` or `inherit` that matches decides; then, a token that names
    /// another account lets nobody else be first.
    private func claimUnowned(
        _ purchase: Purchase, subject: RuleCase, claim: Claim,
        in judgement: inout SpecifiedJudgement
    ) {
        if [.listed, .notification].contains(claim.moment),
            released(purchase.unit).contains(claim.account)
        {
            deny(.denied, claim, on: purchase.unit, in: &judgement)
            return
        }
        var subject = subject
        subject.restoresByListing = true
        let heir = heir(of: purchase.unit)
        let isAccountScoped = purchase.kind?.known?.isAccountScoped == true
        let rule = policy.claimRules.first { rule in
            if isAccountScoped || !rule.matches(subject) { return false }
            if rule.verb == .deny { return true }
            return rule.verb == .inherit && heir != nil && subject.token == TokenMatch.none
        }
        judgement.rule = rule?.reference
        if let rule, rule.verb == .deny || heir != claim.account {
            judgement.outcome = .denied(rule.verb == .deny ? .denied : .kept)
            return
        }
        if rule == nil, subject.token == .other {
            judgement.outcome = .denied(.token)
            judgement.named = accountNamed(by: purchase)
            return
        }
        if isAccountScoped, let first = policy.claimsFrom, purchase.start < first {
            judgement.outcome = .denied(.waiting)
            judgement.isRecorded = !isWaiting(claim)
            return
        }
        let isFirst = changes(of: purchase.unit).isEmpty
        if rule == nil, claim.isReturn, isFirst || !judgement.ownersBefore.isEmpty,
            policy.onReturn == .ask
        {
            judgement.outcome = .denied(.waiting)
            judgement.isRecorded = !isWaiting(claim)
            return
        }
        judgement.outcome = .accepted
        judgement.ownersAfter = [claim.account]
        if isFirst, !claim.isReturn { judgement.from = .distantPast }
    }

    /// Whoever has all that anybody has of the Apple ID's other lineages, if it is one account.
    func heir(of unit: OwnedUnit) -> AccountID? {
        guard case .lineage(let own) = unit else { return nil }
        let others = lineages.filter { $0 != own && appleIDs.areTheSame($0, own) }
        let owners = others.reduce(into: Set<AccountID>()) {
            $0.formUnion(lastOwners(of: .lineage($1)))
        }
        return owners.count == 1 ? owners.first : nil
    }

    private func defaultVerb(_ subject: RuleCase, isAccountScoped: Bool) -> ClaimVerb {
        if isAccountScoped { return .keep }
        let isOwnPurchase = subject.moment == .purchase && subject.token == .matches
        return isOwnPurchase ? .transferIfInactive : .keep
    }

    /// Why a claim on a unit of somebody else is refused; nil where it is accepted.
    private func refusal(
        of verb: ClaimVerb, limits: ClaimLimits, purchase: Purchase, claim: Claim,
        recordedAt: Instant
    ) -> ClaimDenial? {
        switch verb {
        // `inherit` is not asked about what somebody owns.
        case .keep, .inherit: return .kept
        case .deny: return .denied
        case .ask: return .waiting
        case .share(let maximum):
            if lastOwners(of: purchase.unit).count >= maximum { return .limit }
        case .transfer: break
        case .transferIfInactive:
            if isPaidJustBefore(claim, purchase, recordedAt: recordedAt) { return .kept }
        }
        let broken = broken(limits, unit: purchase.unit, recordedAt: recordedAt)
        return broken != nil && limits.excess == .ask ? .waiting : broken
    }

    /// What the family shares is never moved by a purchase claim of somebody else.
    private func isKeptInTheFamily(_ purchase: Purchase, _ claim: Claim) -> Bool {
        purchase.current.ownership == .familyShared && claim.moment == .purchase
    }

    /// Just before the purchase, or for other occasions just now: paid for, or in Apple's grace.
    func isPaidJustBefore(_ claim: Claim, _ purchase: Purchase, recordedAt: Instant) -> Bool {
        let hasHadIt = facts.claims.contains { presented in
            account(standingFor: presented.value.account) == account(standingFor: claim.account)
                && self.purchase(named: presented.value.transaction) == purchase
                && facts.decisions.contains {
                    $0.value.cause == presented.sequence && $0.value.outcome == .accepted
                }
        }
        let before =
            claim.moment == .purchase && !hasHadIt
            ? purchase.start.advanced(byMilliseconds: -1) : recordedAt
        let state = state(of: purchase.unit, at: before)?.0
        return state == .active || state == .grace
    }

    /// Cool-down and number of moves; the first owning is no move.
    func broken(_ limits: ClaimLimits, unit: OwnedUnit, recordedAt: Instant)
        -> ClaimDenial?
    {
        let moves = moves(of: unit).map { recordedAt.milliseconds(since: $0) }
        if let cooldown = limits.cooldown?.fixedMilliseconds,
            moves.contains(where: { $0 < cooldown })
        {
            return .cooldown
        }
        if let limit = limits.moves, let window = limit.window.fixedMilliseconds,
            moves.count(where: { $0 < window }) >= limit.count
        {
            return .limit
        }
        return nil
    }

    func claimCase(of purchase: Purchase, claim: Claim, recordedAt: Instant) -> RuleCase {
        let product = policy.products[purchase.current.productID]
        return RuleCase(
            kind: purchase.kind?.known, state: state(of: purchase.unit, at: recordedAt)?.0,
            quantity: seats(of: purchase.lineage, at: recordedAt) ?? 1,
            environment: purchase.lineage.environment,
            ownership: purchase.current.ownership, token: tokenMatch(of: purchase, claim: claim),
            moment: claim.moment, product: purchase.current.productID, account: claim.account,
            ignoresCase: policy.app.accountToken == .isAccountID,
            group: product?.group, level: product?.level, at: recordedAt)
    }

    private func tokenMatch(of purchase: Purchase, claim: Claim) -> TokenMatch {
        guard !claim.hasErasedToken, let named = accountNamed(by: purchase) else { return .none }
        return named == claim.account ? .matches : .other
    }

    /// The account of a token, or the one that it was merged into.
    /// Not one that a release took the unit from.
    ///
    /// - Parameter instant: what was recorded later is not known then.
    func accountNamed(by purchase: Purchase, asOf instant: Instant? = nil) -> AccountID? {
        guard let first = firstAccountNamed(by: purchase, asOf: instant) else { return nil }
        let standing = account(standingFor: first, boughtAt: bought(purchase), asOf: instant)
        let released = released(purchase.unit, asOf: instant)
        return released.contains(first) || released.contains(standing) ? nil : standing
    }

    /// As registered, else, if the policy says so, of the token's name.
    private func firstAccountNamed(
        by purchase: Purchase, asOf instant: Instant?
    ) -> AccountID? {
        guard let token = purchase.current.appAccountToken else { return nil }
        let registration = facts.accountTokens
            .filter { known in
                known.value.token == token && instant.map { known.recordedAt <= $0 } ?? true
            }
            .max { $0.sequence < $1.sequence }
        if let registration { return registration.value.account }
        return policy.app.accountToken == .isAccountID ? AccountID(token.text) : nil
    }
}

extension ClaimVerb {
    /// Whether the unit goes from one account to another.
    fileprivate var moves: Bool { self == .transfer || self == .transferIfInactive }
}
