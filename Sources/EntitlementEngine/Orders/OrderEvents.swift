internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// What a client says of an order.
package struct OrderEventRequest: Hashable, Sendable {
    package var order: OrderID
    /// One of `OrderEventKind.reports`.
    package var kind: OrderEventKind
    /// Apps often know the id before they have a receipt. It decides which payment is the
    /// order's.
    package var transaction: TransactionID?
    package var storeCode: String?
    package var actor: String

    package init(
        order: OrderID, kind: OrderEventKind, transaction: TransactionID? = nil,
        storeCode: String? = nil, actor: String
    ) {
        self.order = order
        self.kind = kind
        self.transaction = transaction
        self.storeCode = storeCode
        self.actor = actor
    }
}

/// What a person does with an order.
package enum OrderRuling: Hashable, Sendable {
    /// It is delivered: by this payment, or, without one, as a gift until it is paid.
    case settle(TransactionID?)
    case refuse
    case reassign(AccountID)
    /// Takes back the last ruling, as far as nothing happened since.
    case undo
}

extension EntitlementEngine {
    /// Records what a client says of an order. The same report again is answered as the first
    /// time.
    package func report(_ request: OrderEventRequest) async throws(EngineError) -> OrderReport {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            try ledger.report(request)
        }
    }

    /// Does what a person says about an order (spec 1.8).
    package func rule(
        on order: OrderID, _ ruling: OrderRuling, _ cause: AdminActionCause
    ) async throws(EngineError) -> OrderReport {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            try ledger.rule(on: order, ruling, cause)
        }
    }
}

extension EngineTransaction {
    /// How much can happen to one order: beyond that it is no client that reports.
    private static let mostEvents = 200

    fileprivate typealias Outcome = (value: OrderReport, touched: Set<AccountID>)

    fileprivate func report(_ request: OrderEventRequest) throws(LedgerError) -> Outcome {
        guard let history = try transaction.order(request.order) else {
            return (.rejected(.unknown), [])
        }
        let environment = history.order.value.environment
        let named = request.transaction.map { TransactionKey(environment, $0) }
        if history.hasReport(since: history.lastRuling, request, named) {
            return (.done(history), [])
        }
        let state = self.orders.candidate(history).state
        guard request.kind.isReport, history.events.count < Self.mostEvents,
            let after = state.after(request.kind)
        else {
            // What a client said before a person ruled, it may repeat after it.
            let isRepeated = history.hasReport(since: 0, request, named)
            return (
                isRepeated ? .done(history) : .rejected(.state(state, legal: state.reports)), []
            )
        }
        if let named,
            try self.orders.isFull(ofReports: named, account: standing(for: history.account))
        {
            return (.rejected(.tooManyReported), [])
        }
        var orders = OrderLedger(self)
        _ = try orders.append(
            OrderEvent(
                order: history.id, kind: request.kind, state: after, transaction: named,
                storeCode: request.storeCode, actor: request.actor), to: history)
        if let named { try settle(named, for: self.orders.owner(of: history), &orders) }
        guard let told = try transaction.order(request.order) else {
            return (.rejected(.unknown), [])
        }
        return (.done(told), orders.touched)
    }

    /// The payment may have come before the report that names it.
    private func settle(
        _ payment: TransactionKey, for account: AccountID, _ orders: inout OrderLedger
    ) throws(LedgerError) {
        guard try transaction.lineage(of: payment) != nil else { return }
        let facts = try transaction.facts(forClaimsOn: [payment], by: [])
        try orders.settle(
            policy.deriver.payments(of: [payment], facts),
            claimant: account)
    }
}

extension OrderHistory {
    /// Where the events after the last ruling begin: with one, a new attempt may begin.
    fileprivate var lastRuling: Int {
        (events.lastIndex { OrderEventKind.rulings.contains($0.value.kind) } ?? -1) + 1
    }

    /// Whether the same was said, from that event on.
    fileprivate func hasReport(
        since start: Int, _ request: OrderEventRequest, _ named: TransactionKey?
    ) -> Bool {
        events[start...].contains { $0.value.says(request, named) }
    }
}

extension OrderEvent {
    fileprivate func says(_ request: OrderEventRequest, _ named: TransactionKey?) -> Bool {
        kind == request.kind && transaction == named && storeCode == request.storeCode
    }
}
