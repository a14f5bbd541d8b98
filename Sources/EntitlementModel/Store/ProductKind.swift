/// The five kinds of product that Apple sells or has sold.
package enum ProductKind: String, CaseIterable, Hashable, Sendable {
    case consumable
    case nonConsumable = "non-consumable"
    case autoRenewable = "auto-renewable"
    case nonRenewing = "non-renewing"
    /// The Newsstand free subscription. No JWS says it; receipts do (1707 = 4).
    case free

    /// What one owner holds: a single purchase of an account-scoped kind, a whole lineage of the
    /// others (spec 1.1, "unit").
    @inlinable
    package var isAccountScoped: Bool {
        switch self {
        case .consumable, .nonRenewing: true
        case .nonConsumable, .autoRenewable, .free: false
        }
    }
}

/// A value of an enumeration that Apple extends without notice: known to us, or kept as it came.
package enum Stated<Known: Hashable & Sendable>: Hashable, Sendable {
    case known(Known)
    case unknown(String)

    @inlinable
    package var known: Known? {
        guard case .known(let value) = self else { return nil }
        return value
    }
}
