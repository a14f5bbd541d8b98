internal import EntitlementModel

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
