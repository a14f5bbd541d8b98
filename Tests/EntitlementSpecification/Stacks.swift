internal import EntitlementModel

/// When a purchase of an account-scoped kind lasts (spec 1.4).
struct Stretch: Hashable, Sendable {
    /// What a consumable gives for it; nil for a pass.
    let entitlement: EntitlementName?
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

    /// When it ends; of what never began, before all others.
    var activeUntil: Instant { hasVanished ? .distantPast : min(end, revokedAt ?? end) }

    /// Revoked before it had begun: it takes no place in the stack.
    var hasVanished: Bool { revokedAt.map { $0 <= start } ?? false }

    private func isActive(at instant: Instant) -> Bool {
        guard instant < end else { return false }
        return !replacements.contains { replacement in
            guard replacement.start <= instant else { return false }
            guard let revokedAt = replacement.revokedAt else { return true }
            return instant < revokedAt
        }
    }

    /// The stretch of every purchase that has one, or several: one of each entitlement that a
    /// consumable gives, in the catalogue's order. Each is laid after those of its stack that its
    /// owner has at its start.
    static func all(
        purchases: [Purchase], policies: PolicyHistory, gifts: [GrantRevocation],
        owner: (OwnedUnit, Instant) -> AccountID?
    ) -> [OwnedUnit: [Stretch]] {
        // One that has taken the place of a gift runs from the day of the gift.
        func begins(_ purchase: Purchase) -> Instant {
            gifts.compactMap { gift -> Instant? in
                guard case .paid(let payment, let given) = gift.effect,
                    purchase.transactions.contains(payment)
                else { return nil }
                return given
            }.min() ?? purchase.start
        }
        func comesBefore(_ left: Purchase, _ right: Purchase) -> Bool {
            let (own, other) = (begins(left), begins(right))
            if own != other { return own < other }
            return TransactionID.precedesByLength(left.name, right.name)
        }
        var stretches: [OwnedUnit: [Stretch]] = [:]
        func stretch(of pass: Pass) -> Stretch? {
            stretches[pass.purchase.unit]?.first { $0.entitlement == pass.entitlement }
        }
        let passes = purchases.flatMap { Pass.all(of: $0, policies: policies) }
        for pass in passes.sorted(by: { comesBefore($0.purchase, $1.purchase) }) {
            let start = begins(pass.purchase)
            let before = passes.filter { other in
                guard comesBefore(other.purchase, pass.purchase),
                    other.stack == pass.stack,
                    stretch(of: other)?.hasVanished == false,
                    let has = owner(other.purchase.unit, start)
                else { return false }
                return has == owner(pass.purchase.unit, start)
            }.sorted { comesBefore($0.purchase, $1.purchase) }
            var begin = start
            if pass.stacking == .extend {
                for other in before {
                    if other.stacking == .replace { begin = start }
                    guard let one = stretch(of: other) else { continue }
                    begin = max(begin, one.revokedAt ?? one.end)
                }
            }
            let laid = Stretch(pass, from: begin)
            stretches[pass.purchase.unit, default: []].append(laid)
            guard pass.stacking == .replace, !laid.hasVanished else { continue }
            // Passes alone replace others, and have one stretch each.
            for other in before {
                stretches[other.purchase.unit]?[0].replacements.append(
                    Replacement(start: begin, revokedAt: pass.purchase.revokedAt))
            }
        }
        return stretches
    }

    private init(_ pass: Pass, from start: Instant) {
        let end = pass.duration.end(from: start)
        entitlement = pass.entitlement
        self.start = start
        self.end = end
        revokedAt = pass.purchase.revokedAt.flatMap { $0 < end ? $0 : nil }
    }
}

/// A purchase that lasts for a time, as it was sold, or one right that it gives so. What the
/// catalogue lacks now grants nothing; what it has lasts as sold.
private struct Pass {
    let purchase: Purchase
    /// What a consumable gives; nil for what is a pass itself.
    let entitlement: EntitlementName?
    let duration: Period
    let stacking: Stacking
    /// Environment and stack in one; each right for a time that consumables of a product give has
    /// a stack of its own.
    let stack: String

    static func all(of purchase: Purchase, policies: PolicyHistory) -> [Pass] {
        let (environment, product) = (purchase.lineage.environment, purchase.current.productID)
        guard let sold = purchase.sold(under: policies) else { return [] }
        switch purchase.kind?.known {
        case .consumable:
            return purchase.lastingEntitlements(under: policies).compactMap { name in
                guard let one = sold.lasting(of: name) else { return nil }
                return Pass(
                    purchase: purchase, entitlement: name,
                    duration: Period(one.count * purchase.current.quantity, one.unit),
                    stacking: .extend, stack: "\(environment) consumable \(product) \(name)")
            }
        case .nonRenewing:
            guard let lasting = sold.duration else { return [] }
            let name = sold.stack.map { "stack \($0)" } ?? "product \(product)"
            return [
                Pass(
                    purchase: purchase, entitlement: nil, duration: lasting,
                    stacking: sold.stacking, stack: "\(environment) \(name)")
            ]
        default: return []
        }
    }
}

extension Purchase {
    /// The product as it was when this was sold (spec 1.4).
    func sold(under policies: PolicyHistory) -> Product? {
        policies.product(current.productID, soldAt: soldAt)
    }

    /// What its order promised; nil where nothing was, or no policy since then has the product.
    func promised(under policies: PolicyHistory) -> Product? {
        promisedAt.flatMap { _ in sold(under: policies) }
    }

    fileprivate var revokedAt: Instant? { current.revocation?.date }

    /// What the catalogue of today says that it gives for a time, and what was promised so of all
    /// else that is still defined.
    fileprivate func lastingEntitlements(under policies: PolicyHistory) -> [EntitlementName] {
        let now = policies.current.products[current.productID]
        let then = promised(under: policies)?.lastingEntitlements ?? []
        return (now?.lastingEntitlements ?? [])
            + then.filter {
                now?.entitlements.contains($0) != true && policies.current.defines($0)
            }
    }
}

extension Product {
    /// What a consumable gives for a time.
    fileprivate var lastingEntitlements: [EntitlementName] {
        grants.compactMap { grant in
            if case .entitlement(let name, .some) = grant { name } else { nil }
        }
    }

    /// How long a consumable gives it (`for`); nil where it does not.
    fileprivate func lasting(of entitlement: EntitlementName) -> Period? {
        for grant in grants {
            if case .entitlement(entitlement, let lasting?) = grant { return lasting }
        }
        return nil
    }
}
