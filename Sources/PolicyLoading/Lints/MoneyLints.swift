internal import EntitlementModel

/// Prices against currencies and one another.
extension PolicyBuilder {
    /// - Parameter swapped: products of which that is said instead.
    mutating func checkPrices(_ products: [LintedProduct], without swapped: Set<ProductID>) {
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
        checkRatios(products, without: swapped)
        checkPeriods(products)
        checkUnits(products)
    }

    /// The price in one currency divided by that in another is much the same for all products.
    private mutating func checkRatios(
        _ products: [LintedProduct], without swapped: Set<ProductID>
    ) {
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
            for (product, ratio) in ratios
            where (ratio >= usual * 4 || ratio * 4 <= usual)
                && !swapped.contains(product.product.id)
            {
                let expected = Double(product.product.prices[base] ?? 0) * usual / 1_000
                let price = product.product.prices[currency] ?? 0
                let meant = Self.slipped(
                    price, from: Int64(expected * 700), to: Int64(expected * 1_400))
                problems.add(
                    .priceFarOff, at: product.priceSpan(currency),
                    .plain("\(Self.amount(price)) \(currency)"),
                    .written(product.name), .plain("\(Int64(expected.rounded())) \(currency)"),
                    .written(base),
                    help: Self.slipped(
                        meant.map { (currency, $0) },
                        Self.slipped(
                            product.product.prices[base] ?? 0,
                            from: Int64(Double(price) / usual * 0.7),
                            to: Int64(Double(price) / usual * 1.4)
                        ).map { (base, $0) }))
            }
        }
    }

    private typealias Meant = (currency: String, amount: Int64)

    /// Either amount may be the one with the wrong point.
    private static func slipped(_ price: Meant?, _ measure: Meant?) -> Help? {
        let lines = [price, measure].compactMap(\.self).map {
            "\($0.currency): \(amount($0.amount))"
        }
        return switch lines.count {
        case 0: nil
        case 1: .pointSlipped(lines[0])
        default: .pointSlippedIn(lines)
        }
    }

    /// The amount with its decimal point elsewhere that lies between two others, all in
    /// thousandths; nil where there is none, or several.
    static func slipped(_ amount: Int64, from low: Int64, to high: Int64) -> Int64? {
        let others =
            [amount * 10, amount * 100]
            + [10, 100].compactMap { divisor in
                amount % (divisor * 10) == 0 ? amount / divisor : nil
            }
        let fitting = others.filter { low < $0 && $0 <= high }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// In thousandths, as a policy writes it.
    static func amount(_ thousandths: Int64) -> String {
        let fraction = thousandths % 1_000
        guard fraction != 0 else { return "\(thousandths / 1_000)" }
        var digits = String(fraction + 1_000).dropFirst()
        if digits.hasSuffix("0"), digits.count == 3 { digits.removeLast() }
        return "\(thousandths / 1_000).\(digits)"
    }
}
