/// One entitlement of an account or an Apple ID, asked for one environment, over all time.
///
/// Spans are ordered, adjoin one another, begin at `distantPast` and never end: every instant
/// has exactly one. Where nothing is known, the span says so (`RightSpan.nothing`).
package struct RightTimeline: Hashable, Sendable {
    package let spans: [RightSpan]

    package init(spans: [RightSpan]) {
        precondition(
            spans.first?.interval.start == .distantPast && spans.last?.interval.end == nil,
            "a timeline covers all of time")
        self.spans = spans
    }

    /// A right that nothing gives, at any time.
    package static let empty = RightTimeline(spans: [.nothing(Interval.always)])

    /// The span that holds `instant`.
    package func span(at instant: Instant) -> RightSpan {
        spans[index(at: instant)]
    }

    /// The position of that span.
    package func index(at instant: Instant) -> Int {
        var low = 0
        var high = spans.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if spans[middle].interval.start <= instant { low = middle } else { high = middle }
        }
        return low
    }

    /// The instant after `instant` at which the decision changes; nil for never (spec 1.10).
    package func decisionChange(after instant: Instant) -> Instant? {
        let current = index(at: instant)
        let isGranted = spans[current].isGranted
        return spans[(current + 1)...].first { $0.isGranted != isGranted }?.interval.start
    }
}

/// A stretch in which an answer and its reason stay the same.
package struct RightSpan: Hashable, Sendable {
    package var interval: Interval
    package var isGranted: Bool
    package var state: EntitlementState?
    package var expiryReason: ExpiryReason?
    /// Nil where nothing was ever known to give the right.
    package var source: RightSource?
    package var rule: RuleReference
    package var paidUntil: Instant?
    package var willRenew: Bool?
    /// The ledger entries that it follows from, ascending.
    package var facts: [LedgerSequence]

    package init(
        interval: Interval, isGranted: Bool, state: EntitlementState?,
        expiryReason: ExpiryReason? = nil, source: RightSource?, rule: RuleReference,
        paidUntil: Instant? = nil, willRenew: Bool? = nil, facts: [LedgerSequence] = []
    ) {
        self.interval = interval
        self.isGranted = isGranted
        self.state = state
        self.expiryReason = expiryReason
        self.source = source
        self.rule = rule
        self.paidUntil = paidUntil
        self.willRenew = willRenew
        self.facts = facts
    }

    /// No fact gives the right, so no rule was asked.
    package static func nothing(_ interval: Interval) -> RightSpan {
        RightSpan(
            interval: interval, isGranted: false, state: nil, source: nil,
            rule: .builtIn("nothing gives it"))
    }
}

/// What gives, or last gave, a right.
package enum RightSource: Hashable, Sendable {
    case purchase(product: ProductID, transaction: TransactionKey, lineage: LineageKey)
    case grant(GrantID)
}

/// What a right timeline is asked by.
package struct RightKey: Hashable, Sendable {
    /// The environment that the question is asked for.
    package let environment: StoreEnvironment
    package let entitlement: EntitlementName

    package init(_ environment: StoreEnvironment, _ entitlement: EntitlementName) {
        self.environment = environment
        self.entitlement = entitlement
    }
}
