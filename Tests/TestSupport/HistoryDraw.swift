internal import EntitlementModel

/// The dice of one history, and what has been drawn so far.
struct HistoryDraw {
    var dice: SplitMix64
    /// The length that instants are multiples of.
    let grid: Int64
    let beginning: Instant
    /// Instants that were drawn: drawing one again is what makes boundaries coincide.
    private(set) var instants: [Instant] = []
    private var identifiers: [StoreEnvironment: Set<Int>] = [:]
    let accounts: [AccountID]
    /// Every transaction that exists, for claims to present.
    var transactions: [TransactionSnapshot] = []
    var events: [Dated<HistoryEvent>] = []

    init(seed: UInt64) {
        dice = SplitMix64(seed: seed)
        grid = dice.pick([86_400_000, 86_400_000, 43_200_000, 3_600_000, 300_000])
        beginning =
            dice.pick([
                Instant(rfc3339: "2026-01-01"), Instant(rfc3339: "2026-01-31"),
                Instant(rfc3339: "2024-02-28T12:00:00Z"),
            ]) ?? Instant(milliseconds: 0)
        let count = dice.pick([2, 3, 3, 4])
        accounts =
            dice.chance(1, in: 4)
            ? HistoryDraw.accounts.suffix(count).map { $0 }
            : HistoryDraw.accounts.prefix(count).map { $0 }
    }

    /// The last two can be named by a token alone, and are one account or two.
    private static let accounts = [
        AccountID(unchecked: "alice"), AccountID(unchecked: "bob"),
        AccountID(unchecked: "00000000-0000-4000-8000-00000000000c"),
        AccountID(unchecked: "00000000-0000-4000-8000-00000000000C"),
    ]

    /// The instant `steps` after the beginning; once in a while a millisecond beside it.
    mutating func instant(_ steps: Int) -> Instant {
        nudged(beginning.advanced(byMilliseconds: Int64(steps) * grid))
    }

    /// A moment after `start`: up to `steps` later, or one that was drawn before.
    mutating func instant(after start: Instant, within steps: Int) -> Instant {
        let later = instants.filter { $0 >= start }
        if !later.isEmpty, dice.chance(1, in: 3) { return nudged(dice.pick(later)) }
        return nudged(start.advanced(byMilliseconds: Int64(dice.below(steps + 1)) * grid))
    }

    /// Any moment of the history.
    mutating func anyInstant() -> Instant {
        if !instants.isEmpty, dice.chance(1, in: 2) { return nudged(dice.pick(instants)) }
        return instant(dice.below(100))
    }

    private mutating func nudged(_ instant: Instant) -> Instant {
        var moved = instant
        if dice.chance(1, in: 12) {
            moved = instant.advanced(byMilliseconds: dice.pick([-1, 1, 1_000, -1_000]))
        }
        instants.append(moved)
        return moved
    }

    /// Ids of one to three digits, so that their length decides their order.
    mutating func transactionID(_ environment: StoreEnvironment) -> TransactionID {
        while true {
            let number = dice.below(dice.pick([10, 100, 1_000]))
            if identifiers[environment, default: []].insert(number).inserted {
                return TransactionID(unchecked: "\(number)")
            }
        }
    }

    mutating func digest() -> Digest256 {
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(UInt8(truncatingIfNeeded: dice.next())) }
        guard let digest = Digest256(bytes) else { preconditionFailure("32 bytes are a digest") }
        return digest
    }

    mutating func token() -> AppAccountToken? {
        let digit = dice.pick(["a", "b", "c", "d"])
        return AppAccountToken("00000000-0000-4000-8000-00000000000\(digit)")
    }

    mutating func record(_ event: HistoryEvent, at instant: Instant) {
        events.append(Dated(event, recordedAt: instant))
    }
}
