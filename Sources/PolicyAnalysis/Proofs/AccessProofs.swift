internal import EntitlementModel
internal import PolicyLoading

/// What follows from all access rules together.
struct AccessProofs {
    private let policy: Policy
    private let table: CellTable

    init(_ policy: Policy, _ table: CellTable) {
        self.policy = policy
        self.table = table
    }

    /// Rules that give what has expired or was revoked, without an end.
    ///
    /// A rule without any condition is told of otherwise.
    var grantsAfterEnd: [PolicyFinding] {
        var found: [Int: PolicyFinding] = [:]
        let layout = table.space.layout
        var ended = layout.restricting(layout.full, .standing) {
            !table.space.standings[$0].state.isRunning
        }
        ended = layout.restricting(ended, .stateAge) { $0 == table.space.ages.count - 1 }
        ended = layout.restricting(ended, .at) { $0 == table.space.instants.count - 1 }
        for subject in table.subjects where subject.question != .deliveryElsewhere {
            let last = subject.kind?.hasPaidEnd == false ? 0 : table.space.unpaids.count - 1
            let ended = layout.restricting(ended, .unpaid) { $0 == last }
            let regions = table.regions(of: subject)
            for (place, region) in regions.enumerated() {
                let rule = table.rules[region.rule]
                guard rule.grants, let index = rule.index, found[index] == nil,
                    rule.when != Condition() || rule.unless != nil,
                    let box = layout.intersection(region.when, ended),
                    let cell = table.plainest(
                        subject, in: box,
                        beside: table.exception(of: region) + regions[..<place])
                else { continue }
                found[index] = PolicyFinding(
                    .grantsAfterEnd, .rule(.access, index), facts: [.written(rule.reference.name)],
                    example: table.example(subject, cell, rules: [index]))
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// A policy by which nothing that is paid for gives anything (an error), if no rule behind
    /// that names what there is to sell.
    var withholdsEverything: [PolicyFinding] {
        let space = table.space
        let trusted = space.layout.restricting(space.layout.full, .environment) {
            space.environments.count == 1
                || policy.environments[space.environments[$0]] == .trusted
        }
        let active = space.layout.restricting(trusted, .standing) { $0 == 0 }
        var first: Int?
        for subject in table.subjects where subject.question == .right {
            let regions = table.regions(of: subject)
            for (place, region) in regions.enumerated() {
                let rule = table.rules[region.rule]
                let box = rule.grants ? trusted : active
                guard let start = space.layout.intersection(region.when, box) else { continue }
                let answer = table.open(
                    subject, in: start, beside: table.exception(of: region) + regions[..<place])
                if case .none = answer { continue }
                if rule.grants { return [] }
                guard let index = rule.index else { continue }
                guard policy.accessRules[index].namesNothingSold else { return [] }
                first = min(first ?? index, index)
            }
        }
        guard let first else { return [] }
        return [
            PolicyFinding(
                .withholdsEverything, .rule(.access, first),
                facts: [.written(table.rules[first].reference.name)])
        ]
    }
}

extension AccessRule {
    /// Whether it is about whatever is sold. A rule that names what there is to sell is meant, be
    /// it the only product.
    fileprivate var namesNothingSold: Bool {
        let names = when.products?.map(\.text) ?? []
        return (when.products == nil || names.contains("*")) && when.groups == nil
            && when.levels == nil && when.entitlements == nil && only == nil
    }
}
