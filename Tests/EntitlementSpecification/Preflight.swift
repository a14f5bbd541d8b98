package import EntitlementModel

/// Before a purchase (spec 1.8), without what is told of prices.
extension Specification {
    /// Each note as `code effect`, with the lineage that it is about and how a plan changes;
    /// and how the claim would end with the account's token and without. Sorted.
    package func preflight(
        of id: ProductID, for asked: AccountID, in environment: StoreEnvironment,
        on key: AppleIDKey?, at instant: Instant
    ) -> [String] {
        guard let product = policy.products[id] else { return ["unknown-product block"] }
        let account = name(asked)
        var notes: [String] = []
        if let retired = product.retiredAt, retired <= instant {
            notes.append("not-for-sale block")
        }
        if product.kind == .free, !policy.app.isNewsstand { notes.append("kind-not-allowed block") }
        if isStopped(product, of: account, at: instant) { notes.append("account-blocked block") }
        if product.kind.isAccountScoped {
            return notes + (notes.isEmpty ? ["claim accepted accepted"] : [])
        }
        let purchase = IntendedPurchase(
            product: product, account: account, environment: environment,
            device: key.flatMap { device($0, in: environment) }, instant: instant)
        var claims: [String] = []
        if notes.isEmpty, purchase.device != nil {
            // What could not be signed so is no claim (spec 1.2).
            claims = [true, false].compactMap { foretoldClaim(of: purchase, hasToken: $0) }
        }
        notes += existing(purchase) + others(purchase, foretold: claims.first)
        if !claims.isEmpty { notes.append("claim " + claims.joined(separator: " ")) }
        return notes.sorted()
    }

    /// A purchase of a kind that belongs to an Apple ID.
    private struct IntendedPurchase {
        var product: Product
        var account: AccountID
        var environment: StoreEnvironment
        /// Nil where it is not known.
        var device: AppleIDKey?
        var instant: Instant
    }

    private func device(_ key: AppleIDKey, in environment: StoreEnvironment) -> AppleIDKey? {
        let parts = key.text.split(separator: ":", maxSplits: 2).map(String.init)
        guard parts.count == 3, parts[1] == environment.rawValue else { return nil }
        guard parts[0] == "otx" else { return key }
        return TransactionID(parts[2]).flatMap { appleIDKey(of: LineageKey(environment, $0)) }
    }

    private func isStopped(
        _ product: Product, of account: AccountID, at instant: Instant
    ) -> Bool {
        facts.blocks.contains { block in
            let lifted = facts.blockRemovals.contains {
                $0.value.block == block.value.id && $0.sequence > block.sequence
                    && $0.recordedAt <= instant
            }
            guard block.value.account == account, block.recordedAt <= instant, !lifted else {
                return false
            }
            return block.value.scope.isEverything
                || product.grants.contains { grant in
                    switch grant {
                    case .entitlement(let name, _): block.value.scope.includes(name)
                    case .credit(let name, _, _): block.value.scope.includes(name)
                    }
                }
        }
    }
}

/// What the account has already.
extension Specification {
    /// A lineage and what it is at the instant.
    private struct Held {
        var lineage: LineageKey
        var situation: Situation
        var newest: Purchase
    }

    /// Lineages of the environment, the one that was bought last at the end.
    private func byLastPurchase(_ purchase: IntendedPurchase) -> [(LineageKey, Purchase)] {
        lineages.filter { $0.environment == purchase.environment }.compactMap { lineage in
            let periods = subscriptions[lineage]?.periods.map(\.purchase)
            let purchases = periods ?? purchasesOfUnit[.lineage(lineage)] ?? []
            return purchases.last.map { (lineage, $0) }
        }.sorted { ($0.1.start, $0.0) < ($1.1.start, $1.0) }
    }

    private func held(_ purchase: IntendedPurchase) -> [Held] {
        byLastPurchase(purchase).compactMap { lineage, newest in
            let unit = OwnedUnit.lineage(lineage)
            guard lastOwners(of: unit).contains(purchase.account),
                let situation = situation(of: unit, at: purchase.instant),
                situation.state.state != .expired, situation.state.state != .revoked,
                situation.purchase.current.ownership != .familyShared
            else { return nil }
            return Held(lineage: lineage, situation: situation, newest: newest)
        }
    }

    private func isOnDevice(_ lineage: LineageKey, _ purchase: IntendedPurchase) -> Bool {
        purchase.device == nil || appleIDKey(of: lineage) == purchase.device
    }

    private func isOfProduct(_ held: Held, _ product: Product) -> Bool {
        kinds[.lineage(held.lineage)]?.known == product.kind
            && held.situation.purchase.current.productID == product.id
    }

    private func isOfGroup(_ lineage: LineageKey, _ newest: Purchase, _ product: Product) -> Bool {
        kinds[.lineage(lineage)]?.known == .autoRenewable && product.group != nil
            && policy.products[newest.current.productID]?.group == product.group
    }

    private func isInRetryWithoutAccess(_ held: Held, _ purchase: IntendedPurchase) -> Bool {
        held.situation.state.state == .billingRetry
            && !StoreEnvironment.allCases.contains { environment in
                !entitlements(
                    given: .lineage(held.lineage), to: purchase.account, in: environment,
                    at: purchase.instant
                ).isEmpty
            }
    }

    private func entitlements(
        given unit: OwnedUnit, to account: AccountID, in environment: StoreEnvironment,
        at instant: Instant
    ) -> Set<EntitlementName> {
        Set(
            policy.entitlements.keys.filter {
                bearing(
                    of: unit, on: RightKey(environment, $0), for: account, at: instant
                )?.isGranted == true
            })
    }

    /// What Apple renews a lineage as, as far as it has said so.
    private func nextPlan(_ held: Held, _ purchase: IntendedPurchase) -> ProductID? {
        subscriptions[held.lineage]?.newestInfo(at: purchase.instant)?.autoRenewProductID
    }

    private func existing(_ purchase: IntendedPurchase) -> [String] {
        let product = purchase.product
        let held = self.held(purchase)
        guard product.kind == .autoRenewable else {
            return held.last { isOfProduct($0, product) }
                .map { ["already-owned block \($0.lineage.originalTransactionID)"] } ?? []
        }
        let candidates = held.filter {
            isOnDevice($0.lineage, purchase) && !isInRetryWithoutAccess($0, purchase)
        }
        var notes: [String] = []
        if let same = candidates.last(where: { isOfProduct($0, product) }),
            let note = noteOfTheSame(same, purchase)
        {
            notes.append("\(note) \(same.lineage.originalTransactionID)")
        }
        let other = candidates.last {
            isOfGroup($0.lineage, $0.newest, product) && !isOfProduct($0, product)
        }
        if let other {
            let change = self.change(from: other, purchase)
            notes.append("plan-change proceed \(other.lineage.originalTransactionID) \(change)")
        }
        return notes
    }

    private func noteOfTheSame(_ held: Held, _ purchase: IntendedPurchase) -> String? {
        let period = subscriptions[held.lineage]?.periods.first {
            $0.purchase == held.situation.purchase
        }
        if period?.isSoldAsSeats == true { return "more-seats proceed" }
        if held.situation.willRenew == false {
            return held.situation.state.state == .active ? "renews-again proceed" : nil
        }
        if let next = nextPlan(held, purchase), next != purchase.product.id {
            return "change-withdrawn proceed"
        }
        return "already-subscribed block"
    }

    private func change(from held: Held, _ purchase: IntendedPurchase) -> String {
        let product = purchase.product
        let other = policy.products[held.situation.purchase.current.productID]
        let levels = product.group.flatMap { policy.groups[$0]?.levels } ?? []
        let place = product.level.flatMap { levels.firstIndex(of: $0) }
        let otherPlace = other?.level.flatMap { levels.firstIndex(of: $0) }
        let isPending =
            held.situation.willRenew != false && nextPlan(held, purchase) == product.id
        if let place, let otherPlace, place != otherPlace {
            let isUpgrade = place < otherPlace
            return isUpgrade
                ? "upgrade \(isPending ? "renewal" : "now")" : "downgrade renewal"
        }
        let isSame =
            product.level == other?.level && product.period.map(length) != nil
            && product.period.map(length) == other?.period.map(length)
        return "crossgrade \(isSame && !isPending ? "now" : "renewal")"
    }

    /// In months or in milliseconds; no number of one is as long as one of the other.
    private func length(_ period: Period) -> String {
        if let milliseconds = period.fixedMilliseconds { return "\(milliseconds) ms" }
        return "\(period.unit == .years ? period.count * 12 : period.count) mo"
    }
}

/// What others have, and what there is on other Apple IDs.
extension Specification {
    private func others(_ purchase: IntendedPurchase, foretold claim: String?) -> [String] {
        var notes = family(purchase)
        if purchase.device == nil { notes.append("apple-id-unknown warn") }
        if let lineage = onDevice(purchase).last {
            let owners = lastOwners(of: .lineage(lineage))
            if !owners.isEmpty, !owners.contains(purchase.account) {
                let effect = claim == "accepted" ? "warn" : "block"
                notes.append("account-switch \(effect) \(lineage.originalTransactionID)")
            }
        }
        if purchase.product.kind == .autoRenewable { notes += duplicates(purchase) }
        guard purchase.device != nil else { return notes }
        let unclaimed = findings(at: purchase.instant).filter { $0.kind == .unclaimedPayment }
            .flatMap(\.units).compactMap { unit in
                lineages.first { lineage in
                    purchasesOfUnit[unit]?.contains { $0.lineage == lineage } == true
                }
            }
        return notes
            + Set(unclaimed).filter {
                $0.environment == purchase.environment && appleIDKey(of: $0) == purchase.device
            }.map { "unclaimed-payment warn \($0.originalTransactionID)" }
    }

    /// The lineages that the purchase would be part of.
    private func onDevice(_ purchase: IntendedPurchase) -> [LineageKey] {
        guard purchase.device != nil else { return [] }
        return byLastPurchase(purchase).filter { lineage, newest in
            guard isOnDevice(lineage, purchase), newest.current.ownership != .familyShared else {
                return false
            }
            if purchase.product.kind == .autoRenewable {
                return isOfGroup(lineage, newest, purchase.product)
            }
            let unit = OwnedUnit.lineage(lineage)
            let product = situation(of: unit, at: purchase.instant)?.purchase ?? newest
            return kinds[unit]?.known == purchase.product.kind
                && product.current.productID == purchase.product.id
        }.map(\.0)
    }

    private func family(_ purchase: IntendedPurchase) -> [String] {
        let wanted = Set(
            purchase.product.grants.compactMap { grant in
                if case .entitlement(let name, _) = grant { name } else { nil }
            })
        guard !wanted.isEmpty else { return [] }
        return lineages.filter { lineage in
            let unit = OwnedUnit.lineage(lineage)
            guard lineage.environment == purchase.environment,
                lastOwners(of: unit).contains(purchase.account)
                    || purchase.device != nil && appleIDKey(of: lineage) == purchase.device,
                let situation = situation(of: unit, at: purchase.instant),
                situation.state.state != .expired, situation.state.state != .revoked,
                situation.purchase.current.ownership == .familyShared
            else { return false }
            return wanted.isSubset(
                of: entitlements(
                    given: unit, to: purchase.account, in: purchase.environment,
                    at: purchase.instant))
        }.map { "family-shared warn \($0.originalTransactionID)" }
    }

    private func duplicates(_ purchase: IntendedPurchase) -> [String] {
        let product = purchase.product
        let wanted = Set(
            product.grants.compactMap { grant in
                if case .entitlement(let name, _) = grant { name } else { nil }
            })
        let same = held(purchase).filter { held in
            guard kinds[.lineage(held.lineage)]?.known == .autoRenewable else { return false }
            if isOfGroup(held.lineage, held.newest, product) { return true }
            let given = policy.products[held.newest.current.productID]?.grants ?? []
            return policy.duplicates.scope == .entitlement
                && given.contains { grant in
                    if case .entitlement(let name, _) = grant {
                        wanted.contains(name)
                    } else {
                        false
                    }
                }
        }
        return same.compactMap { held in
            if isInRetryWithoutAccess(held, purchase) {
                return "retry-in-progress warn \(held.lineage.originalTransactionID)"
            }
            guard let device = purchase.device, let key = appleIDKey(of: held.lineage),
                key != device
            else { return nil }
            if held.situation.willRenew == false {
                return "not-renewing warn \(held.lineage.originalTransactionID)"
            }
            let isCertain = [key, device].allSatisfy { $0.text.hasPrefix("atx:") }
            let code = isCertain ? "duplicate-apple-id" : "duplicate-apple-id-possible"
            switch policy.duplicates.beforePurchase {
            case .allow: return "\(code) proceed \(held.lineage.originalTransactionID)"
            case .warn: return "\(code) warn \(held.lineage.originalTransactionID)"
            case .block:
                return
                    "\(code) \(isCertain ? "block" : "warn") \(held.lineage.originalTransactionID)"
            }
        }
    }

    /// Judged as what Apple would sign now, in the lineage that was bought last.
    private func foretoldClaim(of purchase: IntendedPurchase, hasToken: Bool) -> String? {
        let product = purchase.product
        let name = TransactionID(unchecked: "999999999999999999999999")
        let token = AppAccountToken("ffffffff-ffff-ffff-ffff-ffffffffffff")
        var snapshot = TransactionSnapshot(
            environment: purchase.environment, bundleID: policy.app.bundleID,
            transactionID: name,
            originalTransactionID: onDevice(purchase).last?.originalTransactionID ?? name,
            productID: product.id, purchaseDate: purchase.instant,
            signedDate: purchase.instant,
            source: EvidenceSource(
                form: .jws, trust: .signed,
                canonicalDigest: Digest256(repeatElement(1, count: 32)) ?? policies.current.digest))
        snapshot.kind = product.kind == .free ? nil : .known(product.kind)
        if product.kind == .autoRenewable {
            let period = product.period ?? Period(1, .months)
            snapshot.expiresDate = period.end(from: purchase.instant)
        }
        snapshot.ownership = .purchased
        var known = recorded
        let place = LedgerSequence(.max)
        if hasToken, let token {
            snapshot.appAccountToken = token
            known.accountTokens.append(
                Recorded(
                    sequence: place, recordedAt: purchase.instant,
                    value: AccountTokenRegistration(
                        token: token, account: purchase.account, actor: "nobody", reason: "")))
        }
        known.transactions.append(
            Recorded(sequence: place, recordedAt: purchase.instant, value: snapshot))
        let claim = Claim(
            account: purchase.account,
            transaction: TransactionKey(purchase.environment, name), moment: .purchase)
        let judged = Specification(policies: policies, facts: known)
            .judgement(of: claim, recordedAt: purchase.instant)
        return judged?.outcome.code
    }
}
