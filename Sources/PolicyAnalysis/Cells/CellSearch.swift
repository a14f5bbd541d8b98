internal import EntitlementModel

/// Looks for a case that no rule of a list decides.
///
/// What a rule does not match of a box is cut off in boxes that do not overlap, and each of them is
/// held against the rules behind it. The first that none of them meets is an answer; if there is
/// none, the rules cover the box.
struct CellSearch {
    let space: CellSpace
    let clock: CellClock
    let regions: [CellRegion]
    /// Rules that decided a part of what was looked at.
    private(set) var deciders: Set<Int> = []
    /// Whether the answer was given up: there are rules for which it takes too long.
    private(set) var isExhausted = false
    private var steps = 0

    /// More than any policy that people wrote needs.
    private static let limit = 20_000

    init(_ space: CellSpace, _ clock: CellClock, regions: [CellRegion]) {
        self.space = space
        self.clock = clock
        self.regions = regions
    }

    /// A box that no region meets and that has a case in it; nil where there is none.
    mutating func open(in box: CellBox) -> CellBox? { search(box, 0) }

    private mutating func search(_ box: CellBox, _ start: Int) -> CellBox? {
        steps += 1
        if steps > Self.limit { isExhausted = true }
        guard !isExhausted, space.isPossible(box, clock) else { return nil }
        if let whole = regions[start...].first(where: { covers($0, box) }) {
            deciders.insert(whole.rule)
            return nil
        }
        let layout = space.layout
        for (index, region) in regions[start...].enumerated() {
            guard let common = layout.intersection(box, region.when) else { continue }
            let excepted = region.unless.map { layout.intersection(common, $0) } ?? nil
            if excepted == common { continue }
            let next = start + index + 1
            let outside = layout.remainder(of: box, outside: region.when)
            for piece in outside + (excepted.map { [$0] } ?? []) {
                if let found = search(piece, next) { return found }
            }
            // Nothing is left of what it does not match; what it does match, it decides.
            deciders.insert(region.rule)
            return nil
        }
        return box
    }

    private func covers(_ region: CellRegion, _ box: CellBox) -> Bool {
        guard space.layout.covers(region.when, box) else { return false }
        guard let unless = region.unless else { return true }
        return space.layout.intersection(unless, box) == nil
    }
}

extension CellTable {
    /// What a search came to.
    enum Answer {
        case none
        case found(CellBox)
        /// Not proved within bounds.
        case unknown
    }

    /// A box of the subject's cells, within another, that no region decides.
    func open(
        _ subject: CellSubject, in box: CellBox, beside regions: [CellRegion]
    ) -> Answer {
        guard let start = space.layout.intersection(subject.box, box) else { return .none }
        var search = CellSearch(space, subject.clock, regions: regions)
        if let found = search.open(in: start) { return .found(found) }
        return search.isExhausted ? .unknown : .none
    }

    /// The plainest cell of the subject, within a box, that no region decides: axis by axis the
    /// first value that is possible.
    func plainest(
        _ subject: CellSubject, in box: CellBox, beside regions: [CellRegion]
    ) -> CellBox? {
        guard case .found(var found) = open(subject, in: box, beside: regions),
            var current = space.layout.intersection(subject.box, box)
        else { return nil }
        for axis in CellAxis.all {
            for value in space.layout.values(current, axis) {
                let narrower = space.layout.restricting(current, axis) { $0 == value }
                if space.layout.covers(found, narrower), space.isPossible(narrower, subject.clock) {
                    current = narrower
                    break
                }
                guard case .found(let better) = open(subject, in: narrower, beside: regions) else {
                    continue
                }
                (current, found) = (narrower, better)
                break
            }
        }
        return current
    }

    /// The region as one that is taken out of what is looked for: what an `unless` excludes.
    func exception(of region: CellRegion) -> [CellRegion] {
        region.unless.map { [CellRegion(rule: region.rule, when: $0, unless: nil)] } ?? []
    }
}

/// What the instants and ages of a case have to do with one another.
enum CellClock: Hashable {
    /// A claim: nothing but the instant is looked at.
    case none
    /// A right: `first_purchased ≤ purchased ≤ at`, and the age of the state and the time since the
    /// paid end go back to the purchase at most.
    case right
    /// The same of a subscription: its periods adjoin, and `active` can be as old as the first.
    case subscription
    /// Credits are delivered at the instant of the purchase.
    case delivery
    /// A refund request: `purchased ≤ at`.
    case refund
}

extension CellSpace {
    /// Whether some case is in the box: its sets are not empty, and its times can be those of one
    /// case.
    func isPossible(_ box: CellBox, _ clock: CellClock) -> Bool {
        if layout.isEmpty(box) { return false }
        switch clock {
        case .none: return true
        case .delivery: return canBeDelivery(box)
        case .refund: return purchase(in: box, from: CellRange.earliest) != nil
        case .right, .subscription:
            guard let first = layout.first(box, .firstPurchased),
                let purchase = purchase(in: box, from: firstPurchases[first].lower),
                let last = layout.last(box, .at), let age = layout.first(box, .stateAge)
            else { return false }
            let latest = instants[last].upper - 1
            let oldest = clock == .subscription ? firstPurchases[first].lower : purchase
            return canBeActive(box) && latest - oldest >= ages[age].lower
                || latest - purchase >= max(ages[age].lower, earliestUnpaid(box) ?? .max)
        }
    }

    /// What is active is paid for.
    private func canBeActive(_ box: CellBox) -> Bool {
        layout.contains(box, .standing, 0) && layout.contains(box, .unpaid, 0)
    }

    /// The least time since the paid end, 0 if it may be to come; nil where every case is active.
    private func earliestUnpaid(_ box: CellBox) -> Int64? {
        guard layout.last(box, .standing) != 0, let first = layout.first(box, .unpaid) else {
            return nil
        }
        return unpaids[first]?.lower ?? 0
    }

    /// The earliest purchase that is not before an instant, nor after the latest that is asked
    /// about.
    private func purchase(in box: CellBox, from earliest: Int64) -> Int64? {
        guard let last = layout.last(box, .at) else { return nil }
        for index in layout.values(box, .purchased) where purchases[index].upper > earliest {
            let instant = max(purchases[index].lower, earliest)
            return instant < instants[last].upper ? instant : nil
        }
        return nil
    }

    private func canBeDelivery(_ box: CellBox) -> Bool {
        guard layout.contains(box, .stateAge, 0), layout.contains(box, .unpaid, 0),
            let first = layout.first(box, .firstPurchased)
        else { return false }
        let earliest = firstPurchases[first].lower
        return layout.values(box, .purchased).contains { purchase in
            layout.values(box, .at).contains { at in
                let start = max(purchases[purchase].lower, instants[at].lower, earliest)
                return start < min(purchases[purchase].upper, instants[at].upper)
            }
        }
    }
}
