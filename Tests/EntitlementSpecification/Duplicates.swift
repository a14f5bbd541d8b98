internal import EntitlementModel

/// Paying twice: two Apple IDs, one account (spec 1.9).
extension Specification {
    /// How far it is certain that two lineages belong to two Apple IDs (spec 1.3).
    enum Separation {
        case same
        case different
        case unproven
    }

    func separation(_ left: LineageKey, _ right: LineageKey) -> Separation {
        if appleIDs.areTheSame(left, right) { return .same }
        if appleIDs.areNamedApart(left, right) { return .different }
        let instants = boundaries(of: .lineage(left)) + boundaries(of: .lineage(right))
        let isExclusive = instants.contains { instant in
            guard let one = situation(of: .lineage(left), at: instant),
                let other = situation(of: .lineage(right), at: instant)
            else { return false }
            let both = [one, other]
            return both.allSatisfy {
                $0.state.state == .active && $0.purchase.current.ownership == .purchased
            } && areInOneGroup(one.purchase, other.purchase)
        }
        return isExclusive ? .different : .unproven
    }

    /// The signed group where both have one, else the catalogue's.
    func areInOneGroup(_ left: Purchase, _ right: Purchase) -> Bool {
        Purchase.areInOneGroup(left, right, policy: policy)
    }

    /// Whether an account pays for both lineages at an instant: two subscriptions of a group, or
    /// one non-consumable product twice.
    func areDuplicates(
        _ left: LineageKey, _ right: LineageKey, of account: AccountID, at instant: Instant
    ) -> Bool {
        let situations = [left, right].compactMap { lineage -> Situation? in
            guard owners(of: .lineage(lineage), at: instant).contains(account),
                let situation = situation(of: .lineage(lineage), at: instant),
                situation.state.state != .expired, situation.state.state != .revoked,
                situation.purchase.current.ownership != .familyShared
            else { return nil }
            return situation
        }
        guard situations.count == 2, left.environment == right.environment,
            let kind = kinds[.lineage(left)]?.known, kind == kinds[.lineage(right)]?.known
        else { return false }
        if kind == .nonConsumable {
            return situations[0].purchase.current.productID
                == situations[1].purchase.current.productID
        }
        guard kind == .autoRenewable else { return false }
        if areInOneGroup(situations[0].purchase, situations[1].purchase) { return true }
        let given = situations.map { entitlements(givenBy: $0.purchase) }
        return policy.duplicates.scope == .entitlement && !given[0].isDisjoint(with: given[1])
    }

    /// Of a duplicate non-consumable, the product that was bought twice.
    func productOfBoth(_ lineage: LineageKey) -> ProductID? {
        let unit = OwnedUnit.lineage(lineage)
        guard kinds[unit]?.known == .nonConsumable else { return nil }
        return purchasesOfUnit[unit]?.first?.current.productID
    }

    /// Which one of a duplicate to keep, as it stands in the last stretch of the overlap that
    /// holds the instant: one that renews before one that does not, then what the policy says,
    /// then the later paid end, then the earlier purchase, then the smaller lineage.
    func kept(
        _ left: LineageKey, _ right: LineageKey, of account: AccountID, at instant: Instant
    ) -> LineageKey {
        let units = [OwnedUnit.lineage(left), .lineage(right)]
        let changes = units.flatMap { boundaries(of: $0) + decisions(on: $0).map(\.value.from) }
        var last = instant
        for change in changes.sorted() where change > last {
            guard areDuplicates(left, right, of: account, at: change) else { break }
            last = change
        }
        let situations = [left, right].map { situation(of: .lineage($0), at: last) }
        let bought = units.map { purchasesOfUnit[$0]?.first?.start ?? .distantPast }
        let ends = situations.map { $0?.paidUntil ?? Instant(milliseconds: .max) }
        let isOff = situations.map { $0?.willRenew == false }
        if isOff[0] != isOff[1] { return isOff[0] ? right : left }
        switch policy.duplicates.keep {
        case .longestPaid: break
        case .newest:
            if bought[0] != bought[1] { return bought[0] > bought[1] ? left : right }
        case .highestLevel:
            let places = situations.map { $0.flatMap { levelPlace(of: $0.purchase) } ?? .max }
            if places[0] != places[1] { return places[0] < places[1] ? left : right }
        }
        if ends[0] != ends[1] { return ends[0] > ends[1] ? left : right }
        if bought[0] != bought[1] { return bought[0] < bought[1] ? left : right }
        return left
    }

    /// The smaller the better; nil for a product without a level.
    private func levelPlace(of purchase: Purchase) -> Int? {
        guard let product = policy.products[purchase.current.productID],
            let group = product.group, let level = product.level
        else { return nil }
        return policy.groups[group]?.levels.firstIndex(of: level)
    }

    private func entitlements(givenBy purchase: Purchase) -> Set<EntitlementName> {
        Set(
            (policy.products[purchase.current.productID]?.grants ?? []).compactMap { grant in
                guard case .entitlement(let name, _) = grant else { return nil }
                return name
            })
    }
}
