internal import EntitlementModel

/// Consumables that give several entitlements for a time, and catalogues that are wrong about what
/// is one. They have dice of their own, so that all else of a seed's history stays as it is.
struct RandomTickets {
    private var dice: SplitMix64

    init(seed: UInt64) {
        dice = SplitMix64(seed: seed ^ 0x71C6_E75F_0BA1)
    }

    mutating func mixed(into history: History) -> History {
        guard dice.chance(1, in: 2) else { return history }
        var history = history
        history.changePolicies { change(&$0) }
        return history
    }

    private mutating func change(_ policy: inout Policy) {
        for id in policy.products.keys.sorted() {
            guard var product = policy.products[id] else { continue }
            switch product.kind {
            case .consumable: add(to: &product)
            case .nonConsumable where id != .app && dice.chance(1, in: 8):
                product.kind = .consumable
                product.grants = product.entitlements.map { .entitlement($0, lasting: duration()) }
            case .autoRenewable, .nonRenewing, .nonConsumable, .free: break
            }
            policy.products[id] = product
        }
    }

    private mutating func add(to product: inout Product) {
        for name in Shelf.entitlements
        where !product.entitlements.contains(name) && dice.chance(1, in: 3) {
            product.grants.append(.entitlement(name, lasting: duration()))
        }
    }

    private mutating func duration() -> Period {
        dice.pick([Period(1, .hours), Period(1, .days), Period(10, .days), Period(1, .months)])
    }
}
