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
