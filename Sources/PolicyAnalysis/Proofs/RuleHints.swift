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
        testPurchases(.access, policy.accessRules) + testPurchases(.appPurchase, policy.appRules)
    }

    private func testPurchases(_ list: RuleList, _ rules: [AccessRule]) -> [PolicyFinding] {
        rules.enumerated().compactMap { index, rule in
            guard rule.effect == .grant,
                rule.when.accounts?.contains(where: { $0.text == "*" }) ?? true,
                let test = rule.when.environments?.first(where: {
                    $0 != .production && policy.environments[$0] == .trusted
                })
            else { return nil }
            return PolicyFinding(
                .testPurchasesForAll, .rule(list, index), at: ["when", "environment"],
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
                help: late.bounds?.written(late.key, from: gap?.length).map { .writtenLike($0) })
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
                help: .writtenLike("state_age: at least \(age.text)"))
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
        let asked: [ConditionField] = [
            .product, .group, .level, .entitlement, .account, .environment, .storefront,
            .memberFor, .purchased, .firstPurchased,
        ]
        return asked.allSatisfy { other[$0] == nil || other[$0] == self[$0] }
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
    fileprivate var earliest: Int64? { map { $0.range.lower ?? 0 }.min() }
}

/// Exceptions that are written behind what they are exceptions from: an earlier rule, about more
/// people or products and on no other condition, decides the plain cases of a narrower rule to
/// another effect.
struct LateExceptions {
    private let table: CellTable
    /// By rule, which subjects it may decide.
    private let subjects: [Set<Int>]

    init(_ table: CellTable) {
        self.table = table
        var subjects = [Set<Int>](repeating: [], count: table.rules.count)
        for (index, subject) in table.subjects.enumerated() {
            for candidate in subject.candidates { subjects[candidate.rule].insert(index) }
        }
        self.subjects = subjects
    }

    /// - Parameter reported: places in the list of rules of which more is said.
    func findings(besides reported: Set<Int>) -> [PolicyFinding] {
        let own = table.rules.indices.filter { table.rules[$0].index != nil }
        return own.compactMap { later in
            guard !reported.contains(later) else { return nil }
            return own.lazy.filter { $0 < later && isMoreGeneral($0, than: later) }
                .compactMap { finding(later, behind: $0) }.first
        }
    }

    private func isMoreGeneral(_ earlier: Int, than later: Int) -> Bool {
        let (general, narrow) = (table.rules[earlier], table.rules[later])
        // Whoever owns something keeps it where a claim is denied, too.
        guard general.effect != narrow.effect,
            !["keep", "deny"].contains(general.effect) || !["keep", "deny"].contains(narrow.effect)
        else { return false }
        let comparison = ConditionComparison(general.when, narrow.when)
        guard comparison.isWithin else { return false }
        if subjects[later].isSubset(of: subjects[earlier]) {
            return comparison.isNarrower || subjects[later] != subjects[earlier]
        }
        // What is about one product or right may be an exception from the other one, too.
        let isWide =
            general.when.products == nil && general.when.levels == nil
            && (general.when.entitlements == nil && general.only == nil
                || narrow.only == nil && narrow.when.isInStates(of: general.when))
        let namesLess = narrow.when.products != nil || narrow.when.levels != nil
        return (comparison.isNarrower || namesLess) && isWide
            && !subjects[later].isDisjoint(with: subjects[earlier])
    }

    private func finding(_ later: Int, behind earlier: Int) -> PolicyFinding? {
        for index in subjects[later].intersection(subjects[earlier]).sorted() {
            let subject = table.subjects[index]
            let regions = table.regions(of: subject)
            guard let place = regions.firstIndex(where: { $0.rule == earlier }),
                let own = regions.first(where: { $0.rule == later }),
                let common = table.space.layout.intersection(own.when, regions[place].when),
                let plain = plainCases(of: later, in: common, behind: earlier),
                let cell = table.plainest(
                    subject, in: plain,
                    beside: table.exception(of: own) + table.exception(of: regions[place])
                        + regions[..<place])
            else { continue }
            return PolicyFinding(
                .exceptionBehindRule, .rule(table.list, later),
                facts: [
                    .written(table.rules[later].reference.name),
                    .written(table.rules[earlier].reference.name),
                ], related: [.rule(table.list, earlier)],
                example: table.example(subject, cell, rules: [later, earlier]))
        }
        return nil
    }

    /// The beginning of a state that the rule names, or else of what is active. A rule for a state
    /// in which the narrower one is not interested is an exception itself. Of a rule that names
    /// an age, and comes behind one for the rest of the state, every age.
    private func plainCases(of rule: Int, in box: CellBox, behind earlier: Int) -> CellBox? {
        guard table.list == .access else { return box }
        let (layout, space) = (table.space.layout, table.space)
        let named = table.rules[rule].when.states
        var plain = layout.restricting(box, .standing) { index in
            named?.contains(space.standings[index].state) ?? (index == 0)
        }
        let (own, before) = (table.rules[rule].when, table.rules[earlier].when)
        let comesBehindRest =
            own.states != nil && own.states == before.states
            && own.stateAges != nil && before.stateAges == nil && before.unpaidFor == nil
        if !comesBehindRest { plain = layout.restricting(plain, .stateAge) { $0 == 0 } }
        return layout.isEmpty(plain) ? nil : plain
    }
}

/// Two conditions, as far as they do not say what is sold nor in which state it is.
private struct ConditionComparison {
    /// Whether the narrow one asks for all that the general one asks for.
    private(set) var isWithin = true
    /// Whether it asks for more.
    private(set) var isNarrower = false

    init(_ general: Condition, _ narrow: Condition) {
        let others = ConditionField.catalogued + [.state, .stateAge, .unpaidFor]
        for field in ConditionField.allCases where !others.contains(field) {
            // These do not say for whom a rule is.
            let narrows = ![.environment, .moment, .at].contains(field)
            guard let wide = general[field] else {
                if narrows, narrow[field] != nil { isNarrower = true }
                continue
            }
            guard let own = narrow[field], wide.allow(own) else {
                isWithin = false
                continue
            }
            if narrows, !own.allow(wide) { isNarrower = true }
        }
    }
}

extension PolicyFinding {
    /// The place of its rule in the list.
    var place: Int? {
        if case .rule(_, let index) = subject { index } else { nil }
    }
}

extension Condition {
    /// Whether it is about states, and the other one about all of them.
    fileprivate func isInStates(of other: Condition) -> Bool {
        guard let states else { return other.states == nil }
        return other.states.map { Set(states).isSubset(of: $0) } ?? false
    }
}
