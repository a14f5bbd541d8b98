internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

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

    /// Evidence was handed in for an order that it cannot pay.
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
