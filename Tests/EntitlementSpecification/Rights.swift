package import EntitlementModel

/// The answer to one question, with its reasons (spec 1.10).
package struct SpecifiedRight: Hashable, Sendable {
    package var isGranted: Bool
    package var state: EntitlementState?
    package var expiryReason: ExpiryReason?
    package var source: RightSource?
    package var rule: RuleReference
    package var paidUntil: Instant?
    package var willRenew: Bool?
    /// How many units and grants bear on the right at some instant.
    package var candidates: Int
}

extension Specification {
    /// Whether an account may use an entitlement at an instant, and why (spec 1.6).
    package func right(of account: AccountID, key: RightKey, at instant: Instant)
        -> SpecifiedRight
    {
        let owned = units.filter { unit in
            decisions(on: unit).contains { $0.value.ownersAfter.contains(account) }
        }
        let bearings = owned.filter { owners(of: $0, at: instant).contains(account) }
            .compactMap { unit in
                bearing(of: unit, on: key, for: account, at: instant).map { (unit, $0) }
            }
        let grants = grantsInForce(for: account, key: key, at: instant)
        var right = joined(bearings, grants: grants, key: key, for: account, at: instant)
        right.candidates =
            owned.count { mayGive($0, key.entitlement) }
            + self.grants(of: account).count { $0.gift == .entitlement(key.entitlement) }
        if right.isGranted, isBlocked(account, from: key.entitlement, at: instant) {
            right.isGranted = false
            right.rule = .builtIn("account is blocked")
        }
        return right
    }

    /// Whether an Apple ID may, whoever owns its lineages (spec 1.6).
    package func right(ofAppleIDHolding lineage: LineageKey, key: RightKey, at instant: Instant)
        -> SpecifiedRight
    {
        let held = lineages.filter { appleIDs.areTheSame($0, lineage) }
            .map { OwnedUnit.lineage($0) }.filter { purchasesOfUnit[$0] != nil }
        let bearings = held.compactMap { unit in
            bearing(of: unit, on: key, for: nil, at: instant).map { (unit, $0) }
        }
        var right = joined(bearings, grants: [], key: key, for: nil, at: instant)
        right.candidates = held.count { mayGive($0, key.entitlement) }
        return right
    }

    /// The union: of several granting ones, the one that ends last, then the smaller
    /// originalTransactionId (spec 1.10).
    private func joined(
        _ bearings: [(OwnedUnit, Bearing)], grants: [Grant], key: RightKey,
        for account: AccountID?, at instant: Instant
    ) -> SpecifiedRight {
        let granting = bearings.filter { $0.1.isGranted }
        // The end of what stands alone decides nothing.
        let isAlone = granting.count == 1 && grants.isEmpty
        let ends = granting.map { unit, _ in
            isAlone ? nil : grantEnd(of: unit, on: key, for: account, after: instant)
        }
        let order = granting.indices.sorted { left, right in
            if ends[left] != ends[right] {
                return Interval.endsLater(ends[left], than: ends[right])
            }
            return Purchase.isNamedSmaller(
                granting[left].1.situation.purchase, granting[right].1.situation.purchase)
        }
        if order.isEmpty, grants.isEmpty, let open = openRight(key, at: instant) {
            return SpecifiedRight(
                isGranted: true, state: nil, source: nil, rule: open.reference, candidates: 0)
        }
        let gift = grants.max { left, right in
            if left.until == right.until { return right.isNamedSmaller(than: left) }
            return Interval.endsLater(right.until, than: left.until)
        }
        if let gift, order.first.map({ Interval.endsLater(gift.until, than: ends[$0]) }) ?? true {
            return SpecifiedRight(
                isGranted: true, state: .active, source: .grant(gift.id),
                rule: .builtIn("granted by hand"), paidUntil: nil, willRenew: nil,
                candidates: 0)
        }
        guard let chosen = order.first.map({ granting[$0].1 }) ?? bearings.first?.1 else {
            return SpecifiedRight(
                isGranted: false, rule: .builtIn("nothing gives it"), candidates: 0)
        }
        return SpecifiedRight(chosen)
    }

    /// What everybody may use: the first of the list that is open in the environment (spec 2.1).
    private func openRight(_ key: RightKey, at instant: Instant) -> OpenRight? {
        guard policy.environments[key.environment] == .trusted else { return nil }
        return policy.openRights.first { right in
            right.entitlements.contains(key.entitlement)
                && right.windows.contains { $0.contains(instant) }
        }
    }

    /// Until when a unit grants without a break, as far as is known; nil for ever.
    private func grantEnd(
        of unit: OwnedUnit, on key: RightKey, for account: AccountID?, after instant: Instant
    ) -> Instant? {
        boundaries(of: unit, on: key, for: account).first { boundary in
            guard boundary > instant else { return false }
            if let account, !owners(of: unit, at: boundary).contains(account) { return true }
            return bearing(of: unit, on: key, for: account, at: boundary)?.isGranted != true
        }
    }
}

extension SpecifiedRight {
    fileprivate init(_ bearing: Bearing) {
        let situation = bearing.situation
        let purchase = situation.purchase
        self.init(
            isGranted: bearing.isGranted, state: situation.state.state,
            expiryReason: situation.state.reason, source: purchase.asSource, rule: bearing.rule,
            paidUntil: situation.paidUntil, willRenew: situation.willRenew,
            candidates: 0)
    }
}
