/// "This account presents this purchase" (spec 1.6). It names a transaction; the unit follows
/// from the transaction's kind.
package struct Claim: Hashable, Sendable {
    package var account: AccountID
    package var transaction: TransactionKey
    package var moment: ClaimMoment
    package var order: OrderID?
    /// The ledger entry that holds the evidence; nil for a claim made by a ruling.
    package var evidence: LedgerSequence?
    /// Whether somebody who was erased had the unit before (spec 1.14).
    package var isReturn: Bool
    /// The pseudonyms of those of them of whom the unit's entries still tell.
    package var erasedOwners: [AccountID]
    /// Whether the purchase's token names somebody who was erased: it decides nothing then.
    package var hasErasedToken: Bool

    package init(
        account: AccountID, transaction: TransactionKey, moment: ClaimMoment,
        order: OrderID? = nil, evidence: LedgerSequence? = nil, isReturn: Bool = false,
        erasedOwners: [AccountID] = [], hasErasedToken: Bool = false
    ) {
        self.account = account
        self.transaction = transaction
        self.moment = moment
        self.order = order
        self.evidence = evidence
        self.isReturn = isReturn
        self.erasedOwners = erasedOwners
        self.hasErasedToken = hasErasedToken
    }
}

/// On what occasion a purchase is presented.
package enum ClaimMoment: String, CaseIterable, Hashable, ModelText, Sendable {
    case purchase
    case restore
    case notification
    case support
    /// The app submits the device's list without a user's request.
    case listed

    package var english: String {
        switch self {
        case .purchase: "as a purchase"
        case .restore: "as a restore"
        case .notification: "by a notification"
        case .support: "by support"
        case .listed: "as listed by the device"
        }
    }
}

/// The decision on a claim, made once, by the policy and the facts of that moment. Owners are the
/// fold of the decisions; no claim is judged again later (spec 1.6).
package struct OwnershipDecision: Hashable, Sendable {
    /// The ledger entry of the claim or the ruling that this decides; of a succession, the
    /// snapshot that names the older lineage.
    package var cause: LedgerSequence
    package var unit: OwnedUnit
    /// The transaction that was presented.
    package var transactionID: TransactionID
    package var outcome: ClaimOutcome
    package var rule: RuleReference
    package var policy: Digest256
    /// `ClaimRules.version` of the program that decided.
    package var rules: Int64
    /// Sorted.
    package var ownersBefore: [AccountID]
    /// Sorted; equal to `ownersBefore` where nothing changed.
    package var ownersAfter: [AccountID]
    /// From when `ownersAfter` own it; `distantPast` for a first owner, who owns the past too.
    package var from: Instant

    package init(
        cause: LedgerSequence, unit: OwnedUnit, transactionID: TransactionID,
        outcome: ClaimOutcome, rule: RuleReference, policy: Digest256,
        rules: Int64 = ClaimRules.version, ownersBefore: [AccountID], ownersAfter: [AccountID],
        from: Instant
    ) {
        self.cause = cause
        self.unit = unit
        self.transactionID = transactionID
        self.outcome = outcome
        self.rule = rule
        self.policy = policy
        self.rules = rules
        self.ownersBefore = ownersBefore
        self.ownersAfter = ownersAfter
        self.from = from
    }
}

/// How a claim ended.
package enum ClaimOutcome: Hashable, Sendable {
    case accepted
    /// The claimant owned the unit already: nothing changed.
    case alreadyOwned
    case denied(ClaimDenial)

    package var code: String {
        switch self {
        case .accepted: "accepted"
        case .alreadyOwned: "already-owned"
        case .denied(let refusal): refusal.rawValue
        }
    }

    package init?(code: String) {
        switch code {
        case "accepted": self = .accepted
        case "already-owned": self = .alreadyOwned
        default:
            guard let refusal = ClaimDenial(rawValue: code) else { return nil }
            self = .denied(refusal)
        }
    }
}

/// Why a claim was not accepted.
package enum ClaimDenial: String, CaseIterable, Hashable, ModelText, Sendable {
    /// The owner keeps the unit.
    case kept
    case cooldown
    case limit
    case denied
    /// A person has to rule.
    case waiting
    /// The appAccountToken names another account.
    case token
    /// The device lists it, and another account has it: nothing moves.
    case ownedByOther = "owned-by-other"
    /// The claimant's account is closed.
    case accountClosed = "account-closed"

    package var english: String {
        switch self {
        case .kept: "denied: the owner keeps it"
        case .cooldown: "denied: moved too recently"
        case .limit: "denied: moved too often"
        case .denied: "denied by a rule"
        case .waiting: "waiting for a ruling"
        case .token: "denied: the purchase names another account"
        case .ownedByOther: "denied: another account has it"
        case .accountClosed: "denied: the account is closed"
        }
    }
}

/// A decision by a person (spec 1.6): its effect is in the `OwnershipDecision` after it.
package struct Ruling: Hashable, Sendable {
    package enum Verb: String, CaseIterable, Hashable, ModelText, Sendable {
        case approve
        case refuse
        case transfer
        case release
        case undo

        package var english: String {
            switch self {
            case .approve: "the waiting claim was approved"
            case .refuse: "the waiting claim was denied"
            case .transfer: "transferred to another account"
            case .release: "released by its owners"
            case .undo: "the last decision was undone"
            }
        }
    }

    package var verb: Verb
    package var unit: OwnedUnit
    /// The claim that is approved or refused.
    package var claim: LedgerSequence?
    /// The decision that is undone.
    package var decision: LedgerSequence?
    /// The account that a transfer goes to.
    package var account: AccountID?
    /// As of a claim.
    package var isReturn = false
    package var actor: String
    package var reason: String

    package init(
        verb: Verb, unit: OwnedUnit, claim: LedgerSequence? = nil,
        decision: LedgerSequence? = nil, account: AccountID? = nil, actor: String,
        reason: String
    ) {
        self.verb = verb
        self.unit = unit
        self.claim = claim
        self.decision = decision
        self.account = account
        self.actor = actor
        self.reason = reason
    }
}

/// The rules that claims, rulings and merges are decided by (spec 1.6), as far as they are the
/// program's own: what a policy says of them is in the policy.
package enum ClaimRules {
    /// Raised whenever a corrected fault or a new rule changes an earlier decision. A ledger has
    /// the version of each decision, and a verification repeats only those of its own version.
    ///
    /// Version 1 wrote no number.
    package static let version: Int64 = 6
}
