package import EntitlementModel
package import PolicyLoading

/// What one rule comes to next to the others of its list.
package struct RuleSurvey: Sendable {
    /// Products of the catalogue that its conditions admit, by name.
    package var products: [ProductID] = []
    /// States in which it decides a case; empty for lists that ask for none.
    package var states: [EntitlementState] = []
    /// Rules before it that decide some of the cases that it matches, in order.
    package var before: [RuleReference] = []
    /// The plainest case that it decides; nil where it decides none.
    package var example: [ExamplePart]?
}

/// Looks at one rule of a policy; nil where there is none, and for `open`, which has no conditions.
///
/// - Parameter index: its place in the list.
package func survey(_ policy: Policy, _ list: RuleList, at index: Int) -> RuleSurvey? {
    let catalogue = CellCatalogue(policy)
    let table: CellTable
    switch list {
    case .access: table = .access(policy, catalogue)
    case .accountSwitch: table = .claims(policy, catalogue)
    case .refundAnswers: table = .refunds(policy, catalogue)
    case .open: return nil
    }
    guard table.rules.indices.contains(index), table.rules[index].index == index else {
        return nil
    }
    var survey = RuleSurvey()
    let rule = table.rules[index]
    survey.products = catalogue.products
        .filter { rule.when.admits($0.id, $0, $0.kind) && rule.isAbout($0) }.map(\.id)
    var (states, before): (Set<EntitlementState>, Set<Int>) = ([], [])
    for subject in table.subjects {
        let regions = table.regions(of: subject)
        guard let position = regions.firstIndex(where: { $0.rule == index }) else { continue }
        let found = RegionSurvey(table, subject, regions, position)
        if survey.example == nil { survey.example = found.example }
        before.formUnion(found.before)
        if list == .access { states.formUnion(found.states(without: states)) }
    }
    survey.states = EntitlementState.allCases.filter(states.contains)
    survey.before = before.sorted().map { table.rules[$0].reference }
    return survey
}

/// One rule among those that may decide one subject.
private struct RegionSurvey {
    private let table: CellTable
    private let subject: CellSubject
    private let own: CellRegion
    private let earlier: ArraySlice<CellRegion>
    private let exception: [CellRegion]

    init(_ table: CellTable, _ subject: CellSubject, _ regions: [CellRegion], _ position: Int) {
        self.table = table
        self.subject = subject
        own = regions[position]
        earlier = regions[..<position]
        exception = table.exception(of: own)
    }

    var example: [ExamplePart]? {
        table.plainest(subject, in: own.when, beside: exception + earlier).map {
            table.example(subject, $0, rules: [own.rule])
        }
    }

    /// Earlier rules with which it has a case in common.
    var before: [Int] {
        earlier.filter { other in
            guard let common = table.space.layout.intersection(own.when, other.when) else {
                return false
            }
            return isOpen(common, beside: exception + table.exception(of: other))
        }.map(\.rule)
    }

    func states(without known: Set<EntitlementState>) -> [EntitlementState] {
        EntitlementState.allCases.filter { state in
            guard !known.contains(state) else { return false }
            let box = table.space.layout.restricting(own.when, .standing) {
                table.space.standings[$0].state == state
            }
            return isOpen(box, beside: exception + earlier)
        }
    }

    private func isOpen(_ box: CellBox, beside regions: [CellRegion]) -> Bool {
        guard !table.space.layout.isEmpty(box) else { return false }
        if case .none = table.open(subject, in: box, beside: regions) { return false }
        return true
    }
}

extension CellRule {
    /// Whether it may decide something that the product gives.
    fileprivate func isAbout(_ product: Product) -> Bool {
        guard let names = only ?? when.entitlements else { return true }
        return product.grants.contains { grant in
            if case .entitlement(let name, _) = grant { names.contains(name) } else { false }
        }
    }
}

/// A case as a policy would write it.
extension CellTable {
    /// What the question is about, and of the rest what these rules look at.
    func example(
        _ subject: CellSubject, _ cell: CellBox, rules: [Int], builtIn: Condition = Condition()
    ) -> [ExamplePart] {
        var keys = ConditionKey.keys(of: builtIn)
        for rule in rules {
            keys.formUnion(ConditionKey.keys(of: self.rules[rule].when))
            if let unless = self.rules[rule].unless {
                keys.formUnion(ConditionKey.keys(of: unless))
            }
        }
        var parts = [ExamplePart("product", subject.product.text)]
        if list != .access, let kind = subject.kind {
            parts.append(ExamplePart("kind", kind.rawValue))
        }
        if let entitlement = subject.entitlement {
            parts.append(ExamplePart("entitlement", entitlement.text))
        }
        let standing = standing(cell)
        if list == .access, let standing {
            parts.append(ExamplePart("state", standing.state.rawValue))
        }
        parts += words(cell, standing, keys) + times(cell, keys)
        switch subject.question {
        case .rightElsewhere, .deliveryElsewhere:
            let own = value(cell, .environment, space.environments)
            let asked = own == .production ? StoreEnvironment.sandbox : .production
            parts.append(ExamplePart("asked_for", asked.rawValue))
        case .unowned: parts.append(ExamplePart("owner", "none"))
        case .right, .owned, .refund: break
        }
        return parts
    }

    private func standing(_ cell: CellBox) -> Standing? {
        value(cell, .standing, space.standings)
    }

    private func value<Value>(_ cell: CellBox, _ axis: CellAxis, _ all: [Value]) -> Value? {
        space.layout.first(cell, axis).map { all[$0] }
    }

    private func words(
        _ cell: CellBox, _ standing: Standing?, _ keys: Set<ConditionKey>
    ) -> [ExamplePart] {
        let account: String? =
            switch value(cell, .account, space.accounts) {
            case .named(let name)?: name.text
            case .nobody?: "none"
            case nil: nil
            }
        let all: [(ConditionKey, String?)] = [
            (.expiryReason, standing?.expiryReason?.rawValue),
            (.revocation, standing?.revocation?.rawValue),
            (.environment, value(cell, .environment, space.environments)?.rawValue),
            (.ownership, value(cell, .ownership, space.ownerships)?.rawValue),
            (.offer, value(cell, .offer, space.offers).map(\.rawValue)),
            (.autoRenew, value(cell, .autoRenew, space.autoRenews)?.rawValue),
            (.storefront, value(cell, .storefront, space.storefronts).map { $0 ?? "other" }),
            (.account, account),
            (.token, value(cell, .token, space.tokens)?.rawValue),
            (.moment, value(cell, .moment, space.moments)?.rawValue),
        ]
        return all.compactMap { key, text in
            guard keys.contains(key), let text else { return nil }
            return ExamplePart(key.rawValue, text)
        }
    }

    private func times(_ cell: CellBox, _ keys: Set<ConditionKey>) -> [ExamplePart] {
        let all: [(ConditionKey, String?)] = [
            (.stateAge, value(cell, .stateAge, space.ages)?.age),
            (.unpaidFor, value(cell, .unpaid, space.unpaids)??.age),
            (.purchased, value(cell, .purchased, space.purchases)?.date),
            (.firstPurchased, value(cell, .firstPurchased, space.firstPurchases)?.date),
            (.at, value(cell, .at, space.instants)?.date),
        ]
        return all.compactMap { key, text in
            guard keys.contains(key), let text else { return nil }
            return ExamplePart(key.rawValue, text)
        }
    }
}

extension CellRange {
    /// Nil for all of time.
    fileprivate var date: String? {
        let (start, end) = (Instant(milliseconds: lower), Instant(milliseconds: upper))
        switch (lower > Self.earliest, upper < Self.latest) {
        case (false, false): return nil
        case (false, true): return DateBound.before(end).text
        case (true, false): return DateBound.from(start).text
        case (true, true): return DateBound.within(start, end).text
        }
    }

    /// Nil for any age.
    fileprivate var age: String? {
        switch (lower > 0, upper < Self.latest) {
        case (false, false): return nil
        case (false, true): return AgeBound.under(Period(fixed: upper)).text
        case (true, false): return AgeBound.atLeast(Period(fixed: lower)).text
        case (true, true): return AgeBound.between(Period(fixed: lower), Period(fixed: upper)).text
        }
    }
}

extension Period {
    /// In the largest unit that it is a whole number of.
    fileprivate init(fixed milliseconds: Int64) {
        let units: [Unit] = [.days, .hours, .minutes, .seconds]
        let unit = units.first { milliseconds % ($0.fixedMilliseconds ?? 1) == 0 }
        self.init(milliseconds / (unit?.fixedMilliseconds ?? 1), unit ?? .milliseconds)
    }
}
