internal import EntitlementModel

/// The transitions of docs/ORDERS.md, as they stand there: a row for each state, a column for each
/// event, and where both lead; `-` cannot happen. The column of `undone` is empty.
struct OrderTable: Sendable {
    private var after: [OrderState: [OrderEventKind: OrderState]] = [:]

    static let ofTheManual = OrderTable(reports, others, rulings)

    private static let reports = """
        state       paying cancelled failed deferred not-allowed no-receipt already-owned finished
        created     paying cancelled failed deferred not-allowed no-receipt finished created
        paying      paying cancelled failed deferred not-allowed no-receipt finished paying
        paid        -      -         -      -        -           -          -        paid
        delivered   -      -         -      -        -           -          -        finished
        finished    -      -         -      -        -           -          -        finished
        deferred    paying cancelled failed deferred -           no-receipt finished deferred
        not-allowed paying cancelled failed -        not-allowed -          finished -
        cancelled   -      cancelled -      -        -           -          finished cancelled
        failed      paying -         failed -        -           no-receipt finished failed
        no-receipt  paying cancelled failed deferred -           no-receipt finished no-receipt
        scheduled   scheduled scheduled scheduled scheduled - scheduled scheduled scheduled
        abandoned   paying cancelled failed deferred not-allowed no-receipt finished paying
        review      -      -         -      -        -           -          -        review
        refunded    -      -         -      -        -           -          -        -
        """

    private static let others = """
        state       paid delivered tied   refunded refund-reversed called-back scheduled changed-back
        created     paid -         review -        -               -         scheduled -
        paying      paid -         review -        -               -         scheduled -
        paid        -    delivered -      refunded -               paid      -         -
        delivered   paid -         -      refunded -               delivered -         -
        finished    paid -         -      refunded -               -         -         -
        deferred    paid -         review -        -               -         scheduled -
        not-allowed paid -         review -        -               -         -         -
        cancelled   paid -         review -        -               -         -         -
        failed      paid -         review -        -               -         -         -
        no-receipt  paid -         review -        -               -         scheduled -
        scheduled   paid -         review -        -               -         -         abandoned
        abandoned   paid -         review -        -               -         scheduled -
        review      paid -         -      -        -               -         -         -
        refunded    -    -         -      refunded delivered       -         -         -
        """

    private static let rulings = """
        state       settled   refused   reassigned
        created     delivered cancelled created
        paying      delivered cancelled paying
        paid        delivered cancelled paid
        delivered   -         finished  -
        finished    -         -         -
        deferred    delivered cancelled deferred
        not-allowed delivered cancelled not-allowed
        cancelled   delivered cancelled cancelled
        failed      delivered cancelled failed
        no-receipt  delivered cancelled no-receipt
        scheduled   delivered cancelled scheduled
        abandoned   delivered cancelled created
        review      delivered cancelled review
        refunded    -         refunded  -
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
