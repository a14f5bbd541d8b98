package import EntitlementModel

/// What people rule on orders (spec 1.8, docs/ORDERS.md).
extension SpecifiedOrders {
    /// A person settles an order by a payment, which gives the purchase to the order's account.
    ///
    /// - Parameters:
    ///   - before: the facts without the ruling.
    ///   - after: the facts, the ruling among them.
    package mutating func settle(
        _ id: OrderID, by transaction: TransactionID, before: Specification,
        after: Specification, at now: Instant
    ) -> Outcome {
        guard let order = order(id) else { return .rejected("order.unknown") }
        let state = order.state(at: now)
        let illegal = illegal(order, at: now)
        let isLegal = order.isGivenOnly || table.state(after: .settled, in: state) != nil
        let payment = before.payment(TransactionKey(order.environment, transaction))
        guard let payment, payment.paysOrders, !payment.isRevoked else {
            return isLegal ? .rejected("order.transaction") : illegal
        }
        if order.isPaid(by: payment), order.lastState != .paid {
            visits.insert("order settled again")
            return .done(id)
        }
        guard isLegal else { return illegal }
        if orders.contains(where: { $0.id != id && $0.isPaid(by: payment) }) {
            visits.insert("order settled by another's payment")
            return .rejected("order.transaction")
        }
        visits.insert("order settled by a payment")
        let isOwned = payment.owners.contains(before.account(standingFor: order.lastAccount))
        if order.isGivenOnly { visits.insert("gift settled by its payment") }
        happen(.settled, to: id, at: now, in: order.isGivenOnly ? state : nil) { event in
            event.transaction = payment.name
            event.basis = .person
            event.differences = payment.differences(from: order)
            event.transfer = isOwned ? nil : after.changes(of: payment.unit).last
        }
        return .done(id)
    }

    /// A person gives what the product gives, until the order is paid and delivered.
    package mutating func give(_ id: OrderID, at now: Instant) -> Outcome {
        guard let order = order(id) else { return .rejected("order.unknown") }
        let state = order.state(at: now)
        if order.isGivenOnly {
            visits.insert("order settled again")
            return .done(id)
        }
        guard table.state(after: .settled, in: state) != nil else {
            return illegal(order, at: now)
        }
        guard order.payment == nil, state != .review else {
            return .rejected("order.has-payment")
        }
        guard let product = order.policy.products[order.product], !product.grants.isEmpty else {
            return .rejected("order.nothing-to-give")
        }
        visits.insert("order settled by a gift")
        happen(.settled, to: id, at: now) { event in
            event.basis = .person
            event.isGift = true
        }
        return .done(id)
    }

    package mutating func refuse(_ id: OrderID, at now: Instant) -> Outcome {
        guard let order = order(id) else { return .rejected("order.unknown") }
        let illegal = illegal(order, at: now)
        return happen(.refused, to: id, at: now) ? .done(id) : illegal
    }

    /// What is paid from now on is the other account's; what is paid is delivered if it owns it.
    ///
    /// - Parameter after: the facts, the ruling among them.
    package mutating func reassign(
        _ id: OrderID, to account: AccountID, after: Specification, at now: Instant
    ) -> Outcome {
        guard let order = order(id) else { return .rejected("order.unknown") }
        let account = after.account(standingFor: account)
        if account == order.lastAccount { return .done(id) }
        let illegal = illegal(order, at: now)
        guard happen(.reassigned, to: id, at: now, { $0.account = account }) else {
            return illegal
        }
        if let payment = order.payment.flatMap(after.payment) {
            follow(id, payment, by: after, at: now)
        }
        return .done(id)
    }

    /// The last ruling can be undone as long as nothing happened to the order since, and what it
    /// moved is where it put it. A payment that took a gift's place has ended the gift.
    ///
    /// - Parameter before: the facts without the ruling.
    package mutating func undo(
        _ id: OrderID, before: Specification, at now: Instant
    ) -> Outcome {
        guard let order = order(id) else { return .rejected("order.unknown") }
        guard isUndoable(order), let last = order.acting.last else {
            return illegal(order, at: now)
        }
        if let transfer = last.transfer,
            !before.isWhereItWasPut(before.unit(decidedBy: transfer.value), by: transfer)
        {
            visits.insert("order ruling that cannot be undone any more")
            return illegal(order, at: now)
        }
        let former = without(last: order)
        visits.insert("order ruling undone")
        visits.insert("order ruling undone: \(last.kind.rawValue)")
        happen(.undone, to: id, at: now, in: former.lastState) { event in
            if last.kind == .reassigned { event.account = former.lastAccount }
        }
        return .done(id)
    }

    private func without(last order: SpecifiedOrder) -> SpecifiedOrder {
        var order = order
        let place = order.events.lastIndex { $0.kind != .seen } ?? 0
        order.events.removeSubrange(place...)
        return order
    }

    private func isUndoable(_ order: SpecifiedOrder) -> Bool {
        guard let last = order.acting.last else { return false }
        switch last.kind {
        case .refused, .reassigned: return true
        case .settled: return last.isGift || !without(last: order).hasGift
        default: return false
        }
    }

    private func illegal(_ order: SpecifiedOrder, at now: Instant) -> Outcome {
        let state = order.state(at: now)
        let rulings: [OrderEventKind] = [.settled, .refused, .reassigned]
        let legal = order.isGivenOnly ? [.settled] : table.possible(rulings, in: state)
        return .illegal(state, legal: legal + (isUndoable(order) ? [.undone] : []))
    }

    /// Whatever has changed owners: a paid order whose account owns what was bought now.
    package func undelivered(by specification: Specification) -> [OrderID] {
        orders.filter { order in
            guard order.lastState == .paid,
                let payment = order.payment.flatMap(specification.payment)
            else { return false }
            return payment.owners.contains(specification.account(standingFor: order.lastAccount))
        }.map(\.id)
    }
}
