package import EntitlementModel
package import PolicyLoading

/// Everything in a policy that has a date, by when it begins.
package struct DateTable: Sendable {
    /// What a row's stretches of time are about.
    package enum Meaning: String, CaseIterable, Hashable, Sendable {
        /// When the rule is in force.
        case inForce = "at"
        /// Which purchases it is about.
        case purchased
        /// Whose first purchase of the lineage was then.
        case firstPurchased = "first_purchased"
        /// When a right is open to everybody.
        case open
        /// From when on products take no new orders.
        case retired
    }

    package struct Row: Sendable {
        package let meaning: Meaning
        /// What the rule is called; empty for products.
        package let name: String
        package let list: RuleList?
        /// Nil for products.
        package let reference: RuleReference?
        /// Whether the rule excludes what is then.
        package let isException: Bool
        package let products: [ProductID]
        package let entitlements: [EntitlementName]
        /// In any of them.
        package let windows: [Interval]

        /// Whether an instant is in one of the stretches, before all of them, or otherwise after
        /// or between them.
        package func phase(at instant: Instant) -> Phase {
            if windows.contains(where: { $0.contains(instant) }) { return .current }
            return windows.contains { $0.start > instant } ? .future : .past
        }
    }

    package enum Phase: String, CaseIterable, Hashable, Sendable {
        case past
        case current
        case future
    }

    package let rows: [Row]

    /// Every instant at which anything begins or ends, sorted.
    package var instants: [Instant] {
        Set(
            rows.flatMap(\.windows).flatMap { window in
                (window.hasBeginning ? [window.start] : []) + (window.end.map { [$0] } ?? [])
            }
        ).sorted()
    }
}

extension DateTable {
    init(_ policy: Policy, _ rules: [TableRule], _ products: [Product], _ scope: TableScope) {
        var rows: [Row] = []
        for rule in rules where scope.isWhole || rule.concerns(products) {
            rows += Self.rows(rule, rule.when, isException: false)
            if let unless = rule.unless { rows += Self.rows(rule, unless, isException: true) }
        }
        for right in policy.openRights where scope.products == nil {
            guard scope.entitlement.map(right.entitlements.contains) ?? true else { continue }
            rows.append(
                Row(
                    meaning: .open, name: right.reference.name, list: .open,
                    reference: right.reference, isException: false, products: [],
                    entitlements: right.entitlements, windows: right.windows))
        }
        let retired = Dictionary(grouping: products.filter { $0.retiredAt != nil && $0.id != .app })
        {
            $0.retiredAt ?? .distantPast
        }
        for (instant, products) in retired {
            rows.append(
                Row(
                    meaning: .retired, name: "", list: nil, reference: nil, isException: false,
                    products: products.map(\.id), entitlements: [],
                    windows: [Interval(uncheckedFrom: instant, to: nil)]))
        }
        self.rows = rows.enumerated().sorted { left, right in
            (left.element.beginning, left.offset) < (right.element.beginning, right.offset)
        }.map(\.element)
    }

    private static func rows(
        _ rule: TableRule, _ condition: Condition, isException: Bool
    ) -> [Row] {
        let dated: [(Meaning, [DateBound]?)] = [
            (.inForce, condition.at), (.purchased, condition.purchased),
            (.firstPurchased, condition.firstPurchased ?? condition.bought),
        ]
        return dated.compactMap { meaning, bounds in
            guard let bounds else { return nil }
            return Row(
                meaning: meaning, name: rule.reference.name, list: rule.list,
                reference: rule.reference, isException: isException, products: [],
                entitlements: [], windows: bounds.map(\.interval))
        }
    }
}

extension DateTable.Row {
    /// The first instant that is written.
    fileprivate var beginning: Instant {
        windows.map { $0.hasBeginning ? $0.start : $0.end ?? .distantPast }.min() ?? .distantPast
    }
}

extension Interval {
    /// Whether it begins somewhere: `distantPast` stands for "since ever".
    fileprivate var hasBeginning: Bool { start != .distantPast }
}

/// Collects which rules decide some case of each of several boxes of cells.
struct CellDeciders {
    private let table: CellTable
    private let boxes: [CellBox]
    /// By box, by rule: whether an exception of it lies in the box.
    private(set) var found: [[Int: Bool]]

    init(_ table: CellTable, _ boxes: [CellBox]) {
        self.table = table
        self.boxes = boxes
        found = boxes.map { _ in [:] }
    }

    /// Adds the rules that decide cases of a subject. A search that is given up within its bounds
    /// counts as a case: a rule is shown once too often then, and never missed.
    mutating func add(_ subject: CellSubject) {
        let regions = table.regions(of: subject)
        for (index, box) in boxes.enumerated() {
            guard let cells = table.space.layout.intersection(subject.box, box) else { continue }
            for (place, region) in regions.enumerated() {
                add(region, beside: regions[..<place], subject, cells, index)
            }
        }
    }

    private mutating func add(
        _ region: CellRegion, beside earlier: ArraySlice<CellRegion>, _ subject: CellSubject,
        _ cells: CellBox, _ index: Int
    ) {
        let layout = table.space.layout
        let known = found[index][region.rule]
        guard known == nil || known == false && region.unless != nil,
            let start = layout.intersection(region.when, cells)
        else { return }
        if known == nil {
            let answer = table.open(
                subject, in: start, beside: table.exception(of: region) + earlier)
            if case .none = answer { return }
            found[index][region.rule] = false
        }
        if let unless = region.unless, let common = layout.intersection(start, unless),
            table.space.isPossible(common, subject.clock)
        {
            found[index][region.rule] = true
        }
    }

    /// Whether some case of the box is decided by none of the rules.
    func isOpen(_ subject: CellSubject, in box: CellBox) -> Bool {
        if case .none = table.open(subject, in: box, beside: table.regions(of: subject)) {
            return false
        }
        return true
    }
}

extension CellSpace {
    /// All cells of a state.
    func box(of state: EntitlementState) -> CellBox {
        layout.restricting(layout.full, .standing) { standings[$0].state == state }
    }

    /// All cells of a claim at a moment whose token is so; where no rule tells moments apart, the
    /// only one stands for all.
    func box(_ token: TokenMatch, _ moment: ClaimMoment) -> CellBox {
        let box = restricting(layout.full, .token, to: token)
        return values(.moment).count > 1 ? restricting(box, .moment, to: moment) : box
    }
}
