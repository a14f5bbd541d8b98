internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// A client's report on an order.
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

/// A person's ruling on an order.
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
        try await commit(calledAt: clock.now(), meant: cause.intent) {
            ledger throws(LedgerError) in
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
            // A report from before a ruling may be repeated after it.
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
    /// The start of the events after the last ruling, which allows a new attempt.
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

/// Orders that nothing is charged for now: a change of plan, which the renewal pays, and what the
/// customer has already (spec 1.8).
extension OrderLedger {
    /// What Apple's newest word on these subscriptions means for the orders of their owners.
    mutating func followPlans(
        of lineages: [LineageKey], _ facts: FactSet
    ) throws(LedgerError) {
        for plan in commit.policy.deriver.plannedRenewals(of: Set(lineages), facts) {
            for owner in plan.owners {
                for candidate in try commit.orders.waiting(of: owner, since: plan.start) {
                    try follow(candidate, plan)
                }
            }
        }
    }

    private mutating func follow(
        _ candidate: OrderCandidate, _ plan: PlannedRenewal
    ) throws(LedgerError) {
        let (history, state) = (candidate.history, candidate.state)
        var event = OrderEvent(order: history.id, kind: .scheduled, state: state, actor: actor)
        if state == .scheduled {
            guard try line(of: history) == plan.lineage,
                plan.product != history.order.value.product,
                plan.next != history.order.value.product
            else { return }
            event.kind = .changedBack
        } else if plan.schedules(history.order) {
            event.transaction = plan.transaction
        } else if plan.restores(history.order) {
            event.kind = .alreadyOwned
        } else {
            return
        }
        guard let after = state.after(event.kind) else { return }
        event.state = after
        _ = try append(event, to: history)
    }

    /// The subscription whose plan is going to change as ordered.
    private func line(of order: OrderHistory) throws(LedgerError) -> LineageKey? {
        let scheduled = order.events.last {
            $0.value.kind == .scheduled && $0.value.transaction != nil
        }
        guard let transaction = scheduled?.value.transaction else { return nil }
        return try ledger.lineage(of: transaction)
    }

    /// Evidence was submitted for an order that it cannot pay.
    ///
    /// - Returns: whether the customer has that already, or will have it by the renewal.
    mutating func isThere(
        _ id: OrderID, by payments: [OrderPayment], for claimant: AccountID
    ) throws(LedgerError) -> Bool {
        guard let history = try ledger.order(id) else { return false }
        if history.recordedState == .scheduled {
            let line = try line(of: history)
            return payments.contains { line.map(OwnedUnit.lineage) == $0.unit }
        }
        let order = history.order.value
        let isHeld = payments.contains { payment in
            guard case .lineage = payment.unit else { return false }
            return payment.product == order.product && !payment.isRevoked
                && payment.transaction.environment == order.environment
                && payment.owners.contains(claimant)
                && payment.expires.map { commit.now < $0 } ?? true
        }
        guard isHeld, let after = commit.orders.candidate(history).state.after(.alreadyOwned)
        else { return false }
        _ = try append(
            OrderEvent(order: id, kind: .alreadyOwned, state: after, actor: actor), to: history)
        return true
    }
}
