internal import EntitlementModel

/// Where units of a credit come from: a purchase, a grant, or an entry that brought them.
struct CreditPile: Hashable {
    let name: String
    /// Tells piles of one name apart.
    let kind: String
    let since: Instant
    /// When what is left of it expires; never where there is none.
    let until: Instant?

    /// Soonest expiry first, then oldest, then by id: the shorter first.
    static func burnsBefore(_ left: CreditPile, _ right: CreditPile) -> Bool {
        let ends = (left.until?.milliseconds ?? .max, right.until?.milliseconds ?? .max)
        if ends.0 != ends.1 { return ends.0 < ends.1 }
        if (left.until == nil) != (right.until == nil) { return left.until != nil }
        if left.since != right.since { return left.since < right.since }
        if left.name.utf8.count != right.name.utf8.count {
            return left.name.utf8.count < right.name.utf8.count
        }
        return (left.name, left.kind) < (right.name, right.kind)
    }
}

/// One thing that happens to a purse.
struct CreditMovement {
    enum What {
        case comes(Int64, CreditPile)
        /// From that pile first, then from the others; the rest is owed.
        case goes(Int64, CreditPile)
        /// The same for a refund, less what has expired of the pile.
        case isRefunded(Int64, CreditPile)
        /// The same, but nothing is owed for it.
        case isRefundedIfThere(Int64, CreditPile)
        case expires(CreditPile)
        case isSpent(Int64, LedgerSequence)
        case isHeld(Int64, LedgerSequence)
        /// So much of the hold becomes the spend; the rest is free.
        case isCaptured(Int64, LedgerSequence, LedgerSequence)
        /// So much of the spend, by that entry.
        case comesBack(Int64, LedgerSequence, LedgerSequence)
        case isCarried(Int64, LedgerSequence)
    }

    /// What comes first in one instant: what holds give free, what is given, what refunds take,
    /// what ends, then what people and services do, in the ledger's order.
    enum Stage {
        case freed
        /// What burns first pays a debt first.
        case given(CreditPile)
        /// In the same order.
        case refunded(CreditPile)
        case ended
        case done(LedgerSequence)

        fileprivate var rank: (Int, Int64) {
            switch self {
            case .freed: (0, 0)
            case .given: (1, 0)
            case .refunded: (2, 0)
            case .ended: (3, 0)
            case .done(let sequence): (4, sequence.number)
            }
        }
    }

    let at: Instant
    let stage: Stage
    let what: What

    static func comesBefore(_ left: CreditMovement, _ right: CreditMovement) -> Bool {
        if left.at != right.at { return left.at < right.at }
        switch (left.stage, right.stage) {
        case (.given(let own), .given(let other)), (.refunded(let own), .refunded(let other)):
            return CreditPile.burnsBefore(own, other)
        default: return left.stage.rank < right.stage.rank
        }
    }
}

/// The units of one credit that an account has, pile by pile.
struct CreditPurse {
    /// So many units from a pile; from none where they were owed.
    private typealias Portion = (pile: CreditPile?, units: Int64)

    private var units: [CreditPile: Int64] = [:]
    private var owed: Int64 = 0
    private var expired: Set<CreditPile> = []
    /// How much of a pile has expired.
    private var lapsed: [CreditPile: Int64] = [:]
    private var holds: [LedgerSequence: [Portion]] = [:]
    private var spends: [LedgerSequence: [Portion]] = [:]
    /// What merges took for spends of the other account.
    private var carried: [Portion] = []

    var balance: Int64 { units.values.reduce(0, +) - owed }
    var held: Int64 { holds.values.joined().reduce(0) { $0 + $1.units } }

    /// Units of a pile that spends have burned and nobody has given back, those too that a merge
    /// brought from the other account (spec 1.12).
    func spent(of pile: CreditPile) -> Int64 {
        (spends.values.joined() + carried).reduce(0) { $1.pile == pile ? $0 + $1.units : $0 }
    }

    mutating func follow(_ movement: CreditMovement) {
        switch movement.what {
        case .comes(let count, let pile): put([(pile, count)], by: .zero, at: movement.at)
        case .goes(let count, let pile): _ = take(count, first: pile)
        case .isRefunded(let count, let pile):
            _ = take(max(count - lapsed[pile, default: 0], 0), first: pile)
        case .isRefundedIfThere(let count, let pile):
            let due = max(count - lapsed[pile, default: 0], 0)
            _ = take(min(due, max(balance, 0)), first: pile)
        case .expires(let pile):
            expired.insert(pile)
            lapsed[pile, default: 0] += units.removeValue(forKey: pile) ?? 0
        case .isSpent(let count, let id): spends[id] = take(count)
        case .isHeld(let count, let id): holds[id] = take(count)
        case .isCaptured(let count, let hold, let id):
            capture(count, of: hold, as: id, at: movement.at)
        case .comesBack(let count, let spend, let id):
            bringBack(count, of: spend, by: id, at: movement.at)
        case .isCarried(let count, let id):
            if count < 0 {
                carried += take(-count)
            } else {
                put(bringBackCarried(count), by: id, at: movement.at)
            }
        }
        settle()
    }

    /// Nobody owes while he has something.
    private mutating func settle() {
        while owed > 0, let pile = piles.first, let there = units[pile] {
            let paid = min(owed, there)
            owed -= paid
            units[pile] = there == paid ? nil : there - paid
        }
    }

    private var piles: [CreditPile] { units.keys.sorted(by: CreditPile.burnsBefore) }

    private mutating func take(_ count: Int64, first: CreditPile? = nil) -> [Portion] {
        var (portions, missing): ([Portion], Int64) = ([], count)
        for pile in (first.map { [$0] } ?? []) + piles {
            guard let there = units[pile], missing > 0 else { continue }
            let taken = min(there, missing)
            portions.append((pile, taken))
            missing -= taken
            units[pile] = there == taken ? nil : there - taken
        }
        if missing > 0 { portions.append((nil, missing)) }
        owed += missing
        return portions
    }

    /// What comes pays what is owed, in the order in which it comes; what comes to an expired
    /// pile expires.
    private mutating func put(
        _ portions: [Portion], by entry: LedgerSequence, at instant: Instant
    ) {
        for portion in portions {
            let paid = min(owed, portion.units)
            owed -= paid
            let pile =
                portion.pile
                ?? CreditPile(name: "\(entry)", kind: "-", since: instant, until: nil)
            if expired.contains(pile) {
                lapsed[pile, default: 0] += portion.units - paid
            } else if portion.units > paid {
                units[pile, default: 0] += portion.units - paid
            }
        }
    }

    private mutating func capture(
        _ count: Int64, of hold: LedgerSequence, as spend: LedgerSequence, at instant: Instant
    ) {
        guard let portions = holds.removeValue(forKey: hold) else {
            if count > 0 { spends[spend] = take(count) }
            return
        }
        // What burns last comes back first.
        let (captured, rest) = portions.divided(after: count)
        if count > 0 {
            let missing = count - captured.reduce(0) { $0 + $1.units }
            spends[spend] = captured + (missing > 0 ? take(missing) : [])
        }
        put(rest.reversed(), by: spend, at: instant)
    }

    /// What was taken last comes back first.
    private mutating func bringBack(
        _ count: Int64, of spend: LedgerSequence, by entry: LedgerSequence, at instant: Instant
    ) {
        let portions = spends[spend] ?? []
        let sum = portions.reduce(0) { $0 + $1.units }
        let (kept, back) = portions.divided(after: max(sum - count, 0))
        if spends[spend] != nil { spends[spend] = kept }
        let rest = count - back.reduce(0) { $0 + $1.units }
        let others = rest > 0 ? bringBackCarried(rest) : []
        put(back.reversed() + others, by: entry, at: instant)
    }

    private mutating func bringBackCarried(_ count: Int64) -> [Portion] {
        let sum = carried.reduce(0) { $0 + $1.units }
        let (kept, back) = carried.withDebtsLast.divided(after: max(sum - count, 0))
        carried = kept
        let missing = count - back.reduce(0) { $0 + $1.units }
        return (missing > 0 ? [(nil, missing)] : []) + back.reversed()
    }
}

extension [(pile: CreditPile?, units: Int64)] {
    /// The first so many units, and the rest.
    fileprivate func divided(after count: Int64) -> (first: Self, rest: Self) {
        var (first, rest, missing): (Self, Self, Int64) = ([], [], count)
        for portion in self {
            let part = Swift.min(portion.units, missing)
            missing -= part
            if part > 0 { first.append((portion.pile, part)) }
            if part < portion.units { rest.append((portion.pile, portion.units - part)) }
        }
        return (first, rest)
    }

    fileprivate var withDebtsLast: Self {
        filter { $0.pile != nil } + filter { $0.pile == nil }
    }
}
