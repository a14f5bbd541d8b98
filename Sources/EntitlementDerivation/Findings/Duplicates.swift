internal import EntitlementModel

/// Entitlements that an account pays for on two Apple IDs at once (spec 1.9).
func duplicates(of account: AccountID, owned: [DerivedUnit], view: FactView) -> [Finding] {
    let lasting = owned.filter {
        $0.kind.isKnown(.autoRenewable) || $0.kind.isKnown(.nonConsumable)
    }.sorted { $0.lineage < $1.lineage }
    guard lasting.count > 1 else { return [] }
    let appleIDs = AppleIDs(view)
    var findings: [Finding] = []
    for (index, first) in lasting.enumerated() {
        for second in lasting[(index + 1)...]
        where first.unit.environment == second.unit.environment && first.kind == second.kind {
            let pair = DuplicatePair(
                first: first, second: second, view: view, appleIDs: appleIDs)
            guard pair.appleIDs != .same else { continue }
            findings += pair.overlaps(ownedBy: account).map { pair.finding($0, of: account) }
        }
    }
    return findings
}

/// Two subscriptions, or two non-consumables, of one environment at the same time.
struct DuplicatePair {
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

    /// Apple allows one active subscription per group and Apple ID (spec 1.3); of
    /// non-consumables nothing is proven so.
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
        if first.kind.isKnown(.nonConsumable) { return left.productID == right.productID }
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

extension DuplicatePair {
    /// The finding of one overlap: both sides, how long, and which to keep (spec 1.9).
    func finding(_ overlap: Interval, of account: AccountID) -> Finding {
        let sides = [
            PairSide(first, appleIDKeys.0, in: overlap, view),
            PairSide(second, appleIDKeys.1, in: overlap, view),
        ]
        let days = overlap.end.map { $0.milliseconds(since: overlap.start) / 86_400_000 }
        let details = sides.map(\.detail)
        return Finding(
            kind: appleIDs == .different ? .duplicateAppleID : .duplicateAppleIDPossible,
            environment: first.unit.environment, interval: overlap, accounts: [account],
            units: [first.unit, second.unit],
            product: first.kind.isKnown(.nonConsumable) ? details[0].product : nil,
            duplicate: DuplicateDetail(
                sides: details, overlapDays: days,
                keep: (sides[1].isBetter(than: sides[0]) ? second : first).lineage),
            facts: sides.flatMap { $0.span?.facts ?? [] }.ascendingWithoutRepetition())
    }
}

/// One of the two, as of the end of their overlap.
private struct PairSide {
    let unit: DerivedUnit
    let appleID: AppleIDKey
    let view: FactView
    let span: StateSpan?
    /// The purchase of that span.
    let period: Purchase

    init(_ unit: DerivedUnit, _ appleID: AppleIDKey, in overlap: Interval, _ view: FactView) {
        self.unit = unit
        self.appleID = appleID
        self.view = view
        let index = unit.states.spans.lastIndex { $0.interval.intersection(overlap) != nil }
        span = index.map { unit.states.spans[$0] }
        period = index.map { unit.period(of: $0) } ?? unit.firstPurchase
    }

    var detail: DuplicateDetail.Side {
        DuplicateDetail.Side(
            lineage: unit.lineage, appleID: appleID, product: period.productID,
            price: period.price(in: view),
            renewal: unit.kind.isKnown(.autoRenewable) ? renewal : nil)
    }

    private var renewal: RenewalOutlook? {
        span.flatMap { view.outlook(of: unit.lineage, in: $0, before: $0.interval.end) }
    }

    /// Whether it is the one to keep: the one that renews, and where both or neither are known
    /// not to, the one that the policy prefers. Of equal ones that is paid for longer, then that
    /// was bought first.
    func isBetter(than other: PairSide) -> Bool {
        let keep = view.policy.policy.duplicates.keep
        let ranks: [(PairSide) -> Int64] = [
            { $0.span?.willRenew == false ? 0 : 1 }, { $0.rank(by: keep) },
            { $0.rank(by: .longestPaid) }, { -$0.unit.firstPurchase.start.milliseconds },
        ]
        for rank in ranks where rank(self) != rank(other) { return rank(self) > rank(other) }
        return false
    }

    /// The larger is to be kept.
    private func rank(by measure: DuplicateSettings.Keep) -> Int64 {
        switch measure {
        case .longestPaid: return span.map { $0.paidUntil?.milliseconds ?? .max } ?? .min
        case .newest: return unit.firstPurchase.start.milliseconds
        case .highestLevel:
            guard let product = period.catalogued(in: view),
                let group = product.group, let level = product.level,
                let place = view.policy.policy.groups[group]?.levels.firstIndex(of: level)
            else { return .min }
            return -Int64(place)
        }
    }
}
