internal import EntitlementModel

/// The stretches in which an account is blocked by any service, and what of it (spec 1.1).
struct Blocks {
    private struct Stop {
        let interval: Interval
        let scope: BlockScope
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
                    Stop(interval: $0, scope: block.value.scope, facts: [block.sequence])
                }
            }
    }

    var isEmpty: Bool { stops.isEmpty }

    /// Whether any of them stands, whatever it stops.
    func contains(_ instant: Instant) -> Bool {
        stops.contains { $0.interval.contains(instant) }
    }

    /// Whether one that stands stops everything.
    func stopEverything(at instant: Instant) -> Bool {
        stops.contains { $0.scope.isEverything && $0.interval.contains(instant) }
    }

    /// Whether one that stands stops something that the product gives.
    func stop(_ product: Product, at instant: Instant) -> Bool {
        stops.contains { stop in
            guard stop.interval.contains(instant) else { return false }
            return stop.scope.isEverything
                || product.grants.contains { grant in
                    switch grant {
                    case .entitlement(let name, _): stop.scope.includes(name)
                    case .credit(let name, _): stop.scope.includes(name)
                    }
                }
        }
    }

    /// Those that stop credits.
    var creditStops: [CreditStop] {
        stops.filter { $0.scope.isEverything || !$0.scope.credits.isEmpty }
            .map { CreditStop(interval: $0.interval, scope: $0.scope) }
    }

    /// Withholds what the timeline of an entitlement grants while a block on it stands.
    func applied(to timeline: RightTimeline, of entitlement: EntitlementName) -> RightTimeline {
        let stops = stops.filter { $0.scope.includes(entitlement) }
        guard !stops.isEmpty else { return timeline }
        var contribution: [RightSpan] = []
        for span in timeline.spans {
            guard span.isGranted else {
                contribution.append(span)
                continue
            }
            for piece in pieces(of: span, between: stops) {
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

    private func pieces(of span: RightSpan, between stops: [Stop]) -> [RightSpan] {
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

/// Rights given by hand to an account (spec 1.1).
struct Gifts {
    private let grants: [Recorded<Grant>]
    private let revocations: [Recorded<GrantRevocation>]

    init(to account: AccountID, in facts: FactSet) {
        grants = facts.grants.filter { $0.value.account == account }
            .sorted { $0.sequence < $1.sequence }
        revocations = facts.grantRevocations.filter { $0.value.account == account }
            .sorted { $0.sequence < $1.sequence }
    }

    /// Each grant once, with the revocation that ended it.
    var all: [(grant: Recorded<Grant>, revocation: Recorded<GrantRevocation>?)] {
        var seen: Set<GrantID> = []
        return grants.filter { seen.insert($0.value.id).inserted }.map { grant in
            let revocation = revocations.first {
                $0.value.grant == grant.value.id && $0.sequence > grant.sequence
            }
            return (grant, revocation)
        }
    }

    /// A grant is `active` while it holds; afterwards the denial names it as what last gave.
    var contributions: [Contribution] {
        all.compactMap { grant, revocation in
            guard case .entitlement(let entitlement) = grant.value.gift,
                let interval = Interval(
                    from: grant.value.from,
                    to: Interval.earlier(grant.value.until, revocation?.recordedAt))
            else { return nil }
            let bucket = RightBucket(
                environment: grant.value.environment, entitlement: entitlement)
            var spans = SpanList(capacity: 3)
            spans.append(
                RightSpan(
                    interval: interval,
                    verdict: RightVerdict(
                        isGranted: true, state: .active, source: .grant(grant.value.id),
                        rule: .grantedByHand, facts: [grant.sequence])))
            if let end = interval.end {
                let isRevoked = revocation.map { $0.recordedAt == end } ?? false
                spans.append(
                    RightSpan(
                        interval: Interval(uncheckedFrom: end, to: nil),
                        verdict: RightVerdict(
                            isGranted: false, state: isRevoked ? .revoked : .expired,
                            source: .grant(grant.value.id), rule: .grantEnded,
                            facts: [grant.sequence] + (revocation.map { [$0.sequence] } ?? []))))
            }
            return Contribution(
                bucket: bucket, order: SourceOrder(lineage: nil, id: grant.value.id.text),
                spans: spans.spans)
        }
    }
}
