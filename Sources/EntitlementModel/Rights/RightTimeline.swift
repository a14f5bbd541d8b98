/// One entitlement of an account or an Apple ID, asked for one environment, over all time.
///
/// Spans are ordered, adjoin one another, begin at `distantPast` and never end: every instant has
/// exactly one. Without any facts it is `RightSpan.nothing`.
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
    package let verdict: RightVerdict

    package init(interval: Interval, verdict: RightVerdict) {
        self.interval = interval
        self.verdict = verdict
    }

    /// No fact gives the right, so no rule was asked.
    package static func nothing(_ interval: Interval) -> RightSpan {
        RightSpan(interval: interval, verdict: .nothing)
    }

    package var isGranted: Bool { verdict.isGranted }
    package var state: EntitlementState? { verdict.state }
    package var expiryReason: ExpiryReason? { verdict.expiryReason }
    package var source: RightSource? { verdict.source }
    package var rule: RuleReference { verdict.rule }
    package var paidUntil: Instant? { verdict.paidUntil }
    package var willRenew: Bool? { verdict.willRenew }
    package var facts: [LedgerSequence] { verdict.facts }
}

/// What gives, or last gave, a right.
package enum RightSource: Hashable, Sendable {
    case purchase(product: ProductID, transaction: TransactionKey, lineage: LineageKey)
    case grant(GrantID)
}

/// The key of a right timeline.
package struct RightKey: Hashable, Sendable {
    /// The environment that the question is asked for.
    package let environment: StoreEnvironment
    package let entitlement: EntitlementName

    package init(_ environment: StoreEnvironment, _ entitlement: EntitlementName) {
        self.environment = environment
        self.entitlement = entitlement
    }
}

/// One unit over time: its states, and who owned it.
package struct UnitTimeline: Hashable, Sendable {
    package var unit: OwnedUnit
    package var kind: Stated<ProductKind>
    /// By `start`, adjoining or with gaps (before the first period there is no state); the last
    /// one has no end. Empty for consumables that give no lasting right.
    package var states: [StateSpan]
    /// By `start`; spans of several accounts overlap where the unit is shared.
    package var owners: [OwnershipSpan]

    package init(
        unit: OwnedUnit, kind: Stated<ProductKind>, states: [StateSpan],
        owners: [OwnershipSpan]
    ) {
        self.unit = unit
        self.kind = kind
        self.states = states
        self.owners = owners
    }
}

/// A stretch in which a unit stays in one state of one period.
package struct StateSpan: Hashable, Sendable {
    package var interval: Interval
    package var state: EntitlementState
    /// Set where the state is `expired`.
    package var expiryReason: ExpiryReason?
    /// When the unit entered this state: adjoining periods are one stretch of `active`.
    package var enteredAt: Instant
    /// The transaction that names the period, and its product.
    package var transactionID: TransactionID
    package var productID: ProductID
    package var paidUntil: Instant?
    /// The newest renewal info signed at or before the span's start, for every instant of it.
    package var willRenew: Bool?
    /// The ledger entries that this state follows from, ascending.
    package var facts: [LedgerSequence]

    package init(
        interval: Interval, state: EntitlementState, expiryReason: ExpiryReason? = nil,
        enteredAt: Instant, transactionID: TransactionID, productID: ProductID,
        paidUntil: Instant? = nil, willRenew: Bool? = nil, facts: [LedgerSequence] = []
    ) {
        self.interval = interval
        self.state = state
        self.expiryReason = expiryReason
        self.enteredAt = enteredAt
        self.transactionID = transactionID
        self.productID = productID
        self.paidUntil = paidUntil
        self.willRenew = willRenew
        self.facts = facts
    }
}

/// The next renewal of a running subscription, as Apple said last. It is an expectation; only the
/// transaction of the renewal confirms it.
package struct RenewalOutlook: Hashable, Sendable {
    /// Nil where Apple has not said.
    package var willRenew: Bool?
    /// When it is charged next; nil where it does not renew, and where the charge has failed.
    package var at: Instant?
    /// The plan that comes then.
    package var product: ProductID?
    /// Its price; nil if Apple has not stated it.
    package var price: Price?
    /// Its offer.
    package var offer: Offer?

    package init(
        willRenew: Bool?, at: Instant? = nil, product: ProductID? = nil, price: Price? = nil,
        offer: Offer? = nil
    ) {
        self.willRenew = willRenew
        self.at = at
        self.product = product
        self.price = price
        self.offer = offer
    }
}

/// A stretch in which an account owns a unit.
package struct OwnershipSpan: Hashable, Sendable {
    package var account: AccountID
    package var interval: Interval
    /// The ledger entry of the decision that began it.
    package var decision: LedgerSequence

    package init(account: AccountID, interval: Interval, decision: LedgerSequence) {
        self.account = account
        self.interval = interval
        self.decision = decision
    }
}

/// Everything that is derived for one account. Immutable: replaced as a whole.
package struct AccountTimeline: Hashable, Sendable {
    package var account: AccountID
    /// Entitlements without a key here are `RightTimeline.empty`.
    package var rights: [RightKey: RightTimeline]
    package var balances: [CreditKey: CreditTimeline]
    /// When blocks stop its credits.
    package var creditStops: [CreditStop]
    /// The units that it owns or has owned.
    package var units: [UnitTimeline]
    package var findings: [Finding]
    /// Where a rule asks for it, of each group that it has paid for.
    package var memberTimes: [MemberKey: MemberTime] = [:]

    package init(account: AccountID) {
        self.account = account
        rights = [:]
        balances = [:]
        creditStops = []
        units = []
        findings = []
    }

    package func right(_ key: RightKey) -> RightTimeline { rights[key] ?? .empty }
}

/// All derived facts about one Apple ID, whoever owns its lineages (spec 1.6).
package struct AppleIDTimeline: Hashable, Sendable {
    package var key: AppleIDKey
    /// Sorted.
    package var lineages: [LineageKey]
    package var rights: [RightKey: RightTimeline]
    package var units: [UnitTimeline]
    package var findings: [Finding]

    package init(key: AppleIDKey, lineages: [LineageKey]) {
        self.key = key
        self.lineages = lineages
        rights = [:]
        units = []
        findings = []
    }

    package func right(_ key: RightKey) -> RightTimeline { rights[key] ?? .empty }
}

/// A stretch in which a block stops credits of an account, in every environment.
package struct CreditStop: Hashable, Sendable {
    package let interval: Interval
    package let scope: BlockScope

    package init(interval: Interval, scope: BlockScope) {
        self.interval = interval
        self.scope = scope
    }

    package func stops(_ credit: CreditName, at instant: Instant) -> Bool {
        interval.contains(instant) && scope.includes(credit)
    }
}

/// The key of a balance.
package struct CreditKey: Hashable, Sendable {
    package let environment: StoreEnvironment
    package let credit: CreditName

    package init(_ environment: StoreEnvironment, _ credit: CreditName) {
        self.environment = environment
        self.credit = credit
    }
}
