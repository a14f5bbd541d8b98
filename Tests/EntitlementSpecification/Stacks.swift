internal import EntitlementModel

/// When a purchase of an account-scoped kind lasts (spec 1.4).
struct Stretch: Hashable, Sendable {
    let start: Instant
    /// Where it ends unless it is revoked or replaced.
    let end: Instant
    /// Set where the revocation falls before the end.
    let revokedAt: Instant?
    /// The starts and revocations of those that replaced it (`stacking: replace`).
    fileprivate(set) var replacements: [Replacement] = []

    struct Replacement: Hashable, Sendable {
        let start: Instant
        let revokedAt: Instant?
    }

    func state(at instant: Instant) -> ReasonedState? {
        if let revokedAt, revokedAt <= instant { return ReasonedState(state: .revoked) }
        guard start <= instant else { return nil }
        if isActive(at: instant) { return ReasonedState(state: .active) }
        return ReasonedState(state: .expired, reason: .unknown)
    }

    /// Revoked before it had begun: it takes no place in the stack.
    private var hasVanished: Bool { revokedAt.map { $0 <= start } ?? false }

    private func isActive(at instant: Instant) -> Bool {
        guard instant < end else { return false }
        return !replacements.contains { replacement in
            guard replacement.start <= instant else { return false }
            guard let revokedAt = replacement.revokedAt else { return true }
            return instant < revokedAt
        }
    }

    /// The stretch of every purchase that has one.
    static func all(
        purchases: [Purchase], policies: PolicyHistory,
        firstOwners: [OwnedUnit: AccountID]
    ) -> [OwnedUnit: Stretch] {
        var stretches: [OwnedUnit: Stretch] = [:]
        // What the catalogue lacks now grants nothing; what it has lasts as sold.
        let tickets = purchases.filter { purchase in
            purchase.kind?.known == .consumable
                && purchase.lasting(under: policies) != nil
        }
        let heaps = Dictionary(grouping: tickets) { ticket in
            let owner = firstOwners[ticket.unit]
            return TicketHeap(
                environment: ticket.lineage.environment, product: ticket.current.productID,
                owner: owner, alone: owner == nil ? ticket.unit : nil)
        }
        for heap in heaps.values {
            var free = Instant.distantPast
            for ticket in heap.sorted(by: Purchase.comesBefore) {
                guard let one = ticket.lasting(under: policies) else { continue }
                let stretch = Stretch(
                    start: max(ticket.start, free),
                    lasting: Period(one.count * ticket.current.quantity, one.unit),
                    revoked: ticket.revokedAt)
                stretches[ticket.unit] = stretch
                if !stretch.hasVanished { free = stretch.revokedAt ?? stretch.end }
            }
        }
        let nonRenewing = purchases.filter { $0.kind?.known == .nonRenewing }
        for purchase in nonRenewing where firstOwners[purchase.unit] == nil {
            guard let duration = purchase.sold(under: policies)?.duration else { continue }
            stretches[purchase.unit] = Stretch(
                start: purchase.start, lasting: duration, revoked: purchase.revokedAt)
        }
        let owned = nonRenewing.filter { firstOwners[$0.unit] != nil }
        for stack in Dictionary(
            grouping: owned,
            by: { Stack($0, policies: policies, owner: firstOwners[$0.unit]) }
        ).values {
            lay(stack.sorted(by: Purchase.comesBefore), policies: policies, in: &stretches)
        }
        return stretches
    }

    /// Lays the purchases of one stack after one another, earliest first.
    private static func lay(
        _ stack: [Purchase], policies: PolicyHistory, in stretches: inout [OwnedUnit: Stretch]
    ) {
        var previousEnd = Instant.distantPast
        var laid: [OwnedUnit] = []
        for purchase in stack {
            guard let product = purchase.sold(under: policies),
                let duration = product.duration
            else { continue }
            let start =
                product.stacking == .extend ? max(purchase.start, previousEnd) : purchase.start
            let stretch = Stretch(
                start: start, lasting: duration, revoked: purchase.revokedAt)
            stretches[purchase.unit] = stretch
            if stretch.hasVanished { continue }
            previousEnd = stretch.revokedAt ?? stretch.end
            if product.stacking == .replace {
                for unit in laid {
                    stretches[unit]?.replacements.append(
                        Replacement(start: start, revokedAt: purchase.revokedAt))
                }
            }
            laid.append(purchase.unit)
        }
    }

    private init(start: Instant, lasting duration: Period, revoked: Instant?) {
        self.start = start
        end = duration.end(from: start)
        revokedAt = revoked.flatMap { $0 < duration.end(from: start) ? $0 : nil }
    }
}

/// Consumables that give a right for a time one after the other (spec 1.4): of one product and
/// its first owner; what nobody has owned, by itself.
private struct TicketHeap: Hashable {
    let environment: StoreEnvironment
    let product: ProductID
    let owner: AccountID?
    let alone: OwnedUnit?
}

/// What the purchases of one stack have in common.
private struct Stack: Hashable {
    private let environment: StoreEnvironment
    private let owner: AccountID?
    private let name: String

    init(_ purchase: Purchase, policies: PolicyHistory, owner: AccountID?) {
        environment = purchase.lineage.environment
        self.owner = owner
        let product = purchase.current.productID
        name =
            purchase.sold(under: policies)?.stack.map { "stack " + $0 }
            ?? "product " + product.text
    }
}

extension Purchase {
    /// The product as it was when this was sold (spec 1.4).
    func sold(under policies: PolicyHistory) -> Product? {
        policies.product(current.productID, soldAt: start)
    }

    fileprivate var revokedAt: Instant? { current.revocation?.date }

    /// How long one of it gives what the catalogue of today says that it gives for a time.
    fileprivate func lasting(under policies: PolicyHistory) -> Period? {
        guard let name = policies.current.products[current.productID]?.lastingEntitlement else {
            return nil
        }
        return sold(under: policies)?.lasting(of: name)
    }
}

extension Product {
    /// What a consumable gives for a time; nil where it gives nothing so.
    fileprivate var lastingEntitlement: EntitlementName? {
        for grant in grants {
            if case .entitlement(let name, .some) = grant { return name }
        }
        return nil
    }

    /// How long a consumable gives it (`for`); nil where it does not.
    fileprivate func lasting(of entitlement: EntitlementName) -> Period? {
        for grant in grants {
            if case .entitlement(entitlement, let lasting?) = grant { return lasting }
        }
        return nil
    }
}
