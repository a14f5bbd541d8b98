package import EntitlementModel

/// A unit with its states and its owners. A class, because accounts, Apple IDs and findings all
/// refer to it.
final class DerivedUnit {
    let unit: OwnedUnit
    let lineage: LineageKey
    let kind: Stated<ProductKind>
    let states: UnitStates
    /// For a consumable, the states of each gift of its product, which may last differently;
    /// empty where `states` holds for all.
    let statesOfGift: [UnitStates]
    let ownership: UnitOwnership

    init(
        unit: OwnedUnit, lineage: LineageKey, kind: Stated<ProductKind>, states: UnitStates,
        statesOfGift: [UnitStates] = [], ownership: UnitOwnership
    ) {
        self.unit = unit
        self.lineage = lineage
        self.kind = kind
        self.states = states
        self.statesOfGift = statesOfGift
        self.ownership = ownership
    }

    var timeline: UnitTimeline {
        UnitTimeline(
            unit: unit, kind: kind, states: states.spans, owners: ownership.spans)
    }

    /// The first purchase; a unit has at least one.
    var firstPurchase: Purchase { states.purchases[0] }
}

/// All units of a view.
struct UnitIndex {
    let view: FactView
    let ownerships: OwnershipIndex
    private(set) var units: [DerivedUnit] = []

    /// `isNeeded` says which lineages to derive; stacks need all purchases of their accounts.
    init(_ view: FactView, ownerships: OwnershipIndex, isNeeded: (LineageKey) -> Bool) {
        self.view = view
        self.ownerships = ownerships
        var passes = PassStacks()
        var tickets: [Ticket] = []
        for lineage in view.lineages where isNeeded(lineage.key) {
            let purchases = view.purchases(of: lineage)
            let (scoped, rest) = purchases.partitioned(by: \.isAccountScoped)
            if !rest.isEmpty { units.append(unit(of: rest, in: lineage)) }
            for purchase in scoped {
                let unit = view.unit(of: purchase, in: lineage.key)
                let ownership = ownerships.ownership(of: unit)
                if let pass = pass(purchase, unit, lineage.key, ownership) {
                    passes.insert(pass)
                } else {
                    let ticket = Ticket(
                        purchase: purchase, unit: unit, lineage: lineage.key,
                        ownership: ownership)
                    tickets.append(ticket)
                    for pass in ticket.passes(view: view) { passes.insert(pass) }
                }
            }
        }
        append(passes, tickets)
    }

    private mutating func append(_ passes: PassStacks, _ tickets: [Ticket]) {
        var given: [OwnedUnit: [Int: UnitStates]] = [:]
        for (pass, states) in passes.states(view: view) {
            if let gift = pass.gift {
                given[pass.unit, default: [:]][gift] = states
            } else {
                units.append(
                    DerivedUnit(
                        unit: pass.unit, lineage: pass.lineage, kind: .known(.nonRenewing),
                        states: states, ownership: pass.ownership))
            }
        }
        units += tickets.map { $0.unit(given[$0.unit] ?? [:], view: view) }
    }

    private func unit(of purchases: [Purchase], in lineage: Lineage) -> DerivedUnit {
        let unit = OwnedUnit.lineage(lineage.key)
        let kind = view.lastingKind(of: purchases) ?? .unknown("")
        let states: UnitStates
        switch kind.known {
        case .autoRenewable:
            states = subscriptionStates(of: lineage, periods: purchases, view: view)
        case .nonConsumable: states = permanentStates(of: purchases, view: view)
        case .free where view.policy.policy.app.isNewsstand:
            states = permanentStates(of: purchases, view: view)
        case .free, .consumable, .nonRenewing, nil:
            states = UnitStates(purchases: purchases, view: view)
        }
        return DerivedUnit(
            unit: unit, lineage: lineage.key, kind: kind, states: states,
            ownership: ownerships.ownership(of: unit))
    }

    private func pass(
        _ purchase: Purchase, _ unit: OwnedUnit, _ lineage: LineageKey,
        _ ownership: UnitOwnership
    ) -> Pass? {
        guard purchase.kind?.isKnown(.nonRenewing) == true,
            let sold = view.policy.product(purchase.productID, soldAt: purchase.soldAt),
            let duration = sold.duration
        else { return nil }
        return Pass(
            purchase: purchase, begins: purchase.begins(in: unit.environment, view: view),
            duration: duration, stacking: sold.stacking, unit: unit,
            lineage: lineage, ownership: ownership,
            stack: sold.stack.map { .named($0) } ?? .product(purchase.productID))
    }
}

extension Array {
    /// Those for which the test holds, and the rest, both in their order.
    func partitioned(by test: (Element) -> Bool) -> (matching: [Element], rest: [Element]) {
        guard contains(where: test) else { return ([], self) }
        return (filter(test), filter { !test($0) })
    }
}

/// The purchase that represents a unit at an instant: the one that the customer remembers.
package struct UnitPurchase: Hashable, Sendable {
    package let transaction: TransactionID
    package let product: ProductID
    /// From the policy in force; nil where it has none or no longer the product.
    package let title: Title?
    package let purchasedAt: Instant
    /// As signed: for all of `quantity` together, offers included.
    package let price: Price?
    package let quantity: Int64
    package let offer: Offer?
    /// Of a subscription for several people: the remaining seats of its period.
    package let seats: Int64?
    package let commitment: Commitment?
    package let isFamilyShared: Bool
    /// Whenever Apple has taken it back.
    package let revocation: Revocation?
}

extension Deriver {
    /// Of each unit the purchase that its state at the instant comes from; where it has none, the
    /// newest one until then, or the first.
    package func purchases(
        of units: [UnitTimeline], at instant: Instant, _ facts: FactSet
    ) -> [OwnedUnit: UnitPurchase] {
        let view = FactView(facts, policy: policy)
        let timelines = Dictionary(uniqueKeysWithValues: units.map { ($0.unit, $0) })
        var found: [OwnedUnit: UnitPurchase] = [:]
        for lineage in view.lineages {
            let purchases = Dictionary(grouping: view.purchases(of: lineage)) {
                view.unit(of: $0, in: lineage.key)
            }
            for (unit, purchases) in purchases {
                guard let timeline = timelines[unit] else { continue }
                let span = timeline.states.first { $0.interval.contains(instant) }
                let named = (span?.transactionID).flatMap { purchases.named($0)?.purchase }
                let newest = purchases.last { $0.start <= instant }
                found[unit] = (named ?? newest ?? purchases.first)?.summary(
                    hasPeriods: timeline.kind.isKnown(.autoRenewable), in: view)
            }
        }
        return found
    }
}

extension Deriver {
    /// The renewals of the subscriptions that run at an instant.
    package func renewals(
        of units: [UnitTimeline], at instant: Instant, _ facts: FactSet
    ) -> [OwnedUnit: RenewalOutlook] {
        let view = FactView(facts, policy: policy)
        var found: [OwnedUnit: RenewalOutlook] = [:]
        for unit in units {
            guard case .lineage(let lineage) = unit.unit, unit.kind.isKnown(.autoRenewable),
                let span = unit.states.last(where: { $0.interval.contains(instant) })
            else { continue }
            found[unit.unit] = view.outlook(
                of: lineage, in: span, before: instant.advanced(byMilliseconds: 1))
        }
        return found
    }
}

extension Purchase {
    fileprivate func summary(hasPeriods: Bool, in view: FactView) -> UnitPurchase {
        UnitPurchase(
            transaction: transactionID, product: productID,
            title: view.policy.product(productID)?.title, purchasedAt: start,
            price: price(in: view), quantity: quantity(in: view), offer: offer(in: view),
            seats: hasPeriods ? seats(in: view) : nil, commitment: commitment(in: view),
            isFamilyShared: ownership(in: view) == .familyShared, revocation: revocation)
    }
}
