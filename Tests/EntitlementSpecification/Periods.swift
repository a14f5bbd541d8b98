internal import EntitlementModel

/// The paid periods of an auto-renewable lineage, and what was said of their renewal (spec 1.4).
struct Subscription: Sendable {
    /// In the order in which they replace one another.
    private(set) var periods: [PaidPeriod]
    /// By (signedDate, hash).
    let infos: [RenewalSnapshot]

    /// `siblings` are the purchases in the Apple ID's other lineages; `succeededAt` is when others
    /// go on from this one.
    init(
        purchases: [Purchase], infos: [RenewalSnapshot], siblings: [Purchase],
        succeededAt: [Instant]
    ) {
        let infos = RenewalSnapshot.notOverridden(infos).sorted { $0.comesBefore($1) }
        self.infos = infos
        periods = PaidPeriod.inOrder(purchases)
        for index in periods.indices {
            periods[index].infos = infos.filter { periodSpokenOf(by: $0) == index }
        }
        for index in periods.indices {
            periods[index].findEnd(
                nextStart: index + 1 < periods.count ? periods[index + 1].start : nil,
                siblings: siblings, succeededAt: succeededAt)
        }
    }

    /// The period with the latest purchaseDate at or before `instant`.
    func period(at instant: Instant) -> PaidPeriod? {
        periods.last { $0.start <= instant }
    }

    /// The newest info signed at or before `instant`.
    func newestInfo(at instant: Instant) -> RenewalSnapshot? {
        infos.last { $0.signedDate <= instant }
    }

    /// The one period that an info speaks of.
    private func periodSpokenOf(by info: RenewalSnapshot) -> Int? {
        let begun = periods.indices.filter {
            let margin = adjoinsAnEarlierOne($0) ? periods[$0].renewalMargin : 0
            return periods[$0].start.advanced(byMilliseconds: -margin) <= info.signedDate
        }
        if let renewalDate = info.renewalDate {
            return begun.last { periods[$0].start < renewalDate }
        }
        guard info.fails || info.expirationIntent != nil else { return begun.last }
        return begun.last {
            let margin = periods[$0].renewalMargin
            return periods[$0].expires <= info.signedDate.advanced(byMilliseconds: margin)
        }
    }

    /// Whether a period is a renewal: bought at or after the previous one's expiresDate.
    private func adjoinsAnEarlierOne(_ index: Int) -> Bool {
        index > 0 && periods[index].start >= periods[index - 1].expires
    }
}

/// One period that was paid for, with the additions that were bought while it ran.
struct PaidPeriod: Sendable {
    /// Why a period ended before it was used up.
    enum Cut: Sendable {
        case revocation
        case upgrade
        case nextPeriod
        case succession
    }

    let purchase: Purchase
    /// What was bought while it ran.
    let additions: [Purchase]
    let start: Instant
    let expires: Instant
    let isUpgraded: Bool
    let revocation: Revocation?
    /// The infos that speak of it, by (signedDate, hash).
    fileprivate(set) var infos: [RenewalSnapshot] = []
    /// When what was paid for ends.
    private(set) var paidEnd: Instant
    private(set) var end: Instant
    /// Nil where it lasted to its paid end.
    private(set) var cut: Cut?
    private(set) var isSuccessorMissing = false

    /// How long before it starts its renewal may be signed; a third of a short period.
    var renewalMargin: Int64 {
        min(86_400_000, expires.milliseconds(since: start) / 3)
    }

    /// `members` are in their order. Revoked when every one is, at the last of their dates; of the
    /// members that are not revoked, else of all, the latest expiresDate.
    private init(_ members: [Purchase]) {
        let unrevoked = members.filter { $0.current.revocation == nil }
        purchase = members[0]
        additions = Array(members.dropFirst())
        start = purchase.start
        isUpgraded = purchase.current.isUpgraded
        revocation =
            unrevoked.isEmpty
            ? members.compactMap(\.current.revocation).reduce(nil) { last, next in
                if let last, next.date <= last.date { return last }
                return next
            } : nil
        let ends = (unrevoked.isEmpty ? members : unrevoked).map {
            $0.current.expiresDate ?? $0.start
        }
        expires = ends.max() ?? start
        paidEnd = expires
        end = expires
    }

    var isSoldAsSeats: Bool {
        ([purchase] + additions).contains {
            $0.isAddition || $0.current.quantity > 1 || $0.current.multiSeat != nil
        }
    }

    /// How many people it is for; nil for what was not sold as seats. A member of a group has the
    /// numbers of the purchaser, so that nothing is counted there.
    var seats: Int64? {
        let all = [purchase] + additions
        guard isSoldAsSeats, purchase.kind?.known == .autoRenewable,
            [.purchased, .notStated].contains(purchase.current.ownership)
        else {
            return nil
        }
        return all.filter { $0.current.revocation == nil }.map { one in
            let taken = one.current.multiSeat?.revokedQuantity ?? 0
            return one.current.quantity - min(max(taken, 0), one.current.quantity)
        }.reduce(0, +)
    }

    /// By purchaseDate; of two with equal purchaseDate the non-upgraded one, then the larger
    /// transactionId, is the later.
    static func inOrder(_ purchases: [Purchase]) -> [PaidPeriod] {
        let ordered = purchases.sorted { left, right in
            if left.start != right.start { return left.start < right.start }
            if left.current.isUpgraded != right.current.isUpgraded {
                return left.current.isUpgraded
            }
            return TransactionID.precedesByLength(left.name, right.name)
        }
        // Whatever is one period with another one of a set belongs to the set.
        var sets: [[Purchase]] = []
        for purchase in ordered {
            let joined = sets.filter { set in
                set.contains { $0.isOnePeriod(with: purchase) || purchase.isOnePeriod(with: $0) }
            }
            sets.removeAll { set in joined.contains { $0[0] == set[0] } }
            sets.append(joined.flatMap(\.self) + [purchase])
        }
        let positions = Dictionary(
            uniqueKeysWithValues: ordered.enumerated().map { ($0.element, $0.offset) })
        func place(_ purchase: Purchase) -> Int { positions[purchase] ?? 0 }
        return sets.map { $0.sorted { place($0) < place($1) } }
            .sorted { place($0[0]) < place($1[0]) }.map(PaidPeriod.init)
    }

    fileprivate mutating func findEnd(
        nextStart: Instant?, siblings: [Purchase], succeededAt: [Instant]
    ) {
        let succeeded = succeededAt.filter { at in
            start <= at && nextStart.map { at < $0 } != false
        }.min()
        let renewalDate = infos.last { !$0.fails && $0.renewalDate != nil }?.renewalDate
        paidEnd = max(expires, renewalDate ?? expires)
        end = paidEnd
        if let nextStart, nextStart < end { (end, cut) = (nextStart, .nextPeriod) }
        if isUpgraded, nextStart == nil {
            let upgradedAt = successorStart(among: siblings)
            isSuccessorMissing = upgradedAt == nil && succeeded == nil
            if let at = upgradedAt ?? succeeded ?? firstSignedAsUpgraded, at < end {
                (end, cut) = (at, .upgrade)
            }
        }
        if let succeeded, succeeded < end { (end, cut) = (succeeded, .succession) }
        if let revocation, revocation.date <= end, revocation.date < paidEnd {
            (end, cut) = (revocation.date, .revocation)
        }
        end = max(end, start)
    }

    /// The earliest later purchaseDate among the other lineages of Apple's same group.
    private func successorStart(among siblings: [Purchase]) -> Instant? {
        guard let group = purchase.current.subscriptionGroupID else { return nil }
        return siblings.filter { $0.current.subscriptionGroupID == group && $0.start > start }
            .map(\.start).min()
    }

    private var firstSignedAsUpgraded: Instant? {
        purchase.snapshots.filter(\.isUpgraded).map(\.signedDate).min()
    }
}

extension Purchase {
    /// Whether this and a later one (or one of the same instant) are one period: seats were added
    /// to one of them, neither was upgraded, each starts before the other one ends, and this one
    /// was not revoked by then (spec 1.4).
    fileprivate func isOnePeriod(with later: Purchase) -> Bool {
        guard start <= later.start, isAddition || later.isAddition else { return false }
        guard current.productID == later.current.productID, !current.isUpgraded,
            !later.current.isUpgraded
        else { return false }
        guard let expires = current.expiresDate, let laterExpires = later.current.expiresDate,
            start < laterExpires, later.start < expires
        else { return false }
        if start == later.start { return true }
        return current.revocation.map { $0.date > later.start } ?? true
    }
}

extension RenewalSnapshot {
    /// An imported info never overrides another: it counts only before the first of those
    /// (spec 1.2).
    fileprivate static func notOverridden(_ infos: [RenewalSnapshot]) -> [RenewalSnapshot] {
        let trusted = infos.filter { $0.source.trust != .imported }.map(\.signedDate).min()
        return infos.filter { info in
            info.source.trust != .imported || trusted.map { info.signedDate < $0 } ?? true
        }
    }

    fileprivate func comesBefore(_ other: RenewalSnapshot) -> Bool {
        if signedDate != other.signedDate { return signedDate < other.signedDate }
        return source.canonicalDigest < other.source.canonicalDigest
    }
}

extension Instant {
    /// Whole seconds, rounded down.
    fileprivate var second: Int64 { milliseconds.flooredQuotient(by: 1_000) }
}
