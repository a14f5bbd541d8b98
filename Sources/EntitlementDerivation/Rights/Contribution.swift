internal import EntitlementModel

/// What one source says about one right over all of time: its spans adjoin from `distantPast`
/// on, and the last has no end once it is closed.
struct Contribution {
    let bucket: RightBucket
    let order: SourceOrder
    private(set) var spans: [RightSpan] = []

    init(bucket: RightBucket, order: SourceOrder, capacity: Int) {
        self.bucket = bucket
        self.order = order
        spans.reserveCapacity(capacity)
    }

    /// Appends a span; where the source was silent before it, the silence becomes a denial that
    /// names what last gave the right.
    mutating func append(
        _ span: consuming RightSpan, silence rule: RuleReference = .nothing
    ) {
        guard let last = spans.indices.last else {
            if let before = Interval(from: .distantPast, to: span.interval.start) {
                spans.append(.nothing(before))
            }
            spans.append(span)
            return
        }
        if let end = spans[last].interval.end, end < span.interval.start {
            spans.append(
                .silence(after: spans[last], from: end, to: span.interval.start, rule: rule))
        } else if spans[last].isSame(as: span) {
            spans[last].interval = Interval(
                uncheckedFrom: spans[last].interval.start, to: span.interval.end)
            return
        }
        spans.append(span)
    }

    /// Says what is after the last span for ever.
    mutating func close(silence rule: RuleReference) {
        guard let last = spans.last, let end = last.interval.end else { return }
        spans.append(.silence(after: last, from: end, to: nil, rule: rule))
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
    /// Equal but for the interval.
    func isSame(as other: borrowing RightSpan) -> Bool {
        isGranted == other.isGranted && state == other.state && paidUntil == other.paidUntil
            && facts == other.facts && willRenew == other.willRenew
            && expiryReason == other.expiryReason && rule == other.rule
            && source == other.source
    }

    /// Nothing gives the right any more; the span says what last gave it.
    static func silence(
        after last: RightSpan, from start: Instant, to end: Instant?, rule: RuleReference
    ) -> RightSpan {
        RightSpan(
            interval: Interval(uncheckedFrom: start, to: end), isGranted: false, state: nil,
            source: last.source, rule: rule, facts: last.facts)
    }
}
