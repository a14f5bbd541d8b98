internal import EntitlementAnswers
internal import EntitlementEngine
package import EntitlementModel
package import PolicyLoading

/// What of a policy stories have used: the rules that decided, and the states that purchases of
/// each kind were in.
package struct StoryCoverage: Sendable {
    /// A kind of product in a state.
    package struct Cell: Hashable, Comparable, Sendable {
        package var kind: ProductKind
        package var state: EntitlementState

        package static func < (left: Cell, right: Cell) -> Bool {
            let kinds = ProductKind.allCases
            let states = EntitlementState.allCases
            return (kinds.firstIndex(of: left.kind) ?? 0, states.firstIndex(of: left.state) ?? 0)
                < (kinds.firstIndex(of: right.kind) ?? 0, states.firstIndex(of: right.state) ?? 0)
        }
    }

    /// By list, as names are unique in one list only.
    package private(set) var rules: [RuleList: Set<String>] = [:]
    package private(set) var cells: Set<Cell> = []

    package init() {}

    package mutating func add(_ other: StoryCoverage) {
        rules.merge(other.rules) { $0.union($1) }
        cells.formUnion(other.cells)
    }

    mutating func note(_ rule: RuleReference, in list: RuleList) {
        if rule.line > 0 { rules[list, default: []].insert(rule.name) }
    }

    mutating func note(_ kind: ProductKind, _ state: EntitlementState) {
        cells.insert(Cell(kind: kind, state: state))
    }

    /// Held against a policy: how much of it was used, and what was not.
    package func report(on policy: Policy) -> StoryCoverageReport {
        let lists: [(RuleList, [RuleReference])] = [
            (.access, policy.accessRules.map(\.reference)),
            (.accountSwitch, policy.claimRules.map(\.reference)),
            (.open, policy.openRights.map(\.reference)),
            (.refundAnswers, policy.refundRules.map(\.reference)),
        ]
        var report = StoryCoverageReport()
        for (list, references) in lists {
            for reference in references {
                report.total += 1
                if rules[list]?.contains(reference.name) != true {
                    report.unusedRules.append(StoryCoverageReport.Rule(list, reference))
                }
            }
        }
        let kinds = Set(policy.products.values.filter(\.hasStates).map(\.kind))
        for kind in ProductKind.allCases where kinds.contains(kind) {
            for state in kind.states {
                report.total += 1
                let cell = Cell(kind: kind, state: state)
                if !cells.contains(cell) { report.unseenCells.append(cell) }
            }
        }
        return report
    }
}

/// How much of a policy its stories use.
package struct StoryCoverageReport: Sendable {
    package struct Rule: Sendable {
        package var list: RuleList
        package var reference: RuleReference

        init(_ list: RuleList, _ reference: RuleReference) {
            self.list = list
            self.reference = reference
        }
    }

    /// Rules and cells together.
    package var total = 0
    package var unusedRules: [Rule] = []
    package var unseenCells: [StoryCoverage.Cell] = []

    package var covered: Int { total - unusedRules.count - unseenCells.count }

    /// Whole percents, rounded down: 100 is all.
    package var percent: Int { total == 0 ? 100 : covered * 100 / total }
}

extension Product {
    /// Whether a purchase of it has states: one that gives nothing but credits has none.
    fileprivate var hasStates: Bool {
        grants.contains { if case .entitlement = $0 { true } else { false } }
    }
}

extension StoryRun {
    /// What the answers up to now came from.
    mutating func collectCoverage() throws(EngineError) {
        let now = clock.now()
        for account in accounts {
            let timeline = try engine.questions.timeline(of: account, at: now)
            let report = try engine.questions.report(on: account, at: now)
            for span in timeline.rights.flatMap(\.spans) where span.interval.start <= now {
                coverage.note(span.rule, in: .access)
                coverage.note(span.rule, in: .open)
            }
            for unit in timeline.units {
                guard let kind = unit.kind.known else { continue }
                for state in unit.states where state.interval.start <= now {
                    coverage.note(kind, state.state)
                }
            }
            for claim in report.claims {
                if let rule = claim.decision?.rule { coverage.note(rule, in: .accountSwitch) }
            }
        }
        for request in try refundRequests() {
            if let rule = request.rule { coverage.note(rule, in: .refundAnswers) }
        }
    }
}
