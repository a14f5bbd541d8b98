internal import EntitlementModel

/// A purchase that gives something for a time, on its way into a stack.
struct Pass {
    enum StackName: Hashable {
        case product(ProductID)
        case named(String)
        /// An entitlement of a consumable, which stacks separately.
        case gift(ProductID, EntitlementName)
    }

    let purchase: Purchase
    /// Its start; of one that took the place of a gift, when that was given.
    let begins: Instant
    let duration: Period
    let stacking: Stacking
    let unit: OwnedUnit
    let lineage: LineageKey
    let ownership: UnitOwnership
    let stack: StackName
    /// Of a consumable, the position of what it gives among its product's gifts.
    var gift: Int?
}

/// The positions of a stack's passes in time: each follows those that its owner has when it is
/// bought, as known now (spec 1.4). One that has no owner then is alone.
struct PassStacks {
    /// What an account has ever had of one stack, by the place in `laid`.
    private struct Key: Hashable {
        let owner: AccountID
        let environment: StoreEnvironment
        let stack: Pass.StackName
    }

    private struct PlacedPass {
        let pass: Pass
        let stretch: PassStretch
        /// Intervals in which a later purchase under `replace` takes its place.
        var replacements: [Interval] = []
        /// When the next one may begin.
        let isOver: Instant
    }

    private var passes: [Pass] = []

    mutating func insert(_ pass: Pass) { passes.append(pass) }

    /// Every pass with the states that its place in its stack gives it.
    func states(view: FactView) -> [(pass: Pass, states: UnitStates)] {
        var laid: [PlacedPass] = []
        var places: [Key: [Int]] = [:]
        for pass in passes.sorted(by: Pass.isEarlier) {
            let before = self.places(before: pass, places, laid)
            let place = Self.lay(pass, after: before, &laid)
            for owner in Set(pass.ownership.spans.map(\.account)) {
                places[key(pass, of: owner), default: []].append(place)
            }
        }
        return laid.map { pass in
            let states = passStates(
                of: pass.pass.purchase, stretch: pass.stretch,
                replacements: pass.replacements.joined, view: view)
            return (pass.pass, states)
        }
    }

    private func key(_ pass: Pass, of owner: AccountID) -> Key {
        Key(owner: owner, environment: pass.unit.environment, stack: pass.stack)
    }

    /// The passes that this one follows or replaces: those that its owner has when it is bought.
    private func places(
        before pass: Pass, _ places: [Key: [Int]], _ laid: [PlacedPass]
    ) -> [Int] {
        let start = pass.begins
        guard let owner = pass.ownership.owner(at: start) else { return [] }
        return (places[key(pass, of: owner)] ?? []).filter { place in
            !laid[place].stretch.isVanished
                && laid[place].pass.ownership.owner(at: start) == owner
        }
    }

    /// One after the other; a refunded one gives its place to those after it.
    private static func lay(
        _ pass: Pass, after before: [Int], _ laid: inout [PlacedPass]
    ) -> Int {
        let purchase = pass.purchase
        // A replaced pass delays nothing.
        let replaced = before.lastIndex { laid[$0].pass.stacking == .replace } ?? 0
        let free = before[replaced...].map { laid[$0].isOver }.max() ?? .distantPast
        let start = pass.stacking == .extend ? max(pass.begins, free) : pass.begins
        let end = pass.duration.end(from: start)
        let revokedAt = purchase.revocation?.date
        let isVanished = revokedAt.map { $0 <= start } ?? false
        if pass.stacking == .replace, !isVanished {
            let replacement = Interval(uncheckedFrom: start, to: revokedAt)
            for place in before { laid[place].replacements.append(replacement) }
        }
        laid.append(
            PlacedPass(
                pass: pass,
                stretch: PassStretch(start: start, end: end, isVanished: isVanished),
                isOver: min(end, revokedAt ?? end)))
        return laid.count - 1
    }
}

extension Pass {
    fileprivate static func isEarlier(_ left: Pass, _ right: Pass) -> Bool {
        left.begins == right.begins
            ? TransactionID.precedesByLength(
                left.purchase.transactionID, right.purchase.transactionID)
            : left.begins < right.begins
    }
}

extension UnitOwnership {
    /// The owner at the instant: a single purchase has one at most.
    fileprivate func owner(at instant: Instant) -> AccountID? {
        spans.first { $0.interval.contains(instant) }?.account
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
        guard purchase.kind?.isKnown(.consumable) == true,
            let product = purchase.given(by: view.policy),
            let sold = view.policy.product(purchase.productID, soldAt: purchase.soldAt)
        else { return [] }
        return product.gifts.enumerated().compactMap { index, gift in
            guard gift.lasting != nil, let lasting = sold.lasting(of: gift.entitlement) else {
                return nil
            }
            let duration = lasting.times(purchase.quantity(in: view))
            return Pass(
                purchase: purchase, begins: purchase.begins(in: unit.environment, view: view),
                duration: duration, stacking: .extend, unit: unit,
                lineage: lineage, ownership: ownership,
                stack: .gift(purchase.productID, gift.entitlement), gift: index)
        }
    }

    /// `states` are those of its passes, by the position of the entitlement. The unit's own are
    /// those of the pass that ends last.
    func unit(_ states: [Int: UnitStates], view: FactView) -> DerivedUnit {
        let isConsumable = purchase.kind?.isKnown(.consumable) == true
        let gifts = isConsumable ? purchase.given(by: view.policy)?.gifts : nil
        let none = UnitStates(purchases: [purchase], view: view)
        let statesOfGift = (gifts ?? []).indices.map { states[$0] ?? none }
        let longest = statesOfGift.filter { !$0.spans.isEmpty }.max {
            $0.activeUntil < $1.activeUntil
        }
        return DerivedUnit(
            unit: unit, lineage: lineage, kind: purchase.kind ?? .unknown(""),
            states: longest ?? none, statesOfGift: statesOfGift, ownership: ownership)
    }
}

extension Purchase {
    /// When a person gave what it is for, where it has taken the place of the gift.
    func begins(in environment: StoreEnvironment, view: FactView) -> Instant {
        view.facts.grantRevocations.compactMap { revocation in
            guard case .paid(let payment, let given) = revocation.value.effect,
                payment.environment == environment,
                transactionIDs.contains(payment.transactionID)
            else { return nil }
            return given
        }.min() ?? start
    }
}

extension UnitStates {
    /// When it ends; of what never began, before all others.
    fileprivate var activeUntil: Instant {
        spans.last { $0.state == .active }?.interval.end ?? .distantPast
    }
}

extension Product {
    /// For how long a consumable gives the entitlement; nil where it does not.
    func lasting(of entitlement: EntitlementName) -> Period? {
        for case .entitlement(entitlement, let lasting?) in grants { return lasting }
        return nil
    }
}

/// The history of a unit's places (spec 1.6). Each change of owners gives it a new place; one that
/// undoes another returns it to the place before that one. So a decision can be undone while the
/// unit is at its place: undone moves do not count.
struct OwnershipPlaces {
    private struct Place {
        let owners: [AccountID]
        /// Nil for the beginning, without an owner.
        let change: Recorded<OwnershipDecision>?
        /// From where the change brought it here.
        let origin: Int?
    }

    private var places = [Place(owners: [], change: nil, origin: nil)]
    private var before: [LedgerSequence: Int] = [:]
    private var after: [LedgerSequence: Int] = [:]
    private var current = 0
    private let first: LedgerSequence?

    init(_ ownership: UnitOwnership) {
        first = ownership.changes.first?.sequence
        for change in ownership.changes {
            let owners = change.value.ownersAfter
            let undone = ownership.undone[change.sequence]
            before[change.sequence] = current
            if let undone, let place = before[undone], places[place].owners == owners {
                current = place
            } else {
                places.append(Place(owners: owners, change: change, origin: current))
                current = places.count - 1
            }
            after[change.sequence] = current
        }
    }

    /// The newest change in effect; nil if there is none.
    var standing: Recorded<OwnershipDecision>? { places[current].change }

    /// The changes in effect that gave the unit to an account that did not own it; not the first
    /// owning, and nothing that was undone.
    var moves: [Recorded<OwnershipDecision>] {
        var (moves, place): ([Recorded<OwnershipDecision>], Int?) = ([], current)
        while let reached = place {
            if let change = places[reached].change, change.sequence != first,
                !Set(change.value.ownersAfter).isSubset(of: change.value.ownersBefore)
            {
                moves.append(change)
            }
            place = places[reached].origin
        }
        return moves
    }

    /// Who owned the unit before the decision, if the unit is where it put it.
    func owners(before decision: LedgerSequence) -> [AccountID]? {
        guard after[decision] == current, let place = before[decision] else { return nil }
        return places[place].owners
    }
}
