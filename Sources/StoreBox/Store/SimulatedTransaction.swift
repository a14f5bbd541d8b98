package import EntitlementModel
package import StrictJSON

/// The fields of a transaction as Apple signs them (spec 4.4): required ones, usual ones, and any
/// others for tests.
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
    /// Set last: replaces an existing member, adds a new one.
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
    package var originalVersion = "1.0"
    package var signedDate: Instant
    /// Set last: replaces an existing member, adds a new one.
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
        payload["originalApplicationVersion"] = .string(originalVersion)
        payload["originalPurchaseDate"] = .date(originalPurchaseDate)
        payload["receiptCreationDate"] = .date(signedDate)
        payload["appTransactionId"] = appTransactionID.map(JSONValue.string)
        payload["originalPlatform"] = "iOS"
        for field in otherFields { payload[field.key] = field.value }
        return payload
    }
}

/// The fields of a renewal info as Apple signs them (spec 4.4).
package struct SimulatedRenewal: Sendable {
    package var environment = StoreEnvironment.production
    package var originalTransactionID: String
    package var productID: String
    package var autoRenewProductID: String
    package var autoRenewStatus = true
    package var expirationIntent: ExpirationIntent?
    package var isInBillingRetryPeriod: Bool?
    package var gracePeriodExpiresDate: Instant?
    package var renewalDate: Instant?
    package var renewalPrice: Price?
    package var appTransactionID: String?
    package var appAccountToken: String?
    /// When the newest run of periods began that has no gap of more than 60 days.
    package var recentSubscriptionStartDate: Instant?
    package var signedDate: Instant
    /// Set last: replaces an existing member, adds a new one.
    package var otherFields: [JSONMember] = []

    package init(
        originalTransactionID: String, productID: String, renewalDate: Instant?,
        signedDate: Instant
    ) {
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        autoRenewProductID = productID
        self.renewalDate = renewalDate
        self.signedDate = signedDate
    }

    package var payload: JSONValue {
        var payload: JSONValue = [
            "originalTransactionId": .string(originalTransactionID),
            "autoRenewProductId": .string(autoRenewProductID),
            "productId": .string(productID),
            "autoRenewStatus": .integer(autoRenewStatus ? 1 : 0),
        ]
        payload["expirationIntent"] = expirationIntent.map { .integer($0.signedNumber) }
        payload["isInBillingRetryPeriod"] = isInBillingRetryPeriod.map(JSONValue.bool)
        payload["gracePeriodExpiresDate"] = gracePeriodExpiresDate.map(JSONValue.date)
        payload["renewalDate"] = renewalDate.map(JSONValue.date)
        payload["renewalPrice"] = renewalPrice.map { .integer($0.milliunits) }
        payload["currency"] = renewalPrice?.currency.map(JSONValue.string)
        payload["appTransactionId"] = appTransactionID.map(JSONValue.string)
        payload["appAccountToken"] = appAccountToken.map(JSONValue.string)
        payload["recentSubscriptionStartDate"] = recentSubscriptionStartDate.map(JSONValue.date)
        payload["signedDate"] = .date(signedDate)
        payload["environment"] = .string(environment.signedName)
        for field in otherFields { payload[field.key] = field.value }
        return payload
    }
}

/// An App Store Server Notification V2 as Apple signs it (spec 4.4): any type and subtype,
/// with what it carries already signed.
package struct SimulatedNotification: Sendable {
    /// The member with the notification's content.
    package enum Subject: Sendable {
        case data
        case summary
        case appData
        case externalPurchaseToken
    }

    package var type: String
    package var subtype: String?
    package var uuid: String
    package var environment = StoreEnvironment.production
    package var bundleID: String
    /// Apple leaves it out in sandbox.
    package var appAppleID: Int64?
    package var subject = Subject.data
    package var transaction: [UInt8]?
    package var renewal: [UInt8]?
    package var appTransaction: [UInt8]?
    /// Apple's `status` of a subscription, 1 to 5.
    package var status: Int64?
    package var signedDate: Instant
    /// Set last into the subject: replaces an existing member, adds a new one.
    package var otherFields: [JSONMember] = []

    package init(
        type: String, subtype: String? = nil, uuid: String, bundleID: String,
        appAppleID: Int64?, signedDate: Instant
    ) {
        self.type = type
        self.subtype = subtype
        self.uuid = uuid
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.signedDate = signedDate
    }

    package var payload: JSONValue {
        var payload: JSONValue = ["notificationType": .string(type)]
        payload["subtype"] = subtype.map(JSONValue.string)
        payload["notificationUUID"] = .string(uuid)
        payload[subjectName] = subjectPayload
        payload["version"] = "2.0"
        payload["signedDate"] = .date(signedDate)
        return payload
    }

    private var subjectName: String {
        switch subject {
        case .data: "data"
        case .summary: "summary"
        case .appData: "appData"
        case .externalPurchaseToken: "externalPurchaseToken"
        }
    }

    private var subjectPayload: JSONValue {
        var data: JSONValue = [:]
        data["appAppleId"] = appAppleID.map(JSONValue.integer)
        data["bundleId"] = .string(bundleID)
        if subject == .externalPurchaseToken {
            let prefix = environment == .sandbox ? "SANDBOX" : ""
            data["externalPurchaseId"] = .string(prefix + uuid)
        } else {
            data["environment"] = .string(environment.signedName)
        }
        data["status"] = status.map(JSONValue.integer)
        data["signedTransactionInfo"] = transaction.map(JSONValue.text)
        data["signedRenewalInfo"] = renewal.map(JSONValue.text)
        data["signedAppTransactionInfo"] = appTransaction.map(JSONValue.text)
        for field in otherFields { data[field.key] = field.value }
        return data
    }
}

extension JSONValue {
    fileprivate static func text(_ bytes: [UInt8]) -> JSONValue {
        .string(String(decoding: bytes, as: UTF8.self))
    }
}

/// A type and subtype of App Store Server Notifications, with what such a notification is about
/// (spec 4.4).
package struct NotificationKind: Hashable, Sendable {
    package let type: String
    package let subtype: String?

    package init(_ type: String, _ subtype: String? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// The member with the notification's content.
    package var subject: SimulatedNotification.Subject {
        switch (type, subtype) {
        case ("RENEWAL_EXTENSION", "SUMMARY"): .summary
        case ("RESCIND_CONSENT", _): .appData
        case ("EXTERNAL_PURCHASE_TOKEN", _): .externalPurchaseToken
        default: .data
        }
    }

    /// Every type and subtype that Apple documents.
    package static let documented: [NotificationKind] = table.flatMap { type, subtypes in
        subtypes.map { NotificationKind(type, $0) }
    }

    private static let table: [(String, [String?])] = [
        ("SUBSCRIBED", ["INITIAL_BUY", "RESUBSCRIBE"]),
        ("DID_RENEW", [nil, "BILLING_RECOVERY"]),
        ("DID_CHANGE_RENEWAL_PREF", ["UPGRADE", "DOWNGRADE", nil]),
        ("DID_CHANGE_RENEWAL_STATUS", ["AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED", nil]),
        ("OFFER_REDEEMED", [nil, "UPGRADE", "DOWNGRADE"]),
        ("DID_FAIL_TO_RENEW", ["GRACE_PERIOD", nil]),
        ("GRACE_PERIOD_EXPIRED", [nil]),
        (
            "EXPIRED",
            ["VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE", nil]
        ),
        ("PRICE_INCREASE", ["PENDING", "ACCEPTED"]),
        ("REFUND", [nil, "SEATS"]),
        ("REFUND_DECLINED", [nil]),
        ("REFUND_REVERSED", [nil]),
        ("CONSUMPTION_REQUEST", [nil]),
        ("REVOKE", [nil]),
        ("RENEWAL_EXTENDED", [nil]),
        ("RENEWAL_EXTENSION", ["SUMMARY", "FAILURE"]),
        ("ONE_TIME_CHARGE", [nil]),
        ("EXTERNAL_PURCHASE_TOKEN", ["UNREPORTED", "CREATED", "ACTIVE_TOKEN_REMINDER"]),
        ("RESCIND_CONSENT", [nil]),
        ("METADATA_UPDATE", [nil]),
        ("MIGRATION", [nil]),
        ("PRICE_CHANGE", [nil]),
        ("UNCLAIM_SEATS", [nil]),
        ("TEST", [nil]),
    ]
}
