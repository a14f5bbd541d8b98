internal import EntitlementModel

/// When a period of an auto-renewable lineage ends, and what ended it (spec 1.4).
struct PeriodEnd {
    enum Cause {
        case paidEnd
        case revocation
        case nextPeriod
        case upgrade
    }

    /// Never before the period's start.
    let instant: Instant
    let cause: Cause
    /// `expiresDate`, or a later renewalDate: a renewal extension.
    let paidEnd: Instant
    /// The position among the lineage's infos of the one that extended it.
    let extendedBy: Int?
    /// No later purchase of an upgraded period is known.
    let isSuccessorMissing: Bool
}

extension PeriodEnd {
    init(of index: Int, in periods: [Purchase], infos: RenewalInfos, view: FactView) {
        let period = periods[index]
        let (paidEnd, extendedBy) = Self.paidEnd(
            of: period, infos.ofPeriod[index], infos.ordered, view)
        var end = paidEnd
        var cause = Cause.paidEnd
        var isSuccessorMissing = false
        if let date = period.revocation?.date, date < end { (end, cause) = (date, .revocation) }
        if index + 1 < periods.count {
            let next = periods[index + 1].start
            if next < end { (end, cause) = (next, .nextPeriod) }
        } else if period.isUpgraded {
            let upgrade = view.upgradeWithoutNextPeriod(of: period)
            isSuccessorMissing = !upgrade.isKnown
            if upgrade.instant < end { (end, cause) = (upgrade.instant, .upgrade) }
        }
        self.init(
            instant: max(end, period.start), cause: cause, paidEnd: paidEnd,
            extendedBy: extendedBy, isSuccessorMissing: isSuccessorMissing)
    }

    /// An info that has no renewalDate (an import, a cancellation) takes no extension back.
    private static func paidEnd(
        of period: Purchase, _ infos: [Int], _ ordered: [Int], _ view: FactView
    ) -> (Instant, extendedBy: Int?) {
        let expires = period.expires ?? period.start
        let newest = infos.last {
            let info = view.facts.renewals[ordered[$0]]
            return !info.value.fails && info.value.renewalDate != nil
        }
        guard let newest, let renewalDate = view.facts.renewals[ordered[newest]].value.renewalDate,
            renewalDate > expires
        else { return (expires, nil) }
        return (renewalDate, newest)
    }
}

extension FactView {
    /// When an upgrade to another lineage took place: at the earliest later purchase among the
    /// Apple ID's other lineages of Apple's same group, else as soon as Apple said so.
    fileprivate func upgradeWithoutNextPeriod(
        of period: Purchase
    ) -> (instant: Instant, isKnown: Bool) {
        if let successor = successor(of: period) { return (successor, true) }
        let shown = period.snapshots.lazy
            .filter { facts.transactions[$0].value.isUpgraded }
            .map { facts.transactions[$0].value.signedDate }.min()
        let newest = facts.transactions[period.merged.newest].value.signedDate
        return (shown ?? newest, false)
    }

    private func successor(of period: Purchase) -> Instant? {
        guard lineages.count > 1, let group = period.group(in: self) else { return nil }
        let newest = facts.transactions[period.merged.newest].value
        let own = LineageKey(newest.environment, newest.originalTransactionID)
        let appleIDs = AppleIDs(self)
        let others = appleIDs.lineages(withAppleIDOf: own).filter { $0 != own }
        return others.compactMap { lineage($0) }
            .flatMap { purchases(of: $0) }
            .filter { $0.start > period.start && $0.group(in: self) == group }
            .map(\.start).min()
    }
}
