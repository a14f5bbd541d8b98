/// One credit of an account over time (spec 1.7).
package struct CreditTimeline: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package enum Cause: String, CaseIterable, Hashable, ModelText, Sendable {
            case delivery
            case grant
            case spend
            /// Returned by the account that spent it.
            case reversal
            /// Kept for a spend to come.
            case hold
            /// Units of a hold are free again, or captured by the spend next to it.
            case release
            /// Taken back after a refund.
            case clawBack = "claw-back"
            case expiry
            /// Came with another account, or went with this one, when the two were merged.
            case merge
            /// Came with a purchase that a person gave to this account, or went with one that a
            /// person gave to another or released.
            case ruling

            package var english: String {
                switch self {
                case .delivery: "delivered"
                case .grant: "granted manually"
                case .spend: "spent"
                case .reversal: "spend reversed"
                case .hold: "held"
                case .release: "hold ended"
                case .clawBack: "taken back after a refund"
                case .expiry: "expired"
                case .merge: "account merge"
                case .ruling: "moved by a ruling"
                }
            }
        }

        /// When it counts.
        package var occurredAt: Instant
        /// Negative where it takes.
        package var units: Int64
        package var cause: Cause
        package var transaction: TransactionKey?
        package var grant: GrantID?
        /// The entry of the spend, the hold or the end of one, or the reversal.
        package var action: LedgerSequence?
        /// What a subscription delivered them for: a paid period, or a part of it.
        package var period: Interval?
        package var facts: [LedgerSequence]

        package init(
            occurredAt: Instant, units: Int64, cause: Cause,
            transaction: TransactionKey? = nil, grant: GrantID? = nil,
            action: LedgerSequence? = nil, period: Interval? = nil, facts: [LedgerSequence] = []
        ) {
            self.occurredAt = occurredAt
            self.units = units
            self.cause = cause
            self.transaction = transaction
            self.grant = grant
            self.action = action
            self.period = period
            self.facts = facts
        }
    }

    /// By `occurredAt`, then as spec 1.7 orders what happens in one instant.
    package let entries: [Entry]
    /// When refunds keep it from being spent.
    package let freezes: [CreditFreeze]
    /// In the order in which they were made.
    package let holds: [HeldCredit]
    /// How long before units lapse the feed says so.
    package let warnBefore: Period?
    /// The balance after each entry. It may be beyond 64 bits where a ledger holds grants from
    /// before their units were bounded.
    private let sums: [Int128]

    package init(
        entries: [Entry], freezes: [CreditFreeze] = [], holds: [HeldCredit] = [],
        warnBefore: Period? = nil
    ) {
        self.entries = entries
        self.freezes = freezes
        self.holds = holds
        self.warnBefore = warnBefore
        var sum: Int128 = 0
        sums = entries.map { entry in
            sum += Int128(entry.units)
            return sum
        }
    }

    /// The sum of the entries at or before `instant`: what can be spent.
    package func balance(at instant: Instant) -> Int128 {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].occurredAt <= instant { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : sums[low - 1]
    }

    /// What lapses after `instant`, as far as known, by its time.
    package func lapses(after instant: Instant) -> [CreditLapse] {
        var lapses: [CreditLapse] = []
        for entry in entries where entry.cause == .expiry && entry.occurredAt > instant {
            if lapses.last?.at == entry.occurredAt {
                lapses[lapses.count - 1].units -= Int128(entry.units)
            } else {
                lapses.append(CreditLapse(at: entry.occurredAt, units: -Int128(entry.units)))
            }
        }
        return lapses
    }

    /// The held amount, not part of the balance.
    package func held(at instant: Instant) -> Int128 {
        holds.reduce(0) { $0 + ($1.isOpen(at: instant) ? Int128($1.units) : 0) }
    }

    package func isFrozen(at instant: Instant) -> Bool {
        freezes.contains { $0.interval.contains(instant) }
    }
}

/// Units that expire at an instant unless they are spent before.
package struct CreditLapse: Hashable, Sendable {
    package var at: Instant
    package var units: Int128

    package init(at instant: Instant, units: Int128) {
        at = instant
        self.units = units
    }
}

/// Units that one hold keeps, from its recording until it ends or is ended.
package struct HeldCredit: Hashable, Sendable {
    package let id: LedgerSequence
    package let units: Int64
    package let from: Instant
    package var until: Instant?

    package init(id: LedgerSequence, units: Int64, from: Instant, until: Instant? = nil) {
        self.id = id
        self.units = units
        self.from = from
        self.until = until
    }

    package func isOpen(at instant: Instant) -> Bool {
        from <= instant && until.map { instant < $0 } ?? true
    }
}

/// A stretch in which one refund keeps an account from spending a credit.
package struct CreditFreeze: Hashable, Sendable {
    package let interval: Interval
    package let transaction: TransactionKey
    /// `revocationDate`.
    package let refundedAt: Instant
    package let facts: [LedgerSequence]

    package init(
        interval: Interval, transaction: TransactionKey, refundedAt: Instant,
        facts: [LedgerSequence]
    ) {
        self.interval = interval
        self.transaction = transaction
        self.refundedAt = refundedAt
        self.facts = facts
    }
}
