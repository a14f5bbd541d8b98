internal import EntitlementModel

/// Units of subscriptions, units that lapse, and warnings of it. They have dice of their own, so that
/// all else of a seed's history stays as it is.
struct RandomCreditTerms {
    private var dice: SplitMix64

    init(seed: UInt64) {
        dice = SplitMix64(seed: seed ^ 0x7E25_1A95_E5F0)
    }

    mutating func mixed(into history: History) -> History {
        guard dice.chance(2, in: 3) else { return history }
        var history = history
        history.changePolicies { change(&$0) }
        return history
    }

    mutating func change(_ policy: inout Policy) {
        for name in policy.credits.keys.sorted() where dice.chance(1, in: 3) {
            policy.credits[name]?.warnBefore = dice.pick([
                Period(7, .days), Period(1, .days), Period(90, .minutes), Period(60, .days),
            ])
        }
        for id in policy.products.keys.sorted() {
            guard var product = policy.products[id] else { continue }
            change(&product)
            policy.products[id] = product
        }
    }

    private mutating func change(_ product: inout Product) {
        if product.id.text == "gold" || product.id.text == "daily", dice.chance(2, in: 3) {
            let credits = dice.chance(1, in: 4) ? Shelf.credits : [dice.pick(Shelf.credits)]
            for credit in credits { product.grants.append(delivery(of: credit)) }
        }
        product.grants = product.grants.map { grant in
            guard case .credit(let credit, let units, let terms) = grant,
                product.kind == .consumable, terms == CreditTerms()
            else { return grant }
            return .credit(credit, units: units, terms: CreditTerms(expires: consumableExpiry()))
        }
    }

    private mutating func delivery(of credit: CreditName) -> ProductGrant {
        let units = Int64(dice.below(100))
        var terms = CreditTerms(expires: dice.chance(1, in: 3) ? .period : consumableExpiry())
        terms.every = dice.pick([
            nil, nil, Period(1, .days), Period(3, .days), Period(10, .days), Period(1, .weeks),
            Period(1, .months),
        ])
        for offer in OfferWord.allCases where offer != .none && dice.chance(1, in: 4) {
            terms.underOffer[offer] = units == 0 ? 0 : Int64(dice.below(Int(units)))
        }
        return .credit(credit, units: units, terms: terms)
    }

    private mutating func consumableExpiry() -> CreditTerms.Expiry {
        dice.pick([
            .never, .never, .after(Period(1, .days)), .after(Period(5, .days)),
            .after(Period(20, .days)), .after(Period(1, .months)), .after(Period(12, .hours)),
        ])
    }
}
