package import EntitlementModel

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
    package func receiptTransactions(of appleID: String) -> [SimulatedTransaction] {
        (purchasesOfAppleID[appleID] ?? [])
            .compactMap { purchases[$0] }
            .filter { $0.kind != .consumable || !$0.isFinished }
            .flatMap(\.transactions)
            .sorted { $0.transactionID < $1.transactionID }
    }
}

extension SimulatedReceiptPurchase {
    /// What a receipt says of a transaction (spec 4.5).
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
