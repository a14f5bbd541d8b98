internal import EntitlementModel

/// The transitions of docs/ORDERS.md, as they stand there: a row for each state, a column for each
/// event, and where both lead; `-` cannot happen. The column of `undone` is empty.
struct OrderTable: Sendable {
    private var after: [OrderState: [OrderEventKind: OrderState]] = [:]

    static let ofTheManual = OrderTable(reports, others)

    private static let reports = """
        state       paying cancelled failed deferred not-allowed no-receipt finished
        created     paying cancelled failed deferred not-allowed no-receipt -
        paying      paying cancelled failed deferred not-allowed no-receipt -
        paid        -      -         -      -        -           -          paid
        delivered   -      -         -      -        -           -          finished
        finished    -      -         -      -        -           -          finished
        deferred    paying cancelled failed deferred -           no-receipt -
        not-allowed paying cancelled failed -        not-allowed -          -
        cancelled   -      cancelled -      -        -           -          -
        failed      paying -         failed -        -           no-receipt -
        no-receipt  paying cancelled failed deferred -           no-receipt -
        abandoned   paying cancelled failed deferred not-allowed no-receipt -
        review      -      -         -      -        -           -          -
        refunded    -      -         -      -        -           -          -
        """

    private static let others = """
        state       paid delivered tied   refunded refund-reversed settled   refused   reassigned
        created     paid -         review -        -               delivered cancelled created
        paying      paid -         review -        -               delivered cancelled paying
        paid        -    delivered -      refunded -               delivered -         paid
        delivered   paid -         -      refunded -               -         -         -
        finished    paid -         -      refunded -               -         -         -
        deferred    paid -         review -        -               delivered cancelled deferred
        not-allowed paid -         review -        -               delivered cancelled not-allowed
        cancelled   paid -         review -        -               delivered cancelled cancelled
        failed      paid -         review -        -               delivered cancelled failed
        no-receipt  paid -         review -        -               delivered cancelled no-receipt
        abandoned   paid -         review -        -               delivered cancelled created
        review      paid -         -      -        -               delivered cancelled review
        refunded    -    -         -      refunded delivered       -         -         -
        """

    private init(_ tables: String...) {
        for table in tables {
            var rows = table.split(separator: "\n").map {
                $0.split(separator: " ").map(String.init)
            }
            let events = rows.removeFirst().dropFirst().compactMap(OrderEventKind.init(rawValue:))
            for row in rows {
                guard let state = OrderState(rawValue: row[0]) else { continue }
                for (event, word) in zip(events, row.dropFirst()) {
                    after[state, default: [:]][event] = OrderState(rawValue: word)
                }
            }
        }
        precondition(after.count == OrderState.allCases.count, "every state has a row")
    }

    /// Nil for what cannot happen.
    func state(after event: OrderEventKind, in state: OrderState) -> OrderState? {
        after[state]?[event]
    }

    /// What can happen, of these.
    func possible(_ events: [OrderEventKind], in state: OrderState) -> [OrderEventKind] {
        events.filter { self.state(after: $0, in: state) != nil }
    }
}
