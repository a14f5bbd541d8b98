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
            where kinds.contains(where: { $0.canBe(state) }) {
                cells += 1
                let pair = CellPair(
                    isSubscription: kinds.contains(.autoRenewable), state: state,
                    old: entries(of: before, name, state, old.accessRules + builtIns),
                    new: entries(of: after, name, state, new.accessRules + builtIns))
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

    func decides(_ example: CellExample) -> Bool {
        example.meets(when) && !(unless.map(example.meets) ?? false)
    }
}

private struct CellPair: Hashable {
    let isSubscription: Bool
    let state: EntitlementState
    let old: [CellEntry]
    let new: [CellEntry]
}

/// Nothing where the product does not give the entitlement, or cannot be in the state.
private func entries(
    of product: Product?, _ name: EntitlementName, _ state: EntitlementState,
    _ rules: [AccessRule]
) -> [CellEntry] {
    guard let product, product.entitlements.contains(name), product.kind.canBe(state) else {
        return []
    }
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
        guard let cases = CellCases(conditions: pair.conditions, of: pair) else {
            verdict = .unknown
            return
        }
        var (fewestLost, fewestGained) = (Int.max, Int.max)
        cases.visitAll { example, unusual in
            let isBefore = pair.old.first { $0.decides(example) }?.grants ?? false
            let isAfter = pair.new.first { $0.decides(example) }?.grants ?? false
            if isBefore, !isAfter, unusual < fewestLost {
                (lost, fewestLost) = (example, unusual)
            } else if isAfter, !isBefore, unusual < fewestGained {
                (gained, fewestGained) = (example, unusual)
            }
        }
        length = (lost ?? gained).map { example in
            CellLength(
                before: pair.ages(of: example, by: pair.old),
                after: pair.ages(of: example, by: pair.new))
        }
        lost = lost?.inWindow(of: pair.dates) { pair.grants($0, pair.old, not: pair.new) }
        gained = gained?.inWindow(of: pair.dates) { pair.grants($0, pair.new, not: pair.old) }
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
        conditions.flatMap { $0.at ?? [] }.flatMap { bound in
            switch bound {
            case .before(let instant), .from(let instant): [instant]
            case .within(let start, let end): [start, end]
            }
        }
    }

    fileprivate func grants(
        _ example: CellExample, _ entries: [CellEntry], not others: [CellEntry]
    ) -> Bool {
        (entries.first { $0.decides(example) }?.grants ?? false)
            && !(others.first { $0.decides(example) }?.grants ?? false)
    }

    /// The ages of the state at which the entries grant it to such a purchase.
    fileprivate func ages(of example: CellExample, by entries: [CellEntry]) -> [AgeStretch] {
        let bounds = conditions.flatMap { ($0.stateAges ?? []) + ($0.unpaidFor ?? []) }
        return example.ages(bounds: bounds.flatMap(\.lengths)) { example in
            entries.first { $0.decides(example) }?.grants ?? false
        }
    }
}

extension CellCases {
    fileprivate init?(conditions: [Condition], of pair: CellPair) {
        self.init(
            conditions: conditions, state: pair.state, isSubscription: pair.isSubscription)
    }
}

extension ProductKind {
    /// The states of spec 1.4; a consumable that gives a right for a time has those of a
    /// non-renewing product.
    fileprivate func canBe(_ state: EntitlementState) -> Bool {
        switch self {
        case .autoRenewable: true
        case .nonConsumable, .free: state == .active || state == .revoked
        case .nonRenewing, .consumable: [.active, .expired, .revoked].contains(state)
        }
    }
}

extension Condition {
    fileprivate func admits(
        _ product: Product, _ name: EntitlementName, _ state: EntitlementState
    ) -> Bool {
        (kinds?.contains(product.kind) ?? true) && (states?.contains(state) ?? true)
            && (products?.contains { $0.matches(product.id.text) } ?? true)
            && (groups.map { product.group.map($0.contains) ?? false } ?? true)
            && (levels.map { product.level.map($0.contains) ?? false } ?? true)
            && (entitlements?.contains(name) ?? true)
    }
}

/// Every case that some conditions can tell apart, one of each.
///
/// Of an enumeration these are all its words; of names those that are mentioned, one that fits each
/// pattern, and another one; of ages and dates the bounds, and the last millisecond before each.
struct CellCases {
    /// A field with the values that it can have; the first is the usual one.
    private struct Dimension {
        let count: Int
        let set: (inout CellExample, Int) -> Void
    }

    /// More cases than are tried.
    private static let limit = 60_000

    private let dimensions: [Dimension]

    /// Nil where there are too many.
    init?(conditions: [Condition], state: EntitlementState, isSubscription: Bool) {
        var dimensions: [Dimension] = []
        func add<Value>(
            _ path: WritableKeyPath<CellExample, Value?>, _ values: [Value]
        ) {
            dimensions.append(
                Dimension(count: values.count) { $0[keyPath: path] = values[$1] })
        }
        func asks(_ isAsked: (Condition) -> Bool) -> Bool { conditions.contains(where: isAsked) }
        if asks({ $0.environments != nil }) {
            add(
                \.environment,
                [.production] + StoreEnvironment.allCases.filter { $0 != .production })
        }
        if asks({ $0.ownerships != nil }) { add(\.ownership, OwnershipWord.allCases) }
        if asks({ $0.offers != nil }) { add(\.offer, OfferWord.allCases) }
        if state == .expired, isSubscription, asks({ $0.expiryReasons != nil }) {
            add(\.expiryReason, ExpiryReason.allCases)
        }
        if isSubscription, asks({ $0.autoRenews != nil }) {
            add(\.autoRenew, AutoRenewWord.allCases)
        }
        if state == .revoked, asks({ $0.revocations != nil }) {
            add(\.revocation, RevocationWord.allCases)
        }
        if asks({ $0.accounts != nil }) {
            add(\.account, Self.names(conditions.flatMap { $0.accounts ?? [] }))
        }
        if asks({ $0.storefronts != nil }) {
            add(\.storefront, Self.storefronts(conditions.flatMap { $0.storefronts ?? [] }))
        }
        let ages = Set(conditions.flatMap { ($0.stateAges ?? []).flatMap(\.lengths) })
        if !ages.isEmpty {
            let values = ages.union(ages.filter { $0 > 0 }.map { $0 - 1 }).union([0])
            add(\.stateAge, values.sorted())
        }
        let unpaid = Set(conditions.flatMap { ($0.unpaidFor ?? []).flatMap(\.lengths) })
        if !unpaid.isEmpty, state != .active {
            add(\.unpaidFor, unpaid.union(unpaid.map { $0 - 1 }).union([-1, 0]).sorted())
        }
        if asks({ $0.purchased != nil }) {
            add(\.purchased, Self.instants(conditions.flatMap { $0.purchased ?? [] }))
        }
        if asks({ $0.firstPurchased != nil }) {
            add(\.firstPurchased, Self.instants(conditions.flatMap { $0.firstPurchased ?? [] }))
        }
        if asks({ $0.at != nil }) {
            add(\.at, Self.instants(conditions.flatMap { $0.at ?? [] }))
        }
        var cases = 1
        for dimension in dimensions {
            cases *= dimension.count
            if cases > Self.limit { return nil }
        }
        self.dimensions = dimensions
    }

    /// With each case, how many of its values are not the usual ones. Cases that no purchase can be
    /// in are passed over.
    func visitAll(_ body: (CellExample, _ unusual: Int) -> Void) {
        var places = [Int](repeating: 0, count: dimensions.count)
        while true {
            var example = CellExample()
            for (dimension, place) in zip(dimensions, places) { dimension.set(&example, place) }
            if example.isPossible { body(example, places.count { $0 > 0 }) }
            var next = places.count - 1
            while next >= 0, places[next] == dimensions[next].count - 1 {
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

    private static func instants(_ bounds: [DateBound]) -> [Instant] {
        let bounds = Set(
            bounds.flatMap { bound -> [Instant] in
                switch bound {
                case .before(let instant), .from(let instant): [instant]
                case .within(let start, let end): [start, end]
                }
            })
        return bounds.union(bounds.map { $0.advanced(byMilliseconds: -1) }).sorted()
    }
}
