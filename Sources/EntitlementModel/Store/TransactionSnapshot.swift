/// One purchase, renewal or restore as Apple described it at `signedDate`.
///
/// Apple re-signs a transaction as it changes; a newer snapshot replaces an older one whole
/// (spec 1.2). Field names are Apple's.
package struct TransactionSnapshot: Hashable, Sendable {
    package var environment: StoreEnvironment
    package var bundleID: BundleID
    package var transactionID: TransactionID
    package var originalTransactionID: TransactionID
    /// Absent where Apple sent nothing, `0` or an empty string.
    package var webOrderLineItemID: WebOrderLineItemID?
    package var productID: ProductID
    /// The signed kind; nil where the evidence does not say.
    package var kind: Stated<ProductKind>?
    package var subscriptionGroupID: SubscriptionGroupID?
    package var purchaseDate: Instant
    package var originalPurchaseDate: Instant?
    /// Of the app's own purchase, the version as Apple wrote it (`originalApplicationVersion`).
    package var firstVersion: String?
    package var expiresDate: Instant?
    package var quantity: Int64
    package var ownership: Ownership
    package var appAccountToken: AppAccountToken?
    package var isUpgraded: Bool
    /// In receipts and verifyReceipt answers an upgraded period carries one too (spec 1.2).
    package var revocation: Revocation?
    package var offer: Offer?
    /// ISO 3166-1 alpha-3.
    package var storefront: String?
    package var transactionReason: Stated<TransactionReason>?
    /// Set on the transactions of a period to which seats were added, the first one included
    /// (spec 1.4).
    package var additionalReason: Stated<AdditionalTransactionReason>?
    package var price: Price?
    package var appTransactionID: AppTransactionID?
    /// The lineage that this one succeeds (spec 1.4): a move to another of Apple's commerce
    /// interfaces or into a bundle.
    package var previousOriginalTransactionID: TransactionID?
    /// `BILLED_UPFRONT`, `MONTHLY`, or what Apple adds.
    package var billingPlanType: String?
    package var commitmentExpiresDate: Instant?
    /// Which month of the commitment this is, from 1.
    package var commitmentPeriod: Int64?
    /// Of how many.
    package var commitmentPeriods: Int64?
    /// Of a purchase for several people.
    package var multiSeat: MultiSeatInfo?
    package var signedDate: Instant
    package var source: EvidenceSource

    package init(
        environment: StoreEnvironment, bundleID: BundleID, transactionID: TransactionID,
        originalTransactionID: TransactionID, productID: ProductID, purchaseDate: Instant,
        signedDate: Instant, source: EvidenceSource
    ) {
        self.environment = environment
        self.bundleID = bundleID
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.purchaseDate = purchaseDate
        self.signedDate = signedDate
        self.source = source
        quantity = 1
        ownership = .notStated
        isUpgraded = false
    }
}

/// Apple's `inAppOwnershipType`.
package enum Ownership: Hashable, Sendable {
    case purchased
    case familyShared
    case assigned
    /// The form of the evidence cannot say (receipts).
    case notStated
    /// A value that Apple has added; it never grants anything.
    case unknown(String)

    /// The word that policies use (spec 2.1).
    package var word: String {
        switch self {
        case .purchased: "purchased"
        case .familyShared: "family-shared"
        case .assigned: "assigned"
        case .notStated: "not-stated"
        case .unknown: "unknown"
        }
    }
}

/// Apple's `transactionReason`.
package enum TransactionReason: String, CaseIterable, Hashable, Sendable {
    /// Made by the customer: first buy, resubscription, upgrade.
    case purchase = "PURCHASE"
    case renewal = "RENEWAL"
}

/// Apple's `additionalTransactionReason`.
package enum AdditionalTransactionReason: String, CaseIterable, Hashable, Sendable {
    /// More seats of the running period.
    case seatAddition = "SEAT_ADDITION"
}

/// The position of a period in a commitment that is billed monthly (Apple's `commitmentInfo`).
package struct Commitment: Hashable, Sendable {
    /// From 1.
    package let period: Int64?
    package let periods: Int64?
    package let expires: Instant?

    /// Nil where nothing is said of one.
    package init?(period: Int64?, periods: Int64?, expires: Instant?) {
        guard period != nil || periods != nil || expires != nil else { return nil }
        self.period = period
        self.periods = periods
        self.expires = expires
    }
}

/// Apple's `multiSeatInfo`, for a purchase whose `quantity` is seats.
package struct MultiSeatInfo: Hashable, Sendable {
    /// `APPLE`, `DEVELOPER`, or what Apple adds: who invites the members.
    package var invitationManagement: String?
    /// Seats of this transaction that were taken back.
    package var revokedQuantity: Int64?

    package init(invitationManagement: String? = nil, revokedQuantity: Int64? = nil) {
        self.invitationManagement = invitationManagement
        self.revokedQuantity = revokedQuantity
    }
}

/// A refund or the loss of sharing, as signed.
package struct Revocation: Hashable, Sendable {
    package var date: Instant
    /// 0 other, 1 a problem in the app.
    package var reason: Int64?
    package var type: Stated<RevocationType>?
    /// Thousandths of a percent: 100,000 is all of it.
    package var percentage: Int64?

    package init(
        date: Instant, reason: Int64? = nil, type: Stated<RevocationType>? = nil,
        percentage: Int64? = nil
    ) {
        self.date = date
        self.reason = reason
        self.type = type
        self.percentage = percentage
    }
}

/// Apple's `revocationType`.
package enum RevocationType: String, CaseIterable, Hashable, Sendable {
    case full = "REFUND_FULL"
    case prorated = "REFUND_PRORATED"
    case family = "FAMILY_REVOKE"
    case assigned = "ASSIGNMENT_REVOKE"

    /// The word that policies use (spec 2.1).
    package var word: String {
        switch self {
        case .full: "full"
        case .prorated: "prorated"
        case .family: "family"
        case .assigned: "assigned"
        }
    }
}

extension TransactionSnapshot {
    package var key: TransactionKey { TransactionKey(environment, transactionID) }
    package var lineage: LineageKey { LineageKey(environment, originalTransactionID) }

    /// Whether no catalogue can make it of an account-scoped kind (spec 1.2): Apple has signed
    /// another one, or an end.
    package var isLasting: Bool { kind?.known.map { !$0.isAccountScoped } ?? (expiresDate != nil) }
}

/// The offer that a period was bought with.
package struct Offer: Hashable, Sendable {
    /// Apple's `offerType`: 1 introductory, 2 promotional, 3 offer code, 4 win-back,
    /// 5 retention; Apple may add others.
    package var type: Int64
    package var identifier: String?
    /// Apple's `offerDiscountType`.
    package var discountType: String?
    /// ISO 8601 duration.
    package var period: String?

    package init(
        type: Int64, identifier: String? = nil, discountType: String? = nil,
        period: String? = nil
    ) {
        self.type = type
        self.identifier = identifier
        self.discountType = discountType
        self.period = period
    }
}

/// The price paid, offer and quantity included. Not for accounting.
package struct Price: Hashable, Sendable {
    /// Thousandths of the currency's unit, for every currency.
    package var milliunits: Int64
    /// ISO 4217.
    package var currency: String?

    package init(milliunits: Int64, currency: String? = nil) {
        self.milliunits = milliunits
        self.currency = currency
    }
}
