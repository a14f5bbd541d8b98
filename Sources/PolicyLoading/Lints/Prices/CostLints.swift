internal import EntitlementModel

/// Prices against the rate of exchange, and better levels for the same money.
extension PolicyBuilder {
    mutating func checkCosts(_ products: [LintedProduct], _ policy: Policy) {
        checkEqualCosts(products, policy)
        // What is far from the same prices of other products is said.
        let known = Set(problems.problems.filter { $0.id == .priceFarOff }.map(\.span))
        let cents = currenciesWithCents(products)
        for product in products where !checkRates(product, known) {
            checkPoint(product, cents)
            checkZero(product)
        }
    }

    // MARK: Levels

    private struct Offer: Hashable {
        let group: GroupName
        let period: Period?
        let currency: String
        let price: Int64
    }

    /// Two levels at one price for one time, of which the better one gives more.
    private mutating func checkEqualCosts(_ products: [LintedProduct], _ policy: Policy) {
        var offers: [Offer: [(rank: Int, product: LintedProduct)]] = [:]
        for product in products where product.product.retiredAt == nil {
            let own = product.product
            guard let group = own.group, let level = own.level,
                let rank = policy.groups[group]?.levels.firstIndex(of: level)
            else { continue }
            for (currency, price) in own.prices where price > 0 {
                let offer = Offer(
                    group: group, period: own.period?.asSold, currency: currency, price: price)
                offers[offer, default: []].append((rank, product))
            }
        }
        var said: Set<ProductID> = []
        let sorted = offers.sorted {
            ($0.key.group, $0.key.currency, $0.key.price)
                < ($1.key.group, $1.key.currency, $1.key.price)
        }
        for (offer, sold) in sorted.reversed() {
            let ranked = sold.sorted { ($0.rank, $0.product.name) < ($1.rank, $1.product.name) }
            for (better, lesser) in zip(ranked, ranked.dropFirst()) where better.rank < lesser.rank
            {
                let more = Set(better.product.product.entitlements)
                    .subtracting(lesser.product.product.entitlements)
                guard !more.isEmpty, said.insert(better.product.product.id).inserted else {
                    continue
                }
                problems.add(
                    .levelsCostTheSame, at: better.product.priceSpan(offer.currency),
                    .written(better.product.name), .written(lesser.product.name),
                    .plain("\(Self.amount(offer.price)) \(offer.currency)"),
                    .choice(more.sorted().map(\.text)),
                    related: [lesser.product.priceSpan(offer.currency)].compactMap { span in
                        span.map { .init(note: .alsoHere, span: $0) }
                    })
            }
        }
    }

    // MARK: Currencies

    /// How much of a currency is about a dollar.
    private static let rates: [String: Double] = [
        "CNY": 7, "HKD": 7.8, "TWD": 32, "JPY": 150, "KRW": 1_350, "INR": 85, "THB": 35,
        "MXN": 18, "BRL": 5.5, "ZAR": 18, "CZK": 23, "DKK": 7, "NOK": 10.5, "SEK": 10.5,
        "PHP": 57, "TRY": 38, "RUB": 90, "HUF": 370, "IDR": 16_000, "VND": 25_000, "EUR": 0.92,
        "GBP": 0.79, "CHF": 0.9, "CAD": 1.37, "AUD": 1.5, "NZD": 1.65, "SGD": 1.35,
    ]

    /// An amount that was copied from another currency, or has a digit too many.
    private mutating func checkRates(
        _ product: LintedProduct, _ known: Set<SourceSpan?>
    ) -> Bool {
        let prices = product.product.prices
        guard let dollars = prices["USD"], dollars > 0 else { return false }
        for (currency, rate) in Self.rates.sorted(by: { $0.key < $1.key }) {
            guard let price = prices[currency], price > 0 else { continue }
            let usual = Double(dollars) * rate
            let isFar = Double(price) > usual * 5 || Double(price) * 6 < usual
            // Where the two look swapped that is said.
            let isSwapped =
                dollars > price && rate > 2
                && Double(dollars) / Double(price) > rate / 1.8
                && Double(dollars) / Double(price) < rate * 1.8
            let isCopied = price == dollars && rate > 3
            let span = product.priceSpan(currency)
            guard isFar || isCopied, !isSwapped, !known.contains(span) else { continue }
            let expected = Int64(usual / 1_000) * 1_000
            problems.add(
                .pricesFarApart, at: span, .written(product.name),
                .plain("\(Self.amount(dollars)) USD"),
                .plain("\(Self.amount(price)) \(currency)"),
                .plain("\(Self.amount(max(expected, 1_000))) \(currency)"),
                related: [product.priceSpan("USD")].compactMap { span in
                    span.map { .init(note: .alsoHere, span: $0) }
                })
            return true
        }
        return false
    }

    /// Whether all prices in a currency but one have cents.
    private func currenciesWithCents(_ products: [LintedProduct]) -> [String: Bool] {
        var counts: [String: (whole: Int, cents: Int)] = [:]
        for (currency, price) in products.flatMap(\.product.prices) {
            let isWhole = price % 1_000 == 0
            counts[currency, default: (0, 0)].whole += isWhole ? 1 : 0
            counts[currency, default: (0, 0)].cents += isWhole ? 0 : 1
        }
        return counts.mapValues { $0.whole == 1 && $0.cents > 0 }
    }

    /// What is sold for nothing, and is not of the kind that is free.
    private mutating func checkZero(_ product: LintedProduct) {
        guard product.product.retiredAt == nil,
            let currency = product.product.prices.keys.sorted().first(where: {
                product.product.prices[$0] == 0
            })
        else { return }
        problems.add(
            .priceZero, at: product.priceSpan(currency), .written(product.name),
            .plain("0 \(currency)"))
    }

    private static func written(inMillionths prices: [String: Int64]) -> String {
        prices.sorted { $0.key > $1.key }.map { currency, price in
            let isMicro = price >= 490_000_000 && price % 10_000_000 == 0
            return "\(currency): \(amount(isMicro ? price / 1_000_000 : price))"
        }.joined(separator: ", ")
    }

    /// `USD: 999` of a month, where every other amount has cents: 9.99 is meant.
    private mutating func checkPoint(_ product: LintedProduct, _ others: [String: Bool]) {
        let own = product.product
        let months: Int64 =
            switch product.length?.0.asSold {
            case let length? where length.unit == .months: length.count
            case .some: 1
            case nil: own.kind == .consumable ? 1 : 12
            }
        for currency in ["USD", "EUR", "GBP", "CAD", "AUD", "CHF"] {
            guard let price = own.prices[currency], price % 1_000 == 0 else { continue }
            let amount = price / 1_000
            // Google Play counts in millionths.
            if amount >= 490_000, amount % 10_000 == 0 {
                problems.add(
                    .pointForgotten, at: product.priceSpan(currency), .written(product.name),
                    .plain("\(amount) \(currency)"),
                    help: .writeOrWaive(Self.written(inMillionths: own.prices)))
                return
            }
            let haveCents = others[currency] ?? false
            let least: Int64 =
                months == 1 ? (haveCents ? 99 : 199) : months < 12 ? 499 : 999
            guard amount >= least, amount % 100 == 99 else { continue }
            problems.add(
                .pointForgotten, at: product.priceSpan(currency), .written(product.name),
                .plain("\(amount) \(currency)"),
                help: .writeOrWaive("\(currency): \(Self.amount(price / 100))"))
            return
        }
    }
}
