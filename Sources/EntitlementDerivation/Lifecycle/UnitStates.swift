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
