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
