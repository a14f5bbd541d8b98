package import EntitlementModel

/// The rules of docs/spec/1-domain.md, stated a second time: slowly, obviously, one question at
/// a time.
///
/// It shares nothing with the derivation but the nouns, and no thought is given to speed beyond
/// preparing once what every question starts from. Where the two disagree, the text decides.
package struct Specification: Sendable {
    package let policies: PolicyHistory
    /// The policy in force: it judges all of time (spec 2.6).
    package let policy: Policy
    package let facts: FactSet
    /// The facts with the bytes that were recorded.
    let recorded: FactSet
    /// Transactions that Apple has signed under several originals (spec 1.2).
    let splits: [SplitTransaction]
    /// Every purchase with its current snapshot (spec 1.2).
    let purchases: [Purchase]
    /// The purchase that each transaction is part of.
    let purchaseOfTransaction: [TransactionKey: Purchase]
    /// Every lineage that a purchase of ours is known of (spec 1.1).
    package let lineages: [LineageKey]
    /// The Apple ID of each lineage (spec 1.3).
    let appleIDs: AppleIDNames
    /// Which lineage goes on from which (spec 1.4).
    let successions: [Succession]
    /// The paid periods of each auto-renewable lineage (spec 1.4).
    let subscriptions: [LineageKey: Subscription]
    /// Everything that can be owned, in a fixed order.
    package let units: [OwnedUnit]
    /// The purchases of each unit, earliest first.
    let purchasesOfUnit: [OwnedUnit: [Purchase]]
    /// The kind whose rules apply to a unit; none where nothing says it.
    package let kinds: [OwnedUnit: Stated<ProductKind>]
    /// The decisions that changed the owners of each unit, in the ledger's order.
    let decisionsOfUnit: [OwnedUnit: [Recorded<OwnershipDecision>]]
    /// Who owned each unit first.
    let firstOwners: [OwnedUnit: AccountID]
    /// When each purchase of an account-scoped kind lasts (spec 1.4).
    let stretches: [OwnedUnit: [Stretch]]
    /// How long everybody has paid for subscriptions (spec 1.5); none where no rule asks.
    private(set) var loyalties: [Loyalty.Subject: Loyalty] = [:]

    package init(policies: PolicyHistory, facts recorded: FactSet) {
        let named = Specification.named(recorded, policies.current)
        let splits = SplitTransaction.all(in: named, policy: policies.current)
        let facts = named.united(splits)
        self.policies = policies
        policy = policies.current
        self.recorded = recorded
        self.splits = splits
        self.facts = facts
        let purchases = Purchase.all(policy: policies.current, facts: facts)
        let renewals = Array(Set(facts.renewals.map(\.value)))
        let appleIDs = AppleIDNames(
            policy: policies.current, facts: facts, known: Set(purchases.map(\.lineage)))
        self.purchases = purchases
        purchaseOfTransaction = Dictionary(
            purchases.flatMap { purchase in purchase.transactions.map { ($0, purchase) } },
            uniquingKeysWith: { first, _ in first })
        self.appleIDs = appleIDs
        lineages = Set(purchases.map(\.lineage)).sorted()
        purchasesOfUnit = Dictionary(grouping: purchases, by: \.unit)
        kinds = purchasesOfUnit.compactMapValues { Purchase.kind(of: $0) }
        let successions = Succession.all(
            among: purchasesOfUnit, kinds, policy: policies.current, facts: facts)
        self.successions = successions
        var subscriptions: [LineageKey: Subscription] = [:]
        for lineage in lineages {
            let periods = purchasesOfUnit[.lineage(lineage)] ?? []
            guard kinds[.lineage(lineage)]?.known == .autoRenewable else { continue }
            subscriptions[lineage] = Subscription(
                purchases: periods,
                infos: renewals.filter {
                    LineageKey($0.environment, $0.originalTransactionID) == lineage
                },
                siblings: purchases.filter {
                    $0.lineage != lineage && appleIDs.areTheSame($0.lineage, lineage)
                },
                succeededAt: successions.filter { $0.older == lineage }.map(\.first.start))
        }
        self.subscriptions = subscriptions
        units = purchasesOfUnit.keys.sorted(by: OwnedUnit.comesBefore)
        decisionsOfUnit = Specification.decisions(on: purchaseOfTransaction, facts: facts)
        firstOwners = decisionsOfUnit.compactMapValues { decisions in
            decisions.lazy.compactMap(\.value.ownersAfter.first).first
        }
        let (decisions, gifts) = (decisionsOfUnit, facts.grantRevocations.map(\.value))
        stretches = Stretch.all(
            purchases: purchases, policies: policies, gifts: gifts
        ) { unit, instant in
            decisions[unit]?.last { $0.value.from <= instant }?.value.ownersAfter.first
        }
        loyalties = allLoyalties()
    }
}

extension OwnedUnit {
    /// Lineages before purchases, then by environment and id: an order for listings only.
    package static func comesBefore(_ left: OwnedUnit, _ right: OwnedUnit) -> Bool {
        switch (left, right) {
        case (.lineage(let left), .lineage(let right)): left < right
        case (.lineage, .purchase): true
        case (.purchase, .lineage): false
        case (.purchase(let left), .purchase(let right)):
            LineageKey(left.environment, left.transactionID)
                < LineageKey(right.environment, right.transactionID)
        }
    }
}
