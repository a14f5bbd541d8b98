internal import EntitlementModel

/// The lifecycle of an auto-renewable lineage (spec 1.4).
func subscriptionStates(
    of lineage: Lineage, periods: [Purchase], view: FactView
) -> UnitStates {
    let infos = RenewalInfos(of: lineage, periods: periods, view: view)
    var walk = SubscriptionWalk(
        periods: periods, infos: infos, successions: view.successions(of: lineage.key), view: view)
    for index in periods.indices { walk.appendPeriod(index) }
    return walk.states
}

/// Appends the states of one period after the other.
private struct SubscriptionWalk {
    private(set) var states: UnitStates
    private let periods: [Purchase]
    private let infos: RenewalInfos
    /// By the lineages that succeed this one.
    private let successions: [Succession]
    private let view: FactView
    /// The first info that is signed after what has been appended.
    private var upcomingInfo = 0

    init(
        periods: [Purchase], infos: RenewalInfos, successions: [Succession], view: FactView
    ) {
        states = UnitStates(purchases: periods, view: view)
        self.periods = periods
        self.infos = infos
        self.successions = successions
        self.view = view
    }

    mutating func appendPeriod(_ index: Int) {
        let own = infos.infos(of: index)
        let end = PeriodEnd(
            of: index, in: periods, infos: own, successions: successions, view: view)
        var stretch = Stretch(
            period: index, cursor: periods[index].start,
            limit: index + 1 < periods.count ? periods[index + 1].start : nil,
            paidEnd: end.paidEnd)
        noteMissingSuccessor(end, of: index)
        append(.active, until: end.instant, activeFacts(of: index, end: end), &stretch)
        if let limit = stretch.limit, limit <= end.instant { return }
        let facts = periods[index].sequences(in: view)
        if end.cause != .revocation {
            appendAfterPaidEnd(end, own, facts + own.map(\.sequence), &stretch)
        }
        guard periods[index].revocation != nil else { return }
        append(.revoked, until: nil, facts, &stretch)
    }

    /// A revocation ends each of these states at once, also one that lies after the paid end.
    private mutating func appendAfterPaidEnd(
        _ end: PeriodEnd, _ own: ArraySlice<InfoOutline>, _ facts: [LedgerSequence],
        _ stretch: inout Stretch
    ) {
        let after = AfterPaidEnd(
            length: periods[stretch.period].length, end: end, infos: own,
            isMonthlyCommitment: periods[stretch.period].billingPlanType(in: view) == "MONTHLY",
            leeway: view.policy.policy.leeway)
        let revokedAt = periods[stretch.period].revocation?.date
        func append(
            _ state: EntitlementState, until end: Instant?, reason: ExpiryReason? = nil
        ) {
            let bounded = Interval.earlier(end, revokedAt)
            self.append(state, until: bounded, facts, &stretch, reason: reason)
        }
        append(.renewing, until: after.renewingUntil)
        append(.grace, until: after.graceUntil)
        append(.billingRetry, until: after.billingRetryUntil)
        append(.expired, until: nil, reason: after.expiryReason)
    }

    private mutating func noteMissingSuccessor(_ end: PeriodEnd, of index: Int) {
        guard end.isSuccessorMissing else { return }
        states.missingSuccessors.append(
            UnitStates.MissingSuccessor(
                purchase: index, interval: Interval(uncheckedFrom: end.instant, to: nil),
                facts: periods[index].sequences(in: view)))
    }

    private func activeFacts(of index: Int, end: PeriodEnd) -> [LedgerSequence] {
        var facts = periods[index].sequences(in: view)
        if let extendedBy = end.extendedBy { facts.append(extendedBy) }
        if end.cause == .nextPeriod { facts += periods[index + 1].sequences(in: view) }
        if let successor = end.successor { facts += successor.facts }
        return facts
    }

    /// What is left of a period and of the time until the next.
    private struct Stretch {
        let period: Int
        var cursor: Instant
        let limit: Instant?
        let paidEnd: Instant
    }

    /// Appends one state up to an instant, split where the newest info says something else
    /// about auto-renew.
    private mutating func append(
        _ state: EntitlementState, until end: Instant?, _ facts: [LedgerSequence],
        _ stretch: inout Stretch, reason: ExpiryReason? = nil
    ) {
        let bounded = Interval.earlier(end, stretch.limit)
        while bounded.map({ stretch.cursor < $0 }) ?? true {
            let newest = newestInfo(at: stretch.cursor)
            let next = nextChange(from: newest?.autoRenew, before: bounded) ?? bounded
            states.append(
                state, from: stretch.cursor, to: next, purchase: stretch.period, reason: reason,
                paidUntil: stretch.paidEnd, willRenew: newest?.autoRenew,
                facts: facts.ascendingWithoutRepetition(adding: newest?.sequence))
            guard let next else { return }
            stretch.cursor = next
        }
    }

    /// The newest info signed at or before the instant; instants never go back.
    private mutating func newestInfo(at instant: Instant) -> InfoOutline? {
        while upcomingInfo < infos.ordered.count,
            infos.ordered[upcomingInfo].signedDate <= instant
        {
            upcomingInfo += 1
        }
        return upcomingInfo == 0 ? nil : infos.ordered[upcomingInfo - 1]
    }

    /// When a later info says something else about auto-renew, if one does before the end.
    private func nextChange(from willRenew: Bool?, before end: Instant?) -> Instant? {
        var position = upcomingInfo
        while position < infos.ordered.count {
            let date = infos.ordered[position].signedDate
            if let end, end <= date { return nil }
            // Of several infos of one instant the last holds.
            while position + 1 < infos.ordered.count,
                infos.ordered[position + 1].signedDate == date
            {
                position += 1
            }
            if infos.ordered[position].autoRenew != willRenew { return date }
            position += 1
        }
        return nil
    }
}

extension [LedgerSequence] {
    /// Sorted, each once.
    func ascendingWithoutRepetition(adding extra: LedgerSequence? = nil) -> [LedgerSequence] {
        var all = self
        if let extra { all.append(extra) }
        let isReady = all.indices.dropFirst().allSatisfy { all[$0 - 1] < all[$0] }
        guard !isReady else { return all }
        all.sort()
        var result: [LedgerSequence] = []
        result.reserveCapacity(all.count)
        for sequence in all where sequence != result.last { result.append(sequence) }
        return result
    }
}

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
