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
        let environments = space.values(.environment)
        let believed = StoreEnvironment.allCases.filter { policy.environments[$0] == .trusted }
            .map { CellValue.word($0) }
        let trusted = space.layout.restricting(space.layout.full, .environment) {
            environments.count == 1 || believed.contains(environments[$0])
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

/// Products that are on sale and give nothing to whoever buys them: by a rule that takes away more
/// than was meant, such as one without `only`, or without a `when`.
struct SoldForNothing {
    private let policy: Policy
    private let table: CellTable
    private let now: Instant?

    /// A rule whose `when` says nothing against a buyer.
    private struct Decider {
        let rule: Int
        /// Whether its `unless` says nothing against the buyer either, so that the product decides.
        let mayBeExcepted: Bool
    }

    /// - Parameter now: what is sold no more at this instant, and rules that ceased before it, are
    ///   left out; nil to look at all.
    init(_ policy: Policy, _ table: CellTable, at now: Instant?) {
        self.policy = policy
        self.table = table
        self.now = now
    }

    /// One for each rule, at the first of its products. Where there are several products, and
    /// rules that share them, the rule that takes the first right away is named.
    func findings(_ catalogue: CellCatalogue) -> [PolicyFinding] {
        guard policy.environments[.production] == .trusted else { return [] }
        var found: [Int: ProductID] = [:]
        let others = deciders(buyer(autoRenews: .unknown))
        let subscribers = deciders(buyer(autoRenews: .on))
        for product in catalogue.products where !isPast(product.retiredAt) {
            let isSubscription = product.kind == .autoRenewable
            let rules =
                if let end = product.retiredAt {
                    // By a rule without a date it was sold so, and is not any more.
                    deciders(
                        buyer(
                            autoRenews: isSubscription ? .on : .unknown,
                            asking: end.milliseconds - Self.closing)
                    ).filter { isDatedToCome(table.rules[$0.rule].when) }
                } else {
                    isSubscription ? subscribers : others
                }
            guard let rule = withholdsAll(of: product, rules), found[rule] == nil else { continue }
            found[rule] = product.id
        }
        return found.sorted { $0.key < $1.key }.map { rule, product in
            PolicyFinding(
                .soldForNothing, .rule(.access, rule),
                facts: [
                    .written(table.rules[rule].reference.name), .written(product.text),
                ])
        }
    }

    private func isPast(_ end: Instant?) -> Bool {
        guard let now, let end else { return false }
        return end <= now
    }

    /// Whether it has a date, and holds now or later.
    private func isDatedToCome(_ condition: Condition) -> Bool {
        guard let bounds = condition.at else { return false }
        return !isPast(bounds.end)
    }

    /// The rule that withholds the first of its rights, if none of them is given.
    private func withholdsAll(of product: Product, _ deciders: [Decider]) -> Int? {
        var first: Int?
        for grant in product.grants {
            guard case .entitlement(let name, _) = grant,
                let decider = deciders.first(where: { decides($0, product, name) }),
                !table.rules[decider.rule].grants, let index = table.rules[decider.rule].index
            else { return nil }
            first = first ?? index
        }
        return first
    }

    private func decides(
        _ decider: Decider, _ product: Product, _ name: EntitlementName
    ) -> Bool {
        let rule = table.rules[decider.rule]
        func isAbout(_ condition: Condition) -> Bool {
            condition.admits(product, as: product.kind, giving: name)
        }
        return (rule.only?.contains(name) ?? true) && isAbout(rule.when)
            && !(decider.mayBeExcepted && rule.unless.map(isAbout) ?? false)
    }

    private func deciders(_ buyer: CellBox) -> [Decider] {
        let space = table.space
        return table.rules.indices.compactMap { index in
            let rule = table.rules[index]
            // Who buys in one of the countries of an exception gets it, and so do those for whom
            // alone something is sold.
            let names = rule.when.products != nil || rule.when.groups != nil
            let isForSome = rule.unless?.accounts != nil || rule.unless?.memberFor != nil
            guard rule.unless?.storefronts == nil, !(names && isForSome),
                space.layout.covers(space.box(rule.when), buyer)
            else { return nil }
            let unless = rule.unless.map(space.box)
            return Decider(
                rule: index,
                mayBeExcepted: unless.map { space.layout.covers($0, buyer) } ?? false)
        }
    }

    /// Milliseconds. What is closed in the last days of its sale is meant.
    private static let closing: Int64 = 31 * 86_400_000

    /// A person of whom no rule knows anything, who buys and asks at once.
    ///
    /// - Parameter now: milliseconds; by default after all dates.
    private func buyer(autoRenews: AutoRenewWord, asking now: Int64 = .max) -> CellBox {
        let space = table.space
        func value(_ axis: CellAxis) -> Int {
            switch axis.field.slot.form {
            case .date: space.ranges(axis).lastIndex { $0.lower <= now } ?? 0
            case .words, .name, .storefront, .productPattern, .accountPattern, .age, .count,
                .version:
                axis == .autoRenew ? space.values(axis).firstIndex(of: .word(autoRenews)) ?? 0 : 0
            }
        }
        var box = space.layout.full
        for axis in CellAxis.all {
            let value = value(axis)
            box = space.layout.restricting(box, axis) { $0 == value }
        }
        return box
    }
}
