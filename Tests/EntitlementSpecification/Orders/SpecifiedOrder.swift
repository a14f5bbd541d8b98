package import EntitlementModel

/// An order and what happened to it, by the rules of spec 1.8.
package struct SpecifiedOrder: Sendable {
    package let id: OrderID
    /// For whom it was made.
    package let account: AccountID
    package let environment: StoreEnvironment
    package let product: ProductID
    package let quantity: Int64
    package let appleID: AppleIDKey?
    package let price: Price?
    /// The caller and the key that the caller gave.
    package let key: SpecifiedOrderKey?
    /// The order whose token the payment carried, for one that was made for a second payment.
    package let parent: OrderID?
    package let madeAt: Instant
    /// The policy under which it was made: its time limits hold, and what its products give.
    package let policy: Policy
    package internal(set) var events: [SpecifiedOrderEvent] = []
}

/// An idempotency key is of the caller that uses it.
package struct SpecifiedOrderKey: Hashable, Sendable {
    package var text: String
    package var caller: String

    package init(text: String, caller: String) {
        (self.text, self.caller) = (text, caller)
    }
}

/// Something that happened to an order.
package struct SpecifiedOrderEvent: Hashable, Sendable {
    package var kind: OrderEventKind
    /// Where the order stands after it.
    package var state: OrderState
    package var at: Instant
    package var transaction: TransactionKey?
    package var storeCode: String?
    package var basis: OrderMatchBasis?
    /// The orders that the payment was compared with.
    package var compared: Set<OrderComparison> = []
    package var differences: Set<OrderDifference> = []
    /// Who has it from then on.
    package var account: AccountID?
    /// Who has handed in what is another account's order's.
    package var presenter: AccountID?
    /// For `settled`: a person gave it without a payment.
    package var isGift = false
    /// For `paid`: Apple has told of the payment, and no client has handed it in.
    package var isFromApple = false
    /// For `settled`: the change by which the purchase came to the order's account.
    package var transfer: Recorded<OwnershipDecision>?

    package init(kind: OrderEventKind, state: OrderState, at: Instant) {
        (self.kind, self.state, self.at) = (kind, state, at)
    }
}

extension SpecifiedOrder {
    /// Whose it is, merges aside.
    package var lastAccount: AccountID { standing.compactMap(\.account).last ?? account }

    package var lastState: OrderState { events.last?.state ?? .created }

    package var changedAt: Instant { acting.last?.at ?? madeAt }

    /// What is only seen changes nothing.
    var acting: [SpecifiedOrderEvent] { events.filter { $0.kind != .seen } }

    /// An order that is created or paying, and did not change for `pay_within`, is abandoned.
    package func state(at instant: Instant) -> OrderState {
        guard [.created, .paying].contains(lastState), let deadline, deadline <= instant
        else { return lastState }
        return .abandoned
    }

    /// When it is abandoned unless something happens.
    package var deadline: Instant? {
        guard [.created, .paying].contains(lastState) else { return nil }
        return policy.orders.payWithin.end(from: changedAt)
    }

    /// What pays it: evidence has said so, or a person.
    package var payment: TransactionKey? {
        paidBy.flatMap { $0.kind == .paymentMoved ? nil : $0.transaction }
    }

    /// How it was found to be the order's.
    var basis: OrderMatchBasis? { payment == nil ? nil : paidBy?.basis }

    private var paidBy: SpecifiedOrderEvent? {
        standing.last {
            [.paid, .settled, .paymentMoved].contains($0.kind) && $0.transaction != nil
        }
    }

    /// As it was before what pays it.
    var beforePayment: SpecifiedOrder {
        let place = events.lastIndex {
            [.paid, .settled].contains($0.kind) && $0.transaction == payment
        }
        var before = self
        before.events.removeSubrange((place ?? 0)...)
        return before
    }

    /// A person has had to do with it.
    var isRuled: Bool {
        events.contains { [.settled, .refused, .reassigned, .undone].contains($0.kind) }
    }

    /// What a person gave, and where the order stood before.
    var gift: (givenAt: Instant, before: SpecifiedOrder)? {
        guard isGivenOnly, let place = events.lastIndex(where: \.isGift) else { return nil }
        var before = self
        before.events.removeSubrange(place...)
        return (events[place].at, before)
    }

    /// The customer has it already, so nobody pays.
    var endedWithoutPayment: Bool { lastState == .finished && payment == nil && !hasGift }

    /// It was told already that this payment is not its own.
    func hasSeen(_ payment: SpecifiedPayment) -> Bool {
        events.contains { $0.kind == .seen && payment.includes($0.transaction) }
    }

    /// What has not been taken back: `undone` takes back the ruling right before it.
    private var standing: [SpecifiedOrderEvent] {
        var standing: [SpecifiedOrderEvent] = []
        for event in acting {
            if event.kind == .undone { standing.removeLast() } else { standing.append(event) }
        }
        return standing
    }

    /// Apple has told of its payment; no client has come back since, and no person has settled it.
    package var isFromApple: Bool {
        let telling = events.last { event in
            [.paid, .finished, .calledBack].contains(event.kind)
                || event.kind == .settled && !event.isGift
        }
        return telling?.isFromApple ?? false
    }

    /// Whether a person gave what it is for and no payment has been delivered in its place.
    package var hasGift: Bool {
        guard let given = standing.lastIndex(where: \.isGift) else { return false }
        return !standing[given...].contains { event in
            event.kind == .delivered || event.kind == .settled && !event.isGift
        }
    }

    /// Given by hand and not yet paid.
    var isGivenOnly: Bool { hasGift && payment == nil }

    /// A person has to say whether this payment is the order's.
    func waits(for payment: SpecifiedPayment) -> Bool {
        lastState == .review
            && events.contains { $0.kind == .tied && payment.includes($0.transaction) }
    }

    func isReported(for payment: SpecifiedPayment) -> Bool {
        events.contains {
            OrderEventKind.reports.contains($0.kind) && payment.includes($0.transaction)
        }
    }

    func isPaid(by payment: SpecifiedPayment) -> Bool { payment.includes(self.payment) }
}

// Where each event found it.
extension SpecifiedOrder {
    /// A payment came when the order was closed.
    package var wasReopened: Bool {
        events.indices.contains { place in
            events[place].kind == .paid
                && [.cancelled, .failed, .abandoned].contains(stateBefore(place))
        }
    }

    private func stateBefore(_ place: Int) -> OrderState {
        var before = self
        before.events.removeSubrange(place...)
        return before.state(at: events[place].at)
    }

    /// Whether each event can happen where the ones before it have brought the order, and leads
    /// where it must.
    package func isLegal(with events: [SpecifiedOrderEvent]) -> Bool {
        let isSeenInPlace = events.indices.allSatisfy { place in
            events[place].kind != .seen
                || events[place].state == (place > 0 ? events[place - 1].state : .created)
        }
        var order = self
        order.events = events
        order.events = order.acting
        let events = order.events
        return isSeenInPlace
            && events.indices.allSatisfy { place in
                let (event, state) = (events[place], order.stateBefore(place))
                switch event.kind {
                case .refundReversed:
                    let refund = events[..<place].lastIndex { $0.kind == .refunded }
                    return state == .refunded && refund.map { $0 > 0 } == true
                        && event.state == events[(refund ?? 1) - 1].state
                case .undone:
                    let before = place > 1 ? events[place - 2].state : .created
                    return place > 0
                        && [.settled, .refused, .reassigned].contains(events[place - 1].kind)
                        && event.state == before
                case .paymentMoved:
                    let paid = events[..<place].lastIndex {
                        $0.kind == .paid && $0.transaction == event.transaction
                    }
                    guard let paid else { return false }
                    return event.state == (paid > 0 ? events[paid - 1].state : .created)
                case .settled
                where [.delivered, .finished].contains(state) && event.transaction != nil:
                    return event.state == state
                case .delivered where event.state == .finished:
                    return state == .paid && events[..<place].contains { $0.kind == .finished }
                default:
                    return event.state == OrderTable.ofTheManual.state(after: event.kind, in: state)
                }
            }
    }
}
