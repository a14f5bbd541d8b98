internal import EntitlementModel

/// Levels against prices, and against what the products give.
extension PolicyBuilder {
    /// A product that is sold, with the place of its level, 0 for the best.
    private typealias Ranked = (product: LintedProduct, rank: Int)

    /// Levels are listed from the best: a better one costs more for the same time, and gives all
    /// that a lesser one gives.
    mutating func checkLevels(_ products: [LintedProduct], _ policy: Policy) {
        var ranked: [GroupName: [Ranked]] = [:]
        for product in products where product.product.retiredAt == nil {
            guard let group = product.product.group, let rank = product.rank(in: policy) else {
                continue
            }
            ranked[group, default: []].append((product, rank))
        }
        for (group, sold) in ranked.sorted(by: { $0.key < $1.key }) {
            checkSameLevel(sold)
            if checkOrder(of: policy.groups[group]?.levels ?? [], in: group, sold) { continue }
            for (rank, better) in Dictionary(grouping: sold, by: \.rank).sorted(by: {
                $0.key < $1.key
            }) {
                let lesser = sold.filter { $0.rank > rank }.map(\.product)
                var seen: Set<Set<EntitlementName>> = []
                let offers = lesser.filter {
                    seen.insert(Set($0.product.entitlements)).inserted
                }
                for (product, _) in better {
                    checkPrice(of: product, against: lesser)
                    checkGrants(of: product, against: offers)
                }
            }
        }
    }

    // MARK: The order of all levels

    /// Whether all prices of a group agree on another order of its levels, which is said once, at
    /// the levels. Where they disagree, or what is given says otherwise, a price is wrong.
    private mutating func checkOrder(
        of levels: [LevelName], in group: GroupName, _ sold: [Ranked]
    ) -> Bool {
        let prices = LevelPrices(sold.map { ($0.product.product, $0.rank) })
        guard let (order, pair) = prices.order(of: levels.count),
            let row = draft.tables["groups"]?.first(where: { $0.name == group.text }),
            let span = row.value.section?.value("levels")?.span,
            let cheap = sold.first(where: { $0.product.product.id == pair.better }),
            let dear = sold.first(where: { $0.product.product.id == pair.dearer }),
            let asked = cheap.product.product.prices[pair.currency],
            let more = dear.product.product.prices[pair.currency]
        else { return false }
        let line = order.map { levels[$0].text }.joined(separator: ", ")
        problems.add(
            .levelsAgainstPrices, at: span, .written(levels[cheap.rank].text),
            .written(levels[dear.rank].text), .written(cheap.product.name),
            .plain("\(Self.amount(asked)) \(pair.currency)"), .written(dear.product.name),
            .plain("\(Self.amount(more)) \(pair.currency)"),
            help: .writtenLike("levels: [\(line)]"),
            related: [dear.product.priceSpan(pair.currency)].compactMap { span in
                span.map { Problem.Related(note: .alsoHere, span: $0) }
            })
        return true
    }

    // MARK: One product against another

    private mutating func checkPrice(of better: LintedProduct, against lesser: [LintedProduct]) {
        let alike = lesser.filter { $0.product.period?.asSold == better.product.period?.asSold }
        for (currency, price) in better.product.prices.sorted(by: { $0.key < $1.key }) {
            let dearer = alike.first { $0.product.prices[currency].map { $0 > price } ?? false }
            guard let dearer, let span = better.priceSpan(currency),
                let other = dearer.priceSpan(currency), let asked = dearer.product.prices[currency]
            else { continue }
            problems.add(
                .levelAgainstPrice, at: span, .written(better.name),
                .plain("\(Self.amount(price)) \(currency)"), .written(dearer.name),
                .plain("\(Self.amount(asked)) \(currency)"),
                related: [.init(note: .alsoHere, span: other)])
            return
        }
    }

    private mutating func checkGrants(of better: LintedProduct, against lesser: [LintedProduct]) {
        let own = Set(better.product.entitlements)
        // What each of two gives alone is two offers, and not an order.
        let fuller = lesser.first { own.isStrictSubset(of: $0.product.entitlements) }
        guard let fuller else { return }
        let missing = fuller.product.entitlements.filter { !own.contains($0) }
        problems.add(
            .levelGivesLess, at: better.section.value("grants")?.span ?? better.row.nameSpan,
            .written(better.name), .choice(missing.map(\.text)), .written(fuller.name),
            related: [.init(note: .alsoHere, span: fuller.row.nameSpan)])
    }

    /// Who pays for longer at one level gets no less.
    private mutating func checkSameLevel(_ sold: [Ranked]) {
        var given: [Int: Set<EntitlementName>] = [:]
        for (product, rank) in sold {
            given[rank, default: []].formUnion(product.product.entitlements)
        }
        for (product, rank) in sold {
            let own = Set(product.product.entitlements)
            guard given[rank] != own else { continue }
            let fuller = sold.first { other in
                other.rank == rank && own.isStrictSubset(of: other.product.product.entitlements)
                    && other.product.days <= product.days
            }?.product
            guard let fuller else { continue }
            let missing = fuller.product.entitlements.filter { !own.contains($0) }
            let both = product.product.entitlements.map(\.text) + missing.map(\.text)
            problems.add(
                .sameLevelGivesLess,
                at: product.section.value("grants")?.span ?? product.row.nameSpan,
                .written(product.name), .choice(missing.map(\.text)), .written(fuller.name),
                .plain("grants: [\(both.joined(separator: ", "))]"),
                related: [.init(note: .alsoHere, span: fuller.row.nameSpan)])
        }
    }
}

/// How the levels of a group are ordered by what they cost.
private struct LevelPrices {
    /// Two products of one length, of which the better one costs less.
    struct Pair {
        let better: ProductID
        let dearer: ProductID
        let currency: String
    }

    /// What is sold of a level for one length in one currency.
    private struct Offers: Hashable {
        let rank: Int
        let period: Period?
        let currency: String
    }

    private typealias Priced = (price: Int64, id: ProductID)

    private var reversed: [[Int]: Pair] = [:]
    /// By pairs of places: whether the first costs less than the second somewhere.
    private var dearer: Set<[Int]> = []
    private var isMixed = false

    init(_ sold: [(product: Product, rank: Int)]) {
        var bounds: [Offers: (least: Priced, most: Priced)] = [:]
        var given: [Int: Set<Set<EntitlementName>>] = [:]
        for (product, rank) in sold {
            given[rank, default: []].insert(Set(product.entitlements))
            for (currency, price) in product.prices {
                let offers = Offers(rank: rank, period: product.period?.asSold, currency: currency)
                let own = (price, product.id)
                let known = bounds[offers] ?? (own, own)
                bounds[offers] = (min(known.least, own, by: <), max(known.most, own, by: <))
            }
        }
        for (offers, better) in bounds.sorted(by: { $0.value.least < $1.value.least }) {
            for rank in given.keys where rank > offers.rank {
                let other = Offers(rank: rank, period: offers.period, currency: offers.currency)
                guard let lesser = bounds[other] else { continue }
                if lesser.least.price < better.most.price { dearer.insert([rank, offers.rank]) }
                guard lesser.most.price > better.least.price else { continue }
                dearer.insert([offers.rank, rank])
                let pair = Pair(
                    better: better.least.id, dearer: lesser.most.id, currency: offers.currency)
                if reversed[[offers.rank, rank]].map({ $0.currency < pair.currency }) ?? true {
                    reversed[[offers.rank, rank]] = pair
                }
            }
        }
        isMixed = dearer.contains { dearer.contains($0.reversed()) }
        // What is better gives more: then it is its price that is wrong.
        for pair in reversed.keys {
            let (better, lesser) = (given[pair[0]] ?? [], given[pair[1]] ?? [])
            if lesser.contains(where: { own in better.contains(where: own.isStrictSubset) }) {
                isMixed = true
            }
        }
    }

    /// The levels from the dearest on, with a pair that shows it; nil where they are in that order,
    /// or in none.
    func order(of count: Int) -> ([Int], Pair)? {
        guard !isMixed else { return nil }
        let first = reversed.min { $0.key.lexicographicallyPrecedes($1.key) }
        guard let pair = first?.value else { return nil }
        var left = Array(0..<count)
        var order: [Int] = []
        while !left.isEmpty {
            guard
                let next = left.first(where: { level in
                    !left.contains { dearer.contains([level, $0]) }
                })
            else { return nil }
            order.append(next)
            left.removeAll { $0 == next }
        }
        return (order, pair)
    }
}

extension LintedProduct {
    /// The place of its level, 0 for the best; nil without one.
    fileprivate func rank(in policy: Policy) -> Int? {
        guard let group = product.group, let level = product.level else { return nil }
        return policy.groups[group]?.levels.firstIndex(of: level)
    }
}

private func min<Value>(_ left: Value, _ right: Value, by precedes: (Value, Value) -> Bool) -> Value
{
    precedes(right, left) ? right : left
}

private func max<Value>(_ left: Value, _ right: Value, by precedes: (Value, Value) -> Bool) -> Value
{
    precedes(left, right) ? right : left
}
