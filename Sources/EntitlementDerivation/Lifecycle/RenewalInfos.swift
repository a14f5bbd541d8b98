internal import EntitlementModel

/// The renewal infos of one lineage in the order in which Apple signed them, and the period
/// that each speaks of (spec 1.4).
struct RenewalInfos {
    /// Positions in `FactSet.renewals`, by (signedDate, digest); each info once.
    let ordered: [Int]
    /// For each period, positions in `ordered`.
    private(set) var ofPeriod: [[Int]]

    init(of lineage: Lineage, periods: [Purchase], view: FactView) {
        ordered = Self.ordered(lineage.renewals, in: view.facts.renewals)
        ofPeriod = Array(repeating: [], count: periods.count)
        guard !ordered.isEmpty else { return }
        let leads = periods.indices.map { Self.lead(of: $0, in: periods) }
        for (position, index) in ordered.enumerated() {
            let info = InfoOutline(view.facts.renewals[index].value)
            if let period = Self.period(spokenOfBy: info, periods, leads) {
                ofPeriod[period].append(position)
            }
        }
    }

    /// Drops repetitions, and imported infos that would override what Apple signed.
    private static func ordered(
        _ indices: [Int], in renewals: [Recorded<RenewalSnapshot>]
    ) -> [Int] {
        guard indices.count > 1 else { return indices }
        let firstTrusted = indices.lazy.filter { !renewals[$0].value.source.isImported }
            .map { renewals[$0].value.signedDate }.min()
        let kept = indices.filter {
            guard renewals[$0].value.source.isImported, let firstTrusted else { return true }
            return renewals[$0].value.signedDate < firstTrusted
        }
        let sorted = kept.sorted { isEarlier(renewals[$0], renewals[$1]) }
        var once: [Int] = []
        once.reserveCapacity(sorted.count)
        for index in sorted {
            if let last = once.last, renewals[last].value.isSame(as: renewals[index].value) {
                continue
            }
            once.append(index)
        }
        return once
    }

    private static func isEarlier(
        _ left: Recorded<RenewalSnapshot>, _ right: Recorded<RenewalSnapshot>
    ) -> Bool {
        if left.value.signedDate != right.value.signedDate {
            return left.value.signedDate < right.value.signedDate
        }
        if left.value.source.canonicalDigest != right.value.source.canonicalDigest {
            return left.value.source.canonicalDigest < right.value.source.canonicalDigest
        }
        return left.sequence < right.sequence
    }

    /// How long before its start a renewal may be signed: no longer than a day and a third of
    /// the period. A period that does not adjoin an earlier one is signed when it starts.
    private static func lead(of index: Int, in periods: [Purchase]) -> Int64 {
        guard index > 0, let earlier = periods[index - 1].expires,
            periods[index].start >= earlier
        else { return 0 }
        return periods[index].renewalLead
    }

    private static func period(
        spokenOfBy info: InfoOutline, _ periods: [Purchase], _ leads: [Int64]
    ) -> Int? {
        periods.indices.last { index in
            let period = periods[index]
            guard period.start.advanced(byMilliseconds: -leads[index]) <= info.signedDate
            else { return false }
            if let renewalDate = info.renewalDate { return period.start < renewalDate }
            guard info.tellsAnEnd else { return true }
            // The charge that failed was for the renewal at this period's end.
            let expires = period.expires ?? period.start
            return expires <= info.signedDate.advanced(byMilliseconds: period.renewalLead)
        }
    }
}

/// What decides the period that an info speaks of.
private struct InfoOutline {
    let signedDate: Instant
    let renewalDate: Instant?
    /// Retry, grace or an expirationIntent.
    let tellsAnEnd: Bool

    init(_ info: borrowing RenewalSnapshot) {
        signedDate = info.signedDate
        renewalDate = info.renewalDate
        tellsAnEnd = info.fails || info.expirationIntent != nil
    }
}

extension Purchase {
    /// From `purchaseDate` to `expiresDate`, in milliseconds.
    var length: Int64 { max(0, (expires ?? start).milliseconds(since: start)) }

    /// Apple charges and signs a renewal up to this long before the period that it follows
    /// ends.
    var renewalLead: Int64 { min(86_400_000, length / 3) }
}

extension RenewalSnapshot {
    func isSame(as other: RenewalSnapshot) -> Bool {
        signedDate == other.signedDate
            && source.canonicalDigest == other.source.canonicalDigest
    }

    /// Auto-renew off, a failure or an intent: no renewal is in flight (spec 1.4).
    var saysNoRenewalIsInFlight: Bool {
        autoRenewStatus == false || fails || expirationIntent != nil
    }
}
