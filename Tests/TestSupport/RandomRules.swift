internal import EntitlementModel

extension HistoryDraw {
    mutating func accessRule(line: Int) -> AccessRule {
        var when = condition(fields: 1 + dice.below(2))
        if dice.chance(1, in: 4) { when.environments = [dice.pick([.sandbox, .production])] }
        var rule = AccessRule(
            reference: RuleReference(name: "access \(line)", file: "rules.yaml", line: line),
            when: when, effect: dice.pick(AccessRule.Effect.allCases))
        if dice.chance(1, in: 4) { rule.unless = condition(fields: 1) }
        if dice.chance(1, in: 4) { rule.only = dice.some(of: Shelf.entitlements) }
        return rule
    }

    /// Conditions over every field that an access rule may use (spec 2.1).
    private mutating func condition(fields: Int) -> Condition {
        var condition = Condition()
        for _ in 0..<fields {
            switch dice.below(20) {
            case 0: condition.kinds = dice.some(of: ProductKind.allCases)
            case 1, 2, 3: condition.states = dice.some(of: EntitlementState.allCases)
            case 4: condition.ownerships = dice.some(of: OwnershipWord.allCases)
            case 5: condition.offers = dice.some(of: OfferWord.allCases)
            case 6: condition.expiryReasons = dice.some(of: ExpiryReason.allCases)
            case 7: condition.autoRenews = dice.some(of: AutoRenewWord.allCases)
            case 8: condition.revocations = dice.some(of: RevocationWord.allCases)
            case 9: condition.products = [NamePattern(dice.pick(["gold", "*s*", "*", "d*y"]))]
            case 10: condition.accounts = [NamePattern(dice.pick(["alice", "b*", "0*", "*C"]))]
            case 11: condition.groups = [dice.pick([Shelf.membership, Shelf.news])]
            case 12: condition.entitlements = dice.some(of: Shelf.entitlements)
            case 13: condition.levels = dice.some(of: Shelf.levels)
            case 14: condition.storefronts = dice.some(of: ["USA", "CHN"])
            case 15:
                condition.stateAges =
                    dice.chance(1, in: 4) ? [ageBound(), ageBound()] : [ageBound()]
            case 16: condition.unpaidFor = [ageBound()]
            case 17, 18: condition.memberFor = [ageBound()]
            default: dateCondition(in: &condition)
            }
        }
        return condition
    }

    private mutating func ageBound() -> AgeBound {
        let multiple = Int64(1 + dice.below(20))
        let period = Period(multiple * grid, .milliseconds)
        if dice.chance(1, in: 5) {
            return .between(period, Period((multiple + 3) * grid, .milliseconds))
        }
        return dice.chance(1, in: 2) ? .under(period) : .atLeast(period)
    }

    private mutating func dateCondition(in condition: inout Condition) {
        // Of a list, any bound is enough (spec 2.1).
        let bounds = dice.chance(1, in: 4) ? [dateBound(), dateBound()] : [dateBound()]
        switch dice.below(3) {
        case 0: condition.purchased = bounds
        case 1: condition.firstPurchased = bounds
        default: condition.at = bounds
        }
    }

    private mutating func dateBound() -> DateBound {
        let instant = anyInstant()
        if dice.chance(1, in: 5) {
            let other = anyInstant()
            if instant != other { return .within(min(instant, other), max(instant, other)) }
        }
        return dice.chance(1, in: 2) ? .before(instant) : .from(instant)
    }

    /// A rule of `app_purchase`.
    mutating func appRule(line: Int) -> AccessRule {
        var when = Condition()
        if dice.chance(2, in: 3) {
            when.firstVersions = (0...dice.below(2)).map { _ in versionBound() }
        }
        if dice.chance(1, in: 3) { when.bought = [dateBound()] }
        if dice.chance(1, in: 3) { when.environments = [dice.pick([.sandbox, .production])] }
        if dice.chance(1, in: 6) { when.accounts = [NamePattern(dice.pick(["alice", "b*"]))] }
        return AccessRule(
            ofApp: RuleReference(name: "app \(line)", file: "rules.yaml", line: line), when: when,
            grants: dice.some(of: Shelf.entitlements))
    }

    private mutating func versionBound() -> VersionBound {
        let versions = ["1", "2.0", "2.0.1", "3.0", "10"].compactMap { AppVersion($0) }
        let start = dice.pick(versions)
        guard let end = versions.first(where: { $0 > start }), dice.chance(1, in: 3) else {
            return dice.chance(1, in: 2) ? .before(start) : .from(start)
        }
        return .within(start, end)
    }

    mutating func openRight(line: Int) -> OpenRight {
        let windows = (0...dice.below(2)).compactMap { _ in
            let (one, other) = (anyInstant(), anyInstant())
            return Interval(from: min(one, other), to: max(one, other))
        }
        return OpenRight(
            reference: RuleReference(name: "open \(line)", file: "rules.yaml", line: line),
            entitlements: dice.some(of: Shelf.entitlements), windows: windows)
    }

    mutating func claimRule(line: Int) -> ClaimRule {
        var rule = ClaimRule(
            reference: RuleReference(name: "claim \(line)", file: "rules.yaml", line: line),
            when: claimCondition(fields: 1 + dice.below(2)), verb: verb())
        if dice.chance(1, in: 5) { rule.unless = claimCondition(fields: 1) }
        if dice.chance(1, in: 2) {
            rule.limits.cooldown = Period(Int64(dice.below(20)) * grid, .milliseconds)
        }
        if dice.chance(1, in: 3) { rule.limits.excess = .ask }
        if dice.chance(1, in: 3) {
            rule.limits.moves = ClaimLimits.Moves(
                count: 1 + dice.below(2),
                window: Period(Int64(1 + dice.below(40)) * grid, .milliseconds))
        }
        return rule
    }

    private mutating func verb() -> ClaimVerb {
        switch dice.below(12) {
        case 10, 11: .inherit
        case 0: .keep
        case 1, 2, 3: .transfer
        case 4, 5: .transferIfInactive
        case 6: .share(maximum: 1 + dice.below(3))
        case 7, 8: .ask
        default: .deny
        }
    }

    /// Conditions over every field that a claim rule may use (spec 2.1).
    private mutating func claimCondition(fields: Int) -> Condition {
        var condition = Condition()
        for _ in 0..<fields {
            switch dice.below(15) {
            case 0: condition.kinds = dice.some(of: [.autoRenewable, .nonConsumable, .free])
            case 1:
                condition.products = [
                    NamePattern(dice.pick(["gold", "*s*", "*", "app-purchase"]))
                ]
            case 2: condition.groups = [dice.pick([Shelf.membership, Shelf.news])]
            case 3: condition.levels = dice.some(of: Shelf.levels)
            case 4: condition.environments = [dice.pick([.production, .sandbox])]
            case 5: condition.ownerships = dice.some(of: OwnershipWord.allCases)
            case 6, 7: condition.moments = dice.some(of: ClaimMoment.allCases)
            case 8: condition.tokens = dice.some(of: TokenMatch.allCases)
            case 9: condition.accounts = [NamePattern(dice.pick(["alice", "b*", "0*", "*C"]))]
            case 10: condition.states = dice.some(of: EntitlementState.allCases)
            case 11, 12: condition.paid = [dice.pick(PaidWord.allCases)]
            case 13: condition.quantities = [dice.pick([.under(2), .atLeast(3), .exactly(1)])]
            default:
                let instant = anyInstant()
                condition.at = [dice.chance(1, in: 2) ? .before(instant) : .from(instant)]
            }
        }
        return condition
    }
}
