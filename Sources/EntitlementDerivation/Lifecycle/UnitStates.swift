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
    /// Where an upgraded period's successor is not known, and from when (spec 1.4).
    var missingSuccessors: [MissingSuccessor] = []

    struct MissingSuccessor {
        var purchase: Int
        var interval: Interval
        var facts: [LedgerSequence]
    }

    init(purchases: [Purchase], view: FactView) {
        self.purchases = purchases
        var first = Instant(milliseconds: .max)
        for purchase in purchases.lazy.flatMap(\.members) {
            let original = view.facts.transactions[purchase.merged.newest].value
                .originalPurchaseDate
            first = min(first, purchase.start, original ?? purchase.start)
        }
        firstPurchased = first
        spans.reserveCapacity(purchases.count * 2)
        purchaseOfSpan.reserveCapacity(purchases.count * 2)
    }

    /// Appends a span; one that has no length is passed over. Adjoining spans of one state are
    /// one stretch of it, so the later inherits the instant at which it was entered.
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

/// The states of a purchase with a duration. `replacements` are the stretches in which a later
/// purchase of a `replace` stack stands in its place, by start, not overlapping.
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

/// The lifecycle of `non-consumable` and `free`: active from the first purchase, revoked from a
/// revocation until a purchase after it (spec 1.4).
func permanentStates(of purchases: [Purchase], view: FactView) -> UnitStates {
    var states = UnitStates(purchases: purchases, view: view)
    guard let first = purchases.first else { return states }
    let revoked = revokedStretches(of: purchases)
    var activeFrom = first.start
    var bought = 0
    for stretch in revoked {
        states.append(
            .active, from: activeFrom, to: stretch.interval.start, purchase: bought,
            facts: purchases[bought].sequences(in: view))
        states.append(
            .revoked, from: max(stretch.interval.start, activeFrom), to: stretch.interval.end,
            purchase: stretch.purchase, facts: purchases[stretch.purchase].sequences(in: view))
        guard let end = stretch.interval.end else { return states }
        activeFrom = end
        bought = purchases.firstIndex { $0.start == end } ?? bought
    }
    states.append(
        .active, from: activeFrom, to: nil, purchase: bought,
        facts: purchases[bought].sequences(in: view))
    return states
}

/// From a revocation, by whichever purchase, to the first purchase after it.
private struct RevokedStretch {
    var interval: Interval
    /// The position of the purchase whose revocation began it.
    var purchase: Int
}

/// By start, not overlapping: a purchase after one revocation may lie before another.
private func revokedStretches(of purchases: [Purchase]) -> [RevokedStretch] {
    let byDate = purchases.indices
        .compactMap { index in purchases[index].revocation.map { (date: $0.date, index) } }
        .sorted { $0 < $1 }
    var stretches: [RevokedStretch] = []
    for (date, index) in byDate {
        let repurchase = purchases.first { $0.start > date }?.start
        // A revocation inside a revoked stretch ends with it: the same purchase ends both.
        if let last = stretches.last?.interval, last.contains(date) { continue }
        let interval = Interval(uncheckedFrom: date, to: repurchase)
        stretches.append(RevokedStretch(interval: interval, purchase: index))
    }
    return stretches
}
