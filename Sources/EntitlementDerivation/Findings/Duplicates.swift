internal import EntitlementModel

/// Subscriptions that one account pays for on two Apple IDs at one time (spec 1.9).
func duplicates(of account: AccountID, owned: [DerivedUnit], view: FactView) -> [Finding] {
    let subscriptions = owned.filter { $0.kind.isKnown(.autoRenewable) }
        .sorted { $0.lineage < $1.lineage }
    guard subscriptions.count > 1 else { return [] }
    let appleIDs = AppleIDs(view)
    var findings: [Finding] = []
    for (index, first) in subscriptions.enumerated() {
        for second in subscriptions[(index + 1)...]
        where first.unit.environment == second.unit.environment {
            let pair = SubscriptionPair(
                first: first, second: second, view: view, appleIDs: appleIDs)
            guard pair.appleIDs != .same else { continue }
            findings += pair.overlaps(ownedBy: account).map { pair.finding($0, of: account) }
        }
    }
    return findings
}

/// Two subscriptions of one environment at the same time.
struct SubscriptionPair {
    let first: DerivedUnit
    let second: DerivedUnit
    let view: FactView
    let appleIDKeys: (AppleIDKey, AppleIDKey)
    let appleIDs: AppleIDRelation

    init(first: DerivedUnit, second: DerivedUnit, view: FactView, appleIDs: AppleIDs) {
        self.first = first
        self.second = second
        self.view = view
        let keys = (
            appleIDs.key(of: first.lineage) ?? .lineage(first.lineage),
            appleIDs.key(of: second.lineage) ?? .lineage(second.lineage)
        )
        appleIDKeys = keys
        if keys.0 == keys.1 {
            self.appleIDs = .same
        } else if keys.0.isCertain && keys.1.isCertain {
            self.appleIDs = .different
        } else {
            self.appleIDs =
                Self.areActiveTogether(first, second, view) ? .different : .unproven
        }
    }

    /// Apple allows one active subscription per group and Apple ID (spec 1.3).
    private static func areActiveTogether(
        _ first: DerivedUnit, _ second: DerivedUnit, _ view: FactView
    ) -> Bool {
        overlappingSpans(first, second).contains { one, other, _ in
            let (left, right) = (first.period(of: one), second.period(of: other))
            return first.states.spans[one].state == .active
                && second.states.spans[other].state == .active
                && left.ownership(in: view) == .purchased
                && right.ownership(in: view) == .purchased
                && left.isInOneGroup(with: right, view: view)
        }
    }

    /// Stretches in which the account owns both, both run, and they give the same.
    func overlaps(ownedBy account: AccountID) -> [Interval] {
        var overlaps: [Interval] = []
        for (one, other, interval) in overlappingSpans(first, second)
        where isDuplicate(one, other) {
            for owned in ownedTogether(by: account) {
                guard let part = interval.intersection(owned) else { continue }
                if let last = overlaps.last, last.end == part.start {
                    overlaps[overlaps.count - 1] = Interval(
                        uncheckedFrom: last.start, to: part.end)
                } else {
                    overlaps.append(part)
                }
            }
        }
        return overlaps
    }

    private func ownedTogether(by account: AccountID) -> [Interval] {
        let one = first.ownership.spans.filter { $0.account == account }.map(\.interval)
        let other = second.ownership.spans.filter { $0.account == account }.map(\.interval)
        return one.flatMap { interval in other.compactMap { interval.intersection($0) } }
            .sorted { $0.start < $1.start }
    }

    private func isDuplicate(_ one: Int, _ other: Int) -> Bool {
        guard first.states.spans[one].state.isRunning,
            second.states.spans[other].state.isRunning
        else { return false }
        let (left, right) = (first.period(of: one), second.period(of: other))
        guard left.ownership(in: view) != .familyShared,
            right.ownership(in: view) != .familyShared
        else { return false }
        if left.isInOneGroup(with: right, view: view) { return true }
        guard view.policy.policy.duplicates.scope == .entitlement else { return false }
        let given = Set(left.catalogued(in: view)?.entitlements ?? [])
        return !given.isDisjoint(with: right.catalogued(in: view)?.entitlements ?? [])
    }
}

/// What is certain about the Apple IDs of two lineages (spec 1.3).
enum AppleIDRelation {
    case same
    case different
    case unproven
}

/// All pairs of spans that have an instant in common, by time.
private func overlappingSpans(
    _ first: DerivedUnit, _ second: DerivedUnit
) -> [(Int, Int, Interval)] {
    var found: [(Int, Int, Interval)] = []
    for one in first.states.spans.indices {
        for other in second.states.spans.indices {
            let interval = first.states.spans[one].interval.intersection(
                second.states.spans[other].interval)
            if let interval { found.append((one, other, interval)) }
        }
    }
    return found
}

extension DerivedUnit {
    func period(of span: Int) -> Purchase {
        states.purchases[states.purchaseOfSpan[span]]
    }
}

extension Purchase {
    /// The signed group, else the catalogue's.
    func isInOneGroup(with other: Purchase, view: FactView) -> Bool {
        if let signed = group(in: view), let otherSigned = other.group(in: view) {
            return signed == otherSigned
        }
        guard let group = catalogued(in: view)?.group else { return false }
        return group == other.catalogued(in: view)?.group
    }

    func catalogued(in view: FactView) -> Product? {
        product.map { view.policy.products[$0].product }
    }
}

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
