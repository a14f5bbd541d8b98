internal import EntitlementModel

/// A value of an enumeration that conditions compare, as one bit of a byte. The eighth bit is
/// for what no word names.
protocol CircumstanceWord {
    var bit: UInt64 { get }
}

extension ProductKind: CircumstanceWord {
    var bit: UInt64 {
        switch self {
        case .consumable: 0x01
        case .nonConsumable: 0x02
        case .autoRenewable: 0x04
        case .nonRenewing: 0x08
        case .free: 0x10
        }
    }
}

extension EntitlementState: CircumstanceWord {
    var bit: UInt64 {
        switch self {
        case .active: 0x01
        case .renewing: 0x02
        case .grace: 0x04
        case .billingRetry: 0x08
        case .expired: 0x10
        case .revoked: 0x20
        }
    }
}

extension StoreEnvironment: CircumstanceWord {
    var bit: UInt64 {
        switch self {
        case .production: 0x01
        case .sandbox: 0x02
        case .xcode: 0x04
        case .localTesting: 0x08
        }
    }
}

extension OwnershipWord: CircumstanceWord {
    var bit: UInt64 {
        switch self {
        case .purchased: 0x01
        case .familyShared: 0x02
        case .assigned: 0x04
        case .notStated: 0x08
        case .unknown: 0x10
        }
    }
}

extension OfferWord: CircumstanceWord {
    var bit: UInt64 {
        switch self {
        case .none: 0x01
        case .freeTrial: 0x02
        case .introductory: 0x04
        case .promotional: 0x08
        case .offerCode: 0x10
        case .winBack: 0x20
        }
    }
}

extension ExpiryReason: CircumstanceWord {
    var bit: UInt64 {
        switch self {
        case .cancelled: 0x01
        case .billingError: 0x02
        case .priceNotAccepted: 0x04
        case .productUnavailable: 0x08
        case .other: 0x10
        case .upgraded: 0x20
        case .unknown: 0x40
        }
    }
}

extension AutoRenewWord: CircumstanceWord {
    var bit: UInt64 {
        switch self {
        case .on: 0x01
        case .off: 0x02
        case .unknown: 0x04
        }
    }
}

extension RevocationWord: CircumstanceWord {
    var bit: UInt64 {
        switch self {
        case .full: 0x01
        case .prorated: 0x02
        case .family: 0x04
        case .assigned: 0x08
        case .unknown: 0x10
        }
    }
}
