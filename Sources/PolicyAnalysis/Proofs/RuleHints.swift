internal import EntitlementModel
internal import PolicyLoading

/// What is read from single rules, and is hardly ever meant.
struct RuleHints {
    private let policy: Policy

    init(_ policy: Policy) {
        self.policy = policy
    }

    var findings: [PolicyFinding] {
        testPurchasesForAll + lateBeginnings + earlyEnds + refundsEverything
    }

    /// Rules by which Apple is told to give all the money back, whatever was bought.
    private var refundsEverything: [PolicyFinding] {
        policy.refundRules.enumerated().compactMap { index, rule in
            guard rule.answer == .grant, rule.when == Condition() else { return nil }
            return PolicyFinding(
                .refundsEverything, .rule(.refundAnswers, index), at: ["then"],
                facts: [.written(rule.reference.name)])
        }
    }

    /// Rules that give what was bought for nothing, in a test environment, to any account.
    private var testPurchasesForAll: [PolicyFinding] {
        policy.accessRules.enumerated().compactMap { index, rule in
            guard rule.effect == .grant,
                rule.when.accounts?.contains(where: { $0.text == "*" }) ?? true,
                let test = rule.when.environments?.first(where: {
                    $0 != .production && policy.environments[$0] == .trusted
                })
            else { return nil }
            return PolicyFinding(
                .testPurchasesForAll, .rule(.access, index), at: ["when", "environment"],
                facts: [.written(rule.reference.name), .written(test.rawValue)])
        }
    }

    /// Rules that give a right back some time after it was lost: the word `under` was most likely
    /// meant. Where another rule grants the state before that, the ages are meant.
    private var lateBeginnings: [PolicyFinding] {
        policy.accessRules.enumerated().compactMap { index, rule in
            let ages: [(key: String, bounds: [AgeBound]?)] = [
                ("state_age", rule.when.stateAges), ("unpaid_for", rule.when.unpaidFor),
            ]
            guard rule.effect == .grant, let states = rule.when.states,
                let late = ages.first(where: { $0.bounds?.earliest.map { $0 > 0 } ?? false }),
                let earliest = late.bounds?.earliest
            else { return nil }
            let others = granting(states, beside: index)
            let ends = others.compactMap { end(of: $0, late.key, within: states, before: earliest) }
            let isGiven = states.contains(where: Self.given.contains)
            guard ends.count == others.count, !(isGiven && ends.isEmpty) else { return nil }
            let gap = ends.max { $0.milliseconds < $1.milliseconds }
            return PolicyFinding(
                .beginsLate, .rule(.access, index), at: ["when", late.key],
                facts: [.written(rule.reference.name), .written(late.key)],
                help: late.bounds?.written(late.key, from: gap?.length).map { .write($0) })
        }
    }

    /// Rules that withhold what the built-in rules give at the beginning of a state, and not later.
    private var earlyEnds: [PolicyFinding] {
        policy.accessRules.enumerated().compactMap { index, rule in
            guard rule.effect == .withhold, let states = rule.when.states,
                states.allSatisfy({ $0 == .grace || $0 == .renewing }),
                case .under(let age)? = rule.when.stateAges?.first, rule.when.stateAges?.count == 1
            else { return nil }
            return PolicyFinding(
                .beginsLate, .rule(.access, index), at: ["when", "state_age"],
                facts: [.written(rule.reference.name), .written("state_age")],
                help: .write("state_age: at least \(age.text)"))
        }
    }

    /// By the built-in rules.
    private static let given: [EntitlementState] = [.active, .grace, .renewing]

    /// Other rules that give all of it in one of the states, from some time on.
    private func granting(_ states: [EntitlementState], beside index: Int) -> [AccessRule] {
        let own = policy.accessRules[index]
        return policy.accessRules.enumerated().compactMap { other, rule in
            let gives =
                other != index && rule.effect == .grant
                && (rule.only == nil || rule.only == own.only)
                && (rule.when.states?.contains(where: states.contains) ?? true)
                && own.when.isWithin(rule.when)
            return gives ? rule : nil
        }
    }

    /// When another rule about the same states ends, if that is some time before an age; nil where
    /// it may give it at that age.
    private func end(
        of rule: AccessRule, _ key: String, within states: [EntitlementState], before age: Int64
    ) -> (milliseconds: Int64, length: Period)? {
        let (bounds, other) =
            key == "state_age"
            ? (rule.when.stateAges, rule.when.unpaidFor)
            : (rule.when.unpaidFor, rule.when.stateAges)
        guard other == nil, let bounds, bounds.count == 1, let length = bounds.end,
            rule.when.states.map(Set.init) == Set(states), !bounds.isOpen,
            let end = length.fixedMilliseconds, end < age
        else { return nil }
        return (end, length)
    }
}

extension Condition {
    /// Whether another condition names what is sold, to whom and when no more narrowly.
    fileprivate func isWithin(_ other: Condition) -> Bool {
        (other.products == nil || other.products == products)
            && (other.groups == nil || other.groups == groups)
            && (other.levels == nil || other.levels == levels)
            && (other.entitlements == nil || other.entitlements == entitlements)
            && (other.accounts == nil || other.accounts == accounts)
            && (other.environments == nil || other.environments == environments)
            && (other.storefronts == nil || other.storefronts == storefronts)
            && (other.purchased == nil || other.purchased == purchased)
            && (other.firstPurchased == nil || other.firstPurchased == firstPurchased)
    }
}

extension [AgeBound] {
    /// Whether there is no end to one of them.
    fileprivate var isOpen: Bool {
        contains { if case .atLeast = $0 { true } else { false } }
    }

    /// The same with an earlier beginning; nil where there are several bounds.
    fileprivate func written(_ key: String, from earlier: Period?) -> String? {
        guard count == 1, let end else { return nil }
        guard let earlier else { return "\(key): under \(end.text)" }
        return isOpen
            ? "\(key): at least \(earlier.text)" : "\(key): from \(earlier.text) to \(end.text)"
    }

    /// The length that was most likely meant as the end; nil where there are several bounds.
    fileprivate var end: Period? {
        guard count == 1, let bound = first else { return nil }
        return switch bound {
        case .under(let age), .atLeast(let age), .between(_, let age): age
        }
    }

    /// Milliseconds.
    fileprivate var earliest: Int64? {
        map { bound -> Int64 in
            switch bound {
            case .under: 0
            case .atLeast(let age), .between(let age, _): age.fixedMilliseconds ?? 0
            }
        }.min()
    }
}
