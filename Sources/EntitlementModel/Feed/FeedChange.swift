/// One change of the present answer: the value before, the value from an instant on, and why (spec
/// 1.10).
package struct FeedChange: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, ModelText, Sendable {
        case rightGained = "right-gained"
        case rightLost = "right-lost"
        /// It is granted, or denied, until another instant.
        case rightMoved = "right-moved"
        /// Neither the decision nor its end changed, but what the purchase is doing.
        case rightState = "right-state"
        case ownerChanged = "owner-changed"
        case balanceChanged = "balance-changed"
        /// Units will lapse within the time that the policy names, or no longer.
        case creditLapsing = "credit-lapsing"
        case findingOpened = "finding-opened"
        case findingClosed = "finding-closed"
        case orderChanged = "order-changed"
        case policyActivated = "policy-activated"
        /// Whatever it was about was erased: what is left is its number, when it was, and as of which
        /// entry.
        case erased

        /// As ledgers store it: none is ever given a new meaning.
        package var number: Int64 {
            switch self {
            case .rightGained: 1
            case .rightLost: 2
            case .rightMoved: 3
            case .rightState: 4
            case .ownerChanged: 5
            case .balanceChanged: 6
            case .findingOpened: 7
            case .findingClosed: 8
            case .orderChanged: 9
            case .policyActivated: 10
            case .creditLapsing: 11
            case .erased: 12
            }
        }

        package init?(number: Int64) {
            guard let kind = Self.allCases.first(where: { $0.number == number }) else {
                return nil
            }
            self = kind
        }

        /// Whether it is about an entitlement.
        package var isRight: Bool {
            switch self {
            case .rightGained, .rightLost, .rightMoved, .rightState: true
            case .ownerChanged, .balanceChanged, .creditLapsing, .findingOpened, .findingClosed,
                .orderChanged, .policyActivated, .erased:
                false
            }
        }

        package var english: String {
            switch self {
            case .rightGained: "right gained"
            case .rightLost: "right lost"
            case .rightMoved: "right moved"
            case .rightState: "state changed"
            case .ownerChanged: "owner changed"
            case .balanceChanged: "balance changed"
            case .creditLapsing: "credit lapsing"
            case .findingOpened: "finding opened"
            case .findingClosed: "finding closed"
            case .orderChanged: "order changed"
            case .policyActivated: "policy activated"
            case .erased: "erased"
            }
        }
    }

    package var kind: Kind
    /// From when on it is answered so. It never decreases from one change to the next.
    package var at: Instant
    /// Facts up to this entry were known.
    package var revision: LedgerSequence
    /// Nil for what concerns no account, or all of them.
    package var account: AccountID?
    package var environment: StoreEnvironment?
    /// What changed: an entitlement, a credit, an order, a finding (its kind, and what it is
    /// about), a unit, or a policy's digest.
    package var subject: String
    /// Nil where there was nothing.
    package var before: FeedValue?
    package var after: FeedValue?
    /// The entries that caused it, ascending; empty where time alone did.
    package var cause: [LedgerSequence]
    /// The past interval that is answered differently from now on; nil if there is none.
    package var corrected: Interval?

    package init(
        kind: Kind, at instant: Instant, revision: LedgerSequence, account: AccountID? = nil,
        environment: StoreEnvironment? = nil, subject: String, before: FeedValue? = nil,
        after: FeedValue? = nil, cause: [LedgerSequence] = [], corrected: Interval? = nil
    ) {
        self.kind = kind
        at = instant
        self.revision = revision
        self.account = account
        self.environment = environment
        self.subject = subject
        self.before = before
        self.after = after
        self.cause = cause
        self.corrected = corrected
    }

    /// More entries are not named: a receipt may hold thousands of transactions.
    package static let mostCauses = 32
}

/// A change with its place in the feed: 1, 2, 3, … without gaps.
package struct PublishedChange: Hashable, Sendable {
    package let number: Int64
    package let change: FeedChange

    package init(number: Int64, change: FeedChange) {
        self.number = number
        self.change = change
    }
}

/// The answer at an instant about one thing.
package enum FeedValue: Hashable, Sendable {
    case right(Right)
    case balance(Int128)
    /// Units that lapse next.
    case lapse(CreditLapse)
    /// An open finding.
    case finding
    case order(OrderState)
    case owners([AccountID])
    case policy(Digest256)

    package struct Right: Hashable, Sendable {
        package var decision: Bool
        package var state: EntitlementState?
        /// When the decision next changes, as far as known; nil for never.
        package var until: Instant?

        package init(decision: Bool, state: EntitlementState? = nil, until: Instant? = nil) {
            self.decision = decision
            self.state = state
            self.until = until
        }

        /// The answer if nothing gives the right.
        package static let nothing = Right(decision: false)
    }

    /// Nil if it equals the answer without any facts.
    package var orNothing: FeedValue? {
        switch self {
        case .right(.nothing), .balance(0): nil
        case .right, .balance, .lapse, .finding, .order, .owners, .policy: self
        }
    }
}

/// The subject of an outlook of the feed: an account, an order or an entry.
package enum FeedSubject: Hashable, Sendable {
    case account(AccountID)
    case order(OrderID)
    /// Findings of no account about an entry: waiting or quarantined evidence.
    case entry(LedgerSequence)

    /// Unique. Only names of accounts have no space at their beginning.
    package var name: String {
        switch self {
        case .account(let account): account.text
        case .order(let order): " order:" + order.text
        case .entry(let place): " entry:\(place.number)"
        }
    }

    /// Behind every name that is not an account's, and before every account.
    package static let lastOther = " \u{7F}"

    package init?(name: String) {
        if let account = AccountID(name) {
            self = .account(account)
        } else if name.hasPrefix(" order:"), let order = OrderID(name.dropFirst(7)) {
            self = .order(order)
        } else if name.hasPrefix(" entry:"), let number = Int64(name.dropFirst(7)) {
            self = .entry(LedgerSequence(number))
        } else {
            return nil
        }
    }
}

/// How far the feed has come.
package struct FeedPlace: Hashable, Sendable {
    /// Entries up to this one are published.
    package var place: LedgerSequence
    /// The instant of the newest change: no later fact is recorded before it (spec 1.10).
    package var reached: Instant
    /// The name up to which a new policy was applied to the subjects; nil if none has to be.
    package var scan: String?

    package init(place: LedgerSequence, reached: Instant, scan: String? = nil) {
        self.place = place
        self.reached = reached
        self.scan = scan
    }

    /// Before the first entry.
    package static let beginning = FeedPlace(place: .zero, reached: .distantPast)
}
