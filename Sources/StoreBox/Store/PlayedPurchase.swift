internal import Crypto
package import EntitlementModel
internal import StrictJSON

/// The state of a purchase of a play: the newest transaction and renewal info.
package struct PlayedPurchase: Sendable {
    /// Apple stops charging after that many days without success.
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
    /// Whether it was not submitted when it was bought: then it is not finished either.
    var isUntold = false

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

/// The terms of a subscription besides its product, from period to period.
struct PurchaseTerms: Sendable {
    /// A commitment for 12 months that is billed monthly.
    struct Commitment: Sendable {
        static let periods: Int64 = 12
        /// From 1.
        var number: Int64 = 1
        var expires: Instant
        /// Whether another commitment follows this one.
        var willRenew = true
    }

    /// Set where it is sold to several people.
    var seats: Int64?
    var commitment: Commitment?
    /// The charge for the next period will fail; with that many days of grace, if any.
    var failure: ChargeFailure?
    /// Developer extensions, at most two in 365 days.
    var extensions: [Instant] = []

    struct ChargeFailure: Sendable {
        var graceDays: Int64?
    }

    /// What these terms add to a transaction. The last month of a commitment ends with it.
    func apply(to transaction: inout SimulatedTransaction) {
        if let seats {
            transaction.quantity = seats
            transaction.setField("multiSeatInfo", seatInfo(revoked: 0))
        }
        guard let commitment else { return }
        if commitment.number == Commitment.periods { transaction.expiresDate = commitment.expires }
        transaction.setField("billingPlanType", "MONTHLY")
        var info: JSONValue = [
            "billingPeriodNumber": .integer(commitment.number),
            "totalBillingPeriods": .integer(Commitment.periods),
            "commitmentExpiresDate": .date(commitment.expires),
        ]
        info["commitmentPrice"] = transaction.price.map {
            .integer($0.milliunits * Commitment.periods)
        }
        transaction.setField("commitmentInfo", info)
    }

    func seatInfo(revoked: Int64) -> JSONValue {
        ["invitationManagement": "DEVELOPER", "revokedSeatQuantity": .integer(revoked)]
    }

    /// What these terms add to the renewal info of a purchase.
    func renewalFields(of purchase: PlayedPurchase) -> [JSONMember] {
        guard let commitment, let renewal = purchase.renewal else { return [] }
        var info: JSONValue = [
            "commitmentAutoRenewProductId": .string(renewal.autoRenewProductID),
            "commitmentAutoRenewStatus": .integer(commitment.willRenew ? 1 : 0),
            "commitmentRenewalBillingPlanType": "MONTHLY",
            "commitmentRenewalDate": .date(commitment.expires),
        ]
        info["commitmentRenewalPrice"] = purchase.transaction.price.map {
            .integer($0.milliunits * Commitment.periods)
        }
        return [
            JSONMember("renewalBillingPlanType", "MONTHLY"), JSONMember("commitmentInfo", info),
        ]
    }

    /// Counts the next month; a new commitment begins after the twelfth.
    ///
    /// - Parameter end: of the month before: the commitment ends so much later as the next one
    ///   begins.
    mutating func beginPeriod(from start: Instant, after end: Instant) {
        guard var commitment else { return }
        commitment.number += 1
        commitment.expires = commitment.expires.advanced(
            byMilliseconds: max(0, start.milliseconds(since: end)))
        if commitment.number > Commitment.periods {
            commitment = Commitment(expires: Period(Commitment.periods, .months).end(from: start))
        }
        self.commitment = commitment
    }

    /// The same from the first month of a new commitment.
    mutating func beginAgain(from start: Instant) {
        guard commitment != nil else { return }
        commitment = Commitment(expires: Period(Commitment.periods, .months).end(from: start))
    }
}

extension SimulatedTransaction {
    /// Sets a field that this version has no name for; nil removes it.
    static let advancedCommerce = "advancedCommerceInfo"

    func field(_ name: String) -> JSONValue? { otherFields.first { $0.key == name }?.value }

    mutating func setField(_ name: String, _ value: JSONValue?) {
        otherFields.removeAll { $0.key == name }
        if let value { otherFields.append(JSONMember(name, value)) }
    }
}

extension Period {
    /// As Apple writes lengths (ISO 8601): `P1M`.
    var iso8601: String {
        switch unit {
        case .years: "P\(count)Y"
        case .months: "P\(count)M"
        case .weeks: "P\(count)W"
        case .days: "P\(count)D"
        case .hours: "PT\(count)H"
        case .minutes: "PT\(count)M"
        case .seconds: "PT\(count)S"
        case .milliseconds: "PT0.\(count)S"
        }
    }
}

/// The ids of a play: they follow from its name or text and its seed, and differ between
/// environments in their first digit, as Apple's do.
package struct StoreNames: Sendable {
    private let prefix: String
    /// What all transaction ids of the play begin with.
    private let transactionPrefix: String
    private let firstDigit: String
    private var transactions = 0
    private var notifications = 0

    init(seed: UInt64, digest: Digest256, environment: StoreEnvironment) {
        prefix = "play \(digest.hexadecimal) \(seed) \(environment.rawValue) "
        firstDigit = environment == .production ? "4" : "2"
        transactionPrefix =
            firstDigit + Self.digits(of: Self.hash(prefix + "transaction"), count: 8)
    }

    mutating func transactionID() -> String {
        transactions += 1
        let width = transactions < 1_000_000 ? String(1_000_000 + transactions).dropFirst() : nil
        return transactionPrefix + (width ?? Substring(String(transactions)))
    }

    package mutating func notificationUUID() -> String {
        notifications += 1
        return uuid("notification \(notifications)")
    }

    /// The `appAccountToken` that the app made for an account.
    package func token(of account: String) -> String { uuid("account \(account)") }

    /// The `appTransactionId` of an Apple ID.
    package func appTransactionID(of appleID: String) -> String {
        "7" + firstDigit + Self.digits(of: Self.hash(prefix + "Apple ID \(appleID)"), count: 16)
    }

    /// The order ID that a transaction was charged with, as in the customer's mail.
    func orderID(of transactionID: String) -> String {
        let bytes = Self.hash(prefix + "order \(transactionID)").prefix(10)
        return "M" + bytes.map(\.letterOrDigit).joined()
    }

    /// A UUID that belongs to a name.
    package func uuid(_ name: String) -> String { Self.hash(prefix + name).version4UUID }

    private static func digits(of bytes: [UInt8], count: Int) -> String {
        bytes.prefix(count).map { String($0 % 10) }.joined()
    }

    private static func hash(_ text: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)))
    }
}

extension [UInt8] {
    /// A UUID of the first 16 bytes, marked as a random one.
    var version4UUID: String {
        var bytes = self
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
            .map { bytes[$0].hexadecimal }.joined(separator: "-")
    }
}

extension UInt8 {
    /// One of 36.
    var letterOrDigit: String { String(self % 36, radix: 36, uppercase: true) }
}
