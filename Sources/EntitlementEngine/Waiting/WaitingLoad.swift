internal import EntitlementModel

/// How much of the room is taken: by all, and by each user whose calls have let something wait
/// (THREATS.md H27).
///
/// Nobody may take more than he leaves to the others: a user has room while what he has there is
/// less than what is free. So one that fills it gets half of it, the next one a quarter, and there is
/// room for somebody else always. What waited before this process began is nobody's.
struct WaitingLoad: Sendable {
    /// What waits, and how many bytes of it nobody has vouched for.
    struct Amount: Equatable, Sendable {
        var tickets = 0
        var bytes = 0

        static func + (one: Amount, other: Amount) -> Amount {
            Amount(tickets: one.tickets + other.tickets, bytes: one.bytes + other.bytes)
        }

        static func - (one: Amount, other: Amount) -> Amount {
            Amount(tickets: one.tickets - other.tickets, bytes: one.bytes - other.bytes)
        }
    }

    /// How many tickets may wait at once, and how many bytes that prove nothing by themselves.
    static let capacity = Amount(tickets: 100_000, bytes: 256 << 20)

    private var total = Amount()
    private var byUser: [UInt32: Amount] = [:]

    mutating func add(_ amount: Amount, of user: UInt32?) {
        total = total + amount
        if let user { byUser[user] = byUser[user, default: Amount()] + amount }
    }

    mutating func remove(_ amount: Amount, of user: UInt32?) {
        total = total - amount
        guard let user else { return }
        let left = byUser[user, default: Amount()] - amount
        byUser[user] = left == Amount() ? nil : left
    }

    /// Whether more may wait.
    ///
    /// - Parameters:
    ///   - amount: what is to wait.
    ///   - user: who lets it; nil for the engine itself.
    ///   - opened: what the same commit lets wait already.
    func hasRoom(for amount: Amount, of user: UInt32?, opened: Amount = Amount()) -> Bool {
        let free = Self.capacity - total - opened - amount
        guard free.tickets >= 0, free.bytes >= 0 else { return false }
        guard let user else { return true }
        let own = byUser[user, default: Amount()] + opened + amount
        return own.tickets <= free.tickets + 1
            && (amount.bytes == 0 || own.bytes <= free.bytes + amount.bytes)
    }
}
