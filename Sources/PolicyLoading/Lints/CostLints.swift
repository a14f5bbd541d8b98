internal import EntitlementModel

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
