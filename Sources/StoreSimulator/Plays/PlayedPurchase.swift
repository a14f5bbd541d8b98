internal import Crypto
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

/// The ids of a play: they follow from its name or text and its seed, and differ between
/// environments in their first digit, as Apple's do.
struct PlayNames {
    let seed: UInt64
    let environment: StoreEnvironment
    private let play: Digest256
    private var transactions = 0
    private var notifications = 0

    init(seed: UInt64, play: Play) {
        self.seed = seed
        self.play = play.digest
        environment = play.environment
    }

    mutating func transactionID() -> String {
        transactions += 1
        return number("transaction", digits: 8) + padded(transactions)
    }

    mutating func notificationUUID() -> String {
        notifications += 1
        return uuid("notification \(notifications)")
    }

    /// The `appAccountToken` that the app made for an account.
    func token(of account: String) -> String { uuid("account \(account)") }

    /// The `appTransactionId` of an Apple ID.
    func appTransactionID(of appleID: String) -> String {
        "7" + number("Apple ID \(appleID)", digits: 16)
    }

    private func number(_ name: String, digits: Int) -> String {
        let first = environment == .production ? "4" : "2"
        return first + bytes(name).prefix(digits).map { String($0 % 10) }.joined()
    }

    private func padded(_ number: Int) -> String {
        String("\(1_000_000 + number)".dropFirst())
    }

    private func uuid(_ name: String) -> String {
        var bytes = bytes(name)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
            .map { bytes[$0].hexadecimal }.joined(separator: "-")
    }

    private func bytes(_ name: String) -> [UInt8] {
        let text = "play \(play.hexadecimal) \(seed) \(environment.rawValue) \(name)"
        return Array(SHA256.hash(data: Array(text.utf8)))
    }
}
