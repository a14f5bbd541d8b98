internal import EntitlementModel

/// Prices that are swapped, or that a longer time or more units should cost more than.
extension PolicyBuilder {
    /// How much of a currency is about as much as a dollar, where that is far more than one.
    private static let perDollar: [String: Double] = [
        "CNY": 7, "HKD": 7.8, "TWD": 32, "JPY": 150, "KRW": 1_350, "INR": 85, "THB": 35,
        "MXN": 18, "BRL": 5.5, "ZAR": 18, "CZK": 23, "DKK": 7, "NOK": 10.5, "SEK": 10.5,
        "PHP": 57, "TRY": 34, "RUB": 90, "HUF": 370, "IDR": 16_000, "VND": 25_000,
    ]

    /// Products of which the price in dollars was written for another currency and that for dollars.
    mutating func checkSwapped(_ products: [LintedProduct]) -> Set<ProductID> {
        var found: Set<ProductID> = []
        for product in products {
            let prices = product.product.prices
            guard let dollars = prices["USD"], let written = product.section.value("price") else {
                continue
            }
            for (currency, rate) in Self.perDollar.sorted(by: { $0.key < $1.key }) {
                guard let price = prices[currency], price > 0, dollars > price else { continue }
                let ratio = Double(dollars) / Double(price)
                guard ratio > rate / 1.8, ratio < rate * 1.8 else { continue }
                found.insert(product.product.id)
                let swapped = [currency: "USD", "USD": currency]
                let line = written.rows.map { row in
                    "\(row.name): \(Self.amount(prices[swapped[row.name] ?? row.name] ?? 0))"
                }.joined(separator: ", ")
                problems.add(
                    .pricesSwapped, at: product.priceSpan(currency), .written(product.name),
                    .plain("\(Self.amount(dollars)) USD"),
                    .plain("\(Self.amount(price)) \(currency)"),
                    help: .write("price: {\(line)}"))
                break
            }
        }
        return found
    }

    /// What is the same but for its length.
    private struct Plan: Hashable {
        let kind: ProductKind
        let group: GroupName?
        let level: LevelName?
        let entitlements: Set<EntitlementName>
    }

    /// A longer time costs more than a shorter one, and not more than the shorter one so often.
    mutating func checkPeriods(_ products: [LintedProduct]) {
        var plans: [Plan: [LintedProduct]] = [:]
        for product in products where product.product.retiredAt == nil && product.length != nil {
            let plan = Plan(
                kind: product.product.kind, group: product.product.group,
                level: product.product.level, entitlements: Set(product.product.entitlements))
            plans[plan, default: []].append(product)
        }
        for plan in plans.values {
            // Of very many, their neighbours by length are enough.
            let sorted = plan.sorted { ($0.days, $0.name) < ($1.days, $1.name) }
            for (index, longer) in sorted.enumerated() {
                for shorter in sorted[Swift.max(0, index - 12)..<index]
                where checkPeriods(longer, shorter) { break }
            }
        }
    }

    private mutating func checkPeriods(_ longer: LintedProduct, _ shorter: LintedProduct) -> Bool {
        let (days, fewer) = (longer.days, shorter.days)
        guard let (long, _) = longer.length, let (short, _) = shorter.length, fewer > 0,
            days > fewer * 1.1
        else { return false }
        for (currency, price) in longer.product.prices.sorted(by: { $0.key > $1.key }) {
            guard let other = shorter.product.prices[currency], other > 0, price > 0,
                let span = longer.priceSpan(currency)
            else { continue }
            let most = Double(other) * days / fewer
            // A week to try it may cost less than its share of a month.
            let isDear = fewer >= 28 && Double(price) > most * 1.02
            // A year for the price of a month and a half has lost a digit.
            let isCheap = days >= fewer * 11 && Double(price) < Double(other) * 1.5
            guard price <= other || isDear || isCheap else { continue }
            let bound = Int64(most / 10) * 10
            problems.add(
                .priceAgainstPeriod, at: span, .written(longer.name),
                .plain(long.text), .plain("\(Self.amount(price)) \(currency)"),
                .written(shorter.name), .plain(short.text),
                .plain("\(Self.amount(other)) \(currency)"),
                .plain("\(Self.amount(bound)) \(currency)"),
                help: Self.areExchanged(longer, shorter, by: days / fewer)
                    ? .pricesExchanged(shorter.name)
                    : Self.slipped(price, from: other, to: bound).map {
                        .pointSlipped("\(currency): \(Self.amount($0))")
                    },
                related: [shorter.priceSpan(currency)].compactMap { span in
                    span.map { .init(note: .alsoHere, span: $0) }
                })
            return true
        }
        return false
    }

    /// Whether each of two products has the price that would suit the other, in every currency.
    private static func areExchanged(
        _ longer: LintedProduct, _ shorter: LintedProduct, by factor: Double
    ) -> Bool {
        let (long, short) = (longer.product.prices, shorter.product.prices)
        return Set(long.keys) == Set(short.keys)
            && long.allSatisfy { currency, price in
                let other = short[currency] ?? 0
                return Double(other) > Double(price) * 1.5
                    && Double(other) <= Double(price) * factor * 1.02
            }
    }

    /// Packs of one credit: more units cost more, and not more than that many of the smaller pack.
    mutating func checkUnits(_ products: [LintedProduct]) {
        let packs = products.filter { $0.product.retiredAt == nil }.compactMap(Pack.init)
        let sorted = packs.sorted { ($0.credit, $0.units) < ($1.credit, $1.units) }
        for (fewer, more) in zip(sorted, sorted.dropFirst())
        where fewer.credit == more.credit && fewer.units < more.units {
            let currency = more.product.product.prices.keys.sorted().last { currency in
                let (price, other) = (more.price(currency), fewer.price(currency))
                // More for each unit is as odd as less for all of them.
                let isDear =
                    Double(price) * Double(fewer.units) > Double(other) * Double(more.units) * 1.5
                return price > 0 && other > 0 && (price <= other || isDear)
            }
            guard let currency else { continue }
            problems.add(
                .priceAgainstUnits, at: more.product.priceSpan(currency),
                .written(more.product.name), .number(more.units),
                .plain("\(Self.amount(more.price(currency))) \(currency)"),
                .written(fewer.product.name), .number(fewer.units),
                .plain("\(Self.amount(fewer.price(currency))) \(currency)"))
        }
    }

    /// A consumable that gives units of one credit and nothing else.
    private struct Pack {
        let product: LintedProduct
        let credit: CreditName
        let units: Int64

        init?(_ product: LintedProduct) {
            guard product.product.grants.count == 1,
                case .credit(let credit, let units)? = product.product.grants.first
            else { return nil }
            self.product = product
            (self.credit, self.units) = (credit, units)
        }

        func price(_ currency: String) -> Int64 { product.product.prices[currency] ?? 0 }
    }
}

extension LintedProduct {
    /// About as many days as it is sold for, months alike; 0 for less than a day.
    var days: Double {
        guard let length = length?.0.asSold else { return 0 }
        switch length.unit {
        case .months: return Double(length.count) * 365 / 12
        case .days: return Double(length.count)
        default: return 0
        }
    }
}
