internal import EntitlementModel
internal import StrictJSON

/// The JSON type of every member that Apple documents. What is not listed is new: kept and
/// ignored (4-evidence.md).
struct PayloadSchema: Sendable {
    enum MemberType: Sendable {
        case string
        case integer
        /// Milliseconds; Xcode's have fractions.
        case date
        case bool
        case array
        case object
    }

    private let types: [String: MemberType]

    private init(_ groups: [MemberType: [String]]) {
        var types: [String: MemberType] = [:]
        for (type, names) in groups {
            for name in names { types[name] = type }
        }
        self.types = types
    }

    /// The first member that has another type than documented; nil if none.
    func fault(in object: JSONValue, allowsFractions: Bool) -> PayloadFault? {
        guard let members = object.members else { return PayloadFault(.payloadType, nil) }
        for member in members {
            guard let type = types[member.key] else { continue }
            if !type.fits(member.value, allowsFractions: allowsFractions) {
                return PayloadFault(.payloadType, member.key)
            }
        }
        return nil
    }

    static func schema(for kind: EvidenceKind) -> PayloadSchema {
        switch kind {
        case .transaction: transaction
        case .renewalInfo: renewalInfo
        case .appTransaction: appTransaction
        case .notification, .receipt: notification
        }
    }

    /// The `data` of a notification, and what else stands in its place.
    static let notificationData = PayloadSchema([
        .string: [
            "environment", "bundleId", "bundleVersion", "signedTransactionInfo",
            "signedRenewalInfo", "signedAppTransactionInfo", "consumptionRequestReason",
        ],
        .integer: ["appAppleId", "status"],
    ])

    private static let transaction = PayloadSchema([
        .string: [
            "transactionId", "originalTransactionId", "webOrderLineItemId", "bundleId",
            "productId", "subscriptionGroupIdentifier", "type", "appAccountToken",
            "inAppOwnershipType", "revocationType", "offerIdentifier", "offerDiscountType",
            "offerPeriod", "environment", "storefront", "storefrontId", "transactionReason",
            "currency", "appTransactionId", "previousOriginalTransactionId", "billingPlanType",
        ],
        .date: [
            "purchaseDate", "originalPurchaseDate", "expiresDate", "signedDate",
            "revocationDate",
        ],
        .integer: ["quantity", "revocationReason", "revocationPercentage", "offerType", "price"],
        .bool: ["isUpgraded"],
        .object: ["advancedCommerceInfo", "commitmentInfo"],
    ])

    private static let renewalInfo = PayloadSchema([
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

    private static let appTransaction = PayloadSchema([
        .string: [
            "receiptType", "environment", "bundleId", "applicationVersion",
            "originalApplicationVersion", "deviceVerification", "deviceVerificationNonce",
            "appTransactionId", "originalPlatform",
        ],
        .date: ["receiptCreationDate", "originalPurchaseDate", "preorderDate", "signedDate"],
        .integer: ["appAppleId", "versionExternalIdentifier"],
    ])

    private static let notification = PayloadSchema([
        .string: ["notificationType", "subtype", "notificationUUID", "version"],
        .date: ["signedDate"],
        .object: ["data", "summary", "externalPurchaseToken", "appData"],
    ])
}

extension PayloadSchema.MemberType {
    fileprivate func fits(_ value: JSONValue, allowsFractions: Bool) -> Bool {
        switch self {
        case .string: value.string != nil
        case .integer: value.int64 != nil
        case .date:
            value.int64 != nil || (allowsFractions && value.number?.flooredInt64 != nil)
        case .bool: value.bool != nil
        case .array: value.elements != nil
        case .object: value.members != nil
        }
    }
}

/// What keeps a rightly signed payload from having effect.
struct PayloadFault: Error, Hashable {
    let code: QuarantineCode
    let field: String?

    init(_ code: QuarantineCode, _ field: String?) {
        self.code = code
        self.field = field
    }
}
