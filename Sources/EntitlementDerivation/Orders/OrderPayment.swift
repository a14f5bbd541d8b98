package import EntitlementModel

/// A purchase as orders see it: what the signed transaction says (spec 1.8).
package struct OrderPayment: Hashable, Sendable {
    package var transaction: TransactionKey
    package var unit: OwnedUnit
    /// All that name the purchase, the smallest first.
    package var transactionIDs: [TransactionID]
    package var product: ProductID
    /// As signed, else the catalogue's.
    package var kind: ProductKind?
    package var quantity: Int64
    package var price: Price?
    package var purchasedAt: Instant
    /// What names its order; nil also for a token that an earlier purchase of its line carried.
    package var token: AppAccountToken?
    /// Whether its token names an account, besides those that a release took it from.
    package var namesAccount: Bool
    /// Nothing was bought in its line before.
    package var isFirst: Bool
    /// What names its Apple ID; nil where it is not known.
    package var appleID: AppleIDKey?
    /// All by which its Apple ID can be named, the lineages of it among them; empty where it is not
    /// known.
    package var appleIDs: Set<AppleIDKey>
    /// False for a renewal that changes nothing, and for what the family shares: they pay no order.
    package var paysOrders: Bool
    /// Of a renewal by which the plan changes, when the period before it began: the order was made
    /// in that.
    package var planChangedSince: Instant?
    /// When the paid period ends; nil for permanent or consumed purchases.
    package var expires: Instant?
    /// Those in which the policy lets it count for the account that its token names, or its owner.
    package var environments: Set<StoreEnvironment>
    /// Redeemed with an offer code: outside the app, so that only what names the order decides.
    package var isRedeemed: Bool
    package var isRevoked: Bool
    /// Sorted.
    package var owners: [AccountID]
    /// Whether a person has said whose it is.
    package var isRuled: Bool

    package var keys: [TransactionKey] {
        transactionIDs.map { TransactionKey(transaction.environment, $0) }
    }
}

extension Deriver {
    /// The purchases of the transactions, each once; unknown ones, and those without effect, are
    /// omitted.
    package func payments(of transactions: [TransactionKey], _ facts: FactSet) -> [OrderPayment] {
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        let appleIDs = AppleIDs(view)
        let tokens = AccountTokens(view)
        var seen: Set<TransactionKey> = []
        return transactions.compactMap { transaction -> OrderPayment? in
            guard let lineage = view.lineage(of: transaction),
                let (purchase, earlier) = view.purchases(of: lineage)
                    .named(transaction.transactionID),
                seen.insert(
                    TransactionKey(transaction.environment, purchase.transactionID)
                ).inserted
            else { return nil }
            let isShared = purchase.ownership(in: view) == .familyShared
            let unit = view.unit(of: purchase, in: lineage.key)
            let ownership = ownerships.ownership(of: unit)
            let isMade = purchase.isCustomerMade(after: earlier, view: view)
            let isNewPlan = !isMade && earlier.map { $0.productID != purchase.productID } ?? false
            let isInherited = view.carriesInheritedToken(purchase, in: lineage.key)
            let owners = ownership.owners
            let named = tokens.account(
                namedBy: purchase, of: unit,
                besides: PersonDecisions(ownership, view.facts).released)
            return OrderPayment(
                transaction: TransactionKey(transaction.environment, purchase.transactionID),
                unit: unit, transactionIDs: purchase.transactionIDs,
                product: purchase.productID,
                kind: purchase.kind?.known, quantity: purchase.quantity(in: view),
                price: purchase.price(in: view), purchasedAt: purchase.start,
                token: isInherited ? nil : purchase.token(in: view),
                namesAccount: named != nil,
                isFirst: earlier == nil || purchase.isAccountScoped,
                appleID: appleIDs.key(of: lineage.key),
                appleIDs: appleIDs.names(of: lineage.key),
                paysOrders: !isShared && (isMade || isNewPlan),
                planChangedSince: isNewPlan ? earlier?.start : nil, expires: purchase.expires,
                environments: view.environments(
                    counting: purchase, unit, named ?? owners.first, ownerships),
                isRedeemed: purchase.offer(in: view)?.type == Offer.code,
                isRevoked: purchase.ownRevocation != nil,
                owners: owners,
                isRuled: ownership.changes.last?.value.rule == .byHand)
        }
    }
}

extension FactView {
    /// Its own, and those in which its purchases count by the test of spec 1.7.
    fileprivate func environments(
        counting purchase: Purchase, _ unit: OwnedUnit, _ account: AccountID?,
        _ ownerships: OwnershipIndex
    ) -> Set<StoreEnvironment> {
        guard policy.namedEnvironments.contains(unit.environment), let account else {
            return [unit.environment]
        }
        let derived = UnitIndex(self, ownerships: ownerships) { key in
            switch unit {
            case .lineage(let lineage): key == lineage
            case .purchase(let transaction): key == self.lineage(of: transaction)?.key
            }
        }.units.first { $0.unit == unit }
        guard let derived, countsElsewhere(purchase, of: derived, for: account) else {
            return [unit.environment]
        }
        return Set(StoreEnvironment.allCases)
    }
}

extension Offer {
    /// Apple's `offerType` of an offer code.
    fileprivate static let code: Int64 = 3
}

extension AppleIDs {
    /// Every key that leads to the Apple ID of a lineage (spec 1.3).
    fileprivate func names(of lineage: LineageKey) -> Set<AppleIDKey> {
        guard let key = key(of: lineage) else { return [] }
        return Set(lineages(of: key).map(AppleIDKey.lineage) + [key])
    }
}

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
