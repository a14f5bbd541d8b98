internal import EntitlementModel

extension SubscriptionPair {
    /// The finding of one overlap: both sides, how long, and which to keep (spec 1.9).
    func finding(_ overlap: Interval, of account: AccountID) -> Finding {
        let sides = [side(first, appleIDKeys.0, overlap), side(second, appleIDKeys.1, overlap)]
        let days = overlap.end.map { $0.milliseconds(since: overlap.start) / 86_400_000 }
        let facts = [first, second].flatMap { unit in
            unit.span(lastIn: overlap).map { unit.states.spans[$0].facts } ?? []
        }
        return Finding(
            kind: appleIDs == .different ? .duplicateAppleID : .duplicateAppleIDPossible,
            environment: first.unit.environment, interval: overlap, accounts: [account],
            units: [first.unit, second.unit],
            duplicate: DuplicateDetail(
                sides: sides, overlapDays: days, keep: advised(in: overlap)),
            facts: facts.ascendingWithoutRepetition())
    }

    private func side(
        _ unit: DerivedUnit, _ key: AppleIDKey, _ overlap: Interval
    ) -> DuplicateDetail.Side {
        guard let index = unit.span(lastIn: overlap) else {
            return DuplicateDetail.Side(
                lineage: unit.lineage, appleID: key, product: unit.firstPurchase.productID,
                price: nil, renewsAt: nil)
        }
        let span = unit.states.spans[index]
        return DuplicateDetail.Side(
            lineage: unit.lineage, appleID: key, product: span.productID,
            price: unit.period(of: index).price(in: view),
            renewsAt: span.willRenew == false ? nil : span.paidUntil)
    }

    /// Of two that are equal by the policy's measure, the one paid for longer, then the smaller.
    private func advised(in overlap: Interval) -> LineageKey {
        let keep = view.policy.policy.duplicates.keep
        let ranks = [first, second].map { rank($0, by: keep, in: overlap) }
        if ranks[0] != ranks[1] { return ranks[0] > ranks[1] ? first.lineage : second.lineage }
        let paid = [first, second].map { rank($0, by: .longestPaid, in: overlap) }
        return paid[1] > paid[0] ? second.lineage : first.lineage
    }

    /// The larger is to be kept.
    private func rank(
        _ unit: DerivedUnit, by measure: DuplicateSettings.Keep, in overlap: Interval
    ) -> Int64 {
        guard let index = unit.span(lastIn: overlap) else { return .min }
        switch measure {
        case .longestPaid: return unit.states.spans[index].paidUntil?.milliseconds ?? .max
        case .newest: return unit.firstPurchase.start.milliseconds
        case .highestLevel:
            guard let product = unit.period(of: index).catalogued(in: view),
                let group = product.group, let level = product.level,
                let place = view.policy.policy.groups[group]?.levels.firstIndex(of: level)
            else { return .min }
            return -Int64(place)
        }
    }
}

extension DerivedUnit {
    /// The last span that has an instant of the stretch.
    fileprivate func span(lastIn stretch: Interval) -> Int? {
        states.spans.lastIndex { $0.interval.intersection(stretch) != nil }
    }
}
