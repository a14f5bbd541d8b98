internal import EntitlementModel

/// An account's purchases of one stack of a non-renewing product, and where each lies in time
/// (spec 1.4).
struct Stack {
    struct Member {
        let purchase: Purchase
        let duration: Period
        let stacking: Stacking
    }

    /// By (start, transaction id).
    let members: [Member]
    let stretches: [PassStretch]

    init(_ unordered: [Member]) {
        members = unordered.sorted {
            $0.purchase.start == $1.purchase.start
                ? TransactionID.precedesByLength(
                    $0.purchase.transactionID, $1.purchase.transactionID)
                : $0.purchase.start < $1.purchase.start
        }
        stretches = Self.place(members)
    }

    /// One after the other; a refunded one gives its place to those after it.
    private static func place(_ members: [Member]) -> [PassStretch] {
        var previousEnd = Instant.distantPast
        return members.map { member in
            let purchase = member.purchase
            let start =
                member.stacking == .extend ? max(purchase.start, previousEnd) : purchase.start
            let end = member.duration.end(from: start)
            let revokedAt = purchase.revocation?.date
            let isVanished = revokedAt.map { $0 <= start } ?? false
            if !isVanished { previousEnd = min(end, revokedAt ?? end) }
            return PassStretch(start: start, end: end, isVanished: isVanished)
        }
    }

    func states(of index: Int, view: FactView) -> UnitStates {
        passStates(
            of: members[index].purchase, stretch: stretches[index],
            replacements: replacements(of: index), view: view)
    }

    /// From the start of each later purchase under `replace`, until its refund: then the one
    /// before revives. Adjoining and overlapping ones are joined.
    private func replacements(of index: Int) -> [Interval] {
        var joined: [Interval] = []
        for later in members.indices.dropFirst(index + 1)
        where members[later].stacking == .replace && !stretches[later].isVanished {
            let interval = Interval(
                uncheckedFrom: stretches[later].start,
                to: members[later].purchase.revocation?.date)
            if let last = joined.last, let end = last.end, end < interval.start {
                joined.append(interval)
            } else if let last = joined.popLast() {
                let end = Interval.endsLater(last.end, than: interval.end) ? last.end : interval.end
                joined.append(Interval(uncheckedFrom: last.start, to: end))
            } else {
                joined.append(interval)
            }
        }
        return joined
    }
}
