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
        if let signed = left.current.subscriptionGroupID,
            let other = right.current.subscriptionGroupID
        {
            return signed == other
        }
        let group = policy.products[left.current.productID]?.group
        return group != nil && group == policy.products[right.current.productID]?.group
    }

    /// Whether two lineages of an account run beside one another at an instant.
    func areDuplicates(
        _ left: LineageKey, _ right: LineageKey, of account: AccountID, at instant: Instant
    ) -> Bool {
        let situations = [left, right].compactMap { lineage -> Situation? in
            guard subscriptions[lineage] != nil,
                owners(of: .lineage(lineage), at: instant).contains(account),
                let situation = situation(of: .lineage(lineage), at: instant),
                situation.state.state != .expired, situation.state.state != .revoked,
                situation.purchase.current.ownership != .familyShared
            else { return nil }
            return situation
        }
        guard situations.count == 2, left.environment == right.environment else { return false }
        if areInOneGroup(situations[0].purchase, situations[1].purchase) { return true }
        let given = situations.map { entitlements(givenBy: $0.purchase) }
        return policy.duplicates.scope == .entitlement && !given[0].isDisjoint(with: given[1])
    }

    private func entitlements(givenBy purchase: Purchase) -> Set<EntitlementName> {
        Set(
            (policy.products[purchase.current.productID]?.grants ?? []).compactMap { grant in
                guard case .entitlement(let name, _) = grant else { return nil }
                return name
            })
    }
}
