package import EntitlementModel

/// A subscription's current product and the one it renews as, by Apple's newest statement (spec
/// 1.8).
package struct PlannedRenewal: Sendable {
    package var lineage: LineageKey
    /// Sorted.
    package var owners: [AccountID]
    /// The newest period: what names it, what it is of, and when it began and ends.
    package var transaction: TransactionKey
    package var product: ProductID
    package var start: Instant
    package var expires: Instant?
    /// The product it renews as; nil if it does not renew.
    package var next: ProductID?
    /// What Apple said of that, in the order of signing; nil where it does not renew.
    package var words: [(signedAt: Instant, next: ProductID?)]

    /// Whether the order is for the plan that the subscription changes to.
    package func schedules(_ order: Recorded<Order>) -> Bool {
        next == order.value.product && product != order.value.product
            && isMadeDuring(order)
    }

    /// Whether the customer has ordered the current product, and Apple has switched the renewal on
    /// again, or cancelled a change of plan.
    package func restores(_ order: Recorded<Order>) -> Bool {
        guard next == order.value.product, product == next, isMadeDuring(order),
            let newest = words.last, newest.signedAt >= order.recordedAt,
            expires.map({ newest.signedAt < $0 }) ?? false,
            let before = words.last(where: { $0.signedAt < order.recordedAt })
        else { return false }
        return before.next != next
    }

    private func isMadeDuring(_ order: Recorded<Order>) -> Bool {
        order.value.environment == lineage.environment && order.recordedAt > start
    }
}

extension Deriver {
    /// Those of the owned subscriptions among these.
    package func plannedRenewals(
        of lineages: Set<LineageKey>, _ facts: FactSet
    ) -> [PlannedRenewal] {
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        return lineages.sorted().compactMap { key in
            guard let lineage = view.lineage(key) else { return nil }
            let periods = view.purchases(of: lineage)
            let owners = ownerships.ownership(of: .lineage(key)).owners
            guard let newest = periods.last, newest.kind?.isKnown(.autoRenewable) == true,
                !owners.isEmpty
            else { return nil }
            let infos = RenewalInfos(of: lineage, periods: periods, view: view)
                .infos(of: periods.count - 1)
            let words = infos.map { outline in
                let info = view.facts.renewals[outline.index].value
                let next =
                    info.autoRenewStatus == false
                    ? nil : info.autoRenewProductID ?? newest.productID
                return (signedAt: info.signedDate, next: next)
            }
            return PlannedRenewal(
                lineage: key, owners: owners,
                transaction: TransactionKey(key.environment, newest.transactionID),
                product: newest.productID, start: newest.start, expires: newest.expires,
                next: words.isEmpty ? newest.productID : words[words.count - 1].next,
                words: words)
        }
    }
}
