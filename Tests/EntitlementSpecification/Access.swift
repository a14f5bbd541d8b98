internal import EntitlementModel

/// How one unit bears on one right at one instant.
struct Bearing {
    var isGranted: Bool
    var rule: RuleReference
    var situation: Situation
}

/// From state to right (spec 1.5).
extension Specification {
    /// What the rules decide on a unit; nil where it has no bearing on the right: before its
    /// first period, where its product does not give the entitlement, or where no rule names
    /// its environment.
    func bearing(
        of unit: OwnedUnit, on key: RightKey, for account: AccountID?, at instant: Instant
    ) -> Bearing? {
        guard let situation = situation(of: unit, at: instant, giving: key.entitlement),
            gives(situation.purchase, key.entitlement)
        else { return nil }
        let subject = ruleCase(
            unit, situation, entitlement: key.entitlement, account: account, at: instant)
        if situation.purchase.current.productID == .app {
            return bearing(ofApp: subject, situation, in: key.environment)
        }
        let isForeign = unit.environment != key.environment
        let rules = policy.accessRules.filter {
            !isForeign || $0.when.environments?.contains(unit.environment) == true
        }
        if let rule = rules.first(where: { $0.matches(subject) }) {
            return Bearing(
                isGranted: rule.effect == .grant, rule: rule.reference, situation: situation)
        }
        if isForeign { return nil }
        return Bearing(
            isGranted: grantsByDefault(subject), rule: .builtIn("built-in"),
            situation: situation)
    }

    /// Of the app itself nothing but `app_purchase` is asked: each of its rules gives (spec 1.13).
    private func bearing(
        ofApp subject: RuleCase, _ situation: Situation, in environment: StoreEnvironment
    ) -> Bearing? {
        let isForeign = subject.environment != environment
        let giving = policy.appRules.first { rule in
            let names = rule.when.environments?.contains(subject.environment) == true
            return (names || !isForeign) && rule.matches(subject)
        }
        if giving == nil, isForeign { return nil }
        return Bearing(
            isGranted: giving != nil, rule: giving?.reference ?? .builtIn(.otherApp),
            situation: situation)
    }

    /// Unknown ownership: withhold; active, grace, renewing: grant; the rest: withhold.
    private func grantsByDefault(_ subject: RuleCase) -> Bool {
        if case .unknown = subject.ownership { return false }
        return [.active, .grace, .renewing].contains(subject.state)
    }

    /// Whether any purchase of a unit gives an entitlement.
    func mayGive(_ unit: OwnedUnit, _ entitlement: EntitlementName) -> Bool {
        purchasesOfUnit[unit]?.contains { gives($0, entitlement) } == true
    }

    /// Whether the current catalogue says that a purchase gives an entitlement. A consumable
    /// gives one only for a time, and the other kinds only without.
    private func gives(_ purchase: Purchase, _ entitlement: EntitlementName) -> Bool {
        let now = policy.products[purchase.current.productID]
        let isNow = now?.entitlements.contains(entitlement) ?? false
        // What the order promised, of what is still defined.
        let then = policy.defines(entitlement) ? purchase.promised(under: policies) : nil
        let grants = (isNow ? now : then)?.grants ?? []
        return grants.contains { grant in
            guard case .entitlement(entitlement, let lasting) = grant else { return false }
            return (lasting != nil) == (purchase.kind?.known == .consumable)
        }
    }

    /// By the catalogue, or, of what it lacks, as it was promised (spec 1.8).
    func product(of purchase: Purchase) -> Product? {
        policy.products[purchase.current.productID] ?? purchase.promised(under: policies)
    }

    func ruleCase(
        _ unit: OwnedUnit, _ situation: Situation, entitlement: EntitlementName?,
        account: AccountID?, at instant: Instant
    ) -> RuleCase {
        let purchase = situation.purchase
        let product = product(of: purchase)
        let asksForAge = policy.accessRules.contains {
            $0.when.stateAges != nil || $0.unless?.stateAges != nil
        }
        return RuleCase(
            kind: kinds[unit]?.known, state: situation.state.state,
            environment: unit.environment, ownership: purchase.current.ownership,
            offer: purchase.current.offer.map(\.word) ?? OfferWord.none,
            expiryReason: situation.state.reason,
            autoRenew: situation.willRenew.map { $0 ? .on : .off } ?? .unknown,
            revocation: situation.state.state == .revoked
                ? situation.revocation?.word ?? .unknown : nil,
            product: purchase.current.productID, account: account,
            ignoresCase: policy.app.accountToken == .isAccountID, group: product?.group,
            entitlement: entitlement, level: product?.level,
            storefront: purchase.current.storefront,
            stateAge: asksForAge
                ? enteredState(of: unit, at: instant, giving: entitlement).map {
                    instant.milliseconds(since: $0)
                }
                : nil,
            unpaidFor: situation.paidUntil.flatMap { end in
                end <= instant ? instant.milliseconds(since: end) : nil
            },
            memberFor: memberFor(product, unit, account, at: instant),
            purchased: purchase.soldAt, firstPurchased: firstPurchased(unit),
            firstVersion: purchase.current.firstVersion,
            at: instant)
    }
}

extension Policy {
    /// Whether it says of an entitlement that there is one.
    func defines(_ entitlement: EntitlementName) -> Bool {
        entitlements[entitlement] != nil
            || products.values.contains { $0.entitlements.contains(entitlement) }
    }
}
