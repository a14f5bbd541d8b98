/// The state of a unit at an instant (spec 1.4). Consumables have none.
package enum EntitlementState: String, CaseIterable, Hashable, Sendable {
    case active
    /// The paid end is past and the renewal is in flight: the policy's leeway.
    case renewing
    case grace
    case billingRetry = "billing-retry"
    case expired
    case revoked
}

/// Why a subscription expired.
package enum ExpiryReason: String, CaseIterable, Hashable, Sendable {
    case cancelled
    case billingError = "billing-error"
    case priceNotAccepted = "price-not-accepted"
    case productUnavailable = "product-unavailable"
    case other
    case upgraded
    case unknown
}
