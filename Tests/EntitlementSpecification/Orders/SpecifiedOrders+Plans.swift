package import EntitlementModel

/// What a subscription is now and renews as, as Apple has said.
struct SpecifiedPlan: Sendable {
    let lineage: LineageKey
    let owners: Set<AccountID>
    let newest: Purchase
    /// By the infos that speak of the newest period; nil where it does not renew.
    let words: [(signedAt: Instant, next: ProductID?)]

    var product: ProductID { newest.current.productID }

    /// Without a word it renews as it is.
    var next: ProductID? { words.isEmpty ? product : words[words.count - 1].next }
}

extension Specification {
    /// Nil for what is no subscription, or nobody's.
    fileprivate func plan(of lineage: LineageKey) -> SpecifiedPlan? {
        let owners = lastOwners(of: .lineage(lineage))
        guard let newest = subscriptions[lineage]?.periods.last, !owners.isEmpty else { return nil }
        return SpecifiedPlan(
            lineage: lineage, owners: owners, newest: newest.purchase,
            words: newest.infos.map { info in
                let next = info.autoRenewProductID ?? newest.purchase.current.productID
                return (info.signedDate, info.autoRenewStatus == false ? nil : next)
            })
    }
}

/// Orders for which nothing is charged now (spec 1.8).
extension SpecifiedOrders {
    /// Evidence speaks of these lineages.
    package mutating func followPlans(
        of lineages: Set<LineageKey>, by specification: Specification, at now: Instant
    ) {
        for plan in lineages.sorted().compactMap(specification.plan) {
            for order in orders {
                let owner = specification.account(standingFor: order.lastAccount)
                guard plan.owners.contains(owner) else { continue }
                follow(order, plan, by: specification, at: now)
            }
        }
    }

    private mutating func follow(
        _ order: SpecifiedOrder, _ plan: SpecifiedPlan, by specification: Specification,
        at now: Instant
    ) {
        let state = order.state(at: now)
        if state == .scheduled {
            guard line(of: order, specification) == plan.lineage, plan.product != order.product,
                plan.next != order.product
            else { return }
            visits.insert("order whose plan was changed back")
            happen(.changedBack, to: order.id, at: now)
            return
        }
        guard [.created, .paying, .deferred, .noReceipt, .abandoned].contains(state),
            order.environment == plan.lineage.environment, order.madeAt > plan.newest.start,
            plan.next == order.product
        else { return }
        if plan.product != order.product {
            happen(.scheduled, to: order.id, at: now) { $0.transaction = plan.newest.key }
            return
        }
        // It was off, or another plan, when it was ordered, and is on again.
        let before = plan.words.last { $0.signedAt < order.madeAt }
        guard let word = plan.words.last, word.signedAt >= order.madeAt,
            let expires = plan.newest.current.expiresDate, word.signedAt < expires,
            let before, before.next != order.product
        else { return }
        visits.insert("order of a renewal switched on again")
        happen(.alreadyOwned, to: order.id, at: now)
    }

    private func line(of order: SpecifiedOrder, _ specification: Specification) -> LineageKey? {
        let scheduled = order.events.last { $0.kind == .scheduled && $0.transaction != nil }
        return scheduled?.transaction.flatMap(specification.payment).flatMap { payment in
            guard case .lineage(let lineage) = payment.unit else { return nil }
            return lineage
        }
    }

    /// Evidence was handed in for an order that it cannot pay: it may be what the customer has
    /// already, or will have by the renewal.
    package mutating func acknowledge(
        _ id: OrderID, _ transactions: [TransactionKey], for claimant: AccountID,
        by specification: Specification, at now: Instant
    ) -> Bool {
        guard let order = order(id) else { return false }
        let payments = specification.payments(transactions)
        if order.lastState == .scheduled {
            let line = line(of: order, specification)
            return payments.contains { line.map(OwnedUnit.lineage) == $0.unit }
        }
        let isHeld = payments.contains { payment in
            guard case .lineage = payment.unit else { return false }
            return payment.product == order.product && !payment.isRevoked
                && payment.name.environment == order.environment
                && payment.owners.contains(claimant)
                && payment.expires.map { now < $0 } ?? true
        }
        guard isHeld, happen(.alreadyOwned, to: id, at: now) else { return false }
        visits.insert("order for what is there already")
        return true
    }
}
