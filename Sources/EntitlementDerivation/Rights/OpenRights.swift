internal import EntitlementModel

/// What the policy's `open` list gives everybody, in each trusted environment (spec 2.1). Nothing
/// is its source: where a purchase or a grant gives the right as well, that one is named.
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
        spans.close(silence: .nothing)
        return spans.spans
    }
}

extension [Interval] {
    /// The same instants, ascending and without contact.
    fileprivate var joined: [Interval] {
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
