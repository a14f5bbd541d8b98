internal import EntitlementModel

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
