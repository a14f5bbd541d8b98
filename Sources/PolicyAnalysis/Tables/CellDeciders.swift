internal import EntitlementModel

/// Collects which rules decide some case of each of several boxes of cells.
struct CellDeciders {
    private let table: CellTable
    private let boxes: [CellBox]
    /// By box, by rule: whether an exception of it lies in the box.
    private(set) var found: [[Int: Bool]]

    init(_ table: CellTable, _ boxes: [CellBox]) {
        self.table = table
        self.boxes = boxes
        found = boxes.map { _ in [:] }
    }

    /// Adds the rules that decide cases of a subject. A search that is given up within its bounds
    /// counts as a case: a rule is shown once too often then, and never missed.
    mutating func add(_ subject: CellSubject) {
        let regions = table.regions(of: subject)
        for (index, box) in boxes.enumerated() {
            guard let cells = table.space.layout.intersection(subject.box, box) else { continue }
            for (place, region) in regions.enumerated() {
                add(region, beside: regions[..<place], subject, cells, index)
            }
        }
    }

    private mutating func add(
        _ region: CellRegion, beside earlier: ArraySlice<CellRegion>, _ subject: CellSubject,
        _ cells: CellBox, _ index: Int
    ) {
        let layout = table.space.layout
        let known = found[index][region.rule]
        guard known == nil || known == false && region.unless != nil,
            let start = layout.intersection(region.when, cells)
        else { return }
        if known == nil {
            let answer = table.open(
                subject, in: start, beside: table.exception(of: region) + earlier)
            if case .none = answer { return }
            found[index][region.rule] = false
        }
        if let unless = region.unless, let common = layout.intersection(start, unless),
            table.space.isPossible(common, subject.clock)
        {
            found[index][region.rule] = true
        }
    }

    /// Whether some case of the box is decided by none of the rules.
    func isOpen(_ subject: CellSubject, in box: CellBox) -> Bool {
        if case .none = table.open(subject, in: box, beside: table.regions(of: subject)) {
            return false
        }
        return true
    }
}

extension CellSpace {
    /// All cells of a state.
    func box(of state: EntitlementState) -> CellBox {
        layout.restricting(layout.full, .standing) { standings[$0].state == state }
    }

    /// All cells of a claim at a moment whose token is so; where no rule tells moments apart, the
    /// only one stands for all.
    func box(_ token: TokenMatch, _ moment: ClaimMoment) -> CellBox {
        let box = layout.restricting(layout.full, .token) { tokens[$0] == token }
        guard moments.count > 1 else { return box }
        return layout.restricting(box, .moment) { moments[$0] == moment }
    }
}
