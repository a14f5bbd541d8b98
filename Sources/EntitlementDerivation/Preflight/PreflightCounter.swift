internal import EntitlementModel

/// A purchase of an Apple-ID-scoped kind, compared with what the account and the device's Apple ID
/// have (spec 1.8, 1.9).
struct PreflightCounter {
    private let request: PreflightRequest
    private let product: Product
    private let instant: Instant
    private let view: FactView
    private let appleIDs: AppleIDs
    private let device: AppleIDKey?
    private let units: [DerivedUnit]

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
            }.units
    }

    func notes(foretold claim: ClaimOutcome?) -> [PreflightNote] {
        [alreadyOwned, alreadySubscribed, planChange, accountSwitch(foretold: claim)]
            .compactMap(\.self) + duplicates + [appleIDUnknown].compactMap(\.self)
            + retries + unclaimed
    }

    private var alreadyOwned: PreflightNote? {
        guard product.kind != .autoRenewable, let unit = own.first(where: isOfProduct) else {
            return nil
        }
        return PreflightNote(.alreadyOwned, .block, lineage: unit.lineage)
    }

    private var alreadySubscribed: PreflightNote? {
        guard product.kind == .autoRenewable,
            let unit = own.first(where: {
                isOfProduct($0) && isOnDevice($0) && !isRetryingInVain($0)
            })
        else { return nil }
        return PreflightNote(.alreadySubscribed, .block, lineage: unit.lineage)
    }

    /// An upgrade takes effect now, everything else at the renewal.
    private var planChange: PreflightNote? {
        guard product.kind == .autoRenewable,
            let unit = own.first(where: {
                isInGroup($0) && !isOfProduct($0) && isOnDevice($0) && !isRetryingInVain($0)
            })
        else { return nil }
        let change = change(from: unit)
        return PreflightNote(
            .planChange, .proceed, text: change.text, lineage: unit.lineage, change: change)
    }

    private func accountSwitch(foretold claim: ClaimOutcome?) -> PreflightNote? {
        guard let unit = onDevice.last,
            let owner = unit.ownership.owners.first,
            !unit.ownership.owners.contains(request.account)
        else { return nil }
        let moves = claim == .accepted
        return PreflightNote(
            .accountSwitch, moves ? .warn : .block, text: moves ? .switchMoves : .switchStays,
            lineage: unit.lineage, maskedAccount: owner.masked)
    }

    /// Subscriptions on other Apple IDs that would be paid for besides this purchase. One that
    /// gives nothing now, or ends by itself, is said to do so and stops nobody.
    private var duplicates: [PreflightNote] {
        guard product.kind == .autoRenewable, let device else { return [] }
        return own.filter { givesTheSame($0) && !isRetryingInVain($0) }
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
        return own.filter { givesTheSame($0) && isRetryingInVain($0) }.map {
            PreflightNote(.retryInProgress, .warn, lineage: $0.lineage)
        }
    }

    private func isRetryingInVain(_ unit: DerivedUnit) -> Bool {
        guard unit.span(at: instant)?.state == .billingRetry else { return false }
        return !UnitRights(unit: unit, view: view, account: request.account)
            .contributions(in: [.always]).contains { $0.isGranted(at: instant) }
    }

    /// Payments on the device's Apple ID that nobody has claimed.
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

    /// What the account owns, uses now and pays for: a family member may buy her own.
    private var own: [DerivedUnit] {
        units.filter {
            $0.ownership.owners.contains(request.account) && $0.isRunning(at: instant)
                && $0.isPaidByOwner(at: instant, view)
        }
    }

    /// The lineages of the device's Apple ID that this purchase would be part of.
    private var onDevice: [DerivedUnit] {
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
            let held = unit.newestPurchase.catalogued(in: view)?.level,
            let place = levels.firstIndex(of: level), let heldPlace = levels.firstIndex(of: held),
            place != heldPlace
        else { return .crossgrade }
        return place < heldPlace ? .upgrade : .downgrade
    }

    /// What this purchase would cost beside a subscription, in that one's currency; where Apple
    /// did not sign one, in the only currency of the policy. Nil where the policy has no price.
    private func cost(beside unit: DerivedUnit) -> RecurringPrice? {
        let currency =
            unit.newestPurchase.price(in: view)?.currency
            ?? (product.prices.count == 1 ? product.prices.keys.first : nil)
        guard let currency, let price = product.prices[currency] else { return nil }
        return RecurringPrice(
            price: Price(milliunits: price, currency: currency), period: product.period)
    }
}

extension PreflightCounter {
    /// Judges the claim that the purchase would make, with a snapshot such as Apple would sign:
    /// in the lineage that the device's Apple ID already has, with the account's own token.
    var foretoldClaim: ClaimOutcome? {
        guard device != nil, let id = TransactionID("preflight"),
            let token = AppAccountToken("00000000-0000-0000-0000-000000000000")
        else { return nil }
        let lineage = onDevice.last?.lineage
        var snapshot = TransactionSnapshot(
            environment: request.environment, bundleID: view.policy.policy.app.bundleID,
            transactionID: id,
            originalTransactionID: lineage?.originalTransactionID ?? id,
            productID: product.id, purchaseDate: instant, signedDate: instant,
            source: EvidenceSource(form: .jws, trust: .signed, canonicalDigest: .zero))
        snapshot.kind = product.kind == .free ? nil : .known(product.kind)
        snapshot.expiresDate =
            product.kind == .autoRenewable
            ? (product.period ?? Period(1, .months)).end(from: instant) : nil
        snapshot.ownership = .purchased
        snapshot.appAccountToken = token
        var facts = view.facts
        facts.transactions.append(.foretold(snapshot, at: instant))
        facts.accountTokens.append(
            .foretold(
                AccountTokenRegistration(
                    token: token, account: request.account, actor: "preflight",
                    reason: "preflight"), at: instant))
        let claim = Claim(
            account: request.account, transaction: TransactionKey(request.environment, id),
            moment: .purchase)
        let hypothesis = FactView(facts, policy: view.policy)
        return ClaimEvaluation(claim, recordedAt: instant, view: hypothesis)?.judged.outcome
    }
}

extension Recorded {
    /// A fact that is not in the ledger.
    fileprivate static func foretold(_ value: Value, at instant: Instant) -> Recorded {
        Recorded(sequence: LedgerSequence(.max), recordedAt: instant, value: value)
    }
}

extension Digest256 {
    fileprivate static let zero: Digest256 = {
        guard let digest = Digest256(repeatElement(0, count: 32)) else {
            preconditionFailure("32 bytes are a digest")
        }
        return digest
    }()
}

extension AccountID {
    /// Enough to be recognised by its owner, and no more.
    var masked: String { "\(text.prefix(text.utf8.count > 4 ? 2 : 1))***" }
}

extension DerivedUnit {
    /// The last by start.
    fileprivate var newestPurchase: Purchase { states.purchases[states.purchases.count - 1] }

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
