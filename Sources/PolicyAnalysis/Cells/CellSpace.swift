internal import EntitlementModel

/// The values of each axis that the conditions of a list of rules can tell apart (spec 2.2).
///
/// Where no condition looks at an axis, it has one value. Names that the same conditions match are
/// one value, and there is one for names that none does; dates and ages are the stretches between
/// the bounds that are written. So what holds of one case of a cell holds of all.
struct CellSpace {
    /// By axis.
    private let values: [[CellValue]]
    let standings = Standing.all
    let ages: [CellRange]
    /// Since the paid end; nil before it, and where there is none.
    let unpaids: [CellRange?]
    let instants: [CellRange]
    let purchases: [CellRange]
    let firstPurchases: [CellRange]
    let foldsAccounts: Bool
    let layout: CellLayout

    /// - Parameters:
    ///   - hasNobody: whether somebody may ask who has no account.
    ///   - hasStateless: whether what is asked about may be in no state.
    init(
        _ conditions: [Condition], foldsAccounts: Bool, hasNobody: Bool, hasStateless: Bool = false
    ) {
        var values = CellAxis.all.map {
            Self.values(of: $0.field, conditions, foldsAccounts, hasNobody)
        }
        if hasStateless { values[CellAxis.standing.index].append(.name(nil)) }
        func ranges(_ axis: CellAxis) -> [CellRange] {
            values[axis.index].compactMap(\.range)
        }
        self.values = values
        self.foldsAccounts = foldsAccounts
        layout = CellLayout(counts: values.map(\.count))
        ages = ranges(.stateAge)
        unpaids = values[CellAxis.unpaid.index].map(\.range)
        (instants, purchases) = (ranges(.at), ranges(.purchased))
        firstPurchases = ranges(.firstPurchased)
    }

    func values(_ axis: CellAxis) -> [CellValue] { values[axis.index] }

    /// Those of an axis of instants or lengths.
    func ranges(_ axis: CellAxis) -> [CellRange] { values(axis).compactMap(\.range) }

    private static func values(
        of field: ConditionField, _ conditions: [Condition], _ folding: Bool, _ hasNobody: Bool
    ) -> [CellValue] {
        let asked = conditions.compactMap { $0[field] }
        let cuts = asked.flatMap(\.ranges).flatMap(\.cuts)
        switch field.slot.form {
        case .words(let type, let usual):
            if field == .state { return Standing.all.map { .standing($0) } }
            guard let usual else { return type.words.map { .word($0) } }
            let others = asked.isEmpty ? [] : type.words.filter { $0 != usual }
            return ([usual] + others).map { .word($0) }
        case .name, .storefront: return names(asked.map { Set($0.texts) }).map { .name($0) }
        case .accountPattern, .productPattern:
            let lists = asked.map { $0.texts.map { NamePattern($0) } }
            return accounts(lists, folding, hasNobody).map { .account($0) }
        case .age:
            let ranges = CellRange.between(cuts, from: 0).map { CellValue.range($0) }
            if field == .stateAge { return ranges }
            // What is not measured: nothing is unpaid, or in a group.
            return [.range(nil)] + (asked.isEmpty ? [] : ranges)
        case .version:
            return (asked.isEmpty ? [] : asked.versions.map { .name($0) }) + [.name(nil)]
        case .date:
            return CellRange.between(cuts, from: CellRange.earliest).map { .range($0) }
        case .count: return CellRange.between(cuts, from: 0).map { .range($0) }
        }
    }

    private static func names(_ lists: [Set<String>]) -> [String?] {
        var seen: Set<[Int]> = []
        var found: [String?] = [nil]
        for name in lists.reduce(into: Set<String>(), { $0.formUnion($1) }).sorted() {
            let naming = lists.indices.filter { lists[$0].contains(name) }
            if seen.insert(naming).inserted { found.append(name) }
        }
        return found
    }

    private static func accounts(
        _ lists: [[NamePattern]], _ folding: Bool, _ hasNobody: Bool
    ) -> [AccountID?] {
        guard !lists.isEmpty else { return [AccountID(unchecked: "someone")] }
        var seen: Set<[Int]> = []
        var found: [AccountID?] = []
        let patterns = Set(lists.joined()).sorted { $0.text < $1.text }
        for name in names(beside: patterns) + patterns.flatMap({ names(of: $0, folding) }) {
            let account = AccountID(unchecked: name)
            let matching = lists.indices.filter { lists[$0].match(account, folding: folding) }
            if seen.insert(matching).inserted { found.append(account) }
        }
        return found + (hasNobody ? [nil] : [])
    }

    /// A name that no pattern matches, if there is one.
    private static func names(beside patterns: [NamePattern]) -> [String] {
        ["someone", "~", "a~", "0~", "~~"].filter { name in
            !patterns.contains { $0.matches(name) }
        }
    }

    /// Names that the pattern matches: plain ones, and UUIDs where they have no case.
    private static func names(of pattern: NamePattern, _ folding: Bool) -> [String] {
        let text = pattern.text
        guard pattern.hasWildcard else { return folding ? [text, text.lowercased()] : [text] }
        let prefix = String(text.dropLast())
        let plain = ["1", "2", "3", "~", "~~", "x~", ""].map { prefix + $0 }.filter { !$0.isEmpty }
        guard folding, prefix.utf8.count <= 36 else { return plain }
        let uuids = [
            "00000000-0000-4000-8000-000000000000", "ffffffff-ffff-4fff-bfff-ffffffffffff",
        ]
        .map { prefix.lowercased() + $0.dropFirst(prefix.utf8.count) }
        return plain + uuids.filter { AppAccountToken($0) != nil }
    }
}

extension CellValue {
    fileprivate var range: CellRange? {
        if case .range(let range) = self { range } else { nil }
    }
}

extension CellSpace {
    /// The cells in which a condition holds, as far as it does not look at the product.
    func box(_ condition: Condition) -> CellBox {
        CellTest.all(of: condition, foldsAccounts: foldsAccounts).reduce(layout.full) { box, test in
            guard let axis = CellAxis(test.field) else { return box }
            let values = values(axis)
            return layout.restricting(box, axis) { test.holds(values[$0]) }
        }
    }

    /// The cells of a box with one word on an axis.
    func restricting(_ box: CellBox, _ axis: CellAxis, to word: some PolicyWord) -> CellBox {
        let values = values(axis)
        return layout.restricting(box, axis) { values[$0] == .word(word) }
    }
}
