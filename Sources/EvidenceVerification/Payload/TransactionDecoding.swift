internal import EntitlementModel
internal import StrictJSON

extension PayloadReader {
    /// The transaction that a bound payload describes (spec 4.4).
    func transaction(
        environment: StoreEnvironment, bundleID: BundleID
    ) throws(PayloadFault) -> TransactionSnapshot {
        var snapshot = TransactionSnapshot(
            environment: environment, bundleID: bundleID,
            transactionID: try requiredID("transactionId"),
            originalTransactionID: try requiredID("originalTransactionId"),
            productID: try requiredID("productId"),
            purchaseDate: try requiredDate("purchaseDate"),
            signedDate: try requiredDate("signedDate"), source: source)
        snapshot.webOrderLineItemID = try webOrderLineItemID()
        snapshot.kind = kind
        snapshot.subscriptionGroupID = try id("subscriptionGroupIdentifier")
        snapshot.originalPurchaseDate = date("originalPurchaseDate")
        snapshot.expiresDate = date("expiresDate")
        snapshot.quantity = integer("quantity") ?? 1
        snapshot.ownership = ownership
        snapshot.appAccountToken = appAccountToken
        snapshot.isUpgraded = bool("isUpgraded") ?? false
        snapshot.revocation = revocation
        snapshot.offer = offer
        snapshot.storefront = string("storefront")
        snapshot.transactionReason = stated("transactionReason")
        snapshot.additionalReason = stated("additionalTransactionReason")
        snapshot.price = price("price")
        snapshot.appTransactionID = try id("appTransactionId")
        snapshot.previousOriginalTransactionID = try id("previousOriginalTransactionId")
        snapshot.billingPlanType = string("billingPlanType")
        let commitment = inside("commitmentInfo")
        snapshot.commitmentExpiresDate = commitment?.date("commitmentExpiresDate")
        snapshot.commitmentPeriod = commitment?.integer("billingPeriodNumber")
        snapshot.commitmentPeriods = commitment?.integer("totalBillingPeriods")
        snapshot.multiSeat = inside("multiSeatInfo").map {
            MultiSeatInfo(
                invitationManagement: $0.string("invitationManagement"),
                revokedQuantity: $0.integer("revokedSeatQuantity"))
        }
        return snapshot
    }

    /// `0` and an empty string mean none (spec 1.2).
    private func webOrderLineItemID() throws(PayloadFault) -> WebOrderLineItemID? {
        guard string("webOrderLineItemId") != "0" else { return nil }
        return try id("webOrderLineItemId")
    }

    private var kind: Stated<ProductKind>? {
        switch string("type") {
        case nil: nil
        case "Consumable": .known(.consumable)
        case "Non-Consumable": .known(.nonConsumable)
        case "Auto-Renewable Subscription": .known(.autoRenewable)
        case "Non-Renewing Subscription": .known(.nonRenewing)
        case let other?: .unknown(other)
        }
    }

    private var ownership: Ownership {
        switch string("inAppOwnershipType") {
        case nil: .notStated
        case "PURCHASED": .purchased
        case "FAMILY_SHARED": .familyShared
        case "ASSIGNED": .assigned
        case let other?: .unknown(other)
        }
    }

    private var revocation: Revocation? {
        date("revocationDate").map { revokedAt in
            Revocation(
                date: revokedAt, reason: integer("revocationReason"),
                type: stated("revocationType"), percentage: integer("revocationPercentage"))
        }
    }
}

extension PayloadReader {
    /// The renewal info that a bound payload describes (spec 4.4).
    func renewal(environment: StoreEnvironment) throws(PayloadFault) -> RenewalSnapshot {
        var snapshot = RenewalSnapshot(
            environment: environment,
            originalTransactionID: try requiredID("originalTransactionId"),
            signedDate: try requiredDate("signedDate"), source: source)
        snapshot.productID = try id("productId")
        snapshot.autoRenewProductID = try id("autoRenewProductId")
        snapshot.autoRenewStatus = integer("autoRenewStatus").map { $0 == 1 }
        snapshot.expirationIntent = integer("expirationIntent")
            .map(ExpirationIntent.init(signedNumber:))
        snapshot.isInBillingRetryPeriod = bool("isInBillingRetryPeriod")
        snapshot.gracePeriodExpiresDate = date("gracePeriodExpiresDate")
        snapshot.renewalDate = date("renewalDate")
        snapshot.renewalPrice = price("renewalPrice")
        snapshot.offer = offer
        snapshot.appAccountToken = appAccountToken
        snapshot.appTransactionID = try id("appTransactionId")
        snapshot.renewalBillingPlanType = string("renewalBillingPlanType")
        snapshot.commitment = try commitment()
        return snapshot
    }

    private func commitment() throws(PayloadFault) -> RenewalCommitment? {
        guard let info = inside("commitmentInfo") else { return nil }
        return RenewalCommitment(
            autoRenewStatus: info.integer("commitmentAutoRenewStatus").map { $0 == 1 },
            autoRenewProductID: try info.id("commitmentAutoRenewProductId"),
            renewalBillingPlanType: info.string("commitmentRenewalBillingPlanType"),
            renewalDate: info.date("commitmentRenewalDate"),
            renewalPrice: info.integer("commitmentRenewalPrice").map {
                Price(milliunits: $0, currency: string("currency"))
            })
    }

    /// The app transaction that a bound payload describes.
    func appTransaction(
        environment: StoreEnvironment, bundleID: BundleID
    ) throws(PayloadFault) -> AppTransactionSnapshot {
        AppTransactionSnapshot(
            environment: environment, bundleID: bundleID,
            appTransactionID: try id("appTransactionId"),
            signedDate: try requiredDate("receiptCreationDate"), source: source)
    }

    /// The app itself as a purchase; nil where nothing says whose it is, or when it was bought.
    func appPurchase(_ app: AppTransactionSnapshot) -> TransactionSnapshot? {
        guard let id = app.appTransactionID,
            var purchase = TransactionSnapshot(
                appPurchase: TransactionID(app: id), environment: app.environment,
                bundleID: app.bundleID, version: string("originalApplicationVersion"),
                boughtAt: date("originalPurchaseDate"), signedDate: app.signedDate,
                source: app.source)
        else { return nil }
        purchase.appTransactionID = id
        return purchase
    }

    /// The outermost members of a notification; one without a signing time gets the time of
    /// verification.
    func notificationHead(
        about subject: PayloadReader, judgedAt: Instant
    ) throws(PayloadFault) -> NotificationHead {
        // `TransactionID` lends its alphabet: Apple's ids have no other.
        let uuid = try requiredID("notificationUUID", as: TransactionID.self)
        let type = try requiredID("notificationType", as: TransactionID.self)
        return NotificationHead(
            uuid: uuid.text.lowercased(), type: type.text, subtype: string("subtype"),
            signedDate: date("signedDate") ?? judgedAt, names: subject.notificationNames)
    }

    /// The names that Apple states; text that is not an ID is ignored.
    private var notificationNames: NotificationNames {
        let transaction = string("originalTransactionId") ?? string("transactionId")
        return NotificationNames(
            appTransactionID: string("appTransactionId").flatMap { AppTransactionID($0) },
            transactionID: transaction.flatMap { TransactionID($0) },
            productID: string("productId").flatMap { ProductID($0) })
    }
}

extension TransactionSnapshot {
    /// The app itself as a purchase (spec 1.13); nil without a name or an instant, and where it is
    /// impossible.
    init?(
        appPurchase id: TransactionID?, environment: StoreEnvironment, bundleID: BundleID,
        version: String?, boughtAt: Instant?, signedDate: Instant, source: EvidenceSource
    ) {
        guard let id, let boughtAt else { return nil }
        self.init(
            environment: environment, bundleID: bundleID, transactionID: id,
            originalTransactionID: id, productID: .app, purchaseDate: boughtAt,
            signedDate: signedDate, source: source)
        kind = .known(.nonConsumable)
        // Longer than any that the store takes.
        firstVersion = version.flatMap { $0.utf8.count <= 128 ? $0 : nil }
        if findImplausibility() != nil { return nil }
    }
}

/// What Apple documents of each kind.
extension PayloadSchema {
    static func schema(for kind: EvidenceKind) -> PayloadSchema {
        switch kind {
        case .transaction: transaction
        case .renewalInfo: renewalInfo
        case .appTransaction: appTransaction
        case .notification, .receipt, .receiptAnswer, .importedAnswer, .unverified: notification
        }
    }

    /// The `data` of a notification, and its alternatives.
    static let notificationData = PayloadSchema([
        .string: [
            "environment", "bundleId", "bundleVersion", "signedTransactionInfo",
            "signedRenewalInfo", "signedAppTransactionInfo", "consumptionRequestReason",
        ],
        .integer: ["appAppleId", "status"],
    ])

    static let transaction = PayloadSchema([
        .string: [
            "transactionId", "originalTransactionId", "webOrderLineItemId", "bundleId",
            "productId", "subscriptionGroupIdentifier", "type", "appAccountToken",
            "inAppOwnershipType", "revocationType", "offerIdentifier", "offerDiscountType",
            "offerPeriod", "environment", "storefront", "storefrontId", "transactionReason",
            "currency", "appTransactionId", "previousOriginalTransactionId", "billingPlanType",
            "additionalTransactionReason",
        ],
        .date: [
            "purchaseDate", "originalPurchaseDate", "expiresDate", "signedDate",
            "revocationDate",
        ],
        .integer: ["quantity", "revocationReason", "revocationPercentage", "offerType", "price"],
        .bool: ["isUpgraded"],
        .object: ["advancedCommerceInfo", "commitmentInfo", "multiSeatInfo"],
    ])

    static let renewalInfo = PayloadSchema([
        .string: [
            "originalTransactionId", "productId", "autoRenewProductId", "offerIdentifier",
            "offerDiscountType", "offerPeriod", "currency", "appAccountToken",
            "appTransactionId", "renewalBillingPlanType", "environment",
        ],
        .date: [
            "gracePeriodExpiresDate", "renewalDate", "recentSubscriptionStartDate", "signedDate",
        ],
        .integer: [
            "autoRenewStatus", "expirationIntent", "priceIncreaseStatus", "offerType",
            "renewalPrice",
        ],
        .bool: ["isInBillingRetryPeriod"],
        .array: ["eligibleWinBackOfferIds"],
        .object: ["advancedCommerceInfo", "commitmentInfo"],
    ])

    static let appTransaction = PayloadSchema([
        .string: [
            "receiptType", "environment", "bundleId", "applicationVersion",
            "originalApplicationVersion", "deviceVerification", "deviceVerificationNonce",
            "appTransactionId", "originalPlatform",
        ],
        .date: ["receiptCreationDate", "originalPurchaseDate", "preorderDate", "signedDate"],
        .integer: ["appAppleId", "versionExternalIdentifier"],
    ])

    /// Of the objects inside payloads.
    static let nested = PayloadSchema([
        .date: ["tokenCreationDate", "tokenExpirationDate", "commitmentExpiresDate"]
    ])

    static let notification = PayloadSchema([
        .string: ["notificationType", "subtype", "notificationUUID", "version"],
        .date: ["signedDate"],
        .object: ["data", "summary", "externalPurchaseToken", "appData"],
    ])
}
