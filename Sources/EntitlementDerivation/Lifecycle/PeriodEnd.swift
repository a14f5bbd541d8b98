internal import EntitlementModel

/// When a period of an auto-renewable lineage ends, and what ended it (spec 1.4).
struct PeriodEnd {
    enum Cause {
        case paidEnd
        case revocation
        case nextPeriod
        case upgrade
        /// A lineage that succeeds this one.
        case succession
    }

    /// Never before the period's start.
    let instant: Instant
    let cause: Cause
    /// `expiresDate`, or a later renewalDate: a renewal extension.
    let paidEnd: Instant
    /// The info that extended it.
    let extendedBy: LedgerSequence?
    /// What began at the end, where that is another lineage that succeeds this one.
    let successor: Succession?
    /// No later purchase of an upgraded period is known.
    let isSuccessorMissing: Bool
}

extension PeriodEnd {
    /// `infos` are those that speak of the period, `successions` those of its lineage by others.
    init(
        of index: Int, in periods: [Purchase], infos: ArraySlice<InfoOutline>,
        successions: [Succession], view: FactView
    ) {
        let start = periods[index].start
        let expires = periods[index].expires ?? start
        // An info that has no renewalDate (a cancellation, an import) takes no extension back.
        let newest = infos.last { !$0.fails && $0.renewalDate != nil }
        let extending = newest?.renewalDate.map { expires < $0 } ?? false ? newest : nil
        let paidEnd = extending?.renewalDate ?? expires
        var (end, cause) = (paidEnd, Cause.paidEnd)
        var isSuccessorMissing = false
        if let date = periods[index].revocation?.date, date < end {
            (end, cause) = (date, .revocation)
        }
        let next = index + 1 < periods.count ? periods[index + 1].start : nil
        let successor = successions.first { succession in
            start <= succession.start && next.map { succession.start < $0 } ?? true
        }
        if let next {
            if next < end { (end, cause) = (next, .nextPeriod) }
        } else if periods[index].isUpgraded {
            let upgrade = view.upgradeWithoutNextPeriod(of: periods[index])
            let isKnown = upgrade.isKnown || successor != nil
            isSuccessorMissing = !isKnown
            let isMeant = upgrade.isKnown || successor == nil
            if isMeant, let at = upgrade.instant, at < end { (end, cause) = (at, .upgrade) }
        }
        if let successor, successor.start < end { (end, cause) = (successor.start, .succession) }
        self.init(
            instant: max(end, start), cause: cause, paidEnd: paidEnd,
            extendedBy: extending?.sequence,
            successor: cause == .succession ? successor : nil,
            isSuccessorMissing: isSuccessorMissing)
    }
}

extension FactView {
    /// When an upgrade to another lineage took place: at the earliest later purchase among the
    /// Apple ID's other lineages of Apple's same group, else as soon as Apple said so. Nil where
    /// only a cancellation says it.
    fileprivate func upgradeWithoutNextPeriod(
        of period: Purchase
    ) -> (instant: Instant?, isKnown: Bool) {
        if let successor = successor(of: period) { return (successor, true) }
        let all = facts.transactions
        let shown = period.allSnapshots.filter { all[$0].value.isUpgraded }
            .map { all[$0].value.signedDate }.min()
        return (shown, false)
    }

    private func successor(of period: Purchase) -> Instant? {
        guard lineages.count > 1, let group = period.group(in: self) else { return nil }
        let newest = facts.transactions[period.merged.newest].value
        let own = newest.lineage
        let appleIDs = AppleIDs(self)
        let others = appleIDs.lineages(withAppleIDOf: own).filter { $0 != own }
        return others.compactMap { lineage($0) }
            .flatMap { purchases(of: $0).members }
            .filter { $0.start > period.start && $0.group(in: self) == group }
            .map(\.start).min()
    }
}

/// What follows the end of a period that no refund cut: leeway, grace, billing retry, and why it
/// expired (spec 1.4).
struct AfterPaidEnd {
    /// The period's length in milliseconds.
    let length: Int64
    /// *E* in the specification.
    let end: PeriodEnd
    /// The infos about the period, by (signedDate, digest).
    let infos: ArraySlice<InfoOutline>
    let isMonthlyCommitment: Bool
    let leeway: Period

    private static let day: Int64 = 86_400_000

    /// The renewal is in flight: until the leeway is over or an info says that none is. At the
    /// period's end where that was known before.
    var renewingUntil: Instant {
        guard end.cause == .paidEnd else { return end.instant }
        let before = infos.last { $0.signedDate < end.instant }
        if let before, before.saysNoRenewalIsInFlight { return end.instant }
        let allowed = min(
            leeway.end(from: end.instant), end.instant.advanced(byMilliseconds: length / 10))
        let told = infos.first { $0.signedDate >= end.instant && $0.saysNoRenewalIsInFlight }
        return min(allowed, told?.signedDate ?? allowed)
    }

    var graceUntil: Instant {
        guard let newest = infos.lastIndex(where: { $0.graceUntil != nil }),
            let date = infos[newest].graceUntil
        else { return end.instant }
        let givenUp = infos[(newest + 1)...].first { !$0.fails && $0.intent != nil }
        return min(date, givenUp?.signedDate ?? date)
    }

    var billingRetryUntil: Instant {
        guard let lastFailing = infos.lastIndex(where: \.fails) else { return end.instant }
        let days: Int64 = isMonthlyCommitment ? 90 : 60
        let longest = end.instant.advanced(byMilliseconds: days * Self.day)
        guard lastFailing + 1 < infos.endIndex else { return longest }
        return min(longest, max(end.instant, infos[lastFailing + 1].signedDate))
    }

    var expiryReason: ExpiryReason {
        if end.cause == .upgrade || end.cause == .succession { return .upgraded }
        guard let newest = infos.last else { return .unknown }
        return switch newest.intent {
        case .cancelled: .cancelled
        case .billingError: .billingError
        case .priceNotAccepted: .priceNotAccepted
        case .productUnavailable: .productUnavailable
        case .other: .other
        case nil: newest.autoRenew == false ? .cancelled : .unknown
        }
    }
}
