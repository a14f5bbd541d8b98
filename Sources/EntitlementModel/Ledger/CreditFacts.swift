/// So many units of one credit.
package struct CreditPart: Hashable, Sendable {
    package var credit: CreditName
    package var units: Int64

    package init(_ credit: CreditName, _ units: Int64) {
        self.credit = credit
        self.units = units
    }
}

extension [CreditPart] {
    /// How many credits one spend can take from.
    package static var mostParts: Int { 16 }

    /// By credit; nil if one is named twice, if there is none or too many.
    package var asParts: [CreditPart]? {
        let parts = sorted { $0.credit < $1.credit }
        guard (1...Self.mostParts).contains(parts.count),
            zip(parts, parts.dropFirst()).allSatisfy({ $0.credit < $1.credit })
        else { return nil }
        return parts
    }
}

/// Units that a service took from an account: all of the parts, or none of them (spec 1.7). Its
/// place in the ledger is its id.
package struct CreditSpend: Hashable, Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    /// By credit, each once; units are positive.
    package var parts: [CreditPart]
    /// The idempotency key: the same actor gets the same answer for it. Spends, holds and
    /// reversals of an actor share their keys.
    package var key: String
    package var actor: String
    package var reason: String?
    /// The caller's own description.
    package var reference: String?

    package init(
        account: AccountID, environment: StoreEnvironment = .production, parts: [CreditPart],
        key: String, actor: String, reason: String? = nil, reference: String? = nil
    ) {
        self.account = account
        self.environment = environment
        self.parts = parts
        self.key = key
        self.actor = actor
        self.reason = reason
        self.reference = reference
    }
}

/// Units reserved for a later spend, until the hold is ended or `until` has passed.
package struct CreditHold: Hashable, Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    /// By credit, each once; units are positive.
    package var parts: [CreditPart]
    /// Held in `[recordedAt, until)`.
    package var until: Instant
    /// As that of a spend; nil where a merge has moved a hold.
    package var key: String?
    /// The first hold, where a merge has moved it here: it is known by that one's place.
    package var origin: LedgerSequence?
    package var actor: String
    package var reason: String?
    package var reference: String?

    package init(
        account: AccountID, environment: StoreEnvironment = .production, parts: [CreditPart],
        until: Instant, key: String?, origin: LedgerSequence? = nil, actor: String,
        reason: String? = nil, reference: String? = nil
    ) {
        self.account = account
        self.environment = environment
        self.parts = parts
        self.until = until
        self.key = key
        self.origin = origin
        self.actor = actor
        self.reason = reason
        self.reference = reference
    }
}

/// The end of a hold before its time: what it captures is spent, the rest is free again. A hold
/// has one end at most. Its place is the id of the spend that it makes.
package struct HoldEnd: Hashable, Sendable {
    /// The entry of the hold that ends, wherever a merge has put it.
    package var hold: LedgerSequence
    package var account: AccountID
    /// As the hold's parts; empty where all of it is released.
    package var captured: [CreditPart]
    package var actor: String
    package var reason: String?
    package var reference: String?

    package init(
        hold: LedgerSequence, account: AccountID, captured: [CreditPart] = [], actor: String,
        reason: String? = nil, reference: String? = nil
    ) {
        self.hold = hold
        self.account = account
        self.captured = captured
        self.actor = actor
        self.reason = reason
        self.reference = reference
    }
}

/// Units of a spend that are given back: no more in all than it took.
package struct SpendReversal: Hashable, Sendable {
    /// The entry of the spend, or of the capture that made it.
    package var spend: LedgerSequence
    /// Who gets them: the account of the spend, or the one that it was merged into.
    package var account: AccountID
    /// Whose spend it was.
    package var spender: AccountID
    package var environment: StoreEnvironment
    /// By credit, each once; units are positive.
    package var parts: [CreditPart]
    /// As that of a spend.
    package var key: String
    package var actor: String
    package var reason: String?

    package init(
        spend: LedgerSequence, account: AccountID, spender: AccountID,
        environment: StoreEnvironment = .production, parts: [CreditPart], key: String,
        actor: String, reason: String? = nil
    ) {
        self.environment = environment
        self.spend = spend
        self.account = account
        self.spender = spender
        self.parts = parts
        self.key = key
        self.actor = actor
        self.reason = reason
    }
}

/// A person lets a credit be spent again that one refund has frozen. Another refund freezes it
/// again.
package struct CreditThaw: Hashable, Sendable {
    package var account: AccountID
    /// That of the balance.
    package var environment: StoreEnvironment
    package var credit: CreditName
    /// The refunded transaction, with its `revocationDate`.
    package var transaction: TransactionKey
    package var refundedAt: Instant
    package var actor: String
    package var reason: String

    package init(
        account: AccountID, environment: StoreEnvironment, credit: CreditName,
        transaction: TransactionKey, refundedAt: Instant, actor: String, reason: String
    ) {
        self.account = account
        self.environment = environment
        self.credit = credit
        self.transaction = transaction
        self.refundedAt = refundedAt
        self.actor = actor
        self.reason = reason
    }
}

/// The part of a balance that a merge moves besides purchases, grants and holds: spends and debts.
package struct CarriedCredit: Hashable, Sendable {
    package var environment: StoreEnvironment
    package var credit: CreditName
    /// From the first account to the second: negative for a debt.
    package var units: Int64

    package init(environment: StoreEnvironment, credit: CreditName, units: Int64) {
        self.environment = environment
        self.credit = credit
        self.units = units
    }
}

extension CreditSpend: AccountFact {}
extension CreditHold: AccountFact {}
extension HoldEnd: AccountFact {}
extension CreditThaw: AccountFact {}

extension SpendReversal: FactValue {
    package var hasFoldedAccounts: Bool { account.isFolded && spender.isFolded }

    package mutating func foldAccounts() {
        account = account.folded
        spender = spender.folded
    }
}
