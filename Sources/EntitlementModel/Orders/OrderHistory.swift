/// An order and everything that happened to it, in the ledger's order.
package struct OrderHistory: Hashable, Sendable {
    package var order: Recorded<Order>
    package var events: [Recorded<OrderEvent>]
    /// Evidence that was submitted for it and refused.
    package var refusals: [Recorded<EvidenceRefusal>]

    package init(
        order: Recorded<Order>, events: [Recorded<OrderEvent>] = [],
        refusals: [Recorded<EvidenceRefusal>] = []
    ) {
        self.order = order
        self.events = events
        self.refusals = refusals
    }

    package var id: OrderID { order.value.id }

    /// Whose it is now.
    package var account: AccountID {
        events.last { $0.value.account != nil }?.value.account ?? order.value.account
    }

    /// Without regard to time.
    package var recordedState: OrderState { events.last?.value.state ?? .created }

    /// When it last changed.
    package var changedAt: Instant {
        events.last { $0.value.kind != .seen }?.recordedAt ?? order.recordedAt
    }

    /// The sum of its events, regardless of time.
    package var standing: OrderStanding {
        var standing = OrderStanding(since: order.sequence)
        for event in events { standing.follow(event.value, at: event.sequence) }
        return standing
    }

    /// When that entry of it was recorded.
    package func recordedAt(_ sequence: LedgerSequence) -> Instant {
        events.first { $0.sequence == sequence }?.recordedAt ?? order.recordedAt
    }

    /// What pays it.
    package var payment: TransactionKey? {
        var (payment, before): (TransactionKey?, TransactionKey?) = (nil, nil)
        for event in events.map(\.value) {
            if OrderEventKind.rulings.contains(event.kind), event.kind != .undone {
                before = payment
            }
            switch event.kind {
            case .paid, .settled: payment = event.transaction ?? payment
            case .undone: payment = before
            case .paymentMoved: payment = nil
            default: break
            }
        }
        return payment
    }

    /// Until when a payment gets what the product gave when the order was made; nil where that
    /// is not promised.
    package func promisedUntil(_ settings: OrderSettings) -> Instant? {
        settings.promise?.end(from: order.recordedAt)
    }

    /// How what pays it was found to be its payment.
    package var paymentBasis: OrderMatchBasis? {
        payment.flatMap { key in events.last { $0.value.isPayment(key) }?.value.basis }
    }

    /// The event that another account has presented what pays it, or may be its payment; nil if a
    /// person has ruled since, or it was paid otherwise.
    package var presentedByOther: Recorded<OrderEvent>? {
        guard let place = events.lastIndex(where: { $0.value.presenter != nil }) else { return nil }
        let since = events[(place + 1)...].map(\.value.kind)
        let isOver = since.contains {
            $0 == .paid || $0 == .paymentMoved || $0 == .refunded
                || OrderEventKind.rulings.contains($0)
        }
        return isOver ? nil : events[place]
    }

    /// Whether a person has ruled on it, though it was undone.
    package var isRuled: Bool {
        events.contains { OrderEventKind.rulings.contains($0.value.kind) }
    }

    /// It as it was before its payment.
    package var beforePayment: OrderHistory {
        guard let payment,
            let paid = events.lastIndex(where: { $0.value.isPayment(payment) })
        else { return self }
        return OrderHistory(order: order, events: Array(events[..<paid]))
    }

    /// What its payment says otherwise than the order.
    package var differences: [OrderDifference] {
        guard let payment else { return [] }
        return events.last { $0.value.isPayment(payment) }?.value.differences ?? []
    }

    /// The event that a person can take back: the last one, where it is a ruling and nothing
    /// else followed from it. A payment that took a gift's place has ended the gift.
    package var undoable: Recorded<OrderEvent>? {
        guard let last = events.last(where: { $0.value.kind != .seen }) else { return nil }
        switch last.value.kind {
        case .refused, .reassigned: return last
        case .settled where last.value.transaction == nil: return last
        case .settled: return before.grants.isEmpty ? last : nil
        default: return nil
        }
    }

    /// Without its last event, and later sightings.
    package var before: OrderHistory {
        let last = events.lastIndex { $0.value.kind != .seen } ?? 0
        return OrderHistory(order: order, events: Array(events.prefix(last)))
    }

    /// The transactions that clients have named for it.
    package var reportedTransactions: Set<TransactionKey> {
        Set(events.filter { $0.value.kind.isReport }.compactMap(\.value.transaction))
    }

    /// A person's grants for it that were neither taken back nor paid.
    package var grants: [GrantID] {
        var (grants, last): ([GrantID], OrderEventKind?) = ([], nil)
        for event in events where event.value.kind != .seen {
            switch event.value.kind {
            case .settled: grants = event.value.grants
            case .delivered: grants = []
            case .undone where last == .settled: grants = []
            default: break
            }
            last = event.value.kind
        }
        return grants
    }

    /// When a person gave its content, and the order before that; nil if not.
    package var gift: (givenAt: Instant, before: OrderHistory)? {
        guard isGift,
            let given = events.lastIndex(where: { !$0.value.grants.isEmpty })
        else { return nil }
        let before = OrderHistory(order: order, events: Array(events[..<given]))
        return (events[given].recordedAt, before)
    }

    /// It ended without a payment, because the customer has it already.
    package var endedWithoutPayment: Bool {
        payment == nil && recordedState == .finished && !isGift
    }

    /// Its state before its payment was refunded.
    package var stateBeforeRefund: OrderState {
        guard let refund = events.lastIndex(where: { $0.value.kind == .refunded }), refund > 0
        else { return .paid }
        return events[refund - 1].value.state
    }

    /// Whether a person gave what it is for, and no payment is known: one takes the gift's place.
    package var isGift: Bool {
        payment == nil && !grants.isEmpty
            && (recordedState == .delivered || recordedState == .finished)
    }

    /// Its state at an instant.
    ///
    /// - Parameter settings: of the policy under which it was made.
    package func state(at instant: Instant, _ settings: OrderSettings) -> OrderState {
        let state = recordedState
        guard state == .created || state == .paying,
            instant >= settings.payWithin.end(from: changedAt)
        else { return state }
        return .abandoned
    }
}

extension OrderEvent {
    fileprivate func isPayment(_ key: TransactionKey) -> Bool {
        (kind == .paid || kind == .settled) && transaction == key
    }
}
