package import EntitlementModel
internal import StrictJSON

/// The automatic events of subscriptions, caused by the clock.
extension SimulatedStore {
    /// When the next automatic event of a purchase is due; nil if there is none.
    package func due(_ name: String) -> Instant? {
        guard let purchase = purchases[name], purchase.isAutomatic, !purchase.isFollower,
            let renewal = purchase.renewal, let expires = purchase.transaction.expiresDate,
            purchase.transaction.revocation == nil
        else { return nil }
        if renewal.isInBillingRetryPeriod == true {
            return renewal.gracePeriodExpiresDate ?? purchase.retryEnd
        }
        return renewal.expirationIntent == nil ? expires : nil
    }

    /// Executes the due event of a purchase.
    package mutating func proceed(_ name: String) throws(PlayMistake) {
        let purchase = try purchase(name)
        guard let renewal = purchase.renewal else { return }
        if renewal.isInBillingRetryPeriod == true {
            try apply(name, renewal.gracePeriodExpiresDate == nil ? .expires(nil) : .graceEnds)
        } else if purchase.isEnding {
            try apply(name, .expires(nil))
        } else if renewal.isWaitingForConsent {
            try apply(name, .expires(.price))
        } else if !products.values.contains(where: { $0.id == renewal.autoRenewProductID }) {
            try apply(name, .expires(.product))
        } else if let failure = purchase.terms.failure {
            let grace = purchase.terms.commitment == nil ? failure.graceDays ?? graceDays : nil
            try apply(name, .fails(graceDays: grace))
        } else {
            try apply(name, .renews)
        }
    }
}

extension PlayedPurchase {
    /// Whether no further period follows the running one.
    fileprivate var isEnding: Bool {
        if let commitment = terms.commitment {
            return !commitment.willRenew
                && commitment.number == PurchaseTerms.Commitment.periods
        }
        return renewal?.autoRenewStatus == false
    }

    fileprivate var retryEnd: Instant? {
        let days = terms.commitment == nil ? Self.retryDays : Self.commitmentRetryDays
        return failedAt?.advanced(byMilliseconds: days * 86_400_000)
    }
}

extension SimulatedRenewal {
    /// Whether the price rises at the next renewal and consent is missing.
    fileprivate var isWaitingForConsent: Bool {
        otherFields.contains { $0.key == "priceIncreaseStatus" && $0.value.int64 == 0 }
    }
}

/// Actions of the developer's server on purchases (spec 4.3).
extension SimulatedStore {
    /// Sets the account token of a purchase from the running period on.
    package mutating func setAccountToken(_ token: String, of name: String) {
        guard var purchase = purchases[name] else { return }
        purchase.transaction.appAccountToken = token
        purchase.transaction.setField("appAccountToken", nil)
        purchases[name] = purchase
        changed(purchase.transaction, of: name, purchase.appleID)
    }

    /// Why the renewal date of a subscription cannot be extended; nil where it can.
    func obstacleToExtension(of name: String) -> ExtensionObstacle? {
        guard let purchase = purchases[name], purchase.renewal != nil else { return .ineligible }
        if purchase.transaction.ownership == "FAMILY_SHARED" { return .family }
        let isFree = purchase.transaction.offer?.discountType == "FREE_TRIAL"
        guard purchase.status(at: at) == 1, !isFree else { return .ineligible }
        let year = at.advanced(byMilliseconds: -365 * 86_400_000)
        return purchase.terms.extensions.filter { $0 > year }.count < 2 ? nil : .tooMany
    }

    /// Moves the renewal date of a subscription, and of the family members who follow it.
    package mutating func extend(_ name: String, days: Int64) throws(PlayMistake) {
        try apply(name, .isExtended(days: days))
        purchases[name]?.terms.extensions.append(at)
    }

    /// Tells that a subscription was left out of an extension for all.
    mutating func notifyFailedExtension(of name: String) {
        guard let purchase = purchases[name] else { return }
        notify("RENEWAL_EXTENSION", "FAILURE", purchase)
    }

    /// Notes that the app or its server has delivered a purchase.
    package mutating func finish(_ name: String) {
        purchases[name]?.isFinished = true
    }

    /// The order ID of a transaction, as in the customer's mail.
    package func orderID(of transactionID: String) -> String {
        names.orderID(of: transactionID)
    }
}

/// Why Apple refuses an extension.
enum ExtensionObstacle: Sendable {
    case ineligible
    case tooMany
    case family
}

/// What receipts say of an Apple ID's purchases.
extension SimulatedStore {
    /// The app receipt on a device of an Apple ID.
    package func receipt(of appleID: String, createdAt instant: Instant) -> SimulatedReceipt {
        receipt(of: [appleID], createdAt: instant)
    }

    /// The app receipt on a device where several Apple IDs have bought.
    func receipt(of appleIDs: [String], createdAt instant: Instant) -> SimulatedReceipt {
        SimulatedReceipt(
            bundleID: bundleID,
            environmentName: environment == .production ? "Production" : "ProductionSandbox",
            createdAt: instant,
            purchases: Set(appleIDs).sorted().flatMap { receiptTransactions(of: $0) }
                .sorted { $0.transactionID < $1.transactionID }
                .map(SimulatedReceiptPurchase.init))
    }

    /// The transactions that a receipt of an Apple ID contains (spec 4.5), by id. A consumable is
    /// in it until it is finished, or while it counts as refunded.
    func receiptTransactions(of appleID: String) -> [SimulatedTransaction] {
        (purchasesOfAppleID[appleID] ?? [])
            .compactMap { purchases[$0] }
            .filter { $0.kind != .consumable || !$0.isFinished }
            .flatMap(\.transactions)
            .sorted { $0.transactionID < $1.transactionID }
    }
}

extension SimulatedReceiptPurchase {
    /// The fields of a transaction in a receipt (spec 4.5).
    fileprivate init(_ transaction: SimulatedTransaction) {
        self.init(
            productID: transaction.productID, transactionID: transaction.transactionID,
            typeNumber: transaction.kind.receiptNumber, purchaseDate: transaction.purchaseDate,
            expiresDate: transaction.expiresDate)
        originalTransactionID = transaction.originalTransactionID
        originalPurchaseDate = transaction.originalPurchaseDate
        quantity = transaction.quantity
        cancellationDate = transaction.revocation?.date ?? transaction.upgradedAt
        cancellationReason = transaction.revocation?.reason
        isTrial = transaction.offer?.discountType == "FREE_TRIAL"
        isIntroductory = transaction.offer?.type == 1 && !isTrial
        promotionalOfferID = transaction.offer?.type == 2 ? transaction.offer?.identifier : nil
        webOrderLineItemID = transaction.webOrderLineItemID.flatMap { Int64($0) } ?? 0
    }
}

extension ProductKind? {
    /// Attribute 1707.
    fileprivate var receiptNumber: Int64 {
        switch self {
        case .nonConsumable?: 0
        case .consumable?: 1
        case .nonRenewing?: 2
        case .autoRenewable?: 3
        case .free?, nil: 4
        }
    }
}
