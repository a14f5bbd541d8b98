internal import Crypto
internal import EntitlementModel

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

    /// The order that a transaction was charged with, as it stands in the customer's mail.
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
