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
