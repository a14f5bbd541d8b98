/// The sum of the events of an order, regardless of time: the index of stores, and the basis of the
/// list of lost orders (spec 1.8).
package struct OrderStanding: Hashable, Sendable {
    /// Facts that the state does not include. The bits are part of a ledger's index.
    package struct Marks: OptionSet, Hashable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) {
            self.rawValue = rawValue
        }

        /// A client began to pay.
        package static let wasPaying = Marks(rawValue: 1)
        /// A client named a transaction, or finished one.
        package static let isNamed = Marks(rawValue: 2)
        package static let hasPayment = Marks(rawValue: 4)
        /// The payment is known from Apple only: no client has come back since.
        package static let isFromApple = Marks(rawValue: 8)
        /// A person has taken note of the refund.
        package static let isAcknowledged = Marks(rawValue: 16)
        /// The payment says otherwise than the order, or what may be it does.
        package static let differs = Marks(rawValue: 32)
        /// It ended because the customer has it already.
        package static let isThere = Marks(rawValue: 64)
        /// Another account has presented what may be its payment.
        package static let isElsewhere = Marks(rawValue: 128)
        /// What findings come of.
        package static let findings: Marks = [.differs, .isElsewhere]
    }

    package private(set) var state: OrderState
    package private(set) var marks: Marks
    /// The entry since which it is, or becomes, lost for its reason.
    package private(set) var since: LedgerSequence

    /// Of a new order, or as a store kept it.
    package init(
        state: OrderState = .created, marks: Marks = [], since: LedgerSequence
    ) {
        self.state = state
        self.marks = marks
        self.since = since
    }

    package mutating func follow(_ event: OrderEvent, at sequence: LedgerSequence) {
        let reason = lostReason
        state = event.state
        mark(event)
        if event.kind == .seen { return }
        // What waits for a payment has `pay_within` from its last change on.
        if lostReason != reason || awaited == .payment { since = sequence }
    }

    private mutating func mark(_ event: OrderEvent) {
        if event.kind.isReport, event.transaction != nil { marks.insert(.isNamed) }
        switch event.kind {
        case .paying: marks.insert(.wasPaying)
        case .paid:
            marks.insert(.hasPayment)
            set(.isFromApple, event.actor == OrderEvent.notifier)
            set(.differs, !event.differences.isEmpty)
            set(.isElsewhere, event.presenter != nil)
        case .settled where event.transaction != nil:
            marks.insert(.hasPayment)
            marks.subtract([.isFromApple, .isElsewhere])
            set(.differs, !event.differences.isEmpty)
        case .finished:
            marks.remove(.isFromApple)
            if !marks.contains(.hasPayment) { marks.insert(.isNamed) }
        case .calledBack: marks.remove(.isFromApple)
        case .alreadyOwned: set(.isThere, state == .finished)
        case .seen:
            if event.presenter != nil { marks.insert(.isElsewhere) }
            if !event.differences.isEmpty { marks.insert(.differs) }
        case .paymentMoved:
            marks.subtract([.hasPayment, .differs, .isFromApple, .isElsewhere])
        case .refunded: marks.remove(.isAcknowledged)
        case .refused: set(.isAcknowledged, state == .refunded)
        case .undone:
            marks.remove(.isAcknowledged)
            if !state.isPaid { marks.subtract([.hasPayment, .differs]) }
        case .cancelled, .failed, .deferred, .notAllowed, .noReceipt, .delivered, .tied,
            .refundReversed, .settled, .reassigned, .scheduled, .changedBack:
            break
        }
    }

    private mutating func set(_ mark: Marks, _ isSet: Bool) {
        if isSet { marks.insert(mark) } else { marks.remove(mark) }
    }

    /// Why a person has to examine it, at once or after `pay_within`; nil if not.
    package var lostReason: LostOrderReason? {
        switch state {
        case .created, .paying:
            if marks.contains(.isNamed) { return .withoutEvidence }
            return marks.contains(.wasPaying) ? .withoutOutcome : .neverPaid
        case .noReceipt: return .withoutReceipt
        case .deferred: return .waitsForApproval
        case .paid: return .notDelivered
        case .delivered: return marks.contains(.isFromApple) ? .withoutCallBack : .notFinished
        case .review: return .inReview
        case .refunded: return marks.contains(.isAcknowledged) ? nil : .refundedAfterDelivery
        case .finished, .notAllowed, .cancelled, .failed, .scheduled, .abandoned: return nil
        }
    }

    /// What it still awaits; nil for nothing.
    package var awaited: OrderAwaited? {
        switch state {
        case .created, .paying, .abandoned: .payment
        case .deferred, .noReceipt: .approvedPayment
        case .scheduled: .planChange
        case .cancelled, .failed: .latePayment
        case .delivered, .finished:
            if marks.contains(.hasPayment) {
                nil
            } else {
                marks.contains(.isThere) ? .latePayment : .paymentOfGift
            }
        case .paid: .delivery
        case .notAllowed, .review, .refunded: nil
        }
    }
}

/// What an order still awaits. The words are part of a ledger's index.
package enum OrderAwaited: String, CaseIterable, Hashable, Sendable {
    /// Within `pay_within`; then it is abandoned.
    case payment
    /// However late: it is deferred, or without a receipt.
    case approvedPayment = "approved"
    /// The renewal that changes the plan.
    case planChange = "plan"
    /// It was given up, or the customer had it already.
    case latePayment = "late"
    /// A person gave what it is for.
    case paymentOfGift = "gift"
    /// It is paid, and not delivered to its account.
    case delivery

    /// Those that a payment may be for.
    package static let payments: [OrderAwaited] = [
        .payment, .approvedPayment, .planChange, .latePayment, .paymentOfGift,
    ]
}

/// Why a person has to examine an order, or a payment without one (spec 1.8). The words are part of
/// a ledger's index.
package enum LostOrderReason: String, CaseIterable, Hashable, ModelText, Sendable {
    /// Made, and not paid.
    case neverPaid = "never-paid"
    /// The client began to pay and has not said how it ended.
    case withoutOutcome = "without-outcome"
    /// The client named a transaction, and no evidence of it has come.
    case withoutEvidence = "without-evidence"
    /// Bought, and the device had no receipt.
    case withoutReceipt = "without-receipt"
    /// Another person has to approve.
    case waitsForApproval = "waits-for-approval"
    /// Known from Apple only: no client has submitted its evidence since, or finished it.
    case withoutCallBack = "without-call-back"
    /// Paid, and the account has not got what it paid for.
    case notDelivered = "not-delivered"
    case notFinished = "not-finished"
    case inReview = "in-review"
    case refundedAfterDelivery = "refunded-after-delivery"
    /// A verified payment that no account has claimed, and that pays no order.
    case unclaimedPayment = "unclaimed-payment"
    /// Evidence that only Apple can verify, and Apple has not answered.
    case waitsForApple = "waits-for-apple"

    /// Whether it is listed at once. All others may still come right by themselves, and are
    /// listed once they have been so for `pay_within`.
    package var isUrgent: Bool {
        switch self {
        case .notDelivered, .inReview, .refundedAfterDelivery: true
        case .neverPaid, .withoutOutcome, .withoutEvidence, .withoutReceipt, .waitsForApproval,
            .withoutCallBack, .notFinished, .unclaimedPayment, .waitsForApple:
            false
        }
    }

    package var english: String {
        switch self {
        case .neverPaid: "no payment came in time"
        case .withoutOutcome: "the client began to pay and never reported the outcome"
        case .withoutEvidence: "the client named a transaction, but no evidence of it has arrived"
        case .withoutReceipt: "bought, but the device had no receipt"
        case .waitsForApproval: "somebody else has to approve the purchase"
        case .withoutCallBack:
            "known from Apple only: no client has submitted the evidence or finished it"
        case .notDelivered: "paid, but not delivered"
        case .notFinished: "delivered, but the client has not finished the transaction"
        case .inReview: "a person has to decide which payment belongs to which order"
        case .refundedAfterDelivery: "refunded after delivery"
        case .unclaimedPayment: "a verified payment that no account has claimed"
        case .waitsForApple: "evidence that only Apple can verify, and Apple has not answered yet"
        }
    }
}

/// The advice for a lost order.
package enum LostOrderStep: String, CaseIterable, ModelText, Sendable {
    /// Nothing is known of a payment.
    case close
    /// The app may still have the payment; otherwise close it.
    case askApp = "ask-app"
    /// Evidence was submitted for it, and refused.
    case refusedEvidence = "refused-evidence"
    /// What its payment is, or was named for it, belongs elsewhere by another order or by a
    /// person's word, or was given back.
    case leave
    case deliver
    /// By a payment that its account owns, or that has no owner.
    case settle
    /// By a payment of others, who lose it.
    case take
    case finish
    /// It was given by hand, and never paid.
    case closeGift = "close-gift"
    case acknowledge
    /// The payment has no owner.
    case give
    case askApple = "ask-apple"

    package var english: String {
        switch self {
        case .close: "close the order; a payment that comes later opens it again"
        case .askApp:
            "have the app submit what its payment queue still holds; if that is nothing, close the "
                + "order: a payment that comes later opens it again"
        case .refusedEvidence:
            "evidence was submitted for it and refused, see the order: deliver nothing; close the "
                + "order: a payment that comes later opens it again"
        case .leave:
            "its payment belongs elsewhere or was refunded: deliver nothing, close the order"
        case .deliver:
            "have the app submit its evidence again; deliver the order manually only if a "
                + "statement shows the payment"
        case .settle: "check the payment, and settle the order by it"
        case .take: "check whose payment it is: the command takes it from the accounts that own it"
        case .finish:
            "have the app submit and finish the transaction, and report 'finished'; if it is gone, "
                + "close the order: what was delivered stays"
        case .closeGift:
            "close the order as a gift: what was given stays, and a payment of it still takes its "
                + "place"
        case .acknowledge: "check what the account still has, then close the order"
        case .give: "find out whose it is, and give it to that account"
        case .askApple: "check why Apple does not answer; it is asked again by itself"
        }
    }
}

/// Why a client may, or may not, finish a transaction (spec 1.8).
package enum FinishReason: String, CaseIterable, ModelText, Sendable {
    /// The account that handed it in has it.
    case delivered
    /// It is durable, without a claim.
    case recorded
    /// It is durable, and belongs to another account: it can be presented again from the ledger.
    case claimRefused = "claim-refused"
    /// It has no effect until a person has examined it.
    case quarantined

    package var mayFinish: Bool { self != .quarantined }

    package var english: String {
        switch self {
        case .delivered: "the transaction is recorded, and the account owns the purchase"
        case .recorded: "the transaction is recorded; no account was to get it"
        case .claimRefused: "the transaction is recorded; the purchase belongs to another account"
        case .quarantined:
            "the transaction has no effect until a person has looked at it: do not finish it"
        }
    }
}
