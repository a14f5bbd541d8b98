internal import EntitlementModel

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
