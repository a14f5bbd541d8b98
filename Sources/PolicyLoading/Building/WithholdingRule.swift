internal import EntitlementModel

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
