package import EntitlementModel

/// What happened to a service, in the ledger's order: small, random, and full of coincidences.
package struct History: Sendable {
    package let seed: UInt64
    package var firstPolicy: PolicyHistory.Activation
    package var events: [Dated<HistoryEvent>]
    /// What Apple asks about refunds, some of it about purchases that are not there.
    package var refundRequests: [RefundRequest]

    package init(
        seed: UInt64, firstPolicy: PolicyHistory.Activation, events: [Dated<HistoryEvent>],
        refundRequests: [RefundRequest] = []
    ) {
        self.seed = seed
        self.firstPolicy = firstPolicy
        self.events = events
        self.refundRequests = refundRequests
    }

    /// The first policy and each later one.
    mutating func changePolicies(_ change: (inout Policy) -> Void) {
        change(&firstPolicy.policy)
        for place in events.indices {
            guard case .policy(var policy) = events[place].value else { continue }
            change(&policy)
            events[place].value = .policy(policy)
        }
    }
}

/// A value with the instant at which the ledger learns it.
package struct Dated<Value: Sendable>: Sendable {
    package var recordedAt: Instant
    package var value: Value

    package init(_ value: Value, recordedAt: Instant) {
        self.recordedAt = recordedAt
        self.value = value
    }
}

/// One thing that a ledger records. Claims and rulings are judged as they are played.
package enum HistoryEvent: Sendable {
    case policy(Policy)
    case transaction(TransactionSnapshot)
    case renewal(RenewalSnapshot)
    case claim(Claim)
    /// Evidence that names transactions is handed in; without an account as a notification.
    case presentation(AccountID?, ClaimMoment?, [TransactionSnapshot])
    /// A person rules on the unit of a transaction.
    case ruling(TransactionKey, HistoryRuling)
    case grant(Grant)
    case grantRevocation(GrantRevocation)
    case block(Block)
    case blockRemoval(BlockRemoval)
    case accountToken(AccountTokenRegistration)
    /// Two accounts become one.
    case merge(from: AccountID, into: AccountID, isUpToNow: Bool)
    /// Their last merge is taken back.
    case mergeUndo(from: AccountID, into: AccountID)
    case credit(HistoryCredit)
    /// Whether the customer lets Apple be told what was used.
    case refundConsent(AccountID, isGiven: Bool)
    /// The transaction came in time for an order that promised something, or leaves that order.
    case promise(OrderPromise)
}

/// What a service or a person does with credits. What it names need not be there.
package enum HistoryCredit: Sendable {
    case spend(AccountID, StoreEnvironment, [CreditPart])
    case hold(AccountID, StoreEnvironment, [CreditPart], until: Instant)
    /// So many holds before the newest; so much of each part is captured.
    case endHold(back: Int, captured: Int64)
    /// So many spends before the newest; so much of each part comes back.
    case reverse(back: Int, units: Int64)
    /// Every freeze of the account.
    case thaw(AccountID)
    /// A person gives what an order is for.
    case gift(AccountID, StoreEnvironment, GrantedGift, until: Instant?)
    /// So many gifts before the newest: it is undone, or a purchase that its account owns takes its
    /// place, so many before the newest.
    case endGift(back: Int, purchase: Int?)
}

/// What a person rules. What it names need not be there.
package enum HistoryRuling: Sendable {
    /// The newest waiting claim, of this account if it has one.
    case approve(AccountID)
    case refuse(AccountID)
    case transfer(AccountID)
    /// By all owners, or by this one.
    case release(AccountID?)
    /// So many changes of owners before the newest.
    case undo(back: Int)
}
