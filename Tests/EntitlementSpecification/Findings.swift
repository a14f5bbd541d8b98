package import EntitlementModel

/// Something a person should look at, without its dates.
package struct SpecifiedFinding: Hashable, Sendable {
    package var kind: Finding.Kind
    package var environment: StoreEnvironment
    package var accounts: [AccountID] = []
    package var units: [OwnedUnit] = []
    package var product: ProductID?
    /// Of duplicates: which one is advised to be kept.
    package var keep: LineageKey?

    package init(
        kind: Finding.Kind, environment: StoreEnvironment, accounts: [AccountID] = [],
        units: [OwnedUnit] = [], product: ProductID? = nil, keep: LineageKey? = nil
    ) {
        self.keep = keep
        self.kind = kind
        self.environment = environment
        self.accounts = accounts
        self.units = units
        self.product = product
    }
}

extension Specification {
    /// The findings that follow from what is known, whenever one asks (spec 1.2, 1.3, 1.4).
    package func standingFindings() -> Set<SpecifiedFinding> {
        var findings: Set<SpecifiedFinding> = []
        for purchase in purchases {
            let (environment, product) = (purchase.lineage.environment, purchase.current.productID)
            let catalogued = policy.products[product]?.kind
            if product == .app { continue }
            if catalogued == nil {
                findings.insert(
                    SpecifiedFinding(
                        kind: .unmappedProduct, environment: environment, product: product))
            } else if let signed = purchase.signedKind, signed.known != catalogued {
                findings.insert(
                    SpecifiedFinding(
                        kind: .kindMismatch, environment: environment, product: product))
            }
        }
        for split in splits {
            findings.insert(
                SpecifiedFinding(
                    kind: .splitTransaction, environment: split.transaction.environment,
                    units: [.lineage(split.lineages[0])]))
        }
        for lineage in appleIDs.conflicts {
            findings.insert(
                SpecifiedFinding(
                    kind: .appleIDConflict, environment: lineage.environment,
                    units: [.lineage(lineage)]))
        }
        for (lineage, subscription) in subscriptions
        where subscription.periods.contains(where: \.isSuccessorMissing) {
            findings.insert(
                SpecifiedFinding(
                    kind: .successorMissing, environment: lineage.environment,
                    units: [.lineage(lineage)]))
        }
        return findings
    }

    /// The findings that come and go: payments that nobody claims (spec 1.6) and duplicate
    /// Apple IDs (spec 1.9).
    package func findings(at instant: Instant) -> Set<SpecifiedFinding> {
        var findings: Set<SpecifiedFinding> = []
        for unit in units where isUnclaimedPayment(unit, at: instant) {
            findings.insert(
                SpecifiedFinding(
                    kind: .unclaimedPayment, environment: unit.environment, units: [unit]))
        }
        let accounts = Set(facts.decisions.flatMap(\.value.ownersAfter))
        for (index, left) in lineages.enumerated() {
            for right in lineages[(index + 1)...] {
                for account in accounts
                where areDuplicates(left, right, of: account, at: instant) {
                    guard let kind = separation(left, right).finding else { continue }
                    findings.insert(
                        SpecifiedFinding(
                            kind: kind, environment: left.environment, accounts: [account],
                            units: [.lineage(left), .lineage(right)],
                            product: productOfBoth(left),
                            keep: kept(left, right, of: account, at: instant)))
                }
            }
        }
        return findings
    }

    /// An active unit, or an undelivered consumable, that nobody has claimed.
    private func isUnclaimedPayment(_ unit: OwnedUnit, at instant: Instant) -> Bool {
        let isClaimed =
            !decisions(on: unit).isEmpty
            || facts.claims.contains { self.unit(of: $0.value.transaction) == unit }
        guard !isClaimed, let purchase = purchasesOfUnit[unit]?.first,
            purchase.current.productID != .app
        else { return false }
        if purchase.kind?.known == .consumable {
            let isRevoked = purchase.current.revocation.map { $0.date <= instant } == true
            return purchase.start <= instant && !isRevoked
        }
        return state(of: unit, at: instant)?.0 == .active
    }
}

/// What a refused claim raises (spec 1.6).
extension Specification {
    /// Whether the presented purchase is one that was just paid for: customer-made, at most a day
    /// old, presented by no accepted claim before, and not the family's.
    package func isNewPurchase(presentedBy claim: Recorded<Claim>) -> Bool {
        guard let purchase = purchase(named: claim.value.transaction),
            isCustomerMade(purchase), purchase.current.ownership != .familyShared,
            claim.recordedAt <= purchase.start.advanced(byMilliseconds: 86_400_000)
        else { return false }
        return !facts.decisions.contains { earlier in
            earlier.sequence < claim.sequence && earlier.value.outcome == .accepted
                && facts.claims.contains {
                    $0.sequence == earlier.value.cause && purchase.includes($0.value.transaction)
                }
        }
    }

    /// As Apple says; where the form does not, what does not adjoin the period before it.
    func isCustomerMade(_ purchase: Purchase) -> Bool {
        if purchase.current.productID == .app { return false }
        if let reason = purchase.current.transactionReason { return reason.known == .purchase }
        guard let ended = endOfWhatIsBefore(purchase) else { return true }
        return purchase.start < ended
    }

    private func endOfWhatIsBefore(_ purchase: Purchase) -> Instant? {
        let periods = subscriptions[purchase.lineage]?.periods ?? []
        if let period = periods.first(where: { $0.additions.contains(purchase) }) {
            return period.expires
        }
        let additions = periods.flatMap(\.additions)
        let all = purchases.filter { $0.lineage == purchase.lineage && !additions.contains($0) }
        // Periods have their own order; what is signed as another kind stands between them.
        if let place = periods.firstIndex(where: { $0.purchase == purchase }),
            all.count == periods.count
        {
            return place > 0 ? periods[place - 1].expires : nil
        }
        let place = all.firstIndex(of: purchase) ?? 0
        guard place > 0 else { return nil }
        let before = all[place - 1]
        let period = periods.first { $0.purchase == before }
        return period.map(\.expires) ?? before.current.expiresDate
    }
}

extension Specification.Separation {
    fileprivate var finding: Finding.Kind? {
        switch self {
        case .same: nil
        case .different: .duplicateAppleID
        case .unproven: .duplicateAppleIDPossible
        }
    }
}
