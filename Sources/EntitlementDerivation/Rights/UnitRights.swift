internal import EntitlementModel

/// The rights that one unit gives, by the access rules (spec 1.5).
struct UnitRights {
    let unit: DerivedUnit
    let view: FactView
    /// Nil for the answer of an Apple ID.
    let account: AccountID?
    let memberships: Memberships

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
        let isOwnedForEver = stretches.last?.interval.end == nil
        var subject = Subject(
            unit: unit, states: states, view: view, account: account, memberships: memberships)
        var contributions: [Contribution] = []
        for question in QuestionKind.all(for: unit, in: view.policy) {
            for bundle in bundles(of: states, onlyGift) {
                var spans = SpanList(capacity: states.spans.count + 2)
                for stretch in stretches {
                    append(states, during: stretch, question, bundle, &subject, to: &spans)
                }
                guard !spans.isEmpty else { continue }
                spans.close(gap: isOwnedForEver ? .nothing : .formerOwner)
                for environment in question.environments {
                    contributions += bundle.entitlements.map { entitlement in
                        Contribution(
                            right: RightKey(environment, entitlement),
                            order: order, spans: spans.spans)
                    }
                }
            }
        }
        return contributions
    }

    private var order: SourceOrder {
        guard case .purchase(let key) = unit.unit else {
            return SourceOrder(lineage: unit.lineage, id: "")
        }
        return SourceOrder(lineage: unit.lineage, id: key.transactionID.text)
    }

    /// The entitlements of the unit in groups that are decided together. If it was several
    /// products, each entitlement is decided separately: one product may give it, another not.
    private func bundles(of states: UnitStates, _ onlyGift: Int?) -> [CompiledProduct.Bundle] {
        guard let first = states.purchases.first,
            let product = first.given(by: view.policy),
            states.purchases.count == 1
                || states.purchases.allSatisfy({ $0.promise == nil && $0.product == first.product })
        else { return singles(of: states) }
        return onlyGift.map { [CompiledProduct.Bundle(product.gifts[$0])] } ?? product.bundles
    }

    private func singles(of states: UnitStates) -> [CompiledProduct.Bundle] {
        var seen: Set<EntitlementName> = []
        return states.purchases.compactMap { $0.given(by: view.policy) }
            .sorted { $0.product.id < $1.product.id }.flatMap(\.gifts)
            .filter { seen.insert($0.entitlement).inserted }
            .map(CompiledProduct.Bundle.init)
    }

    private func append(
        _ states: UnitStates, during stretch: OwnedStretch, _ question: QuestionKind,
        _ bundle: CompiledProduct.Bundle, _ subject: inout Subject, to spans: inout SpanList
    ) {
        let isForATime = unit.kind.isKnown(.consumable)
        var gap = stretch.isFirst ? Gap.nothing : .formerOwner
        for index in states.spans.indices {
            let state = states.spans[index]
            guard let interval = state.interval.intersection(stretch.interval),
                let product = states.purchases[states.purchaseOfSpan[index]].given(by: view.policy),
                let candidates = product.candidates(for: bundle, forATime: isForATime)
            else { continue }
            subject.move(to: index, state)
            let facts = stretch.facts(with: state.facts)
            let cuts = view.policy.splits.instants(in: interval, subject.circumstances)
            for piece in 0...cuts.count {
                let start = piece == 0 ? interval.start : cuts[piece - 1]
                let end = piece == cuts.count ? interval.end : cuts[piece]
                let rule = candidates.rule(for: subject.circumstances, at: start, question)
                guard let rule else { continue }
                spans.append(
                    RightSpan(
                        interval: Interval(uncheckedFrom: start, to: end),
                        verdict: verdict(state, rule, facts)),
                    gap: gap)
            }
            gap = .nothing
        }
    }

    private func verdict(
        _ state: StateSpan, _ rule: CompiledAccessRule, _ facts: [LedgerSequence]
    ) -> RightVerdict {
        RightVerdict(
            isGranted: rule.grants, state: state.state, expiryReason: state.expiryReason,
            source: .purchase(
                product: state.productID,
                transaction: TransactionKey(unit.unit.environment, state.transactionID),
                lineage: unit.lineage),
            rule: rule.reference, paidUntil: state.paidUntil, willRenew: state.willRenew,
            facts: facts)
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
        let place = facts.firstIndex { $0 >= decision } ?? facts.count
        if place < facts.count, facts[place] == decision { return facts }
        var all: [LedgerSequence] = []
        all.reserveCapacity(facts.count + 1)
        all += facts[..<place]
        all.append(decision)
        all += facts[place...]
        return all
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

extension [CompiledProduct.Candidate] {
    /// The first rule that matches; nil for a unit of another environment that no rule names.
    fileprivate func rule(
        for circumstances: borrowing Circumstances, at instant: Instant,
        _ question: QuestionKind
    ) -> CompiledAccessRule? {
        for candidate in self {
            let rule = candidate.rule
            if case .foreign(let environment) = question, !rule.names(environment) { continue }
            if rule.matches(circumstances, unlessApplies: candidate.unlessApplies, at: instant) {
                return rule
            }
        }
        return nil
    }
}
