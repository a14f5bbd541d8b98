internal import EntitlementModel
internal import PolicyLoading

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
        compare(general.environments, narrow.environments, narrows: false)
        compare(general.moments, narrow.moments, narrows: false)
        compare(general.ownerships, narrow.ownerships)
        compare(general.offers, narrow.offers)
        compare(general.tokens, narrow.tokens)
        compare(general.storefronts, narrow.storefronts)
        compare(general.expiryReasons, narrow.expiryReasons)
        compare(general.autoRenews, narrow.autoRenews)
        compare(general.revocations, narrow.revocations)
        compare(general.accounts, narrow.accounts)
        compare(general.purchased, narrow.purchased)
        compare(general.firstPurchased, narrow.firstPurchased)
        compare(general.at, narrow.at, narrows: false)
    }

    /// - Parameter narrows: whether the condition says for whom a rule is.
    private mutating func compare<Value: Hashable>(
        _ general: [Value]?, _ narrow: [Value]?, narrows: Bool = true
    ) {
        guard let general else {
            if narrows, narrow != nil { isNarrower = true }
            return
        }
        guard let narrow, Set(narrow).isSubset(of: general) else {
            isWithin = false
            return
        }
        if narrows, Set(narrow) != Set(general) { isNarrower = true }
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
