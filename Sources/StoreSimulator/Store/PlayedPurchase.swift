package import EntitlementModel

/// A purchase of a play as it stands: the newest transaction and renewal info.
package struct PlayedPurchase: Sendable {
    /// Apple stops charging after so many days without success.
    static let retryDays: Int64 = 60
    /// The same in a commitment, which has no grace.
    static let commitmentRetryDays: Int64 = 90

    package internal(set) var account: String
    package let appleID: String
    package let kind: ProductKind
    var period: Period?
    package var transaction: SimulatedTransaction {
        didSet { renewal?.appAccountToken = transaction.appAccountToken }
    }
    /// Of auto-renewable ones.
    package var renewal: SimulatedRenewal?
    /// The periods before, oldest first.
    package var earlier: [SimulatedTransaction] = []
    /// Seats that were added to the running period and those before, oldest first.
    package var additions: [SimulatedTransaction] = []
    /// Whether the virtual clock renews it, instead of a line of the play.
    var isAutomatic = false
    /// What else a period is sold with; see `PlayOrder`.
    var terms = PurchaseTerms()
    /// When the running failure to charge began.
    var failedAt: Instant?
    /// The purchases of family members that follow this one.
    var members: [String] = []
    /// Whether another purchase decides what becomes of this one.
    var isFollower = false
    /// Whether the app or the server has finished it: receipts then omit it if it is consumable.
    package var isFinished = false
    /// Whether nobody has handed it in when it was bought: it is not finished either.
    var isUntold = false

    init(
        account: String, appleID: String, kind: ProductKind, period: Period?,
        transaction: SimulatedTransaction
    ) {
        self.account = account
        self.appleID = appleID
        self.kind = kind
        self.period = period
        self.transaction = transaction
    }

    /// Every transaction, the running period's last.
    package var transactions: [SimulatedTransaction] { earlier + additions + [transaction] }

    /// One of its transactions.
    package subscript(id: String) -> SimulatedTransaction? {
        get {
            if transaction.transactionID == id { return transaction }
            if let addition = additions.last(where: { $0.transactionID == id }) { return addition }
            return earlier.last { $0.transactionID == id }
        }
        set {
            guard let newValue else { return }
            if transaction.transactionID == id {
                transaction = newValue
            } else if let index = additions.lastIndex(where: { $0.transactionID == id }) {
                additions[index] = newValue
            } else if let index = earlier.lastIndex(where: { $0.transactionID == id }) {
                earlier[index] = newValue
            }
        }
    }

    /// Apple's `status` of a subscription (spec 4.4).
    package func status(at now: Instant) -> Int64? {
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
        failedAt = nil
        guard var renewal else { return }
        renewal.productID = product.id
        renewal.autoRenewProductID = product.id
        renewal.autoRenewStatus = true
        renewal.expirationIntent = nil
        renewal.isInBillingRetryPeriod = nil
        renewal.gracePeriodExpiresDate = nil
        renewal.renewalDate = next.expiresDate
        if let end = earlier.last?.expiresDate,
            next.purchaseDate.milliseconds(since: end) > Self.retryDays * 86_400_000
        {
            renewal.recentSubscriptionStartDate = next.purchaseDate
        }
        renewal.otherFields = []
        self.renewal = renewal
        renewal.otherFields = terms.renewalFields(of: self)
        self.renewal = renewal
    }
}
