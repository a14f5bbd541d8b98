internal import EntitlementModel

/// The union of what several sources say about one right: granted where any of them grants
/// (spec 1.6), with the source that answers name (spec 1.10).
func union(_ contributions: [Contribution]) -> RightTimeline {
    guard contributions.count > 1 else {
        return contributions.first.map { RightTimeline(spans: $0.spans) } ?? .empty
    }
    var sources = contributions.sorted { $0.order < $1.order }.map(Source.init)
    let boundaries = Set(contributions.flatMap { $0.spans.map(\.interval.start) }).sorted()
    var spans: [RightSpan] = []
    for (position, start) in boundaries.enumerated() {
        let end = position + 1 < boundaries.count ? boundaries[position + 1] : nil
        guard var span = bestSpan(of: &sources, at: start) else { continue }
        span.interval = Interval(uncheckedFrom: start, to: end)
        if let last = spans.indices.last, spans[last].verdict == span.verdict {
            spans[last].interval = Interval(
                uncheckedFrom: spans[last].interval.start, to: end)
        } else {
            spans.append(span)
        }
    }
    return RightTimeline(spans: spans)
}

/// Of those that grant, the one that ends last; else of those that deny, the one that ended
/// last. Sources are in the order that decides between equals.
private func bestSpan(of sources: inout [Source], at instant: Instant) -> RightSpan? {
    var best: (source: Int, span: Int)?
    for index in sources.indices {
        sources[index].advance(to: instant)
        guard let span = sources[index].current else { continue }
        if let held = best,
            !sources[index].isPreferred(at: span, to: sources[held.source], at: held.span)
        {
            continue
        }
        best = (index, span)
    }
    return best.map { sources[$0.source].spans[$0.span] }
}

/// A contribution with what the choice between several asks of it.
private struct Source {
    let spans: [RightSpan]
    /// For a granted span, the end of the stretch without a gap in which the source grants;
    /// for a denied one, the end of the last such stretch before it.
    private let ends: [Instant?]
    private var cursor = -1

    init(_ contribution: Contribution) {
        spans = contribution.spans
        var ends: [Instant?] = Array(repeating: .distantPast, count: spans.count)
        for index in spans.indices.reversed() where spans[index].isGranted {
            let continues = index + 1 < spans.count && spans[index + 1].isGranted
            ends[index] = continues ? ends[index + 1] : spans[index].interval.end
        }
        for index in spans.indices.dropFirst() where !spans[index].isGranted {
            ends[index] = ends[index - 1]
        }
        self.ends = ends
    }

    mutating func advance(to instant: Instant) {
        while cursor + 1 < spans.count, spans[cursor + 1].interval.start <= instant { cursor += 1 }
    }

    var current: Int? { cursor < 0 ? nil : cursor }

    func isPreferred(at span: Int, to other: Source, at otherSpan: Int) -> Bool {
        let (grants, otherGrants) = (spans[span].isGranted, other.spans[otherSpan].isGranted)
        if grants != otherGrants { return grants }
        // A source that has given nothing yet is named by none.
        if other.spans[otherSpan].source == nil { return spans[span].source != nil }
        if spans[span].source == nil { return false }
        return Interval.endsLater(ends[span], than: other.ends[otherSpan])
    }
}
