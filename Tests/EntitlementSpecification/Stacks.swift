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

    /// The stretch of every purchase that has one. Each is laid after those of its stack that its
    /// owner has at its start.
    static func all(
        purchases: [Purchase], policies: PolicyHistory, gifts: [GrantRevocation],
        owner: (OwnedUnit, Instant) -> AccountID?
    ) -> [OwnedUnit: Stretch] {
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
        var stretches: [OwnedUnit: Stretch] = [:]
        let passes = purchases.compactMap { Pass($0, policies: policies) }
        for pass in passes.sorted(by: { comesBefore($0.purchase, $1.purchase) }) {
            let start = begins(pass.purchase)
            let before = passes.filter { other in
                guard comesBefore(other.purchase, pass.purchase),
                    other.stack == pass.stack,
                    stretches[other.purchase.unit]?.hasVanished == false,
                    let has = owner(other.purchase.unit, start)
                else { return false }
                return has == owner(pass.purchase.unit, start)
            }.sorted { comesBefore($0.purchase, $1.purchase) }
            var begin = start
            if pass.stacking == .extend {
                for other in before {
                    if other.stacking == .replace { begin = start }
                    guard let one = stretches[other.purchase.unit] else { continue }
                    begin = max(begin, one.revokedAt ?? one.end)
                }
            }
            let stretch = Stretch(
                start: begin, lasting: pass.duration, revoked: pass.purchase.revokedAt)
            stretches[pass.purchase.unit] = stretch
            guard pass.stacking == .replace, !stretch.hasVanished else { continue }
            for other in before {
                stretches[other.purchase.unit]?.replacements.append(
                    Replacement(start: begin, revokedAt: pass.purchase.revokedAt))
            }
        }
        return stretches
    }

    private init(start: Instant, lasting duration: Period, revoked: Instant?) {
        self.start = start
        end = duration.end(from: start)
        revokedAt = revoked.flatMap { $0 < duration.end(from: start) ? $0 : nil }
    }
}

/// A purchase that lasts for a time, as it was sold. What the catalogue lacks now grants nothing;
/// what it has lasts as sold.
private struct Pass {
    let purchase: Purchase
    let duration: Period
    let stacking: Stacking
    /// Environment and stack in one; consumables of one product are a stack of their own.
    let stack: String

    init?(_ purchase: Purchase, policies: PolicyHistory) {
        let (environment, product) = (purchase.lineage.environment, purchase.current.productID)
        self.purchase = purchase
        switch purchase.kind?.known {
        case .consumable:
            guard let one = purchase.lasting(under: policies) else { return nil }
            duration = Period(one.count * purchase.current.quantity, one.unit)
            stacking = .extend
            stack = "\(environment) consumable \(product)"
        case .nonRenewing:
            guard let sold = purchase.sold(under: policies), let lasting = sold.duration else {
                return nil
            }
            duration = lasting
            stacking = sold.stacking
            let name = sold.stack.map { "stack \($0)" } ?? "product \(product)"
            stack = "\(environment) \(name)"
        default: return nil
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

    /// How long one of it gives what the catalogue of today says that it gives for a time.
    fileprivate func lasting(under policies: PolicyHistory) -> Period? {
        let now = policies.current.products[current.productID]?.lastingEntitlement
        guard let name = now ?? promised(under: policies)?.lastingEntitlement else { return nil }
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
