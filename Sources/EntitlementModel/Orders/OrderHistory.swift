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
        events.last { $0.value.kind == .paid || $0.value.kind == .settled }?.value.transaction
    }

    /// The transactions that clients have named for it.
    package var reportedTransactions: Set<TransactionKey> {
        Set(events.filter { $0.value.kind.isReport }.compactMap(\.value.transaction))
    }

    /// What a person gave for it, and nobody has taken back.
    package var grants: [GrantID] {
        let last = events.last { [.settled, .undone, .paid].contains($0.value.kind) }
        return last?.value.kind == .settled ? last?.value.grants ?? [] : []
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
