internal import EntitlementModel

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

    /// What it was bought as; a unit has at least one purchase.
    var firstPurchase: Purchase { states.purchases[0] }
}

/// All units of a view.
struct UnitBook {
    let view: FactView
    let ownerships: OwnershipBook
    private(set) var units: [DerivedUnit] = []

    /// `isNeeded` says which lineages to derive; stacks need all purchases of their accounts.
    init(_ view: FactView, ownerships: OwnershipBook, isNeeded: (LineageKey) -> Bool) {
        self.view = view
        self.ownerships = ownerships
        var passes = PassBook()
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
                    units.append(consumable(purchase, unit, lineage.key, ownership))
                }
            }
        }
        for stack in passes.stacks { append(stack) }
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

    private func consumable(
        _ purchase: Purchase, _ unit: OwnedUnit, _ lineage: LineageKey,
        _ ownership: UnitOwnership
    ) -> DerivedUnit {
        let gifts = purchase.product.map { view.policy.products[$0].gifts } ?? []
        let isConsumable = purchase.kind?.isKnown(.consumable) == true
        let states = isConsumable ? gifts.map { self.states(of: purchase, giving: $0) } : []
        let longest = states.max {
            Interval.endsLater($1.spans.first?.interval.end, than: $0.spans.first?.interval.end)
        }
        return DerivedUnit(
            unit: unit, lineage: lineage, kind: purchase.kind ?? .unknown(""),
            states: longest ?? UnitStates(purchases: [purchase], view: view),
            statesOfGift: states, ownership: ownership)
    }

    /// A right that a consumable gives is counted from its purchase, in no stack (spec 1.4).
    private func states(
        of purchase: Purchase, giving gift: CompiledProduct.Gift
    ) -> UnitStates {
        let sold = view.policy.product(purchase.productID, soldAt: purchase.start)
        guard let lasting = sold?.lasting(of: gift.entitlement) else {
            return UnitStates(purchases: [purchase], view: view)
        }
        let isVanished = purchase.revocation.map { $0.date <= purchase.start } ?? false
        let stretch = PassStretch(
            start: purchase.start, end: lasting.end(from: purchase.start),
            isVanished: isVanished)
        return passStates(of: purchase, stretch: stretch, replacements: [], view: view)
    }

    private func pass(
        _ purchase: Purchase, _ unit: OwnedUnit, _ lineage: LineageKey,
        _ ownership: UnitOwnership
    ) -> Pass? {
        guard purchase.kind?.isKnown(.nonRenewing) == true,
            let sold = view.policy.product(purchase.productID, soldAt: purchase.start),
            let duration = sold.duration
        else { return nil }
        return Pass(
            member: Stack.Member(
                purchase: purchase, duration: duration, stacking: sold.stacking),
            unit: unit, lineage: lineage, ownership: ownership,
            stack: sold.stack.map { .named($0) } ?? .product(purchase.productID))
    }

    private mutating func append(_ passes: [Pass]) {
        let stack = Stack(passes.map(\.member))
        for (index, member) in stack.members.enumerated() {
            guard
                let pass = passes.first(where: {
                    $0.member.purchase.transactionID == member.purchase.transactionID
                })
            else { continue }
            units.append(
                DerivedUnit(
                    unit: pass.unit, lineage: pass.lineage, kind: .known(.nonRenewing),
                    states: stack.states(of: index, view: view),
                    ownership: pass.ownership))
        }
    }
}

/// A non-renewing purchase on its way into a stack.
struct Pass {
    enum StackName: Hashable {
        case product(ProductID)
        case named(String)
    }

    let member: Stack.Member
    let unit: OwnedUnit
    let lineage: LineageKey
    let ownership: UnitOwnership
    let stack: StackName
}

/// Non-renewing purchases by the stack that they lie in: that of their first owner, whoever
/// owns them now (spec 1.4). One that nobody has owned lies alone.
struct PassBook {
    private struct Key: Hashable {
        let owner: AccountID
        let environment: StoreEnvironment
        let stack: Pass.StackName
    }

    private(set) var stacks: [[Pass]] = []
    private var positions: [Key: Int] = [:]

    mutating func insert(_ pass: Pass) {
        guard let owner = pass.ownership.firstOwner else {
            stacks.append([pass])
            return
        }
        let key = Key(owner: owner, environment: pass.unit.environment, stack: pass.stack)
        if let position = positions[key] {
            stacks[position].append(pass)
        } else {
            positions[key] = stacks.count
            stacks.append([pass])
        }
    }
}

extension Product {
    /// For how long a consumable gives the entitlement; nil where it does not.
    func lasting(of entitlement: EntitlementName) -> Period? {
        for case .entitlement(entitlement, let lasting?) in grants { return lasting }
        return nil
    }
}

extension Array {
    /// Those for which the test holds, and the rest, both in their order.
    func partitioned(by test: (Element) -> Bool) -> (matching: [Element], rest: [Element]) {
        guard contains(where: test) else { return ([], self) }
        return (filter(test), filter { !test($0) })
    }
}
