internal import EntitlementModel
package import HistoryComparison

extension Coverage {
    /// From this many scripts on, all of `expectedOfOrders` must have been visited.
    package static let meaningfulScripts = 10_000

    /// What scripts of orders must visit for a run to mean anything.
    package static let expectedOfOrders: Set<String> = {
        var places: Set<String> = []
        for state in OrderState.allCases { places.insert("order \(state.rawValue)") }
        for kind in OrderEventKind.allCases { places.insert("order event \(kind.rawValue)") }
        for basis in OrderMatchBasis.allCases {
            places.insert("order matched by \(basis.rawValue)")
        }
        for difference in OrderDifference.allCases {
            places.insert("order differs in \(difference.rawValue)")
        }
        for state in [OrderState.cancelled, .failed, .abandoned] {
            places.insert("late payment of a \(state.rawValue) order")
        }
        let codes = [
            "blocked", "conflict", "has-payment", "quantity", "state", "transaction", "unknown",
        ]
        places.formUnion(codes.map { "order rejected: order.\($0)" })
        places.formUnion(
            ["unknown", "owner", "payment"].map { "order named with evidence: order.\($0)" })
        places.formUnion([
            "order made", "order in flight", "order named with evidence",
            "order named with a receipt", "order report again", "order report that is not legal",
            "order settled again", "order settled by another's payment",
            "order settled by a payment", "order settled by a gift", "order ruling undone",
            "order of a merged account paid", "order histories with a merge",
            "order histories with a balance", "order not paid by a renewal or a family's copy",
            "orders tied", "an order tied alone", "late payment in review",
            "payment without an order", "payment of what was given",
            "gift that goes when it is delivered", "refund before delivery",
            "second payment of a consumable", "second payment in review",
            "order key of an order in flight", "order delivered by what moved",
            "order ruling undone: settled", "order ruling undone: refused",
            "order ruling undone: reassigned", "gift settled by its payment",
            "order whose token comes with another environment",
            "payment moved to the order that names it", "payment moved from the order of another",
            "order whose plan was changed back", "order of a renewal switched on again",
            "order for what is there already", "first purchase of a line that came last",
            "order made after its payment", "payment of one account, order of another",
            "payment of who reported it",
        ])
        return places
    }()
}
