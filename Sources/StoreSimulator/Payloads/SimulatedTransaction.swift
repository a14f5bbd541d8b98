package import EntitlementModel
package import StrictJSON

/// The fields of a transaction as Apple signs them (spec 4.4): those that all have, the
/// usual ones, and whatever else a test wants.
package struct SimulatedTransaction: Sendable {
    package var environment = StoreEnvironment.production
    package var bundleID: String
    package var transactionID: String
    package var originalTransactionID: String
    package var webOrderLineItemID: String?
    package var productID: String
    /// Nil for free subscriptions, which a JWS has no word for.
    package var kind: ProductKind?
    package var subscriptionGroupID: String?
    package var purchaseDate: Instant
    package var originalPurchaseDate: Instant
    package var expiresDate: Instant?
    package var quantity: Int64 = 1
    package var ownership = "PURCHASED"
    package var appAccountToken: String?
    package var appTransactionID: String?
    package var reason = TransactionReason.purchase
    package var price: Price?
    package var storefront: String? = "USA"
    package var revocation: Revocation?
    package var isUpgraded = false
    /// When a higher one replaced this period: only receipts say it.
    package var upgradedAt: Instant?
    package var offer: Offer?
    package var signedDate: Instant
    /// Set last: replaces what stands under the name, adds what is new.
    package var otherFields: [JSONMember] = []

    /// A first purchase, signed two seconds after it was made.
    package init(
        bundleID: String, productID: String, kind: ProductKind?, transactionID: String,
        purchaseDate: Instant, expiresDate: Instant? = nil
    ) {
        self.bundleID = bundleID
        self.productID = productID
        self.kind = kind
        self.transactionID = transactionID
        originalTransactionID = transactionID
        self.purchaseDate = purchaseDate
        originalPurchaseDate = purchaseDate
        self.expiresDate = expiresDate
        signedDate = purchaseDate.advanced(byMilliseconds: 2_000)
    }

    package var payload: JSONValue {
        var payload: JSONValue = [
            "transactionId": .string(transactionID),
            "originalTransactionId": .string(originalTransactionID),
        ]
        payload["webOrderLineItemId"] = webOrderLineItemID.map(JSONValue.string)
        payload["bundleId"] = .string(bundleID)
        payload["productId"] = .string(productID)
        payload["subscriptionGroupIdentifier"] = subscriptionGroupID.map(JSONValue.string)
        payload["purchaseDate"] = .date(purchaseDate)
        payload["originalPurchaseDate"] = .date(originalPurchaseDate)
        payload["expiresDate"] = expiresDate.map(JSONValue.date)
        payload["quantity"] = .integer(quantity)
        payload["type"] = kind?.signedName.map(JSONValue.string)
        payload["appAccountToken"] = appAccountToken.map(JSONValue.string)
        payload["inAppOwnershipType"] = .string(ownership)
        payload["signedDate"] = .date(signedDate)
        addRevocation(to: &payload)
        if isUpgraded { payload["isUpgraded"] = true }
        payload.add(offer)
        payload["environment"] = .string(environment.signedName)
        payload["transactionReason"] = .string(reason.rawValue)
        payload["storefront"] = storefront.map(JSONValue.string)
        payload["storefrontId"] = storefront.flatMap { Self.storefrontIDs[$0] }
            .map(JSONValue.string)
        payload["price"] = price.map { .integer($0.milliunits) }
        payload["currency"] = price?.currency.map(JSONValue.string)
        payload["appTransactionId"] = appTransactionID.map(JSONValue.string)
        for field in otherFields { payload[field.key] = field.value }
        return payload
    }

    /// Apple's numbers of some storefronts; others are signed without.
    private static let storefrontIDs = [
        "USA": "143441", "FRA": "143442", "DEU": "143443", "GBR": "143444", "CAN": "143455",
        "AUS": "143460", "JPN": "143462", "CHN": "143465", "KOR": "143466", "IND": "143467",
        "BRA": "143503",
    ]

    private func addRevocation(to payload: inout JSONValue) {
        guard let revocation else { return }
        payload["revocationDate"] = .date(revocation.date)
        payload["revocationReason"] = revocation.reason.map(JSONValue.integer)
        switch revocation.type {
        case .known(let type)?: payload["revocationType"] = .string(type.rawValue)
        case .unknown(let text)?: payload["revocationType"] = .string(text)
        case nil: break
        }
        payload["revocationPercentage"] = revocation.percentage.map(JSONValue.integer)
    }
}

extension JSONValue {
    /// Milliseconds, as Apple writes dates.
    package static func date(_ instant: Instant) -> JSONValue {
        .integer(instant.milliseconds)
    }

    mutating func add(_ offer: Offer?) {
        guard let offer else { return }
        self["offerType"] = .integer(offer.type)
        self["offerIdentifier"] = offer.identifier.map(JSONValue.string)
        self["offerDiscountType"] = offer.discountType.map(JSONValue.string)
        self["offerPeriod"] = offer.period.map(JSONValue.string)
    }
}

extension ProductKind {
    /// Apple's `type`; nil for free subscriptions.
    package var signedName: String? {
        switch self {
        case .consumable: "Consumable"
        case .nonConsumable: "Non-Consumable"
        case .autoRenewable: "Auto-Renewable Subscription"
        case .nonRenewing: "Non-Renewing Subscription"
        case .free: nil
        }
    }
}

/// The fields of an app transaction: what a device says about the Apple ID that got the app.
package struct SimulatedAppTransaction: Sendable {
    package var environment = StoreEnvironment.production
    package var bundleID: String
    package var appAppleID: Int64?
    package var appTransactionID: String?
    package var originalPurchaseDate: Instant
    package var signedDate: Instant
    /// Set last: replaces what stands under the name, adds what is new.
    package var otherFields: [JSONMember] = []

    package init(
        bundleID: String, appAppleID: Int64?, appTransactionID: String?,
        originalPurchaseDate: Instant, signedDate: Instant
    ) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.appTransactionID = appTransactionID
        self.originalPurchaseDate = originalPurchaseDate
        self.signedDate = signedDate
    }

    package var payload: JSONValue {
        var payload: JSONValue = ["receiptType": .string(environment.signedName)]
        payload["appAppleId"] = appAppleID.map(JSONValue.integer)
        payload["bundleId"] = .string(bundleID)
        payload["applicationVersion"] = "1.0"
        payload["originalApplicationVersion"] = "1.0"
        payload["originalPurchaseDate"] = .date(originalPurchaseDate)
        payload["receiptCreationDate"] = .date(signedDate)
        payload["appTransactionId"] = appTransactionID.map(JSONValue.string)
        payload["originalPlatform"] = "iOS"
        for field in otherFields { payload[field.key] = field.value }
        return payload
    }
}
