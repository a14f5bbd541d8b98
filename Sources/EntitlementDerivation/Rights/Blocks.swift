internal import EntitlementModel

/// The stretches in which an account is blocked by any service (spec 1.1).
struct Blocks {
    private struct Stop {
        let interval: Interval
        let facts: [LedgerSequence]
    }

    private let stops: [Stop]

    init(on account: AccountID, in facts: FactSet) {
        stops = facts.blocks.filter { $0.value.account == account }
            .compactMap { block in
                let removal = facts.blockRemovals
                    .filter {
                        $0.value.account == account && $0.value.block == block.value.id
                            && $0.sequence > block.sequence
                    }
                    .min { $0.sequence < $1.sequence }
                return Interval(from: block.recordedAt, to: removal?.recordedAt).map {
                    Stop(interval: $0, facts: [block.sequence])
                }
            }
    }

    var isEmpty: Bool { stops.isEmpty }

    func contains(_ instant: Instant) -> Bool {
        stops.contains { $0.interval.contains(instant) }
    }

    /// Withholds what a timeline grants while a block stands.
    func applied(to timeline: RightTimeline) -> RightTimeline {
        var contribution: [RightSpan] = []
        for span in timeline.spans {
            guard span.isGranted else {
                contribution.append(span)
                continue
            }
            for piece in pieces(of: span) {
                if let last = contribution.last, last.verdict == piece.verdict {
                    contribution[contribution.count - 1].interval = Interval(
                        uncheckedFrom: last.interval.start, to: piece.interval.end)
                } else {
                    contribution.append(piece)
                }
            }
        }
        return RightTimeline(spans: contribution)
    }

    private func pieces(of span: RightSpan) -> [RightSpan] {
        let edges = stops.flatMap { [$0.interval.start] + ($0.interval.end.map { [$0] } ?? []) }
        let cuts = Set(edges).filter { span.interval.start < $0 && span.interval.contains($0) }
        let starts = [span.interval.start] + cuts.sorted()
        return starts.indices.map { index in
            var piece = span
            let end = index + 1 < starts.count ? starts[index + 1] : span.interval.end
            piece.interval = Interval(uncheckedFrom: starts[index], to: end)
            let standing = stops.filter { $0.interval.contains(starts[index]) }
            guard !standing.isEmpty else { return piece }
            return RightSpan(
                interval: piece.interval,
                verdict: .blocked(span.verdict, by: standing.flatMap(\.facts)))
        }
    }
}

extension RightVerdict {
    /// What would be granted, but for a block.
    fileprivate static func blocked(
        _ verdict: RightVerdict, by facts: [LedgerSequence]
    ) -> RightVerdict {
        RightVerdict(
            isGranted: false, state: verdict.state, expiryReason: verdict.expiryReason,
            source: verdict.source, rule: .blocked, paidUntil: verdict.paidUntil,
            willRenew: verdict.willRenew,
            facts: (verdict.facts + facts).ascendingWithoutRepetition())
    }
}
