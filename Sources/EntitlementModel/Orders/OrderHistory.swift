/// An order and everything that happened to it, in the ledger's order.
package struct OrderHistory: Hashable, Sendable {
    package var order: Recorded<Order>
    package var events: [Recorded<OrderEvent>]

    package init(order: Recorded<Order>, events: [Recorded<OrderEvent>] = []) {
        self.order = order
        self.events = events
    }

    package var id: OrderID { order.value.id }

    /// Whose it is now.
    package var account: AccountID {
        events.last { $0.value.account != nil }?.value.account ?? order.value.account
    }

    /// Without regard to time.
    package var recordedState: OrderState { events.last?.value.state ?? .created }

    /// When it last changed.
    package var changedAt: Instant { events.last?.recordedAt ?? order.recordedAt }

    /// What pays it.
    package var payment: TransactionKey? {
        let paid = events.last { event in
            (event.value.kind == .paid || event.value.kind == .settled)
                && event.value.transaction != nil
        }
        return paid?.value.transaction
    }

    /// The transactions that clients have named for it.
    package var reportedTransactions: Set<TransactionKey> {
        Set(events.filter { $0.value.kind.isReport }.compactMap(\.value.transaction))
    }

    /// What a person gave for it, and nobody has taken back or paid.
    package var grants: [GrantID] {
        let last = events.last { [.settled, .undone, .delivered].contains($0.value.kind) }
        return last?.value.kind == .settled ? last?.value.grants ?? [] : []
    }

    /// Where it stood before its payment was refunded.
    package var stateBeforeRefund: OrderState {
        guard let refund = events.lastIndex(where: { $0.value.kind == .refunded }), refund > 0
        else { return .paid }
        return events[refund - 1].value.state
    }

    /// Whether a person gave what it is for, and no payment is known: one takes the gift's place.
    package var isGift: Bool {
        payment == nil && (recordedState == .delivered || recordedState == .finished)
    }

    /// Where it stands at an instant.
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
