/// The state of an order (spec 1.8).
package enum OrderState: String, CaseIterable, Hashable, Sendable {
    case created
    case paying
    /// A verified transaction is matched with it, whose claim was not accepted.
    case paid
    case delivered
    case finished
    /// Ask to Buy: another person has to approve.
    case deferred
    /// Payments are switched off on the device.
    case notAllowed = "not-allowed"
    /// By the client, or refused by a person.
    case cancelled
    case failed
    /// Bought, but the device has no receipt yet.
    case noReceipt = "no-receipt"
    /// A change of plan, as Apple says: the renewal pays it.
    case scheduled
    /// Neither paid nor given up within `pay_within`: derived at an instant. Recorded only of a
    /// change of plan that was taken back.
    case abandoned
    /// A person has to decide which payment belongs to which order.
    case review
    case refunded
}

/// The events of an order.
package enum OrderEventKind: String, CaseIterable, Hashable, Sendable {
    /// What clients report.
    case paying
    case cancelled
    case failed
    case deferred
    case notAllowed = "not-allowed"
    case noReceipt = "no-receipt"
    /// The customer has it already: nothing will be charged.
    case alreadyOwned = "already-owned"
    case finished
    /// What evidence says.
    case paid
    case delivered
    case tied
    case refunded
    case refundReversed = "refund-reversed"
    /// A client has submitted the evidence of a payment that was known from Apple only.
    case calledBack = "called-back"
    /// The subscription will renew as ordered, or will not any more.
    case scheduled
    case changedBack = "changed-back"
    /// A payment that may be the order's is known, and is not: of another account, or of another
    /// environment.
    case seen
    /// The payment has taken a place of its own, at another order.
    case paymentMoved = "payment-moved"
    /// What people rule.
    case settled
    case refused
    case reassigned
    case undone

    /// The events that clients may report.
    package static let reports: [OrderEventKind] = [
        .paying, .cancelled, .failed, .deferred, .notAllowed, .noReceipt, .alreadyOwned,
        .finished,
    ]

    package var isReport: Bool { Self.reports.contains(self) }

    /// What people rule.
    package static let rulings: [OrderEventKind] = [.settled, .refused, .reassigned, .undone]
}

/// The legal transitions. All others are rejected.
extension OrderState {
    /// Open orders wait for a payment.
    package var isOpen: Bool {
        switch self {
        case .created, .paying, .deferred, .noReceipt, .scheduled: true
        case .paid, .delivered, .finished, .notAllowed, .cancelled, .failed, .abandoned, .review,
            .refunded:
            false
        }
    }

    /// Closed without a payment, by a person, the client or by time; a late payment reopens them.
    package var isReopenable: Bool {
        switch self {
        case .cancelled, .failed, .abandoned, .notAllowed: true
        case .created, .paying, .paid, .delivered, .finished, .deferred, .noReceipt, .scheduled,
            .review, .refunded:
            false
        }
    }

    /// Whether a payment belongs to the order.
    package var isPaid: Bool {
        switch self {
        case .paid, .delivered, .finished, .refunded: true
        case .created, .paying, .deferred, .notAllowed, .cancelled, .failed, .noReceipt,
            .scheduled, .abandoned, .review:
            false
        }
    }

    /// The state after the event; nil if the event is not legal. Events that restore an earlier
    /// state, or change none, are not included.
    package func after(_ event: OrderEventKind) -> OrderState? {
        switch event {
        case .paying, .cancelled, .failed, .deferred, .notAllowed, .noReceipt, .alreadyOwned,
            .finished:
            after(report: event)
        case .settled, .refused, .reassigned: after(ruling: event)
        case .paid:
            // A payment of what a person has given takes the place of the gift.
            isOpen || isReopenable || self == .review || self == .delivered || self == .finished
                ? .paid : nil
        case .delivered: self == .paid ? .delivered : nil
        case .tied: isOpen || isReopenable ? .review : nil
        case .refunded: isPaid ? .refunded : nil
        case .refundReversed: self == .refunded ? .delivered : nil
        case .calledBack: self == .paid || self == .delivered ? self : nil
        case .scheduled:
            self != .scheduled && isOpen || self == .abandoned ? .scheduled : nil
        case .changedBack: self == .scheduled ? .abandoned : nil
        case .seen, .paymentMoved, .undone: nil
        }
    }

    private func after(report: OrderEventKind) -> OrderState? {
        // What Apple says of a change of plan stays true, whatever a client says of it.
        if self == .scheduled { return report == .notAllowed ? nil : .scheduled }
        return switch report {
        case .paying:
            isOpen || self == .abandoned || self == .failed || self == .notAllowed ? .paying : nil
        case .cancelled:
            isOpen || self == .abandoned || self == .notAllowed || self == .cancelled
                ? .cancelled : nil
        case .failed:
            isOpen || self == .abandoned || self == .notAllowed || self == .failed ? .failed : nil
        case .deferred: isOpen || self == .abandoned ? .deferred : nil
        case .notAllowed:
            self == .created || self == .paying || self == .abandoned || self == .notAllowed
                ? .notAllowed : nil
        case .noReceipt: isOpen || self == .abandoned || self == .failed ? .noReceipt : nil
        case .alreadyOwned: isOpen || isReopenable ? .finished : nil
        default: afterFinishing
        }
    }

    /// A client finishes its transactions, known to the ledger or not.
    private var afterFinishing: OrderState? {
        switch self {
        case .delivered, .finished: .finished
        case .abandoned: .paying
        case .created, .paying, .paid, .deferred, .noReceipt, .scheduled, .failed, .cancelled,
            .review:
            self
        case .notAllowed, .refunded: nil
        }
    }

    private func after(ruling: OrderEventKind) -> OrderState? {
        switch ruling {
        case .settled: isOpen || isReopenable || self == .review || self == .paid ? .delivered : nil
        case .refused:
            switch self {
            // Of a refund, a person takes note; what Apple says of it still counts.
            case .refunded: .refunded
            // A delivered order stays: no client is waited for.
            case .delivered: .finished
            case .finished: nil
            case .paid, .review: .cancelled
            case .created, .paying, .deferred, .noReceipt, .scheduled, .notAllowed, .cancelled,
                .failed, .abandoned:
                .cancelled
            }
        default:
            // The new account may pay it.
            if self == .abandoned {
                .created
            } else {
                isOpen || isReopenable || self == .review || self == .paid ? self : nil
            }
        }
    }

    /// The events that can happen to an order in this state.
    package var events: [OrderEventKind] {
        OrderEventKind.allCases.filter { after($0) != nil }
    }

    /// The reports that a client may send, for an answer that rejects another one.
    package var reports: [OrderEventKind] { events.filter(\.isReport) }

    /// The same for rulings.
    package var rulings: [OrderEventKind] { OrderEventKind.rulings.filter { after($0) != nil } }
}
