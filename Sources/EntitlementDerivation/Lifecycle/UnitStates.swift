internal import EntitlementModel

/// The states of one unit over time, each with the purchase that it follows from.
struct UnitStates {
    /// By start, not overlapping.
    private(set) var spans: [StateSpan] = []
    /// For each span, the position of its purchase in `purchases`.
    private(set) var purchaseOfSpan: [Int] = []
    let purchases: [Purchase]
    /// The smaller of originalPurchaseDate and the earliest known purchaseDate (spec 1.5).
    let firstPurchased: Instant
    /// Upgraded periods whose successor is unknown, and from when (spec 1.4).
    var missingSuccessors: [MissingSuccessor] = []
    /// Of a subscription, when each of its purchases ends; empty where no policy asks for it.
    var periodEnds: [PeriodEnd] = []

    struct MissingSuccessor {
        var purchase: Int
        var interval: Interval
        var facts: [LedgerSequence]
    }

    init(purchases: [Purchase], view: FactView) {
        self.purchases = purchases
        var first = Instant(milliseconds: .max)
        for purchase in purchases.members {
            let original = view.facts.transactions[purchase.merged.newest].value
                .originalPurchaseDate
            first = min(first, purchase.soldAt, original ?? purchase.start)
        }
        firstPurchased = first
        spans.reserveCapacity(purchases.count * 2)
        purchaseOfSpan.reserveCapacity(purchases.count * 2)
    }

    /// Appends a span unless it is empty. Adjoining spans of one state are one interval of it, so
    /// the later inherits the instant at which it was entered.
    mutating func append(
        _ state: EntitlementState, from start: Instant, to end: Instant?, purchase: Int,
        reason: ExpiryReason? = nil, paidUntil: Instant? = nil, willRenew: Bool? = nil,
        facts: [LedgerSequence]
    ) {
        guard let interval = Interval(from: start, to: end) else { return }
        var enteredAt = start
        if let last = spans.last, last.state == state, last.interval.end == start {
            enteredAt = last.enteredAt
        }
        spans.append(
            StateSpan(
                interval: interval, state: state, expiryReason: reason, enteredAt: enteredAt,
                transactionID: purchases[purchase].transactionID,
                productID: purchases[purchase].productID, paidUntil: paidUntil,
                willRenew: willRenew, facts: facts))
        purchaseOfSpan.append(purchase)
    }

    /// The position of the span that holds the instant; nil where there is no state.
    func spanIndex(at instant: Instant) -> Int? {
        guard let index = spans.lastIndex(where: { $0.interval.start <= instant }),
            spans[index].interval.contains(instant)
        else { return nil }
        return index
    }
}

/// A stretch of time that a purchase with a duration bought: its place in a stack, before what
/// a refund or a replacement takes from it (spec 1.4).
struct PassStretch {
    /// Later than the purchase where an earlier one of the stack still runs.
    var start: Instant
    var end: Instant
    /// Refunded before it began: it has no place in the stack.
    var isVanished: Bool
}

/// The states of a purchase with a duration. `replacements` are the intervals in which a later
/// purchase of a `replace` stack takes its place, by start, not overlapping.
func passStates(
    of purchase: Purchase, stretch: PassStretch, replacements: [Interval], view: FactView
) -> UnitStates {
    var states = UnitStates(purchases: [purchase], view: view)
    let facts = purchase.sequences(in: view)
    func append(_ state: EntitlementState, from start: Instant, to end: Instant?) {
        states.append(
            state, from: start, to: end, purchase: 0,
            reason: state == .expired ? .unknown : nil, paidUntil: stretch.end, facts: facts)
    }
    let revokedAt = purchase.revocation?.date
    if stretch.isVanished {
        append(.revoked, from: revokedAt ?? purchase.start, to: nil)
        return states
    }
    let end = min(stretch.end, revokedAt ?? stretch.end)
    var cursor = stretch.start
    for replacement in replacements where cursor < end {
        append(.active, from: cursor, to: min(replacement.start, end))
        append(.expired, from: max(replacement.start, cursor), to: min(replacement.end, end))
        cursor = max(cursor, min(replacement.end, end))
    }
    append(.active, from: cursor, to: end)
    let isCut = revokedAt.map { $0 < stretch.end } ?? false
    append(isCut ? .revoked : .expired, from: end, to: nil)
    return states
}

/// The earlier of an end that may be missing and one that is not.
private func min(_ left: Instant?, _ right: Instant) -> Instant {
    left.map { Swift.min($0, right) } ?? right
}

/// The lifecycle of `non-consumable` and `free`: active from the first purchase, as long as one of
/// those that were made is not revoked (spec 1.4).
func permanentStates(of purchases: [Purchase], view: FactView) -> UnitStates {
    var states = UnitStates(purchases: purchases, view: view)
    let revocations = purchases.compactMap(\.revocation?.date)
    let starts = purchases.map(\.start)
    let turns = Set(starts + revocations).sorted().drop { turn in
        starts.first.map { turn < $0 } ?? true
    }
    var stretches: [PermanentStretch] = []
    for turn in turns {
        guard let stretch = PermanentStretch(of: purchases, at: turn) else { continue }
        if let last = stretches.last,
            (last.state, last.purchase) == (stretch.state, stretch.purchase)
        {
            continue
        }
        stretches.append(stretch)
    }
    for (index, stretch) in stretches.enumerated() {
        let next = index + 1 < stretches.count ? stretches[index + 1].start : nil
        states.append(
            stretch.state, from: stretch.start, to: next, purchase: stretch.purchase,
            facts: purchases[stretch.purchase].sequences(in: view))
    }
    return states
}

/// The state of a non-consumable from an instant on, and the purchase it follows from.
private struct PermanentStretch {
    let start: Instant
    let state: EntitlementState
    let purchase: Int

    /// The first purchase that is not revoked, else the one that was revoked last.
    init?(of purchases: [Purchase], at instant: Instant) {
        let made = purchases.indices.filter { purchases[$0].start <= instant }
        let revoked = made.compactMap { index -> (date: Instant, index: Int)? in
            guard let date = purchases[index].revocation?.date, date <= instant else {
                return nil
            }
            return (date, index)
        }
        start = instant
        if let standing = made.first(where: { index in !revoked.contains { $0.index == index } }) {
            (state, purchase) = (.active, standing)
        } else if let last = revoked.max(by: { $0.date < $1.date }) {
            (state, purchase) = (.revoked, last.index)
        } else {
            return nil
        }
    }
}
