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
    case .appPurchase: table = .app(policy, catalogue)
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
        let named = rules.map { self.rules[$0] }.conditions + [builtIn]
        let asked = Set(named.flatMap(\.fields))
        var parts = [ExamplePart("product", subject.product.text)]
        if list != .access, list != .appPurchase, let kind = subject.kind {
            parts.append(ExamplePart("kind", kind.rawValue))
        }
        if let entitlement = subject.entitlement {
            parts.append(ExamplePart("entitlement", entitlement.text))
        }
        for field in CellAxis.facts {
            let isTold = asked.contains(field) || field == .state && list == .access
            guard isTold, let text = text(of: field, cell) else { continue }
            parts.append(ExamplePart(field.rawValue, text))
        }
        switch subject.question {
        case .rightElsewhere, .deliveryElsewhere:
            let isProduction = text(of: .environment, cell) == StoreEnvironment.production.rawValue
            let asked = isProduction ? StoreEnvironment.sandbox : .production
            parts.append(ExamplePart("asked_for", asked.rawValue))
        case .unowned: parts.append(ExamplePart("owner", "none"))
        case .right, .owned, .refund: break
        }
        return parts
    }

    /// The first that the cell has there; nil for what is so in all of time, or not to be told.
    private func text(of field: ConditionField, _ cell: CellBox) -> String? {
        guard let axis = CellAxis(field), let place = space.layout.first(cell, axis) else {
            return nil
        }
        return switch (space.values(axis)[place], field.slot.form) {
        case (.standing(let standing), _): standing.word(of: field)
        case (.word(let word), _): word
        case (.name(let name), _): name ?? (axis == .standing ? nil : "other")
        case (.account(let account), _): account?.text ?? "none"
        case (.range(let range), .date): range?.date
        case (.range(let range), .count): range?.count
        case (.range(let range), _): range?.age
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

    /// Nil for any number.
    fileprivate var count: String? {
        switch (lower > 0, upper < Self.latest) {
        case (false, false): nil
        case (false, true): CountBound.under(upper).text
        case (true, false): CountBound.atLeast(lower).text
        case (true, true): CountBound.exactly(lower).text
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
