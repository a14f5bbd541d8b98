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

/// Everything that is derived for one Apple ID, whoever owns its lineages (spec 1.6).
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

/// What a balance is asked by.
package struct CreditKey: Hashable, Sendable {
    package let environment: StoreEnvironment
    package let credit: CreditName

    package init(_ environment: StoreEnvironment, _ credit: CreditName) {
        self.environment = environment
        self.credit = credit
    }
}

/// One credit of an account over time.
package struct CreditTimeline: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package enum Cause: String, CaseIterable, Hashable, Sendable {
            case delivery
            case grant
            /// Taken back after a refund.
            case clawBack = "claw-back"
            case expiry
            /// Came with another account, or went with this one, when the two were merged.
            case merge
            /// Came with a purchase that a person gave to this account, or went with one that a
            /// person gave to another or released.
            case ruling
        }

        /// When it counts.
        package var occurredAt: Instant
        /// Negative where it takes.
        package var units: Int64
        package var cause: Cause
        package var transaction: TransactionKey?
        package var grant: GrantID?
        package var facts: [LedgerSequence]

        package init(
            occurredAt: Instant, units: Int64, cause: Cause,
            transaction: TransactionKey? = nil, grant: GrantID? = nil,
            facts: [LedgerSequence] = []
        ) {
            self.occurredAt = occurredAt
            self.units = units
            self.cause = cause
            self.transaction = transaction
            self.grant = grant
            self.facts = facts
        }
    }

    /// By `occurredAt`, then by fact.
    package var entries: [Entry]

    package init(entries: [Entry]) {
        self.entries = entries
    }

    /// The sum of the entries at or before `instant`. It may be beyond 64 bits where a ledger
    /// holds grants from before their units were bounded.
    package func balance(at instant: Instant) -> Int128 {
        entries.prefix { $0.occurredAt <= instant }.reduce(0) { $0 + Int128($1.units) }
    }
}
