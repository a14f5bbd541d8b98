internal import EntitlementModel

extension Condition {
    /// Whether it holds wherever the other does: each of its fields allows all that the other's
    /// allows.
    func isImplied(by other: Condition) -> Bool {
        Self.allows(kinds, other.kinds) && Self.allows(states, other.states)
            && Self.allows(environments, other.environments)
            && Self.allows(ownerships, other.ownerships) && Self.allows(offers, other.offers)
            && Self.allows(expiryReasons, other.expiryReasons)
            && Self.allows(autoRenews, other.autoRenews)
            && Self.allows(revocations, other.revocations)
            && Self.allows(tokens, other.tokens) && Self.allows(moments, other.moments)
            && Self.allows(products, other.products) && Self.allows(accounts, other.accounts)
            && Self.allows(groups, other.groups)
            && Self.allows(entitlements, other.entitlements)
            && Self.allows(levels, other.levels) && Self.allows(storefronts, other.storefronts)
            && Self.allows(stateAges, other.stateAges)
            && Self.allows(unpaidFor, other.unpaidFor)
            && Self.allows(purchased, other.purchased)
            && Self.allows(firstPurchased, other.firstPurchased) && Self.allows(at, other.at)
    }

    /// Of a list any element must hold, so more elements allow more, and no list allows all.
    private static func allows<Element: Hashable>(
        _ list: [Element]?, _ other: [Element]?
    ) -> Bool {
        guard let list else { return true }
        return other.map { Set(list).isSuperset(of: $0) } ?? false
    }
}
