/// One product of the catalogue.
package struct Product: Hashable, Sendable {
    package var id: ProductID
    package var kind: ProductKind
    package var group: GroupName?
    package var level: LevelName?
    /// The renewal period of an auto-renewable, as sold.
    package var period: Period?
    /// How long a non-renewing purchase lasts.
    package var duration: Period?
    package var stacking: Stacking
    /// Purchases of one stack follow one another; nil for a stack of this product alone.
    package var stack: String?
    package var title: Title?
    /// By ISO 4217 code, in thousandths.
    package var prices: [String: Int64]
    package var grants: [ProductGrant]
    /// Where `grants` are all entitlements of the policy: those that are excepted.
    package var allExcept: Set<EntitlementName>?
    /// From here on no new orders; holders keep it.
    package var retiredAt: Instant?

    package init(id: ProductID, kind: ProductKind) {
        self.id = id
        self.kind = kind
        stacking = .extend
        prices = [:]
        grants = []
    }

    /// What it gives for ever or for a time, in the order of the policy.
    package var entitlements: [EntitlementName] {
        grants.compactMap { grant in
            if case .entitlement(let name, _) = grant { name } else { nil }
        }
    }
}

/// How an account's non-renewing purchases of one stack lie in time (spec 1.4).
package enum Stacking: String, CaseIterable, Hashable, Sendable {
    case extend
    case overlap
    case replace
}

/// What one purchase of a product gives.
package enum ProductGrant: Hashable, Sendable {
    /// `lasting` is set for a consumable that gives a right for a time (`for`).
    case entitlement(EntitlementName, lasting: Period?)
    case credit(CreditName, units: Int64, terms: CreditTerms = CreditTerms())

    package var isCredit: Bool {
        if case .credit = self { true } else { false }
    }
}

/// When units are delivered, how many under an offer, and when they lapse (spec 1.7).
package struct CreditTerms: Hashable, Sendable {
    package enum Expiry: Hashable, Sendable {
        case never
        /// With the paid period, or the part of it, that they were delivered for.
        case period
        case after(Period)

        /// As a policy writes it; nil for never.
        package var text: String? {
            switch self {
            case .never: nil
            case .period: "period"
            case .after(let length): length.text
            }
        }
    }

    /// Of a subscription, the parts of a paid period that are delivered for; nil for the whole.
    package var every: Period?
    /// Of a subscription, the units under an offer where they are not the usual ones.
    package var underOffer: [OfferWord: Int64]
    package var expires: Expiry

    package init(
        every: Period? = nil, underOffer: [OfferWord: Int64] = [:], expires: Expiry = .never
    ) {
        self.every = every
        self.underOffer = underOffer
        self.expires = expires
    }
}

/// A countable right.
package struct CreditDefinition: Hashable, Sendable {
    package enum OnRefund: String, CaseIterable, Hashable, Sendable {
        case debt
        case floor
        case freeze
        case ignore
    }

    package var title: Title
    package var onRefund: OnRefund
    /// How long before units lapse the feed says so; nil for not at all.
    package var warnBefore: Period?

    package init(title: Title, onRefund: OnRefund = .debt, warnBefore: Period? = nil) {
        self.title = title
        self.onRefund = onRefund
        self.warnBefore = warnBefore
    }
}

/// A subscription group; an Apple ID has at most one active product of it.
package struct SubscriptionGroup: Hashable, Sendable {
    package var title: Title?
    /// Best first.
    package var levels: [LevelName]

    package init(title: Title? = nil, levels: [LevelName] = []) {
        self.title = title
        self.levels = levels
    }
}
