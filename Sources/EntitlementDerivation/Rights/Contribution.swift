internal import EntitlementModel

/// What one source says about one right over all of time.
struct Contribution {
    let bucket: RightBucket
    let order: SourceOrder
    /// Closed: they adjoin from `distantPast` on, and the last has no end.
    let spans: [RightSpan]
}

/// What one source says, on its way. Entitlements of one purchase that are decided together
/// share the result.
struct SpanList {
    private(set) var spans: [RightSpan] = []

    init(capacity: Int) {
        spans.reserveCapacity(capacity)
    }

    var isEmpty: Bool { spans.isEmpty }

    /// Appends a span; where the source was silent before it, the silence becomes a denial that
    /// names what last gave the right.
    mutating func append(_ span: consuming RightSpan, silence: Silence = .nothing) {
        guard let last = spans.indices.last else {
            if let before = Interval(from: .distantPast, to: span.interval.start) {
                spans.append(.nothing(before))
            }
            spans.append(span)
            return
        }
        if let end = spans[last].interval.end, end < span.interval.start {
            spans.append(
                .silence(
                    after: spans[last], from: end, to: span.interval.start, silence))
        } else if spans[last].verdict == span.verdict {
            spans[last].interval = Interval(
                uncheckedFrom: spans[last].interval.start, to: span.interval.end)
            return
        }
        spans.append(span)
    }

    /// Says what is after the last span for ever.
    mutating func close(silence: Silence) {
        guard let last = spans.last, let end = last.interval.end else { return }
        spans.append(.silence(after: last, from: end, to: nil, silence))
    }
}

/// Why a source has nothing to say for a while.
enum Silence {
    case nothing
    /// The unit belongs to somebody else.
    case formerOwner

    fileprivate var rule: RuleReference {
        switch self {
        case .nothing: .nothing
        case .formerOwner: .formerOwner
        }
    }
}

/// Which timeline a contribution goes into: the environment asked for and the entitlement.
struct RightBucket: Hashable {
    let environment: StoreEnvironment
    let entitlement: EntitlementName
}

/// How sources are told apart when all else is equal: purchases before grants, then the smaller
/// originalTransactionId, then the smaller id (spec 1.10).
struct SourceOrder: Comparable {
    let lineage: LineageKey?
    let id: String

    static func < (left: SourceOrder, right: SourceOrder) -> Bool {
        guard left.lineage != right.lineage else {
            let (leftCount, rightCount) = (left.id.utf8.count, right.id.utf8.count)
            return leftCount == rightCount ? left.id < right.id : leftCount < rightCount
        }
        guard let leftLineage = left.lineage else { return false }
        guard let rightLineage = right.lineage else { return true }
        let (leftID, rightID) = (
            leftLineage.originalTransactionID, rightLineage.originalTransactionID
        )
        if leftID != rightID { return TransactionID.precedesByLength(leftID, rightID) }
        return leftLineage < rightLineage
    }
}

extension RightSpan {
    /// Nothing gives the right any more; the span says what last gave it.
    fileprivate static func silence(
        after last: RightSpan, from start: Instant, to end: Instant?, _ silence: Silence
    ) -> RightSpan {
        RightSpan(
            interval: Interval(uncheckedFrom: start, to: end),
            verdict: RightVerdict(
                isGranted: false, state: nil, source: last.source, rule: silence.rule,
                facts: last.facts))
    }
}

/// What one consumable delivers, in the balance of whoever has it (spec 1.7).
struct Delivery {
    let transaction: TransactionKey
    let units: Int64
    let start: Instant
    /// When it was refunded, and how many units that takes; nil also where that takes nothing.
    let refund: (at: Instant, units: Int64)?
    /// Sorted.
    let facts: [LedgerSequence]

    /// `holders` follow one another, each until the next one's instant: the delivery is made to
    /// the first, and what the refund has left of it goes from one to the next.
    func entries(
        for account: AccountID, holders: [DeliveryHolder]
    ) -> [CreditTimeline.Entry] {
        var entries: [CreditTimeline.Entry] = []
        for (index, holder) in holders.enumerated() where holder.account == account {
            let next = index + 1 < holders.count ? holders[index + 1] : nil
            entries.append(
                index == 0
                    ? entry(units, .delivery, at: start, holder.decision)
                    : entry(left(at: holder.from), holder.cause, at: holder.from, holder.decision))
            if let refund, holder.from <= refund.at, next.map({ refund.at < $0.from }) ?? true {
                entries.append(entry(-refund.units, .clawBack, at: refund.at, holder.decision))
            }
            if let next {
                entries.append(
                    entry(-left(at: next.from), next.cause, at: next.from, next.decision))
            }
        }
        return entries
    }

    private func left(at instant: Instant) -> Int64 {
        guard let refund, refund.at < instant else { return units }
        return units - refund.units
    }

    private func entry(
        _ units: Int64, _ cause: CreditTimeline.Entry.Cause, at instant: Instant,
        _ decision: LedgerSequence
    ) -> CreditTimeline.Entry {
        CreditTimeline.Entry(
            occurredAt: max(instant, start), units: units, cause: cause,
            transaction: transaction,
            facts: facts.ascendingWithoutRepetition(adding: decision))
    }
}
