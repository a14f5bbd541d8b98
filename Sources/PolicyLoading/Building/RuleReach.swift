internal import EntitlementModel

/// The first rule that matches decides, so a rule behind one that matches whatever it does is
/// never asked.
extension PolicyBuilder {
    /// Warns of rules that can never apply. To be asked only where there are no errors.
    mutating func checkReach(_ policy: Policy) {
        for (section, rule) in zip(ruleSections("access"), policy.accessRules)
        where rule.effect == .grant && rule.when == Condition() && rule.unless == nil {
            problems.add(
                .grantsAlways, at: section.value("name")?.span, .written(rule.reference.name))
        }
        checkWithholding(policy)
        checkReach("access", policy.accessRules.map(RuleReach.init))
        checkReach("account_switch", policy.claimRules.map(RuleReach.init))
        checkReach("refund_answers", policy.refundRules.map(RuleReach.init))
    }

    private mutating func checkReach(_ list: String, _ rules: [RuleReach]) {
        for (index, section) in ruleSections(list).enumerated() where rules.indices.contains(index)
        {
            let rule = rules[index]
            guard let name = section.value("name"),
                let earlier = rules[..<index].firstIndex(where: { $0.covers(rule) })
            else { continue }
            let other = ruleSections(list)[earlier].value("name")
            problems.add(
                .ruleNeverApplies, at: name.span, .written(rule.name),
                .written(rules[earlier].name),
                related: other.map { [.init(note: .alsoHere, span: $0.span)] } ?? [])
        }
    }
}

/// The cases that a rule decides.
private struct RuleReach {
    let name: String
    private let when: Condition
    private let unless: Condition?
    /// Nil for all.
    private let only: Set<EntitlementName>?
    /// Nil for a rule of another list than `account_switch`.
    private let verb: ClaimVerb?

    init(_ rule: AccessRule) {
        name = rule.reference.name
        verb = nil
        (when, unless, only) = (rule.when, rule.unless, rule.only.map(Set.init))
    }

    init(_ rule: ClaimRule) {
        name = rule.reference.name
        verb = rule.verb
        (when, unless, only) = (rule.when, rule.unless, nil)
    }

    init(_ rule: RefundRule) {
        name = rule.reference.name
        verb = nil
        (when, unless, only) = (rule.when, rule.unless, nil)
    }

    /// Whether it decides every case of the other. Conditions that merely overlap are left
    /// alone.
    func covers(_ other: RuleReach) -> Bool {
        guard when.isImplied(by: other.when) else { return false }
        guard unless == nil || unless == other.unless else { return false }
        if let verb, let asked = other.verb, !verb.isAskedWherever(asked) { return false }
        guard let only else { return true }
        return other.only.map(only.isSuperset) ?? false
    }
}

extension ClaimVerb {
    /// Whether a rule of this verb decides whatever one of the other would be asked about: units
    /// that somebody owns, and units that nobody owns. `inherit` also needs an heir.
    fileprivate func isAskedWherever(_ other: ClaimVerb) -> Bool {
        if other.speaksOfOwned, !speaksOfOwned { return false }
        if other.speaksOfUnowned, !speaksOfUnowned { return false }
        return self != .inherit || other == .inherit
    }
}

extension Condition {
    /// Whether it holds wherever the other does: each of its fields allows all that the other's
    /// allows.
    func isImplied(by other: Condition) -> Bool {
        Self.allows(kinds, other.kinds) && Self.allows(states, other.states)
            && Self.allows(environments, other.environments)
            && Self.allows(ownerships, other.ownerships) && Self.allows(offers, other.offers)
            && Self.allows(expiryReasons, other.expiryReasons)
            && Self.allows(autoRenews, other.autoRenews)
            && Self.allows(revocations, other.revocations)
            && Self.allows(tokens, other.tokens) && Self.allows(moments, other.moments)
            && Self.allows(products, other.products) && Self.allows(accounts, other.accounts)
            && Self.allows(groups, other.groups)
            && Self.allows(entitlements, other.entitlements)
            && Self.allows(levels, other.levels) && Self.allows(storefronts, other.storefronts)
            && Self.allows(stateAges, other.stateAges)
            && Self.allows(unpaidFor, other.unpaidFor)
            && Self.allows(purchased, other.purchased)
            && Self.allows(firstPurchased, other.firstPurchased) && Self.allows(at, other.at)
    }

    /// Of a list any element must hold, so more elements allow more, and no list allows all.
    private static func allows<Element: Hashable>(
        _ list: [Element]?, _ other: [Element]?
    ) -> Bool {
        guard let list else { return true }
        return other.map { Set(list).isSuperset(of: $0) } ?? false
    }
}

/// A policy that gives nothing to anybody is a mistake, however it came about (spec 2.2).
extension PolicyBuilder {
    /// Reports the rule that withholds what all products give. To be asked only where there are
    /// no errors.
    mutating func checkWithholding(_ policy: Policy) {
        let rules = policy.accessRules.map { $0.seen(among: policy.environments) }
        guard let index = Self.withholdingRule(rules, policy),
            ruleSections("access").indices.contains(index)
        else { return }
        problems.add(
            .withholdsEverything, at: ruleSections("access")[index].value("name")?.span,
            .written(rules[index].reference.name))
    }

    /// The first rule by which purchases that are paid for give nothing, where no rule before one
    /// like it grants a thing.
    private static func withholdingRule(_ rules: [AccessRule], _ policy: Policy) -> Int? {
        var first: Int?
        for product in policy.products.values {
            for entitlement in product.entitlements {
                let candidates = RuleCandidate.of(product, giving: entitlement, in: rules)
                for state in product.kind.states {
                    let cell = RuleCell(candidates, of: rules, in: state)
                    if cell.entries.contains(where: \.grants) { return nil }
                    guard state == .active else { continue }
                    guard let last = cell.entries.last, last.isCertain,
                        rules[last.index].namesNothingSold
                    else { return nil }
                    first = min(first ?? last.index, last.index)
                }
            }
        }
        return first
    }
}

extension AccessRule {
    /// Whether it is about whatever is sold. A rule that names what there is to sell is meant, be
    /// it the only product.
    fileprivate var namesNothingSold: Bool {
        let names = when.products?.map(\.text) ?? []
        return (when.products == nil || names.contains("*")) && when.groups == nil
            && when.levels == nil && when.entitlements == nil && only == nil
    }

    /// The rule without the condition that the purchase is of an environment that is trusted.
    fileprivate func seen(
        among environments: [StoreEnvironment: EnvironmentTrust]
    ) -> AccessRule {
        let trusted = environments.filter { $0.value == .trusted }.keys
        guard let named = when.environments, Set(named).isSuperset(of: trusted) else {
            return self
        }
        var rule = self
        rule.when.environments = nil
        return rule
    }
}
