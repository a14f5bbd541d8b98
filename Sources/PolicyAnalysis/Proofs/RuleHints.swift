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
                states.allSatisfy({ !Self.given.contains($0) }),
                let late = ages.first(where: { $0.bounds?.earliest.map { $0 > 0 } ?? false }),
                !isGranted(states, beside: index)
            else { return nil }
            return PolicyFinding(
                .beginsLate, .rule(.access, index), at: ["when", late.key],
                facts: [.written(rule.reference.name), .written(late.key)],
                help: late.bounds?.end.map { .write("\(late.key): under \($0.text)") })
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

    /// Whether another rule gives all of it in one of the states, from some time on.
    private func isGranted(_ states: [EntitlementState], beside index: Int) -> Bool {
        let own = policy.accessRules[index]
        return policy.accessRules.enumerated().contains { other, rule in
            other != index && rule.effect == .grant && rule.only == nil
                && (rule.when.states?.contains(where: states.contains) ?? true)
                && own.when.isWithin(rule.when)
        }
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
