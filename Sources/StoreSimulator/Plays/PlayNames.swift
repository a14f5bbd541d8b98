internal import Crypto
internal import EntitlementModel

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
        let digits = bytes.prefix(16).map { String(String(0x100 + Int($0), radix: 16).dropFirst()) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
            .map { digits[$0].joined() }.joined(separator: "-")
    }

    private func bytes(_ name: String) -> [UInt8] {
        let text = "play \(play.hexadecimal) \(seed) \(environment.rawValue) \(name)"
        return Array(SHA256.hash(data: Array(text.utf8)))
    }
}
