internal import EntitlementModel

/// A purchase of a play as it stands: the newest transaction and renewal info.
struct PlayedPurchase {
    var account: String
    var appleID: String
    var kind: ProductKind
    var period: Period?
    var transaction: SimulatedTransaction
    /// Of auto-renewable ones.
    var renewal: SimulatedRenewal?
    /// The periods before, oldest first.
    var earlier: [SimulatedTransaction] = []

    /// Apple's `status` of a subscription (spec 4.4).
    func status(at now: Instant) -> Int64? {
        guard let renewal, let expires = transaction.expiresDate else { return nil }
        if transaction.revocation != nil { return 5 }
        if let grace = renewal.gracePeriodExpiresDate, grace > now { return 4 }
        if renewal.isInBillingRetryPeriod == true { return 3 }
        return expires > now ? 1 : 2
    }

    /// Starts the next period.
    mutating func begin(
        _ next: SimulatedTransaction, product: PlayProduct, signed: Instant
    ) {
        earlier.append(transaction)
        transaction = next
        period = product.period
        guard var renewal else { return }
        renewal.productID = product.id
        renewal.autoRenewProductID = product.id
        renewal.autoRenewStatus = true
        renewal.expirationIntent = nil
        renewal.isInBillingRetryPeriod = nil
        renewal.gracePeriodExpiresDate = nil
        renewal.renewalDate = next.expiresDate
        renewal.otherFields = []
        self.renewal = renewal
    }
}
