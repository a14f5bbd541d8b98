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
    /// The first info signed after the spans appended so far.
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
        var own = infos.infos(of: index)
        let end = PeriodEnd(
            of: index, in: periods, infos: own, successions: successions, view: view)
        if view.policy.deliversByPeriod { states.periodEnds.append(end) }
        var stretch = Stretch(
            period: index, cursor: periods[index].start,
            limit: index + 1 < periods.count ? periods[index + 1].start : nil,
            month: CommitmentMonth(periods[index], paidEnd: end.paidEnd, view: view))
        if own.contains(where: { $0.followsCommitment != nil }) {
            own = own.map { $0.read(after: stretch.month) }[...]
        }
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

    /// The rest of a period and the time until the next.
    private struct Stretch {
        let period: Int
        var cursor: Instant
        let limit: Instant?
        let month: CommitmentMonth
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
            let renewal = newest?.autoRenew(after: stretch.month)
            let next = nextChange(from: renewal, stretch.month, before: bounded) ?? bounded
            states.append(
                state, from: stretch.cursor, to: next, purchase: stretch.period, reason: reason,
                paidUntil: stretch.month.paidEnd, willRenew: renewal,
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
    private func nextChange(
        from willRenew: Bool?, _ month: CommitmentMonth, before end: Instant?
    ) -> Instant? {
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
            if infos.ordered[position].autoRenew(after: month) != willRenew { return date }
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
