package import EntitlementModel

/// Deliveries, grants, claw-backs and expiries (spec 1.7).
extension Specification {
    /// What an account has of a credit at an instant.
    package func balance(of account: AccountID, key: CreditKey, at instant: Instant) -> Int64 {
        let movements = deliveries(to: account, key: key) + gifts(to: account, key: key)
        var balance: Int64 = 0
        for movement in movements.sorted(by: Movement.comesBefore) {
            guard movement.at <= instant else { break }
            switch movement.effect {
            case .change(let units): balance += units
            case .clawBack(let units): balance -= clawedBack(units, of: key, from: balance)
            }
        }
        return balance
    }

    private func clawedBack(_ units: Int64, of key: CreditKey, from balance: Int64) -> Int64 {
        switch policy.credits[key.credit]?.onRefund ?? .debt {
        case .debt, .freeze: units
        case .floor: min(units, max(balance, 0))
        case .ignore: 0
        }
    }

    /// Units times quantity, once per purchase, to the account that owned it first; balances
    /// never move between accounts.
    private func deliveries(to account: AccountID, key: CreditKey) -> [Movement] {
        purchases.filter {
            $0.kind?.known == .consumable && firstOwners[$0.unit] == account
                && counts($0, in: key.environment, for: account)
        }.flatMap { purchase in
            let grants = purchase.sold(under: policies)?.grants ?? []
            let units = grants.reduce(Int64(0)) { sum, grant in
                guard case .credit(key.credit, let units) = grant else { return sum }
                return sum + units
            }
            let delivered = units * purchase.current.quantity
            guard delivered > 0 else { return [Movement]() }
            let delivery = Movement(at: purchase.start, effect: .change(delivered))
            guard let revocation = purchase.current.revocation else { return [delivery] }
            let share = revocation.percentage ?? 100_000
            return [
                delivery,
                Movement(
                    at: max(revocation.date, purchase.start),
                    effect: .clawBack(delivered * share / 100_000)),
            ]
        }
    }

    /// A delivery counts in its own environment, and in another where the first access rule
    /// that names its environment and matches grants it: it has no state, and is judged as
    /// active when it is bought. Unknown ownership never grants.
    private func counts(
        _ purchase: Purchase, in environment: StoreEnvironment, for account: AccountID
    ) -> Bool {
        let own = purchase.lineage.environment
        let product = policy.products[purchase.current.productID]
        let subject = RuleCase(
            kind: purchase.kind?.known, state: .active, environment: own,
            ownership: purchase.current.ownership,
            offer: purchase.current.offer.map(\.word) ?? OfferWord.none,
            autoRenew: .unknown, product: purchase.current.productID, account: account,
            group: product?.group, level: product?.level,
            storefront: purchase.current.storefront, stateAge: 0, purchased: purchase.start,
            firstPurchased: firstPurchased(purchase.lineage), at: purchase.start)
        if own == environment {
            if case .unknown = purchase.current.ownership { return false }
            return true
        }
        return policy.accessRules.first {
            $0.when.environments?.contains(own) == true && $0.matches(subject)
        }?.effect == .grant
    }

    private func gifts(to account: AccountID, key: CreditKey) -> [Movement] {
        grants(of: account).flatMap { grant -> [Movement] in
            guard case .credit(key.credit, let units) = grant.gift,
                grant.environment == key.environment
            else { return [] }
            guard let until = grant.until else {
                return [Movement(at: grant.from, effect: .change(units))]
            }
            guard until > grant.from else { return [] }
            return [
                Movement(at: grant.from, effect: .change(units)),
                Movement(at: until, effect: .change(-units)),
            ]
        }
    }
}

/// One change of a balance.
private struct Movement {
    enum Effect {
        case change(Int64)
        /// As much as the credit's rule for refunds takes of it.
        case clawBack(Int64)
    }

    let at: Instant
    let effect: Effect

    /// What is given at an instant comes before what is taken at it.
    static func comesBefore(_ left: Movement, _ right: Movement) -> Bool {
        if left.at != right.at { return left.at < right.at }
        return left.rank < right.rank
    }

    private var rank: Int {
        switch effect {
        case .change(let units): units > 0 ? 0 : 2
        case .clawBack: 1
        }
    }
}
