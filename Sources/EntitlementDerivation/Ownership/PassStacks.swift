internal import EntitlementModel

/// A purchase that gives something for a time, on its way into a stack.
struct Pass {
    enum StackName: Hashable {
        case product(ProductID)
        case named(String)
        /// What a consumable gives: each of its entitlements by itself.
        case gift(ProductID, EntitlementName)
    }

    let member: Stack.Member
    let unit: OwnedUnit
    let lineage: LineageKey
    let ownership: UnitOwnership
    let stack: StackName
    /// Of a consumable, the position of what it gives among its product's gifts.
    var gift: Int?
}

/// Passes by the stack that they lie in: that of their first owner, whoever owns them now
/// (spec 1.4). One that nobody has owned lies alone.
struct PassStacks {
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

    /// Every pass with the states that its place in its stack gives it.
    func states(view: FactView) -> [(pass: Pass, states: UnitStates)] {
        stacks.flatMap { passes in
            let stack = Stack(passes.map(\.member))
            let byID = Dictionary(passes.map { ($0.member.purchase.transactionID, $0) }) {
                first, _ in first
            }
            return stack.members.indices.compactMap { index in
                byID[stack.members[index].purchase.transactionID].map {
                    ($0, stack.states(of: index, view: view))
                }
            }
        }
    }
}

/// A consumable, whose rights for a time follow those that were bought before.
struct Ticket {
    let purchase: Purchase
    let unit: OwnedUnit
    let lineage: LineageKey
    let ownership: UnitOwnership

    /// One pass for each entitlement that it gave when it was sold. The duration counts
    /// `quantity` times.
    func passes(view: FactView) -> [Pass] {
        guard purchase.kind?.isKnown(.consumable) == true, let product = purchase.product,
            let sold = view.policy.product(purchase.productID, soldAt: purchase.start)
        else { return [] }
        let gifts = view.policy.products[product].gifts
        return gifts.enumerated().compactMap { index, gift in
            guard let lasting = sold.lasting(of: gift.entitlement) else { return nil }
            let duration = lasting.times(purchase.quantity(in: view))
            return Pass(
                member: Stack.Member(purchase: purchase, duration: duration, stacking: .extend),
                unit: unit, lineage: lineage, ownership: ownership,
                stack: .gift(purchase.productID, gift.entitlement), gift: index)
        }
    }

    /// `states` are those of its passes, by the position of the gift.
    func unit(_ states: [Int: UnitStates], view: FactView) -> DerivedUnit {
        let isConsumable = purchase.kind?.isKnown(.consumable) == true
        let gifts = isConsumable ? purchase.product.map { view.policy.products[$0].gifts } : nil
        let none = UnitStates(purchases: [purchase], view: view)
        let statesOfGift = (gifts ?? []).indices.map { states[$0] ?? none }
        let longest = statesOfGift.max {
            Interval.endsLater($1.lastingUntil, than: $0.lastingUntil)
        }
        return DerivedUnit(
            unit: unit, lineage: lineage, kind: purchase.kind ?? .unknown(""),
            states: longest ?? none, statesOfGift: statesOfGift, ownership: ownership)
    }
}

extension UnitStates {
    /// When its first state ends.
    fileprivate var lastingUntil: Instant? { spans.first?.interval.end }
}

extension Product {
    /// For how long a consumable gives the entitlement; nil where it does not.
    func lasting(of entitlement: EntitlementName) -> Period? {
        for case .entitlement(entitlement, let lasting?) in grants { return lasting }
        return nil
    }
}
