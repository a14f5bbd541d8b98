internal import EntitlementModel

/// A purchase of an Apple-ID-scoped kind, compared with what the account and the device's Apple ID
/// have (spec 1.8, 1.9).
struct PreflightCounter {
    let request: PreflightRequest
    let product: Product
    let instant: Instant
    let view: FactView
    private let appleIDs: AppleIDs
    let device: AppleIDKey?
    /// The one that was bought last at the end.
    private let units: [DerivedUnit]
    private let memberships: Memberships

    init(
        _ request: PreflightRequest, product: Product, at instant: Instant, view: FactView
    ) {
        self.request = request
        self.product = product
        self.instant = instant
        self.view = view
        appleIDs = AppleIDs(view)
        device = request.appleID.flatMap { [appleIDs] in
            appleIDs.name(of: $0, in: request.environment)
        }
        units =
            UnitIndex(view, ownerships: OwnershipIndex(view)) {
                $0.environment == request.environment
            }.units.sorted {
                ($0.newestPurchase.start, $0.lineage) < ($1.newestPurchase.start, $1.lineage)
            }
        memberships = Memberships(of: request.account, in: units, view: view)
    }

    func notes(foretold claims: PreflightClaims?) -> [PreflightNote] {
        [alreadyOwned, boughtAgain, planChange, accountSwitch(foretold: claims)]
            .compactMap(\.self) + duplicates + familyShared
            + [appleIDUnknown].compactMap(\.self) + retries + unclaimed
    }

    private var alreadyOwned: PreflightNote? {
        guard product.kind != .autoRenewable, let unit = own.last(where: isOfProduct) else {
            return nil
        }
        return PreflightNote(.alreadyOwned, .block, lineage: unit.lineage)
    }

    /// The same plan again on the Apple ID that has it: Apple's reaction depends on its renewal.
    /// One that will not renew, and is not paid for either, is bought like a new one.
    private var boughtAgain: PreflightNote? {
        guard product.kind == .autoRenewable,
            let unit = own.last(where: {
                isOfProduct($0) && isOnDevice($0) && !isInRetryWithoutAccess($0)
            }), let span = unit.span(at: instant)
        else { return nil }
        func note(_ code: PreflightCode, _ effect: PreflightEffect) -> PreflightNote {
            PreflightNote(code, effect, lineage: unit.lineage, until: span.paidUntil, cost: cost())
        }
        if unit.period(at: instant).isSoldAsSeats(in: view) { return note(.moreSeats, .proceed) }
        if span.willRenew == false {
            return span.state == .active ? note(.renewsAgain, .proceed) : nil
        }
        if let next = nextProduct(of: unit), next != product.id {
            return note(.changeWithdrawn, .proceed)
        }
        return PreflightNote(.alreadySubscribed, .block, lineage: unit.lineage)
    }

    /// What Apple renews a subscription as, where it said so by then.
    private func nextProduct(of unit: DerivedUnit) -> ProductID? {
        view.renewals(of: unit.lineage).last { $0.signedDate <= instant }?.autoRenewProductID
    }

    private var planChange: PreflightNote? {
        guard product.kind == .autoRenewable,
            let unit = own.last(where: {
                isInGroup($0) && !isOfProduct($0) && isOnDevice($0) && !isInRetryWithoutAccess($0)
            })
        else { return nil }
        let change = change(from: unit)
        let span = unit.span(at: instant)
        let isPending = span?.willRenew != false && nextProduct(of: unit) == product.id
        let isNow =
            !isPending && (change == .upgrade || change == .crossgrade && isAsLong(as: unit))
        let text: PreflightText =
            switch change {
            case _ where isPending: .changePending
            case .upgrade: .upgrade
            case .downgrade: .downgrade
            case .crossgrade: isNow ? .crossgradeNow : .crossgrade
            }
        var note = PreflightNote(
            .planChange, .proceed, text: text, lineage: unit.lineage,
            until: isNow ? nil : span?.paidUntil)
        note.change = change
        note.takesEffect = isNow ? .now : .renewal
        return note
    }

    private func accountSwitch(foretold claims: PreflightClaims?) -> PreflightNote? {
        guard let unit = onDevice.last,
            let owner = unit.ownership.owners.first,
            !unit.ownership.owners.contains(request.account)
        else { return nil }
        let moves = claims?.withToken == .accepted
        let text: PreflightText =
            !moves
            ? .switchStays
            : claims?.withoutToken == .accepted ? .switchMoves : .switchMovesWithToken
        return PreflightNote(
            .accountSwitch, moves ? .warn : .block, text: text, lineage: unit.lineage,
            maskedAccount: owner.masked)
    }

    /// Units that the family shares with the account or the device's Apple ID, if they give all
    /// that the purchase would.
    private var familyShared: [PreflightNote] {
        let wanted = Set(product.entitlements)
        guard !wanted.isEmpty else { return [] }
        return units.filter { $0.unit == .lineage($0.lineage) }.filter {
            $0.ownership.owners.contains(request.account)
                || device != nil && appleIDs.key(of: $0.lineage) == device
        }.filter { $0.isRunning(at: instant) && !$0.isPaidByOwner(at: instant, view) }
            .filter { wanted.isSubset(of: given(by: $0)) }.map { unit in
                PreflightNote(
                    .familyShared, .warn, lineage: unit.lineage,
                    until: unit.span(at: instant)?.paidUntil, cost: cost())
            }
    }

    /// The entitlements that a unit gives the account now, or would if the account owned it.
    private func given(by unit: DerivedUnit) -> Set<EntitlementName> {
        Set(
            rights(of: unit).contributions(in: [.always])
                .filter {
                    $0.right.environment == request.environment && $0.isGranted(at: instant)
                }.map(\.right.entitlement))
    }

    /// Subscriptions on other Apple IDs that would be paid for in addition. One that gives nothing
    /// now, or will not renew, is reported and blocks nothing.
    private var duplicates: [PreflightNote] {
        guard product.kind == .autoRenewable, let device else { return [] }
        return own.filter { givesTheSame($0) && !isInRetryWithoutAccess($0) }
            .compactMap { unit in
                let key = appleIDs.key(of: unit.lineage) ?? .lineage(unit.lineage)
                guard key != device else { return nil }
                if unit.span(at: instant)?.willRenew == false {
                    return PreflightNote(
                        .notRenewing, .warn, lineage: unit.lineage,
                        until: unit.span(at: instant)?.paidUntil)
                }
                let isCertain = key.isCertain && device.isCertain
                return PreflightNote(
                    isCertain ? .duplicateAppleID : .duplicateAppleIDPossible,
                    effect(ofDuplicate: isCertain), lineage: unit.lineage,
                    until: unit.span(at: instant)?.paidUntil, cost: cost(beside: unit))
            }
    }

    private func effect(ofDuplicate isCertain: Bool) -> PreflightEffect {
        switch view.policy.policy.duplicates.beforePurchase {
        case .allow: .proceed
        case .warn: .warn
        case .block: isCertain ? .block : .warn
        }
    }

    /// Subscriptions that Apple tries to charge for while they give nothing.
    private var retries: [PreflightNote] {
        guard product.kind == .autoRenewable else { return [] }
        return own.filter { givesTheSame($0) && isInRetryWithoutAccess($0) }.map {
            PreflightNote(.retryInProgress, .warn, lineage: $0.lineage)
        }
    }

    private func isInRetryWithoutAccess(_ unit: DerivedUnit) -> Bool {
        guard unit.span(at: instant)?.state == .billingRetry else { return false }
        return !rights(of: unit).contributions(in: [.always]).contains {
            $0.isGranted(at: instant)
        }
    }

    private func rights(of unit: DerivedUnit) -> UnitRights {
        UnitRights(
            unit: unit, view: view, account: request.account, memberships: memberships)
    }

    /// Payments on the device's Apple ID without a claim.
    private var unclaimed: [PreflightNote] {
        guard let device else { return [] }
        let onDevice = units.filter { appleIDs.key(of: $0.lineage) == device }
        let lineages = unclaimedPayments(of: onDevice, view: view)
            .filter { $0.interval.contains(instant) }
            .compactMap { finding in
                onDevice.first { finding.units == [$0.unit] }?.lineage
            }
        return Set(lineages).sorted().map {
            PreflightNote(.unclaimedPayment, .warn, lineage: $0)
        }
    }

    private var appleIDUnknown: PreflightNote? {
        device == nil ? PreflightNote(.appleIDUnknown, .warn) : nil
    }

    /// Units that the account owns, uses now and pays for: a family member may buy her own.
    private var own: [DerivedUnit] {
        units.filter {
            $0.ownership.owners.contains(request.account) && $0.isRunning(at: instant)
                && $0.isPaidByOwner(at: instant, view)
        }
    }

    /// The lineages of the device's Apple ID that this purchase would be part of.
    var onDevice: [DerivedUnit] {
        guard let device else { return [] }
        return units.filter {
            appleIDs.key(of: $0.lineage) == device
                && (product.kind == .autoRenewable ? isInGroup($0) : isOfProduct($0))
                && $0.newestPurchase.ownership(in: view) != .familyShared
        }
    }

    private func isOnDevice(_ unit: DerivedUnit) -> Bool {
        device == nil || appleIDs.key(of: unit.lineage) == device
    }

    private func isOfProduct(_ unit: DerivedUnit) -> Bool {
        unit.kind.isKnown(product.kind) && unit.productID(at: instant) == product.id
    }

    private func isInGroup(_ unit: DerivedUnit) -> Bool {
        guard unit.kind.isKnown(.autoRenewable), let group = product.group else { return false }
        return unit.newestPurchase.catalogued(in: view)?.group == group
    }

    private func givesTheSame(_ unit: DerivedUnit) -> Bool {
        if isInGroup(unit) { return true }
        guard unit.kind.isKnown(.autoRenewable),
            view.policy.policy.duplicates.scope == .entitlement
        else { return false }
        let given = unit.newestPurchase.catalogued(in: view)?.entitlements ?? []
        return !Set(given).isDisjoint(with: product.entitlements)
    }

    private func change(from unit: DerivedUnit) -> PlanChange {
        guard let group = product.group, let level = product.level,
            let levels = view.policy.policy.groups[group]?.levels,
            let held = unit.period(at: instant).catalogued(in: view)?.level,
            let place = levels.firstIndex(of: level), let heldPlace = levels.firstIndex(of: held),
            place != heldPlace
        else { return .crossgrade }
        return place < heldPlace ? .upgrade : .downgrade
    }

    /// Whether the catalogue gives both the same level and the same length.
    private func isAsLong(as unit: DerivedUnit) -> Bool {
        let held = unit.period(at: instant).catalogued(in: view)
        guard let period = product.period, let other = held?.period else { return false }
        return period.isAsLong(as: other) && product.level == held?.level
    }

    /// The price of the product in the storefront of the Apple ID at hand. If unknown: in the
    /// currency of the other subscription, or the only currency of the policy.
    private func cost(beside unit: DerivedUnit? = nil) -> RecurringPrice? {
        let known = device.flatMap(newestOfStorefront)
        let storefront = request.storefront ?? known?.storefront
        let currency: String? =
            if let storefront {
                StorefrontCurrencies.currency(of: storefront)
                    ?? (storefront == known?.storefront ? known?.price?.currency : nil)
            } else {
                unit?.period(at: instant).price(in: view)?.currency
                    ?? (product.prices.count == 1 ? product.prices.keys.first : nil)
            }
        guard let currency, let price = product.prices[currency] else { return nil }
        return RecurringPrice(
            price: Price(milliunits: price, currency: currency), period: product.period,
            storefront: storefront)
    }

    /// The Apple ID's newest snapshot that states a storefront.
    private func newestOfStorefront(_ appleID: AppleIDKey) -> TransactionSnapshot? {
        let snapshots = view.lineages.filter { appleIDs.key(of: $0.key) == appleID }
            .flatMap(\.transactions).map { view.facts.transactions[$0].value }
        return snapshots.filter { $0.storefront != nil && $0.purchaseDate <= instant }
            .max(by: SnapshotOrder.precedes)
    }
}

extension AccountID {
    /// Enough to be recognised by its owner, and no more.
    var masked: String { "\(text.prefix(text.utf8.count > 4 ? 2 : 1))***" }
}

extension DerivedUnit {
    /// The last by start.
    var newestPurchase: Purchase { states.purchases[states.purchases.count - 1] }

    /// The one of its state; without a state the newest.
    fileprivate func period(at instant: Instant) -> Purchase {
        states.spanIndex(at: instant).map { period(of: $0) } ?? newestPurchase
    }

    fileprivate func span(at instant: Instant) -> StateSpan? {
        states.spanIndex(at: instant).map { states.spans[$0] }
    }

    fileprivate func isRunning(at instant: Instant) -> Bool {
        span(at: instant)?.state.isRunning ?? false
    }

    fileprivate func productID(at instant: Instant) -> ProductID {
        states.spanIndex(at: instant).map { states.spans[$0].productID }
            ?? newestPurchase.productID
    }

    /// A family member's is no duplicate (spec 1.9).
    fileprivate func isPaidByOwner(at instant: Instant, _ view: FactView) -> Bool {
        guard let index = states.spanIndex(at: instant) else { return false }
        return period(of: index).ownership(in: view) != .familyShared
    }
}
