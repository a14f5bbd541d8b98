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
        for axis in CellAxis.allCases {
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
