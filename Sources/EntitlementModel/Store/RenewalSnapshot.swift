/// What Apple said about the future of an auto-renewable lineage at `signedDate`.
///
/// It carries no bundle id: it has effect only once a transaction of its lineage is known
/// (spec 1.2). Field names are Apple's.
package struct RenewalSnapshot: Hashable, Sendable {
    package var environment: StoreEnvironment
    package var originalTransactionID: TransactionID
    package var productID: ProductID?
    package var autoRenewProductID: ProductID?
    /// Nil where Apple did not say.
    package var autoRenewStatus: Bool?
    package var expirationIntent: ExpirationIntent?
    package var isInBillingRetryPeriod: Bool?
    package var gracePeriodExpiresDate: Instant?
    package var renewalDate: Instant?
    package var renewalPrice: Price?
    package var offer: Offer?
    package var appAccountToken: AppAccountToken?
    package var appTransactionID: AppTransactionID?
    /// `BILLED_UPFRONT`, `MONTHLY`, or what Apple adds.
    package var renewalBillingPlanType: String?
    /// Of a commitment: whether another one follows it.
    package var commitment: RenewalCommitment?
    package var signedDate: Instant
    package var source: EvidenceSource

    package init(
        environment: StoreEnvironment, originalTransactionID: TransactionID,
        signedDate: Instant, source: EvidenceSource
    ) {
        self.environment = environment
        self.originalTransactionID = originalTransactionID
        self.signedDate = signedDate
        self.source = source
    }

    /// Retry or a grace date: Apple could not charge (spec 1.4, "fails").
    package var fails: Bool {
        isInBillingRetryPeriod == true || gracePeriodExpiresDate != nil
    }
}

/// Apple's `commitmentInfo` of a renewal info: what follows a commitment that is billed monthly.
/// Within it the months renew, whatever is said here (spec 1.4).
package struct RenewalCommitment: Hashable, Sendable {
    /// Nil where Apple did not say.
    package var autoRenewStatus: Bool?
    package var autoRenewProductID: ProductID?
    package var renewalBillingPlanType: String?
    /// When the commitment ends.
    package var renewalDate: Instant?
    package var renewalPrice: Price?

    package init(
        autoRenewStatus: Bool? = nil, autoRenewProductID: ProductID? = nil,
        renewalBillingPlanType: String? = nil, renewalDate: Instant? = nil,
        renewalPrice: Price? = nil
    ) {
        self.autoRenewStatus = autoRenewStatus
        self.autoRenewProductID = autoRenewProductID
        self.renewalBillingPlanType = renewalBillingPlanType
        self.renewalDate = renewalDate
        self.renewalPrice = renewalPrice
    }
}

/// Apple's `expirationIntent`: why a subscription ended.
package enum ExpirationIntent: Hashable, Sendable {
    case cancelled
    case billingError
    case priceNotAccepted
    case productUnavailable
    /// 5, and any number that Apple adds.
    case other(Int64)

    package init(signedNumber: Int64) {
        switch signedNumber {
        case 1: self = .cancelled
        case 2: self = .billingError
        case 3: self = .priceNotAccepted
        case 4: self = .productUnavailable
        default: self = .other(signedNumber)
        }
    }

    package var signedNumber: Int64 {
        switch self {
        case .cancelled: 1
        case .billingError: 2
        case .priceNotAccepted: 3
        case .productUnavailable: 4
        case .other(let number): number
        }
    }
}

/// The Apple ID of a device, as its app transaction names it.
package struct AppTransactionSnapshot: Hashable, Sendable {
    package var environment: StoreEnvironment
    package var bundleID: BundleID
    package var appTransactionID: AppTransactionID?
    /// When Apple signed it (`receiptCreationDate`).
    package var signedDate: Instant
    package var source: EvidenceSource

    package init(
        environment: StoreEnvironment, bundleID: BundleID,
        appTransactionID: AppTransactionID?, signedDate: Instant, source: EvidenceSource
    ) {
        self.environment = environment
        self.bundleID = bundleID
        self.appTransactionID = appTransactionID
        self.signedDate = signedDate
        self.source = source
    }
}

extension RenewalSnapshot {
    package var lineage: LineageKey { LineageKey(environment, originalTransactionID) }
}
