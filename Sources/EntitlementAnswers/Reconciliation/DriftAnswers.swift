package import EntitlementModel

/// The differences between the ledger and Apple, by cause (spec 3.6). Codes are a contract.
package enum DriftCause: String, CaseIterable, WireWord {
    /// Apple has sent a notification that the ledger does not have.
    case missedNotification = "missed-notification"
    /// Apple's notification history cannot be read to its end: whether one was missed is not known.
    case notificationsUnreadable = "notifications-unreadable"
    /// A transaction is refunded, or revoked, and the ledger does not know it.
    case refundUnknown = "refund-unknown"
    /// A refund was taken back, and the ledger does not know it.
    case reversalUnknown = "reversal-unknown"
    /// A period of a known subscription is missing.
    case renewalUnknown = "renewal-unknown"
    /// Another transaction of a known lineage is missing.
    case transactionUnknown = "transaction-unknown"
    /// A lineage of a known Apple ID is missing.
    case lineageUnknown = "lineage-unknown"
    /// Apple says something else of the renewal: auto-renew, billing retry, grace, what it
    /// renews to.
    case stateUnknown = "state-unknown"
    /// Apple says something else of a transaction, or more than a receipt did.
    case detailUnknown = "detail-unknown"
    /// Apple does not know the lineage. This alone takes no right away.
    case lineageNotFound = "lineage-not-found"
    /// Apple's status contradicts the derived state although all evidence is there.
    case statusDiffers = "status-differs"
    /// A right was granted that Apple says has ended.
    case extraRight = "extra-right"
    /// A right was not granted that Apple says is running.
    case missingRight = "missing-right"

    package static var schemaName: String? { "DriftCause" }
}

/// One difference between the ledger and what Apple says.
package struct DriftItem: Hashable, Sendable, WireObject {
    package var cause: DriftCause
    package var environment: StoreEnvironment
    package var appleID: AppleIDKey?
    /// Whom it concerns: those that own something of the lineage, or have the right. Sorted.
    package var accounts: [AccountID]
    package var lineage: TransactionID?
    package var transaction: TransactionID?
    package var product: ProductID?
    package var entitlement: EntitlementName?
    /// `notificationUUID`.
    package var notification: String?
    /// Apple's number of a subscription's status, where that is what differs.
    package var status: Int64?

    package init(
        _ cause: DriftCause, in environment: StoreEnvironment, appleID: AppleIDKey? = nil,
        accounts: [AccountID] = [], lineage: TransactionID? = nil,
        transaction: TransactionID? = nil, product: ProductID? = nil,
        entitlement: EntitlementName? = nil, notification: String? = nil, status: Int64? = nil
    ) {
        self.cause = cause
        self.environment = environment
        self.appleID = appleID
        self.accounts = accounts
        self.lineage = lineage
        self.transaction = transaction
        self.product = product
        self.entitlement = entitlement
        self.notification = notification
        self.status = status
    }

    package static var shapeName: String { "Drift" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        DriftItem(
            try shape.value("cause", \.cause),
            in: try shape.value("environment", \.environment),
            appleID: try shape.optional("apple_id", \.appleID),
            accounts: try shape.value("accounts", \.accounts),
            lineage: try shape.optional("lineage", \.lineage),
            transaction: try shape.optional("transaction", \.transaction),
            product: try shape.optional("product", \.product),
            entitlement: try shape.optional("entitlement", \.entitlement),
            notification: try shape.optional("notification", \.notification),
            status: try shape.optional("status", \.status))
    }
}

extension DriftItem {
    /// What makes two reports of a difference one: a customer who is asked again after an
    /// interruption is counted once.
    package var identity: DriftItem {
        var identity = self
        // Who owns something may have changed in between; whose right it is has not.
        if entitlement == nil { identity.accounts = [] }
        identity.appleID = nil
        identity.product = nil
        return identity
    }
}

/// A page of the differences that a reconciliation found, in the order in which it found them.
package struct DriftPage: WireObject {
    package var run: Int64
    package var drift: [DriftItem]
    /// What to ask for next; nil where there is no more.
    package var next: Int64?

    package init(run: Int64, drift: [DriftItem], next: Int64?) {
        self.run = run
        self.drift = drift
        self.next = next
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        DriftPage(
            run: try shape.value("run", \.run), drift: try shape.value("drift", \.drift),
            next: try shape.nullable("next", \.next))
    }
}
