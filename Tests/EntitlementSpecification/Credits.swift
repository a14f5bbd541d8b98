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
            case .clawBack(let units): balance -= units
            case .clawBackOfTheRest(let units): balance -= min(units, max(balance, 0))
            }
        }
        return balance
    }

    /// What the first policy says that was in force at or after the refund and has the credit.
    private func onRefund(
        of credit: CreditName, at revocationDate: Instant
    ) -> CreditDefinition.OnRefund {
        let activations = policies.activations
        let since = activations.indices.filter { index in
            index == activations.count - 1 || activations[index + 1].activatedAt > revocationDate
        }
        return since.lazy.compactMap { activations[$0].policy.credits[credit]?.onRefund }.first
            ?? .debt
    }

    /// Units times quantity, once per purchase, to the account that owned it first; balances
    /// never move between accounts but by a merge of the two or by a person.
    private func deliveries(to account: AccountID, key: CreditKey) -> [Movement] {
        purchases.filter {
            $0.kind?.known == .consumable && counts($0, in: key.environment, for: account)
        }.flatMap { purchase in
            let grants = purchase.sold(under: policies)?.grants ?? []
            let units = grants.reduce(Int64(0)) { sum, grant in
                guard case .credit(key.credit, let units) = grant else { return sum }
                return sum + units
            }
            let delivered = units * purchase.current.quantity
            guard delivered > 0 else { return [Movement]() }
            var delivery = SpecifiedDelivery(at: purchase.start, units: delivered)
            if let revocation = purchase.current.revocation {
                delivery.onRefund = onRefund(of: key.credit, at: revocation.date)
            }
            if let revocation = purchase.current.revocation, delivery.onRefund != .ignore {
                delivery.refundedAt = max(revocation.date, purchase.start)
                delivery.refundedUnits = delivered * (revocation.percentage ?? 100_000) / 100_000
            }
            return movements(of: delivery, holders: holders(of: purchase.unit), for: account)
        }
    }

    /// Who stands in the place of the first owner of a unit, and since when: each merge of two
    /// accounts and each ruling puts one in the place of the other. After a release nobody does,
    /// until somebody owns it again.
    private func holders(of unit: OwnedUnit) -> [(account: AccountID?, since: Instant)] {
        guard let first = firstOwners[unit] else { return [] }
        var holders: [(account: AccountID?, since: Instant)] = [(first, Instant.distantPast)]
        for decision in changes(of: unit).dropFirst() {
            let (before, after) = (decision.value.ownersBefore, decision.value.ownersAfter)
            let came = Set(after).subtracting(before).min() ?? after.first
            if let holder = holders.last?.account {
                let left = Set(before).subtracting(after)
                guard decision.value.rule.movesDeliveries, left.contains(holder) else { continue }
                holders.append((came, decision.value.from))
            } else if let came {
                holders.append((came, decision.value.from))
            }
        }
        return holders
    }

    /// The delivery, its refund for whoever holds it then, and what goes from hand to hand.
    private func movements(
        of delivery: SpecifiedDelivery, holders: [(account: AccountID?, since: Instant)],
        for account: AccountID
    ) -> [Movement] {
        var movements: [Movement] = []
        if holders.first?.account == account {
            movements.append(Movement(at: delivery.at, effect: .change(delivery.units)))
        }
        if let refundedAt = delivery.refundedAt,
            holders.last(where: { $0.since <= refundedAt })?.account == account
        {
            let units = delivery.refundedUnits
            movements.append(
                Movement(
                    at: refundedAt,
                    effect: delivery.onRefund == .floor
                        ? .clawBackOfTheRest(units) : .clawBack(units)))
        }
        for (former, next) in zip(holders, holders.dropFirst()) {
            let isRefunded = delivery.refundedAt.map { $0 < next.since } ?? false
            let left = delivery.units - (isRefunded ? delivery.refundedUnits : 0)
            let instant = max(next.since, delivery.at)
            if former.account == account {
                movements.append(Movement(at: instant, effect: .change(-left)))
            }
            if next.account == account {
                movements.append(Movement(at: instant, effect: .change(left)))
            }
        }
        return movements
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
            ignoresCase: policy.app.accountToken == .isAccountID,
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

/// What a consumable brings, and what its refund takes.
private struct SpecifiedDelivery {
    let at: Instant
    let units: Int64
    var onRefund = CreditDefinition.OnRefund.debt
    var refundedAt: Instant?
    var refundedUnits: Int64 = 0
}

/// One change of a balance.
private struct Movement {
    enum Effect {
        case change(Int64)
        case clawBack(Int64)
        /// As much of it as is left.
        case clawBackOfTheRest(Int64)
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
        case .clawBack, .clawBackOfTheRest: 1
        }
    }
}

extension RuleReference {
    /// Whether what was delivered goes where the purchase goes: by a merge, or by a ruling.
    fileprivate var movesDeliveries: Bool {
        name == "the accounts were merged" || name == "ruled by hand"
    }
}
