internal import EntitlementModel

/// Prices against levels, currencies and one another.
extension PolicyBuilder {
    /// Levels are listed from the best: a better one costs more for the same time, and gives all
    /// that a lesser one gives.
    mutating func checkLevels(_ products: [LintedProduct], _ policy: Policy) {
        var ranked: [GroupName: [(product: LintedProduct, rank: Int)]] = [:]
        for product in products where product.product.retiredAt == nil {
            guard let group = product.product.group, let rank = product.rank(in: policy) else {
                continue
            }
            ranked[group, default: []].append((product, rank))
        }
        for (_, sold) in ranked.sorted(by: { $0.key < $1.key }) {
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

    mutating func checkPrices(_ products: [LintedProduct]) {
        for product in products {
            for (currency, price) in product.product.prices.sorted(by: { $0.key < $1.key }) {
                let decimals = CurrencyDecimals.count(of: currency)
                let step: Int64 = [1_000, 100, 10, 1][decimals]
                guard price % step != 0, let span = product.priceSpan(currency) else { continue }
                problems.add(
                    .priceDecimals, at: span, .plain(Self.amount(price)), .written(currency),
                    .number(Int64(decimals)),
                    help: .write(Self.amount((price + step / 2) / step * step)))
            }
        }
        checkRatios(products)
    }

    /// The price in one currency divided by that in another is much the same for all products.
    private mutating func checkRatios(_ products: [LintedProduct]) {
        var counts: [String: Int] = [:]
        for currency in products.flatMap({ $0.product.prices.keys }) {
            counts[currency, default: 0] += 1
        }
        let ranked = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard let base = counts["USD"].map({ ($0, "USD") })?.1 ?? ranked.first?.key else { return }
        for currency in counts.keys.sorted() where currency != base {
            let ratios = products.compactMap { product -> (LintedProduct, Double)? in
                guard let price = product.product.prices[currency],
                    let other = product.product.prices[base], price > 0, other > 0
                else { return nil }
                return (product, Double(price) / Double(other))
            }
            guard ratios.count >= 4 else { continue }
            let sorted = ratios.map(\.1).sorted()
            let usual = sorted[sorted.count / 2]
            for (product, ratio) in ratios where ratio >= usual * 4 || ratio * 4 <= usual {
                let expected = Double(product.product.prices[base] ?? 0) * usual / 1_000
                problems.add(
                    .priceFarOff, at: product.priceSpan(currency),
                    .plain("\(Self.amount(product.product.prices[currency] ?? 0)) \(currency)"),
                    .written(product.name), .plain("\(Int64(expected.rounded())) \(currency)"),
                    .written(base))
            }
        }
    }

    /// In thousandths, as a policy writes it.
    private static func amount(_ thousandths: Int64) -> String {
        let fraction = thousandths % 1_000
        guard fraction != 0 else { return "\(thousandths / 1_000)" }
        var digits = String(fraction + 1_000).dropFirst()
        if digits.hasSuffix("0"), digits.count == 3 { digits.removeLast() }
        return "\(thousandths / 1_000).\(digits)"
    }
}

extension LintedProduct {
    /// The place of its level, 0 for the best; nil without one.
    fileprivate func rank(in policy: Policy) -> Int? {
        guard let group = product.group, let level = product.level else { return nil }
        return policy.groups[group]?.levels.firstIndex(of: level)
    }
}
