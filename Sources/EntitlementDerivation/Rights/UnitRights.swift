internal import EntitlementModel

/// The rights that one unit gives, by the access rules (spec 1.5).
struct UnitRights {
    let unit: DerivedUnit
    let view: FactView
    /// Nil for the answer of an Apple ID.
    let account: AccountID?

    /// In stretches during which it counts: while the account owns the unit, or always.
    func contributions(in stretches: [OwnedStretch]) -> [Contribution] {
        guard unit.statesOfGift.isEmpty else {
            return unit.statesOfGift.indices.flatMap { gift in
                contributions(of: unit.statesOfGift[gift], in: stretches, onlyGift: gift)
            }
        }
        return contributions(of: unit.states, in: stretches, onlyGift: nil)
    }

    private func contributions(
        of states: UnitStates, in stretches: [OwnedStretch], onlyGift: Int?
    ) -> [Contribution] {
        var collected = ContributionList(order: order, capacity: states.spans.count + 2)
        for question in QuestionKind.all(for: unit, in: view.policy) {
            for stretch in stretches {
                append(states, during: stretch, question, onlyGift, to: &collected)
            }
        }
        let isOwnedForEver = stretches.last?.interval.end == nil
        return collected.closed(silence: isOwnedForEver ? .nothing : .formerOwner)
    }

    private var order: SourceOrder {
        guard case .purchase(let key) = unit.unit else {
            return SourceOrder(lineage: unit.lineage, id: "")
        }
        return SourceOrder(lineage: unit.lineage, id: key.transactionID.text)
    }

    private func append(
        _ states: UnitStates, during stretch: OwnedStretch, _ question: QuestionKind,
        _ onlyGift: Int?, to collected: inout ContributionList
    ) {
        var subject = Subject(unit: unit, states: states, view: view, account: account)
        let environments = question.environments
        var silence = stretch.isFirst ? RuleReference.nothing : .formerOwner
        for index in states.spans.indices {
            let state = states.spans[index]
            guard let interval = state.interval.intersection(stretch.interval),
                let product = states.purchases[states.purchaseOfSpan[index]].product
            else { continue }
            subject.move(to: index, state)
            let facts = stretch.facts(with: state.facts)
            let cuts = view.policy.cuts(in: interval, enteredAt: state.enteredAt)
            for piece in 0...cuts.count {
                let start = piece == 0 ? interval.start : cuts[piece - 1]
                let end = piece == cuts.count ? interval.end : cuts[piece]
                let part = Interval(uncheckedFrom: start, to: end)
                for gift in gifts(of: product, onlyGift) {
                    let rule = view.policy.rule(
                        for: gift, subject.circumstances, at: start, question)
                    guard let rule else { continue }
                    for environment in environments {
                        collected.append(
                            span(part, state, rule, facts), silence: silence, environment,
                            gift.entitlement)
                    }
                }
            }
            silence = .nothing
        }
    }

    private func span(
        _ interval: Interval, _ state: StateSpan, _ rule: CompiledAccessRule,
        _ facts: [LedgerSequence]
    ) -> RightSpan {
        RightSpan(
            interval: interval, isGranted: rule.grants, state: state.state,
            expiryReason: state.expiryReason,
            source: .purchase(
                product: state.productID,
                transaction: TransactionKey(unit.unit.environment, state.transactionID),
                lineage: unit.lineage),
            rule: rule.reference, paidUntil: state.paidUntil, willRenew: state.willRenew,
            facts: facts)
    }

    private func gifts(of product: Int, _ only: Int?) -> ArraySlice<CompiledProduct.Gift> {
        let gifts = view.policy.products[product].gifts
        return only.map { gifts[$0...$0] } ?? gifts[...]
    }
}

/// A stretch of ownership, with the decision that began it.
struct OwnedStretch {
    let interval: Interval
    let decision: LedgerSequence?
    /// Before the others of the same account.
    let isFirst: Bool

    /// All of time, for an Apple ID's answer.
    static let always = OwnedStretch(interval: .always, decision: nil, isFirst: true)

    func facts(with facts: [LedgerSequence]) -> [LedgerSequence] {
        guard let decision else { return facts }
        if let last = facts.last, last < decision { return facts + [decision] }
        return (facts + [decision]).ascendingWithoutRepetition()
    }
}

/// For which environments a unit is judged, and by which rules: its own by all, others only by
/// those that name its environment (spec 1.5).
enum QuestionKind {
    case own(StoreEnvironment)
    case foreign(of: StoreEnvironment)

    static func all(for unit: DerivedUnit, in policy: CompiledPolicy) -> [QuestionKind] {
        let environment = unit.unit.environment
        guard policy.namedEnvironments.contains(environment) else { return [.own(environment)] }
        return [.own(environment), .foreign(of: environment)]
    }

    var environments: [StoreEnvironment] {
        switch self {
        case .own(let environment): [environment]
        case .foreign(let environment): StoreEnvironment.allCases.filter { $0 != environment }
        }
    }
}

extension CompiledPolicy {
    /// The first rule that matches; nil for a unit of another environment that no rule names.
    func rule(
        for gift: CompiledProduct.Gift, _ circumstances: borrowing Circumstances,
        at instant: Instant, _ question: QuestionKind
    ) -> CompiledAccessRule? {
        for candidate in gift.candidates {
            let rule = candidate.rule
            if case .foreign(let environment) = question, !rule.names(environment) { continue }
            if rule.matches(circumstances, unlessApplies: candidate.unlessApplies, at: instant) {
                return rule
            }
        }
        return nil
    }

    /// Every instant inside a stretch at which a condition on age or date changes, ascending.
    func cuts(in interval: Interval, enteredAt: Instant) -> [Instant] {
        guard !splitInstants.isEmpty || !splitAges.isEmpty else { return [] }
        var cuts: [Instant] = []
        for instant in splitInstants
        where interval.start < instant && interval.contains(instant) {
            cuts.append(instant)
        }
        for age in splitAges {
            let instant = age.end(from: enteredAt)
            if interval.start < instant, interval.contains(instant), !cuts.contains(instant) {
                cuts.append(instant)
            }
        }
        return cuts.sorted()
    }
}

/// The contributions of one unit on their way.
private struct ContributionList {
    let order: SourceOrder
    /// How many spans each is expected to have.
    let capacity: Int
    private var contributions: [Contribution] = []

    init(order: SourceOrder, capacity: Int) {
        self.order = order
        self.capacity = capacity
    }

    mutating func append(
        _ span: consuming RightSpan, silence rule: RuleReference, _ environment: StoreEnvironment,
        _ entitlement: EntitlementName
    ) {
        let found = contributions.firstIndex {
            $0.bucket.entitlement == entitlement && $0.bucket.environment == environment
        }
        if let found {
            contributions[found].append(span, silence: rule)
        } else {
            let bucket = RightBucket(environment: environment, entitlement: entitlement)
            var contribution = Contribution(
                bucket: bucket, order: order, capacity: capacity)
            contribution.append(span)
            contributions.append(contribution)
        }
    }

    mutating func closed(silence rule: RuleReference) -> [Contribution] {
        for index in contributions.indices { contributions[index].close(silence: rule) }
        return contributions
    }
}
