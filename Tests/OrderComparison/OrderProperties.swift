internal import EntitlementModel
internal import EntitlementSpecification
internal import HistoryComparison

/// What is held over every script beside the specification.
package let orderPropertiesChecked = [
    "orders: an order is where a legal transition has brought it",
    "orders: a payment belongs to one order at most",
    "orders: a payment is delivered once at most",
    "orders: what was bought has one owner at most",
]

func orderProperties(of playback: OrderPlayback) -> [Disagreement] {
    let specification = playback.specification()
    let held = [
        playback.specified.orders.allSatisfy { order in
            order.isLegal(with: playback.recorded[order.id]?.events.map(\.asSpecified) ?? [])
        },
        isOnce(playback, specification) { $0.payment.map { [$0] } ?? [] },
        isOnce(playback, specification) { history in
            // What was undone right away is delivered no longer.
            history.events.indices.filter { place in
                let event = history.events[place].value
                let next = place + 1 < history.events.count ? history.events[place + 1].value : nil
                // What has moved on since is the other order's.
                let isMoved = history.events[place...].contains {
                    $0.value.kind == .paymentMoved && $0.value.transaction == event.transaction
                }
                if isMoved { return false }
                return event.kind == .delivered
                    || event.kind == .settled && event.transaction != nil && next?.kind != .undone
            }.compactMap { history.events[$0].value.transaction }
        },
        specification.units.allSatisfy { specification.lastOwners(of: $0).count <= 1 },
    ]
    return zip(orderPropertiesChecked, held).compactMap { property, holds in
        holds ? nil : Disagreement(property, derived: "does not hold", specified: "holds")
    }
}

/// Whether no purchase occurs twice, in one order or in two.
private func isOnce(
    _ playback: OrderPlayback, _ specification: Specification,
    _ transactions: (OrderHistory) -> [TransactionKey]
) -> Bool {
    let named = playback.recorded.values.flatMap(transactions).compactMap {
        specification.payment($0)?.name
    }
    return Set(named).count == named.count
}

extension Recorded<OrderEvent> {
    /// What a transition is told by.
    fileprivate var asSpecified: SpecifiedOrderEvent {
        var event = SpecifiedOrderEvent(kind: value.kind, state: value.state, at: recordedAt)
        event.transaction = value.transaction
        return event
    }
}
