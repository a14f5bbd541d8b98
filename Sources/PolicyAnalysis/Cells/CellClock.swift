/// What the instants and ages of a case have to do with one another.
enum CellClock: Hashable {
    /// A claim: nothing but the instant is looked at.
    case none
    /// A right: `first_purchased ≤ purchased ≤ at`, and the age of the state and the time since the
    /// paid end go back to the purchase at most.
    case right
    /// The same of a subscription: its periods adjoin, and `active` can be as old as the first.
    case subscription
    /// Credits are delivered at the instant of the purchase.
    case delivery
    /// A refund request: `purchased ≤ at`.
    case refund
}

extension CellSpace {
    /// Whether some case is in the box: its sets are not empty, and its times can be those of one
    /// case.
    func isPossible(_ box: CellBox, _ clock: CellClock) -> Bool {
        if layout.isEmpty(box) { return false }
        switch clock {
        case .none: return true
        case .delivery: return canBeDelivery(box)
        case .refund: return purchase(in: box, from: CellRange.earliest) != nil
        case .right, .subscription:
            guard let first = layout.first(box, .firstPurchased),
                let purchase = purchase(in: box, from: firstPurchases[first].lower),
                let last = layout.last(box, .at), let age = layout.first(box, .stateAge)
            else { return false }
            let latest = instants[last].upper - 1
            let oldest = clock == .subscription ? firstPurchases[first].lower : purchase
            return canBeActive(box) && latest - oldest >= ages[age].lower
                || latest - purchase >= max(ages[age].lower, earliestUnpaid(box) ?? .max)
        }
    }

    /// What is active is paid for.
    private func canBeActive(_ box: CellBox) -> Bool {
        layout.contains(box, .standing, 0) && layout.contains(box, .unpaid, 0)
    }

    /// The least time since the paid end, 0 if it may be to come; nil where every case is active.
    private func earliestUnpaid(_ box: CellBox) -> Int64? {
        guard layout.last(box, .standing) != 0, let first = layout.first(box, .unpaid) else {
            return nil
        }
        return unpaids[first]?.lower ?? 0
    }

    /// The earliest purchase that is not before an instant, nor after the latest that is asked
    /// about.
    private func purchase(in box: CellBox, from earliest: Int64) -> Int64? {
        guard let last = layout.last(box, .at) else { return nil }
        for index in layout.values(box, .purchased) where purchases[index].upper > earliest {
            let instant = max(purchases[index].lower, earliest)
            return instant < instants[last].upper ? instant : nil
        }
        return nil
    }

    private func canBeDelivery(_ box: CellBox) -> Bool {
        guard layout.contains(box, .stateAge, 0), layout.contains(box, .unpaid, 0),
            let first = layout.first(box, .firstPurchased)
        else { return false }
        let earliest = firstPurchases[first].lower
        return layout.values(box, .purchased).contains { purchase in
            layout.values(box, .at).contains { at in
                let start = max(purchases[purchase].lower, instants[at].lower, earliest)
                return start < min(purchases[purchase].upper, instants[at].upper)
            }
        }
    }
}
