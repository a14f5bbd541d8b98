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

/// Where a unit has been (spec 1.6). Each change of owners puts it at a place of its own; one
/// that undoes another puts it back where it was before that one. So a decision can be undone as
/// long as the unit is at its place: moves that were themselves undone do not count.
struct OwnershipPlaces {
    private struct Place {
        let owners: [AccountID]
        /// Nil for the beginning, when nobody owns it.
        let decision: LedgerSequence?
    }

    private var places = [Place(owners: [], decision: nil)]
    private var before: [LedgerSequence: Int] = [:]
    private var after: [LedgerSequence: Int] = [:]
    private var current = 0

    init(_ ownership: UnitOwnership, facts: FactSet) {
        for change in ownership.changes {
            let owners = change.value.ownersAfter
            let undone = Self.decision(undoneBy: change, of: ownership.changes, facts: facts)
            before[change.sequence] = current
            if let undone, let place = before[undone], places[place].owners == owners {
                current = place
            } else {
                places.append(Place(owners: owners, decision: change.sequence))
                current = places.count - 1
            }
            after[change.sequence] = current
        }
    }

    /// The newest change that stands; nil where all is as it was in the beginning.
    var standing: LedgerSequence? { places[current].decision }

    /// Who owned the unit before the decision, if the unit is where it put it.
    func owners(before decision: LedgerSequence) -> [AccountID]? {
        guard after[decision] == current, let place = before[decision] else { return nil }
        return places[place].owners
    }

    /// What a change took back: the decision that a ruling names, or what a merge moved.
    private static func decision(
        undoneBy change: Recorded<OwnershipDecision>,
        of changes: [Recorded<OwnershipDecision>], facts: FactSet
    ) -> LedgerSequence? {
        switch change.value.rule {
        case .byHand:
            let ruling = facts.rulings.first { $0.sequence == change.value.cause }?.value
            return ruling?.verb == .undo ? ruling?.decision : nil
        case .merged:
            let merge = facts.accountMerges.first { $0.sequence == change.value.cause }
            return merge?.value.undoes.flatMap { undone in
                changes.last { $0.value.cause == undone }?.sequence
            }
        default: return nil
        }
    }
}
