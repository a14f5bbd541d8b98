internal import EntitlementModel

/// The first rule that matches decides, so a rule behind one that matches whatever it does is
/// never asked.
extension PolicyBuilder {
    /// Warns of rules that can never apply. To be asked only where there are no errors.
    mutating func checkReach(_ policy: Policy) {
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

    /// Whether it decides every case of the other: it has no condition, or the very same one.
    /// Conditions that merely overlap are left alone.
    func covers(_ other: RuleReach) -> Bool {
        guard when == Condition() || when == other.when else { return false }
        guard unless == nil || unless == other.unless else { return false }
        guard let only else { return true }
        return other.only.map(only.isSuperset) ?? false
    }
}
