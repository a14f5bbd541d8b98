package import EntitlementModel
internal import PolicyLoading

/// How one product's right in one state differs between two policies (spec 2.4).
package struct CellChange: Hashable, Sendable {
    package enum Verdict: String, CaseIterable, Sendable {
        case wider
        case narrower
        case both
        /// Too many cases to try all of them: it may be narrower.
        case unknown
    }

    package let product: ProductID
    package let entitlement: EntitlementName
    package let state: EntitlementState
    package let verdict: Verdict
    /// The smallest case that only the first policy grants.
    package let lost: CellExample?
    /// The smallest case that only the second one grants.
    package let gained: CellExample?
    /// For the purchase of `lost`, else of `gained`; nil where neither is known.
    package let length: CellLength?
}

/// Every cell of product, entitlement and state in which two policies differ, in their order, and
/// how many there are in all (spec 2.4).
///
/// What is compared is what the rules say. A shorter duration, say, is no cell.
///
/// - Parameter builtIns: the access rules behind those of every policy.
package func cellChanges(
    from old: Policy, to new: Policy, builtIns: [AccessRule]
) -> (changes: [CellChange], cells: Int) {
    var known: [CellPair: CellDifference] = [:]
    var (changes, cells) = ([CellChange](), 0)
    for id in Set(old.products.keys).union(new.products.keys).sorted() {
        let (before, after) = (old.products[id], new.products[id])
        let names = [before, after].compactMap(\.self).flatMap(\.entitlements)
        let kinds = Set([before, after].compactMap(\.?.kind))
        for name in Set(names).sorted() {
            for state in EntitlementState.allCases
            where kinds.contains(where: { $0.states.contains(state) }) {
                cells += 1
                let pair = CellPair(
                    isSubscription: kinds.contains(.autoRenewable),
                    isGrouped: [before, after].contains { $0?.group != nil }, state: state,
                    old: entries(of: before, name, state, old.decidingRules + builtIns),
                    new: entries(of: after, name, state, new.decidingRules + builtIns))
                if pair.old == pair.new { continue }
                let difference = known[pair] ?? CellDifference(pair)
                known[pair] = difference
                guard let verdict = difference.verdict else { continue }
                changes.append(
                    CellChange(
                        product: id, entitlement: name, state: state, verdict: verdict,
                        lost: difference.lost, gained: difference.gained,
                        length: difference.length))
            }
        }
    }
    return (changes, cells)
}

/// A rule that can decide a cell, with what is left of its conditions in it.
private struct CellEntry: Hashable {
    let grants: Bool
    let when: Condition
    let unless: Condition?

    var isLast: Bool { when == Condition() && unless == nil }
}

/// Entries with their conditions ready to be held against many cases.
private struct EntryTests {
    private let rules: [(grants: Bool, when: [CellTest], unless: [CellTest]?)]

    init(_ entries: [CellEntry]) {
        func tests(_ condition: Condition) -> [CellTest] {
            CellTest.all(of: condition, foldsAccounts: false)
        }
        rules = entries.map { ($0.grants, tests($0.when), $0.unless.map(tests)) }
    }

    /// By the first that matches; what none does is withheld.
    func grants(_ example: CellExample) -> Bool {
        rules.first { rule in
            example.meets(rule.when) && !(rule.unless.map(example.meets) ?? false)
        }?.grants ?? false
    }
}

private struct CellPair: Hashable {
    let isSubscription: Bool
    let isGrouped: Bool
    let state: EntitlementState
    let old: [CellEntry]
    let new: [CellEntry]
}

/// Nothing where the product does not give the entitlement, or cannot be in the state.
private func entries(
    of product: Product?, _ name: EntitlementName, _ state: EntitlementState,
    _ rules: [AccessRule]
) -> [CellEntry] {
    guard let product, product.entitlements.contains(name), product.kind.states.contains(state)
    else { return [] }
    var entries: [CellEntry] = []
    for rule in rules {
        guard rule.only?.contains(name) ?? true, rule.when.admits(product, name, state) else {
            continue
        }
        var unless: Condition?
        if let exception = rule.unless, exception.admits(product, name, state) {
            if exception.besideCell == Condition() { continue }
            unless = exception.besideCell
        }
        let entry = CellEntry(
            grants: rule.effect == .grant, when: rule.when.besideCell, unless: unless)
        entries.append(entry)
        if entry.isLast { break }
    }
    return entries
}

/// Two lists of rules, tried on every case that they can tell apart.
private struct CellDifference {
    /// Nil where they decide alike.
    var verdict: CellChange.Verdict?
    var lost: CellExample?
    var gained: CellExample?
    var length: CellLength?

    init(_ pair: CellPair) {
        guard
            let cases = CellCases(pair)
        else {
            verdict = .unknown
            return
        }
        let (old, new) = (EntryTests(pair.old), EntryTests(pair.new))
        var (fewestLost, fewestGained) = (Int.max, Int.max)
        cases.visitAll { example, unusual in
            let (isBefore, isAfter) = (old.grants(example), new.grants(example))
            if isBefore, !isAfter, unusual < fewestLost {
                (lost, fewestLost) = (example, unusual)
            } else if isAfter, !isBefore, unusual < fewestGained {
                (gained, fewestGained) = (example, unusual)
            }
        }
        length = (lost ?? gained).map { example in
            CellLength(
                before: example.ages(bounds: pair.ages, where: old.grants),
                after: example.ages(bounds: pair.ages, where: new.grants))
        }
        lost = lost?.inWindow(of: pair.dates) { old.grants($0) && !new.grants($0) }
        gained = gained?.inWindow(of: pair.dates) { new.grants($0) && !old.grants($0) }
        switch (lost, gained) {
        case (nil, nil): verdict = nil
        case (_?, nil): verdict = .narrower
        case (nil, _?): verdict = .wider
        case (_?, _?): verdict = .both
        }
    }
}

extension CellPair {
    fileprivate var conditions: [Condition] {
        (old + new).flatMap { [$0.when] + ($0.unless.map { [$0] } ?? []) }
    }
}

extension CellPair {
    /// Those that `at` is compared with.
    fileprivate var dates: [Instant] {
        conditions.flatMap { ($0.at ?? []).flatMap(\.instants) }
    }

    /// The ages that states are compared with. Milliseconds.
    fileprivate var ages: [Int64] {
        conditions.flatMap { ($0.stateAges ?? []) + ($0.unpaidFor ?? []) }.flatMap(\.range.cuts)
    }
}

extension Condition {
    fileprivate func admits(
        _ product: Product, _ name: EntitlementName, _ state: EntitlementState
    ) -> Bool {
        admits(product, as: product.kind, giving: name) && (states?.contains(state) ?? true)
    }
}

/// Every case that some conditions can tell apart, one of each.
///
/// Of an enumeration these are all its words; of names those that are mentioned, one that fits each
/// pattern, and another one; of ages and dates the bounds, and the last millisecond before each.
struct CellCases {
    /// A field with the values that it can have; the first is the usual one.
    private struct Dimension {
        let field: ConditionField
        let values: [CellValue]
    }

    /// More cases than are tried.
    private static let limit = 60_000

    private let dimensions: [Dimension]

    /// Nil where there are too many.
    fileprivate init?(_ pair: CellPair) {
        let (conditions, state) = (pair.conditions, pair.state)
        // What no purchase in the state has.
        var absent: [ConditionField] = []
        if state != .expired || !pair.isSubscription { absent.append(.expiryReason) }
        if !pair.isSubscription { absent.append(.autoRenew) }
        if !pair.isGrouped { absent.append(.memberFor) }
        if state != .revoked { absent.append(.revocation) }
        if state == .active { absent.append(.unpaidFor) }
        var dimensions: [Dimension] = []
        var cases = 1
        for field in CellAxis.facts where !absent.contains(field) {
            let asked = conditions.compactMap { $0[field] }
            if asked.isEmpty { continue }
            let values = Self.values(of: field, asked)
            dimensions.append(Dimension(field: field, values: values))
            cases *= values.count
            if cases > Self.limit { return nil }
        }
        self.dimensions = dimensions
    }

    private static func values(
        of field: ConditionField, _ asked: [ConditionValues]
    ) -> [CellValue] {
        let cuts = Set(asked.flatMap(\.ranges).flatMap(\.cuts))
        let sides = cuts.union(cuts.map { $0 - 1 })
        switch field.slot.form {
        case .words(let type, let usual):
            let others = type.words.filter { $0 != usual }
            return ((usual.map { [$0] } ?? []) + others).map { .word($0) }
        case .name, .storefront: return storefronts(asked.flatMap(\.texts)).map { .name($0) }
        case .productPattern, .accountPattern:
            return names(asked.flatMap(\.texts).map { NamePattern($0) }).map {
                .account(AccountID(unchecked: $0))
            }
        case .age:
            let ages = sides.union([0]).filter { $0 >= 0 }.sorted().map { CellValue.number($0) }
            return field == .unpaidFor ? [.range(nil)] + ages : ages
        case .version: return asked.versions.map { .name($0) } + [.name(nil)]
        case .date, .count: return sides.sorted().map { .number($0) }
        }
    }

    /// With each case, how many of its values are not the usual ones. Cases that no purchase can be
    /// in are passed over.
    func visitAll(_ body: (CellExample, _ unusual: Int) -> Void) {
        var places = [Int](repeating: 0, count: dimensions.count)
        while true {
            var example = CellExample()
            for (dimension, place) in zip(dimensions, places) {
                example.values[dimension.field] = dimension.values[place]
            }
            if example.isPossible { body(example, places.count { $0 > 0 }) }
            var next = places.count - 1
            while next >= 0, places[next] == dimensions[next].values.count - 1 {
                places[next] = 0
                next -= 1
            }
            guard next >= 0 else { return }
            places[next] += 1
        }
    }

    private static func names(_ patterns: [NamePattern]) -> [String] {
        let fitting = patterns.flatMap { pattern in
            ["", "x"].map { pattern.text.replacing("*", with: $0) }
        }.filter { !$0.isEmpty }
        let other = ["somebody", "anybody", "nobody", "else"].first { name in
            !patterns.contains { $0.matches(name) }
        }
        return (other.map { [$0] } ?? []) + Set(fitting).sorted()
    }

    private static func storefronts(_ named: [String]) -> [String] {
        let other = ["USA", "CHN", "DEU", "JPN", "ZZZ"].first { !named.contains($0) }
        return (other.map { [$0] } ?? []) + Set(named).sorted()
    }
}
