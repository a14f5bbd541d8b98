internal import EntitlementModel

/// Levels against prices, against what the products give, and against names.
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
            var lesser: [Int: [LintedProduct]] = [:]
            for rank in Set(sold.map(\.rank)) {
                lesser[rank] = sold.filter { $0.rank > rank }.map(\.product)
            }
            for (better, rank) in sold {
                checkPrice(of: better, against: lesser[rank] ?? [])
                checkGrants(of: better, against: lesser[rank] ?? [])
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
            help: .levelsOrPrices("levels: [\(line)]"),
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
        for other in lesser {
            let missing = other.product.entitlements.filter { !own.contains($0) }
            guard !missing.isEmpty else { continue }
            problems.add(
                .levelGivesLess,
                at: better.section.value("grants")?.span ?? better.row.nameSpan,
                .written(better.name), .choice(missing.map(\.text)), .written(other.name),
                related: [.init(note: .alsoHere, span: other.row.nameSpan)])
            return
        }
    }

    /// Products of one level differ in how long they last, not in what they give.
    private mutating func checkSameLevel(_ sold: [Ranked]) {
        var given: [Int: Set<EntitlementName>] = [:]
        for (product, rank) in sold {
            given[rank, default: []].formUnion(product.product.entitlements)
        }
        for (product, rank) in sold {
            let own = product.product.entitlements
            guard given[rank]?.count != Set(own).count else { continue }
            let fuller = sold.first { other in
                other.rank == rank && !Set(other.product.product.entitlements).isSubset(of: own)
            }
            guard let fuller else { continue }
            let missing = fuller.product.product.entitlements.filter { !own.contains($0) }
            let both = own.map(\.text) + missing.map(\.text)
            problems.add(
                .sameLevelGivesLess,
                at: product.section.value("grants")?.span ?? product.row.nameSpan,
                .written(product.name), .choice(missing.map(\.text)),
                .written(fuller.product.name),
                .plain("grants: [\(both.joined(separator: ", "))]"),
                related: [.init(note: .alsoHere, span: fuller.product.row.nameSpan)])
        }
    }

    // MARK: Names

    /// A product that is called after another group, and not after its own.
    mutating func checkGroupNames(
        _ products: [LintedProduct], _ policy: Policy
    ) -> Set<ProductID> {
        var found: Set<ProductID> = []
        let groups = policy.groups.keys.sorted().map(\.text)
        for product in products {
            guard let group = product.product.group, let level = product.product.level,
                let span = product.section.value("group")?.span
            else { continue }
            let name = WordsOfName(product.ownName(in: policy))
            let named = name.named(groups)
            // What the group has a level of is named by that.
            guard named.count == 1, let other = named.first, other != group.text,
                !name.named(policy.groups[group]?.levels.map(\.text) ?? []).contains(level.text)
                    || policy.groups[GroupName(unchecked: other)]?.levels.contains(level) ?? false
            else { continue }
            found.insert(product.product.id)
            problems.add(
                .groupAgainstName, at: span, .written(product.name), .written(other),
                .written(group.text), help: .writeOrRename("group: \(other)"))
        }
        return found
    }

    /// Whether a level is written short for two words of a text: `svip` for `Super VIP`.
    private func isShort(_ level: String, for word: String, in text: String) -> Bool {
        guard level.hasSuffix(word), level != word else { return false }
        let words = NameText(text).words
        return zip(words, words.dropFirst()).contains { before, own in
            own == word && before.hasPrefix(level.dropLast(word.count))
        }
    }

    /// A product that is called silver and has the level gold.
    mutating func checkLevelNames(_ products: [LintedProduct], _ policy: Policy) {
        for product in products {
            guard let group = product.product.group, let level = product.product.level,
                let levels = policy.groups[group]?.levels.map(\.text),
                let span = product.section.value("level")?.span
            else { continue }
            let id = product.ownName(in: policy)
            let title = product.product.title?.english ?? ""
            for (text, place) in [
                (id, span), (title, product.section.value("title")?.span ?? span),
            ] {
                let named = WordsOfName(text).named(levels)
                guard let other = named.first, !named.contains(level.text),
                    !isShort(level.text, for: other, in: text)
                else { continue }
                problems.add(
                    .levelAgainstName, at: place,
                    .written(place == span ? product.name : title), .written(other),
                    .written(level.text), help: .writeOrRename("level: \(other)"))
                break
            }
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

/// A name or a title as words in lower case.
struct WordsOfName {
    let words: [String]

    init(_ text: some StringProtocol) {
        words =
            text.asciiWords { _ in false }
            ?? text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Each word that ends in `s` without it: `faxes` as `fax`, `copies` as `copy`.
    var inSingular: WordsOfName {
        let singular = words.map { (word: String) -> String in
            if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
            let isLong = ["ches", "shes", "sses", "xes", "zes"].contains(where: word.hasSuffix)
            if isLong { return String(word.dropLast(2)) }
            return word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
        }
        return WordsOfName(singular.joined(separator: " "))
    }

    /// Those of some names that occur in it, without those that are a part of a longer one.
    func named(_ names: [String]) -> [String] {
        let found = names.filter { $0.count > 2 }.map { (name: $0, part: WordsOfName($0)) }
            .filter { !places(of: $0.part.words).isEmpty }
        return found.filter { name in
            !found.contains { other in
                let (longer, own) = (other.part.words, name.part.words)
                return longer.count > own.count
                    && places(of: own).count == places(of: longer).count
                    && !other.part.places(of: own).isEmpty
            }
        }.map(\.name)
    }

    private func places(of part: [String]) -> [Int] {
        guard !part.isEmpty, part.count <= words.count else { return [] }
        return (0...(words.count - part.count)).filter {
            words[$0..<($0 + part.count)].elementsEqual(part)
        }
    }
}

extension StringProtocol {
    /// The runs of letters and digits in lower case, and of what else belongs to a word: most names
    /// are ASCII, which needs no tables of Unicode. Nil where it is not.
    func asciiWords(besides isOfWord: (UInt8) -> Bool) -> [String]? {
        guard utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return utf8.split { byte in
            let letter = byte | 0x20
            let isOrdinary =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            return !isOrdinary && !isOfWord(byte)
        }.map { String(decoding: $0, as: UTF8.self).lowercased() }
    }
}

extension LintedProduct {
    /// Its id without the bundle id.
    fileprivate func ownName(in policy: Policy) -> String {
        let bundle = policy.app.bundleID.text
        return String(name.dropFirst(name.hasPrefix(bundle) ? bundle.count : 0))
    }

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
