internal import EntitlementModel

/// The fields of a renewal info that the lifecycle reads.
struct InfoOutline {
    /// The position in `FactSet.renewals`.
    let index: Int
    let sequence: LedgerSequence
    let signedDate: Instant
    let renewalDate: Instant?
    let graceUntil: Instant?
    private(set) var autoRenew: Bool?
    /// Of a commitment: whether another one follows it, and when it ends.
    let followsCommitment: Bool?
    let commitmentEnd: Instant?
    let intent: ExpirationIntent?
    /// Retry or a grace date.
    let fails: Bool
    let isImported: Bool

    init(_ index: Int, in renewals: [Recorded<RenewalSnapshot>]) {
        self.index = index
        sequence = renewals[index].sequence
        signedDate = renewals[index].value.signedDate
        renewalDate = renewals[index].value.renewalDate
        graceUntil = renewals[index].value.gracePeriodExpiresDate
        autoRenew = renewals[index].value.autoRenewStatus
        followsCommitment = renewals[index].value.commitment?.autoRenewStatus
        commitmentEnd = renewals[index].value.commitment?.renewalDate
        intent = renewals[index].value.expirationIntent
        fails =
            renewals[index].value.isInBillingRetryPeriod == true
            || renewals[index].value.gracePeriodExpiresDate != nil
        isImported = renewals[index].value.source.trust == .imported
    }

    /// Its statement on the renewal at the end of a period: within a commitment the months renew,
    /// and at its end it matters whether another one follows (spec 1.4).
    func autoRenew(after month: CommitmentMonth) -> Bool? {
        guard let followsCommitment, let isLast = month.isLast(before: commitmentEnd) else {
            return autoRenew
        }
        return followsCommitment || !isLast
    }

    /// The same with what it says of the renewal at the end of a period.
    func read(after month: CommitmentMonth) -> InfoOutline {
        var info = self
        info.autoRenew = autoRenew(after: month)
        return info
    }

    /// A failure or an intent: it implies the end of a period.
    var tellsAnEnd: Bool { fails || intent != nil }

    /// Auto-renew off, a failure or an intent: no renewal is in flight (spec 1.4).
    var saysNoRenewalIsInFlight: Bool { autoRenew == false || tellsAnEnd }
}

/// The renewal infos of one lineage in the order in which Apple signed them, and the period
/// that each speaks of (spec 1.4).
struct RenewalInfos {
    /// By (signedDate, digest); each info once.
    let ordered: [InfoOutline]
    /// The same, those of one period after those of the period before.
    private let byPeriod: [InfoOutline]
    /// The start of each period's infos in `byPeriod`, and the end.
    private let starts: [Int]

    init(of lineage: Lineage, periods: [Purchase], view: FactView) {
        let ordered = Self.ordered(lineage.renewals, in: view.facts.renewals)
        guard !ordered.isEmpty else {
            (self.ordered, byPeriod) = ([], [])
            starts = Array(repeating: 0, count: periods.count + 1)
            return
        }
        let outlines = PeriodOutline.all(of: periods)
        let positions = PeriodOutline.positions(spokenOfBy: ordered, in: outlines)
        var starts = Array(repeating: 0, count: periods.count + 1)
        for case let position? in positions { starts[position + 1] += 1 }
        for index in periods.indices { starts[index + 1] += starts[index] }
        let spoken = ordered.indices.filter { positions[$0] != nil }
        let sorted = spoken.sorted {
            (positions[$0] ?? 0, $0) < (positions[$1] ?? 0, $1)
        }
        self.ordered = ordered
        self.starts = starts
        byPeriod = sorted.map { ordered[$0] }
    }

    /// The infos that speak of a period, in their order.
    func infos(of period: Int) -> ArraySlice<InfoOutline> {
        byPeriod[starts[period]..<starts[period + 1]]
    }

    /// Drops repetitions, and imported infos that would override what Apple signed.
    fileprivate static func ordered(
        _ indices: [Int], in renewals: [Recorded<RenewalSnapshot>]
    ) -> [InfoOutline] {
        var infos = indices.map { InfoOutline($0, in: renewals) }
        guard infos.count > 1 else { return infos }
        if infos.contains(where: \.isImported) { infos = withoutOverridingImports(infos) }
        infos.sort { isEarlier($0, $1, in: renewals) }
        var once: [InfoOutline] = []
        once.reserveCapacity(infos.count)
        for info in infos {
            if let last = once.last, last.signedDate == info.signedDate,
                renewals[last.index].value.source.canonicalDigest
                    == renewals[info.index].value.source.canonicalDigest
            {
                continue
            }
            once.append(info)
        }
        return once
    }

    private static func withoutOverridingImports(_ infos: [InfoOutline]) -> [InfoOutline] {
        guard let firstTrusted = infos.lazy.filter({ !$0.isImported }).map(\.signedDate).min()
        else { return infos }
        return infos.filter { !$0.isImported || $0.signedDate < firstTrusted }
    }

    private static func isEarlier(
        _ left: InfoOutline, _ right: InfoOutline, in renewals: [Recorded<RenewalSnapshot>]
    ) -> Bool {
        if left.signedDate != right.signedDate { return left.signedDate < right.signedDate }
        let leftDigest = renewals[left.index].value.source.canonicalDigest
        let rightDigest = renewals[right.index].value.source.canonicalDigest
        return leftDigest == rightDigest
            ? left.sequence < right.sequence : leftDigest < rightDigest
    }
}

extension FactView {
    /// What Apple said of a lineage's renewals, in the order in which it signed them.
    func renewals(of lineage: LineageKey) -> [RenewalSnapshot] {
        RenewalInfos.ordered(self.lineage(lineage)?.renewals ?? [], in: facts.renewals)
            .map { facts.renewals[$0.index].value }
    }
}

/// The position of a period in its commitment, if it has one.
struct CommitmentMonth {
    let paidEnd: Instant
    /// As the transaction says.
    let commitmentEnd: Instant?
    /// Its number has been reached.
    let isNumberedLast: Bool?

    init(_ period: Purchase, paidEnd: Instant, view: FactView) {
        self.paidEnd = paidEnd
        let commitment = period.commitment(in: view)
        commitmentEnd = commitment?.expires
        isNumberedLast = commitment.flatMap { commitment in
            guard let number = commitment.period, let count = commitment.periods else {
                return nil
            }
            return number >= count
        }
    }

    /// Whether no further month of the commitment follows; nil where nothing says when that ends.
    func isLast(before told: Instant?) -> Bool? {
        if isNumberedLast == true { return true }
        return (told ?? commitmentEnd).map { $0 <= paidEnd } ?? isNumberedLast
    }
}

/// What decides which period an info speaks of.
private struct PeriodOutline {
    let start: Instant
    /// From when an info can speak of it: a renewal is signed before it starts, any other
    /// period when it starts.
    let spokenOfFrom: Instant
    /// The first instant at which an info can report its end: a failed charge was for the renewal
    /// at its end.
    let endToldFrom: Instant

    static func all(of periods: [Purchase]) -> [PeriodOutline] {
        periods.indices.map { index in
            let start = periods[index].start
            let lead = periods[index].renewalLead
            let earlier = index > 0 ? periods[index - 1].expires : nil
            let isRenewal = earlier.map { start >= $0 } ?? false
            let expires = periods[index].expires ?? start
            return PeriodOutline(
                start: start,
                spokenOfFrom: isRenewal ? start.advanced(byMilliseconds: -lead) : start,
                endToldFrom: expires.advanced(byMilliseconds: -lead))
        }
    }

    /// For each info, the position of the period that it speaks of. Both are in the order of
    /// time, so that those which begin too late for one info are skipped by walking along.
    static func positions(
        spokenOfBy infos: [InfoOutline], in periods: [PeriodOutline]
    ) -> [Int?] {
        var begun = 0
        return infos.map { info in
            while begun < periods.count, periods[begun].earliestTold <= info.signedDate {
                begun += 1
            }
            return periods[..<begun].lastIndex { $0.isSpokenOf(by: info) }
        }
    }

    /// No info that is signed before can speak of this period or of a later one.
    private var earliestTold: Instant { start.advanced(byMilliseconds: -longestLead) }

    private func isSpokenOf(by info: InfoOutline) -> Bool {
        guard spokenOfFrom <= info.signedDate else { return false }
        if let renewalDate = info.renewalDate { return start < renewalDate }
        return !info.tellsAnEnd || endToldFrom <= info.signedDate
    }
}

/// A renewal is charged and signed up to a day before it starts.
private let longestLead: Int64 = 86_400_000

extension Purchase {
    /// From `purchaseDate` to `expiresDate`, in milliseconds.
    var length: Int64 { max(0, (expires ?? start).milliseconds(since: start)) }

    /// How long before its start Apple charges and signs a renewal: no longer than a day and a
    /// third of the period.
    var renewalLead: Int64 { min(longestLead, length / 3) }
}

extension FactView {
    /// The renewal of a subscription in one of its states, by Apple's statements before an instant.
    /// Nil for an ended one.
    func outlook(
        of lineage: LineageKey, in span: StateSpan, before end: Instant?
    ) -> RenewalOutlook? {
        guard span.state.isRunning else { return nil }
        let newest = renewals(of: lineage).last { info in
            end.map { info.signedDate < $0 } ?? true
        }
        guard span.willRenew != false else { return RenewalOutlook(willRenew: false) }
        // It is unknown when a failed charge will be tried again.
        let hasFailed = span.state == .grace || span.state == .billingRetry
        return RenewalOutlook(
            willRenew: span.willRenew, at: hasFailed ? nil : span.paidUntil,
            product: newest?.autoRenewProductID ?? span.productID, price: newest?.renewalPrice,
            offer: newest?.offer)
    }
}
