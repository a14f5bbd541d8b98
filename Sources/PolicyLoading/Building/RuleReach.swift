internal import EntitlementModel

/// What a single rule shows; what all of them together do is proved elsewhere (`PolicyAnalysis`).
extension PolicyBuilder {
    /// Warns of rules that grant whatever happens. To be asked only where there are no errors.
    mutating func checkReach(_ policy: Policy) {
        for (section, rule) in zip(ruleSections("access"), policy.accessRules)
        where rule.effect == .grant && rule.when == Condition() && rule.unless == nil {
            problems.add(
                .grantsAlways, at: section.value("name")?.span, .written(rule.reference.name))
        }
    }
}
