internal import EntitlementModel

/// The stretches in which an account is blocked by any service, and what of it (spec 1.1).
struct Blocks {
    private struct BlockedSpan {
        let block: BlockID
        var interval: Interval
        let scope: BlockScope
        let purpose: Block.Purpose
        let facts: [LedgerSequence]
    }

    private var stops: [BlockedSpan]
    private let closedAccounts: ClosedAccountRule

    init(on account: AccountID, in view: FactView) {
        let facts = view.facts
        closedAccounts = view.policy.policy.closedAccounts
        let removals = Dictionary(
            grouping: facts.blockRemovals.filter { $0.value.account == account }, by: \.value.block)
        stops = facts.blocks.filter { $0.value.account == account }
            .compactMap { block in
                let removal = removals[block.value.id]?
                    .filter { $0.sequence > block.sequence }
                    .min { $0.sequence < $1.sequence }
                return Interval(from: block.recordedAt, to: removal?.recordedAt).map {
                    BlockedSpan(
                        block: block.value.id, interval: $0, scope: block.value.scope,
                        purpose: block.value.purpose, facts: [block.sequence])
                }
            }
    }

    /// Adds one that was put on the account after all others.
    mutating func add(_ block: Recorded<Block>) {
        stops.append(
            BlockedSpan(
                block: block.value.id,
                interval: Interval(uncheckedFrom: block.recordedAt, to: nil),
                scope: block.value.scope, purpose: block.value.purpose, facts: [block.sequence]))
    }

    /// Ends a block, if it is in effect.
    mutating func end(by removal: Recorded<BlockRemoval>) {
        for index in stops.indices.reversed()
        where stops[index].block == removal.value.block && stops[index].interval.end == nil {
            let interval = Interval(from: stops[index].interval.start, to: removal.recordedAt)
            if let interval { stops[index].interval = interval } else { stops.remove(at: index) }
        }
    }

    var isEmpty: Bool { stops.isEmpty }

    /// Whether any block is in effect.
    func contains(_ instant: Instant) -> Bool {
        stops.contains { $0.interval.contains(instant) }
    }

    /// Whether a block on everything is in effect.
    func stopEverything(at instant: Instant) -> Bool {
        stops.contains { $0.scope.isEverything && $0.interval.contains(instant) }
    }

    /// Whether the account is closed.
    func close(at instant: Instant) -> Bool {
        stops.contains { $0.purpose.closes && $0.interval.contains(instant) }
    }

    /// Whether a block on something that the product gives is in effect.
    func stop(_ product: Product, at instant: Instant) -> Bool {
        stops.contains { stop in
            guard stop.interval.contains(instant) else { return false }
            return stop.scope.isEverything
                || product.grants.contains { grant in
                    switch grant {
                    case .entitlement(let name, _): stop.scope.includes(name)
                    case .credit(let name, _, _): stop.scope.includes(name)
                    }
                }
        }
    }

    /// The blocks on credits.
    var creditStops: [CreditStop] {
        stops.filter { $0.scope.isEverything || !$0.scope.credits.isEmpty }
            .map { CreditStop(interval: $0.interval, scope: $0.scope) }
    }

    /// Denies what the timeline of an entitlement grants while a block on it is in effect.
    func applied(to timeline: RightTimeline, of entitlement: EntitlementName) -> RightTimeline {
        var standing = ActiveStops(
            stops.filter {
                $0.scope.includes(entitlement)
                    && (!$0.purpose.closes || closedAccounts == .end)
            })
        guard !standing.isEmpty else { return timeline }
        var withheld: [RightSpan] = []
        func append(_ piece: RightSpan) {
            if let last = withheld.indices.last, withheld[last].verdict == piece.verdict {
                withheld[last].interval = Interval(
                    uncheckedFrom: withheld[last].interval.start, to: piece.interval.end)
            } else {
                withheld.append(piece)
            }
        }
        for span in timeline.spans {
            guard span.isGranted else {
                withheld.append(span)
                continue
            }
            var start = span.interval.start
            while true {
                standing.advance(to: start)
                let edge = standing.nextEdge.flatMap { span.interval.contains($0) ? $0 : nil }
                let end = edge ?? span.interval.end
                append(standing.withheld(span, in: Interval(uncheckedFrom: start, to: end)))
                guard let edge else { break }
                start = edge
            }
        }
        return RightTimeline(spans: withheld)
    }

    /// The blocks on one entitlement as time passes: each begins once and ends once.
    private struct ActiveStops {
        /// The most blocks that a denied right names, so that spans stay short.
        private static let mostNamed = 32

        private let stops: [BlockedSpan]
        private let edges: [(at: Instant, stop: Int)]
        private var edge = 0
        /// The blocks in effect, in order.
        private var standing: [Int] = []

        init(_ stops: [BlockedSpan]) {
            self.stops = stops
            edges = stops.enumerated().flatMap { index, stop in
                [stop.interval.start, stop.interval.end].compactMap { $0.map { ($0, index) } }
            }.sorted { ($0.at, $0.stop) < ($1.at, $1.stop) }
        }

        var isEmpty: Bool { stops.isEmpty }
        var nextEdge: Instant? { edge < edges.count ? edges[edge].at : nil }

        mutating func advance(to instant: Instant) {
            while edge < edges.count, edges[edge].at <= instant {
                let stop = edges[edge].stop
                if let place = standing.lastIndex(of: stop) {
                    standing.remove(at: place)
                } else {
                    let place = standing.lastIndex { $0 < stop } ?? -1
                    standing.insert(stop, at: place + 1)
                }
                edge += 1
            }
        }

        func withheld(_ span: RightSpan, in interval: Interval) -> RightSpan {
            let facts = standing.prefix(Self.mostNamed).flatMap { stops[$0].facts }
            return RightSpan(
                interval: interval,
                verdict: facts.isEmpty ? span.verdict : .blocked(span.verdict, by: facts))
        }
    }
}

extension RightVerdict {
    /// A right that is denied because of a block.
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
    /// Each grant once, with the revocation that ended it.
    let all: [(grant: Recorded<Grant>, revocation: Recorded<GrantRevocation>?)]

    init(to account: AccountID, in facts: FactSet) {
        let revocations = Dictionary(
            grouping: facts.grantRevocations.filter { $0.value.account == account }
                .sorted { $0.sequence < $1.sequence }, by: \.value.grant)
        var seen: Set<GrantID> = []
        all = facts.grants.filter { $0.value.account == account }
            .sorted { $0.sequence < $1.sequence }
            .filter { seen.insert($0.value.id).inserted }
            .map { grant in
                (grant, revocations[grant.value.id]?.first { $0.sequence > grant.sequence })
            }
    }

    var contributions: [Contribution] {
        all.compactMap { Self.contribution(of: $0.grant, endedBy: $0.revocation) }
    }

    /// A grant is `active` while it holds; afterwards the denial names it as what last gave. Nil
    /// where it gives no entitlement, or at no time.
    static func contribution(
        of grant: Recorded<Grant>, endedBy revocation: Recorded<GrantRevocation>?
    ) -> Contribution? {
        guard case .entitlement(let entitlement) = grant.value.gift,
            let interval = Interval(
                from: grant.value.from,
                to: Interval.earlier(grant.value.until, revocation?.recordedAt))
        else { return nil }
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
            right: RightKey(grant.value.environment, entitlement),
            order: SourceOrder(lineage: nil, id: grant.value.id.text), spans: spans.spans)
    }
}
