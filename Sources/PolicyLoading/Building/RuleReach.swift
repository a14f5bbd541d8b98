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

    init(_ rule: AccessRule) {
        name = rule.reference.name
        (when, unless, only) = (rule.when, rule.unless, rule.only.map(Set.init))
    }

    init(_ rule: ClaimRule) {
        name = rule.reference.name
        (when, unless, only) = (rule.when, rule.unless, nil)
    }

    /// Whether it decides every case of the other. Conditions that merely overlap are left
    /// alone.
    func covers(_ other: RuleReach) -> Bool {
        guard when.isImplied(by: other.when) else { return false }
        guard unless == nil || unless == other.unless else { return false }
        guard let only else { return true }
        return other.only.map(only.isSuperset) ?? false
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
