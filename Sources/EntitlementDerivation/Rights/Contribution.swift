internal import EntitlementModel

/// The statement of one source about one right over all of time.
struct Contribution {
    /// The environment asked for and the entitlement.
    let right: RightKey
    let order: SourceOrder
    /// Closed: they adjoin from `distantPast` on, and the last has no end.
    let spans: [RightSpan]
}

/// The spans of one source, being built. Entitlements of one purchase that are decided together
/// share the result.
struct SpanList {
    private(set) var spans: [RightSpan] = []

    init(capacity: Int) {
        spans.reserveCapacity(capacity)
    }

    var isEmpty: Bool { spans.isEmpty }

    /// Appends a span; where the source was silent before it, the gap becomes a denial that
    /// names what last gave the right.
    mutating func append(_ span: consuming RightSpan, gap: Gap = .nothing) {
        guard let last = spans.indices.last else {
            if let before = Interval(from: .distantPast, to: span.interval.start) {
                spans.append(.nothing(before))
            }
            spans.append(span)
            return
        }
        if let end = spans[last].interval.end, end < span.interval.start {
            spans.append(
                .gap(
                    after: spans[last], from: end, to: span.interval.start, gap))
        } else if spans[last].verdict == span.verdict {
            spans[last].interval = Interval(
                uncheckedFrom: spans[last].interval.start, to: span.interval.end)
            return
        }
        spans.append(span)
    }

    /// Sets what holds after the last span, for ever.
    mutating func close(gap: Gap) {
        guard let last = spans.last, let end = last.interval.end else { return }
        spans.append(.gap(after: last, from: end, to: nil, gap))
    }
}

/// Why a source has nothing to say for a while.
enum Gap {
    case nothing
    /// The unit has another owner.
    case formerOwner

    fileprivate var rule: RuleReference {
        switch self {
        case .nothing: .nothing
        case .formerOwner: .formerOwner
        }
    }
}

/// The order of sources if all else is equal: purchases before grants, then the smaller
/// originalTransactionId, then the smaller ID (spec 1.10).
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
    fileprivate static func gap(
        after last: RightSpan, from start: Instant, to end: Instant?, _ gap: Gap
    ) -> RightSpan {
        RightSpan(
            interval: Interval(uncheckedFrom: start, to: end),
            verdict: RightVerdict(
                isGranted: false, state: nil, source: last.source, rule: gap.rule,
                facts: last.facts))
    }
}

/// The rights that the policy's `open` list gives everybody, in each trusted environment (spec
/// 2.1). They have no source: a purchase or grant that gives the same right is named instead.
func openContributions(of policy: Policy) -> [Contribution] {
    let environments = StoreEnvironment.allCases.filter { policy.environments[$0] == .trusted }
    return policy.openRights.enumerated().flatMap { index, right -> [Contribution] in
        let spans = right.spans
        guard !spans.isEmpty else { return [] }
        return environments.flatMap { environment in
            right.entitlements.map { entitlement in
                Contribution(
                    right: RightKey(environment, entitlement),
                    order: SourceOrder(lineage: nil, id: "\(index)"), spans: spans)
            }
        }
    }
}

extension OpenRight {
    /// All of time, in turns: nothing, given, nothing …
    fileprivate var spans: [RightSpan] {
        let given = RightVerdict(
            isGranted: true, state: nil, source: nil, rule: reference, facts: [])
        var spans = SpanList(capacity: 2 * windows.count + 1)
        for window in windows.joined {
            spans.append(RightSpan(interval: window, verdict: given))
        }
        spans.close(gap: .nothing)
        return spans.spans
    }
}

extension [Interval] {
    /// The same instants, ascending and without contact.
    var joined: [Interval] {
        var joined: [Interval] = []
        for interval in sorted(by: { $0.start < $1.start }) {
            guard let last = joined.last, let end = last.end, interval.start > end else {
                if let last = joined.popLast() {
                    let end =
                        Interval.endsLater(interval.end, than: last.end)
                        ? interval.end : last.end
                    joined.append(Interval(uncheckedFrom: last.start, to: end))
                } else {
                    joined.append(interval)
                }
                continue
            }
            joined.append(interval)
        }
        return joined
    }
}
