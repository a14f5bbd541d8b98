internal import EntitlementModel

/// The lifecycle of an auto-renewable lineage (spec 1.4).
func subscriptionStates(
    of lineage: Lineage, periods: [Purchase], view: FactView
) -> UnitStates {
    let infos = RenewalInfos(of: lineage, periods: periods, view: view)
    var walk = SubscriptionWalk(periods: periods, infos: infos, view: view)
    for index in periods.indices { walk.appendPeriod(index) }
    return walk.states
}

/// Appends the states of one period after the other.
private struct SubscriptionWalk {
    private(set) var states: UnitStates
    private let periods: [Purchase]
    private let infos: RenewalInfos
    private let view: FactView
    /// The first info that is signed after what has been appended.
    private var upcomingInfo = 0

    init(periods: [Purchase], infos: RenewalInfos, view: FactView) {
        states = UnitStates(purchases: periods, view: view)
        self.periods = periods
        self.infos = infos
        self.view = view
    }

    mutating func appendPeriod(_ index: Int) {
        let end = PeriodEnd(of: index, in: periods, infos: infos, view: view)
        let own = infos.ofPeriod[index].map { view.facts.renewals[infos.ordered[$0]] }
        let limit = index + 1 < periods.count ? periods[index + 1].start : nil
        var stretch = Stretch(
            period: index, cursor: periods[index].start, limit: limit, paidEnd: end.paidEnd)
        noteMissingSuccessor(end, of: index)
        append(.active, until: end.instant, activeFacts(of: index, end: end), &stretch)
        guard limit.map({ end.instant < $0 }) ?? true else { return }
        let facts = periods[index].sequences(in: view) + own.map(\.sequence)
        if end.cause == .revocation {
            append(.revoked, until: nil, periods[index].sequences(in: view), &stretch)
            return
        }
        let after = AfterPaidEnd(
            period: periods[index], end: end, infos: own,
            isMonthlyCommitment: periods[index].billingPlanType(in: view) == "MONTHLY",
            leeway: view.policy.policy.leeway)
        append(.renewing, until: after.renewingUntil, facts, &stretch)
        append(.grace, until: after.graceUntil, facts, &stretch)
        append(.billingRetry, until: after.billingRetryUntil, facts, &stretch)
        append(.expired, until: nil, facts, &stretch, reason: after.expiryReason)
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
        if let info = end.extendedBy {
            facts.append(view.facts.renewals[infos.ordered[info]].sequence)
        }
        if end.cause == .nextPeriod { facts += periods[index + 1].sequences(in: view) }
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
            let willRenew = newest.flatMap { self.autoRenew($0) }
            let next = Interval.earlier(nextChange(from: willRenew), bounded)
            states.append(
                state, from: stretch.cursor, to: next, purchase: stretch.period, reason: reason,
                paidUntil: stretch.paidEnd, willRenew: willRenew,
                facts: ascending(facts, with: newest))
            guard let next else { return }
            stretch.cursor = next
        }
    }

    private func ascending(_ facts: [LedgerSequence], with info: Int?) -> [LedgerSequence] {
        guard let info else { return facts.ascendingWithoutRepetition() }
        let sequence = view.facts.renewals[infos.ordered[info]].sequence
        return (facts + [sequence]).ascendingWithoutRepetition()
    }

    /// The newest info signed at or before the instant; instants never go back.
    private mutating func newestInfo(at instant: Instant) -> Int? {
        while upcomingInfo < infos.ordered.count, signedDate(upcomingInfo) <= instant {
            upcomingInfo += 1
        }
        return upcomingInfo == 0 ? nil : upcomingInfo - 1
    }

    /// When a later info says something else about auto-renew, if one does.
    private func nextChange(from willRenew: Bool?) -> Instant? {
        var position = upcomingInfo
        while position < infos.ordered.count {
            let date = signedDate(position)
            // Of several infos of one instant the last holds.
            while position + 1 < infos.ordered.count, signedDate(position + 1) == date {
                position += 1
            }
            if autoRenew(position) != willRenew { return date }
            position += 1
        }
        return nil
    }

    private func signedDate(_ position: Int) -> Instant {
        view.facts.renewals[infos.ordered[position]].value.signedDate
    }

    private func autoRenew(_ position: Int) -> Bool? {
        view.facts.renewals[infos.ordered[position]].value.autoRenewStatus
    }
}

extension [LedgerSequence] {
    /// Sorted, each once.
    func ascendingWithoutRepetition() -> [LedgerSequence] {
        guard count > 1 else { return self }
        var result: [LedgerSequence] = []
        result.reserveCapacity(count)
        for sequence in sorted() where sequence != result.last { result.append(sequence) }
        return result
    }
}
