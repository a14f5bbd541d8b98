package import EntitlementModel

extension ProductKind {
    /// The states that a purchase of this kind can be in (spec 1.4). A consumable that gives a
    /// right for a time is treated like a non-renewing product.
    package var states: [EntitlementState] {
        switch self {
        case .autoRenewable: EntitlementState.allCases
        case .nonConsumable, .free: [.active, .revoked]
        case .nonRenewing, .consumable: [.active, .expired, .revoked]
        }
    }
}
