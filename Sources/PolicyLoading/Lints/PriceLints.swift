internal import EntitlementModel

/// Prices that a longer time or more units should cost more than.
extension PolicyBuilder {
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
                related: [shorter.priceSpan(currency)].compactMap { span in
                    span.map { .init(note: .alsoHere, span: $0) }
                })
            return true
        }
        return false
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
            guard product.product.kind == .consumable, product.product.grants.count == 1,
                case .credit(let credit, let units, _)? = product.product.grants.first
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
        case .milliseconds, .seconds, .minutes, .hours, .weeks, .years: return 0
        }
    }
}

/// Prices against currencies and one another.
extension PolicyBuilder {
    mutating func checkPrices(_ products: [LintedProduct]) {
        for product in products {
            for (currency, price) in product.product.prices.sorted(by: { $0.key < $1.key }) {
                let decimals = CurrencyDecimals.count(of: currency)
                let step: Int64 = [1_000, 100, 10, 1][decimals]
                guard price % step != 0, let span = product.priceSpan(currency) else { continue }
                problems.add(
                    .priceDecimals, at: span, .plain(Self.amount(price)), .written(currency),
                    .number(Int64(decimals)),
                    help: .writtenLike(Self.amount((price + step / 2) / step * step)))
            }
        }
        checkPeriods(products)
        checkUnits(products)
    }

    /// In thousandths, as a policy writes it.
    static func amount(_ thousandths: Int64) -> String { thousandths.decimalText(atLeast: 2) }
}

extension Int64 {
    /// Thousandths as a number: a whole one without decimals, others with as few as may be.
    package func decimalText(atLeast decimals: Int = 0) -> String {
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000)
        var digits = String(1_000 + rest).dropFirst()
        while digits.hasSuffix("0"), digits.count > decimals || rest == 0 { digits.removeLast() }
        return (self < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : "." + digits)
    }
}

/// Better levels for the same money, and what costs nothing.
extension PolicyBuilder {
    private struct Offer: Hashable {
        let group: GroupName
        let period: Period?
        let currency: String
        let price: Int64
    }

    /// Two levels at one price for one time, of which the better one gives more.
    mutating func checkEqualCosts(_ products: [LintedProduct], _ policy: Policy) {
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

    /// What is sold for nothing, and is not of the kind that is free.
    mutating func checkZero(_ products: [LintedProduct]) {
        for product in products where product.product.retiredAt == nil {
            let free = product.product.prices.filter { $0.value == 0 }.keys.min()
            guard let free else { continue }
            problems.add(
                .priceZero, at: product.priceSpan(free), .written(product.name), .plain("0 \(free)")
            )
        }
    }

    /// What is sold alone, and what everybody has without paying.
    mutating func checkFree(_ products: [LintedProduct]) {
        let sold = products.filter { product in
            let prices = product.product.prices.values
            return product.product.kind != .free && product.product.retiredAt == nil
                && (prices.isEmpty || prices.contains { $0 > 0 })
                && product.product.grants.allSatisfy(\.isEntitlement)
        }
        for product in products where product.product.kind == .free {
            let own = product.product.entitlements
            let other = sold.first { other in
                let given = other.product.entitlements
                return !given.isEmpty && given.allSatisfy(own.contains)
            }
            guard let other, let name = other.product.entitlements.first else { continue }
            let span = (product.section.value("grants")?.elements ?? []).first {
                $0.text == name.text
            }?.span
            problems.add(
                .freeGivesSold, at: span ?? product.row.nameSpan, .written(product.name),
                .written(name.text), .written(other.name),
                related: [.init(note: .alsoHere, span: other.row.nameSpan)])
        }
    }
}

extension ProductGrant {
    fileprivate var isEntitlement: Bool {
        if case .entitlement = self { true } else { false }
    }
}
