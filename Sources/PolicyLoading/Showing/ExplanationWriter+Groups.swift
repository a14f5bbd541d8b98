internal import EntitlementModel

/// Groups of subscriptions, and their levels.
extension ExplanationWriter {
    func group(_ name: String) -> [PolicyExplanation] {
        guard let group = policy.groups.first(where: { $0.key.text == name }) else { return [] }
        let levels = group.value.levels.map { level in
            let products = products(of: group.key, level)
            return products.isEmpty
                ? level.text : "\(level.text): \(products.joined(separator: ", "))"
        }
        return [
            PolicyExplanation(
                .group, name,
                [
                    (.title, titles(group.value.title)), (.levels, levels),
                    (.products, products(of: group.key, nil)),
                    (.rules, rules { $0.names(group.key, group.value.levels) }),
                ])
        ]
    }

    /// One for each group that has a level of this name.
    func levels(_ name: String) -> [PolicyExplanation] {
        let groups = policy.groups.sorted { $0.key.text < $1.key.text }
        return groups.compactMap { group in
            guard let level = group.value.levels.first(where: { $0.text == name }) else {
                return nil
            }
            return PolicyExplanation(
                .level, name,
                [
                    (.ofGroup, [group.key.text]), (.products, products(of: group.key, level)),
                    (.rules, rules { $0.names(level, of: group.key) }),
                ])
        }
    }

    /// The products of a level; without one, those of a group that have no level.
    private func products(of group: GroupName, _ level: LevelName?) -> [String] {
        policy.products.values.filter { $0.group == group && $0.level == level }
            .map { "\($0.id.text) (\($0.kind.rawValue))" }.sorted()
    }

    /// Those of all lists with a condition that is wanted, in the order in which they are tried.
    private func rules(_ isWanted: (Condition) -> Bool) -> [String] {
        func lines(
            _ list: String, _ rules: [(RuleReference, Condition, Condition?, then: String)]
        ) -> [String] {
            rules.filter { isWanted($0.1) || $0.2.map(isWanted) ?? false }.map { rule in
                "\(list), \(rule.then): \(rule.0.name) (\(place(rule.0)))"
            }
        }
        let access = policy.accessRules.map {
            ($0.reference, $0.when, $0.unless, then: $0.effect.rawValue)
        }
        let claims = policy.claimRules.map {
            ($0.reference, $0.when, $0.unless, then: $0.verb.word)
        }
        let refunds = policy.refundRules.map {
            ($0.reference, $0.when, $0.unless, then: $0.answer.rawValue)
        }
        return lines("access", access) + lines("account_switch", claims)
            + lines("refund_answers", refunds)
    }
}

extension Condition {
    /// Whether it has the name of a group, or of one of its levels without that of another group.
    fileprivate func names(_ group: GroupName, _ levels: [LevelName]) -> Bool {
        groups?.contains(group) ?? false || levels.contains { names($0, of: group) }
    }

    fileprivate func names(_ level: LevelName, of group: GroupName) -> Bool {
        levels?.contains(level) ?? false && groups?.contains(group) ?? true
    }
}
