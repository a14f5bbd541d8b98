package import EntitlementModel

/// The findings of a whole ledger, a part at a time. Each is found in one part only.
extension Deriver {
    /// Findings about lineages that may be of one Apple ID, whoever owns them.
    ///
    /// `facts` hold everything that is known of these lineages.
    package func findings(aboutLineagesOf facts: FactSet) -> [Finding] {
        let view = FactView(facts, policy: policy)
        let appleIDs = AppleIDs(view)
        let units = UnitIndex(view, ownerships: OwnershipIndex(view)) { _ in true }.units
        var findings = units.flatMap { catalogueFindings(of: $0, view: view) }
        findings += units.flatMap { missingSuccessorFindings(of: $0) }
        findings += appleIDs.conflicts.map { appleIDConflict($0, view: view) }
        findings += view.splits.map { splitTransaction($0, ownerships: OwnershipIndex(view), view) }
        findings += unclaimedPayments(of: units, view: view)
        findings += implausibleFindings(view.facts)
        findings += deniedClaims(concerning: nil, units: units, view: view)
        findings += deniedSuccessions(concerning: nil, units: units, view: view)
        findings += foreignPurchases(concerning: nil, units: units, view: view)
        findings += caseConflicts(of: nil, view: view)
        return findings.listedOnce()
    }

    /// Findings about an account from all of its units, its balances, and its client's reports:
    /// duplicates, credits and invalid products.
    ///
    /// `facts` are those that the account is derived from.
    package func findings(aboutHoldingsOf account: AccountID, _ facts: FactSet) -> [Finding] {
        let account = policy.policy.name(account)
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        let decided = ownerships.lineages(in: view)
        let reported = invalidProducts(of: account, view: view)
        let hasCredits = view.facts.mayOweCredits
        guard decided.count > 1 || hasCredits else { return reported.listedOnce() }
        let index = UnitIndex(view, ownerships: ownerships) { decided.contains($0) }
        let owned = index.units.filter { unit in
            unit.ownership.spans.contains { $0.account == account }
        }
        var findings = duplicates(of: account, owned: owned, view: view) + reported
        if hasCredits {
            let gifts = Gifts(to: account, in: view.facts)
            let credits = Credits(
                account: account, units: index.units, gifts: gifts, view: view)
            findings += creditFindings(of: account, credits.balances)
        }
        return findings.listedOnce()
    }

    /// The finding about a quarantined part.
    package func finding(aboutQuarantine quarantine: Recorded<Quarantine>) -> Finding {
        var facts = FactSet()
        facts.quarantines = [quarantine]
        return quarantineFindings(FactView(facts, policy: policy).facts)[0]
    }
}

/// Disagreements between a unit and the catalogue: missing products, and kinds that Apple signed
/// differently (spec 1.2). From the first such purchase until the catalogue is corrected.
func catalogueFindings(of unit: DerivedUnit, view: FactView) -> [Finding] {
    var findings: [Finding] = []
    var seen: Set<ProductID> = []
    for purchase in unit.states.purchases.members {
        guard let kind = purchase.mismatch(in: view),
            seen.insert(purchase.productID).inserted
        else { continue }
        findings.append(
            Finding(
                kind: kind, environment: unit.unit.environment,
                interval: Interval(uncheckedFrom: purchase.start, to: nil),
                accounts: unit.ownership.owners, units: [unit.unit],
                product: purchase.productID, facts: purchase.sequences(in: view)))
    }
    return findings
}

extension Purchase {
    fileprivate func mismatch(in view: FactView) -> Finding.Kind? {
        // The app is presented whether or not the policy says what it gives.
        guard let product else { return productID == .app ? nil : .unmappedProduct }
        let catalogued = view.policy.products[product].product.kind
        return kind?.isKnown(catalogued) == true ? nil : .kindMismatch
    }
}

/// Upgraded periods of a unit whose successor is not known (spec 1.4).
func missingSuccessorFindings(of unit: DerivedUnit) -> [Finding] {
    unit.states.missingSuccessors.map { missing in
        let purchase = unit.states.purchases[missing.purchase]
        return Finding(
            kind: .successorMissing, environment: unit.unit.environment,
            interval: missing.interval, accounts: unit.ownership.owners, units: [unit.unit],
            product: purchase.productID, facts: missing.facts)
    }
}

/// A lineage whose receipts name two or more Apple IDs (spec 1.3).
func appleIDConflict(_ conflict: AppleIDs.Conflict, view: FactView) -> Finding {
    let all = ([conflict.lineage] + conflict.others).compactMap { view.lineage($0) }
    let transactions = all.first?.transactions ?? []
    let start = transactions.map { view.facts.transactions[$0].value.purchaseDate }.min()
    return Finding(
        kind: .appleIDConflict, environment: conflict.lineage.environment,
        interval: Interval(uncheckedFrom: start ?? .distantPast, to: nil),
        units: all.map { .lineage($0.key) },
        facts: transactions.map { view.facts.transactions[$0].sequence }
            .ascendingWithoutRepetition())
}

/// One transaction that Apple has signed under several originals (spec 1.2).
func splitTransaction(
    _ split: SplitTransaction, ownerships: OwnershipIndex, _ view: FactView
) -> Finding {
    let units = split.lineages.map(OwnedUnit.lineage)
    let known = view.unit(of: split.transaction)
    let owned = units + (known.map { [$0.unit] } ?? [])
    return Finding(
        kind: .splitTransaction, environment: split.transaction.environment,
        interval: Interval(uncheckedFrom: known?.purchase.start ?? .distantPast, to: nil),
        accounts: Set(owned.flatMap { ownerships.ownership(of: $0).owners }).sorted(),
        units: units, facts: split.facts)
}

/// Validly signed parts without effect (spec 1.2), as recorded.
func quarantineFindings(_ facts: FactSet) -> [Finding] {
    facts.quarantines.map { quarantine in
        Finding(
            kind: .quarantined,
            environment: quarantine.value.transaction?.environment ?? .production,
            interval: Interval(uncheckedFrom: quarantine.recordedAt, to: nil),
            accounts: quarantine.value.account.map { [$0] } ?? [],
            facts: [quarantine.sequence])
    }
}

/// Snapshots that cannot be true and so have no effect (spec 1.2), as recognised here. They
/// belong to no account.
func implausibleFindings(_ facts: FactSet) -> [Finding] {
    facts.transactions.filter { $0.value.implausibility != nil }.map {
        Finding(
            kind: .quarantined, environment: $0.value.environment,
            interval: Interval(uncheckedFrom: $0.recordedAt, to: nil),
            units: [.lineage($0.value.lineage)],
            product: $0.value.productID, facts: [$0.sequence])
    }
}

extension Finding {
    /// The order in which findings are listed: by kind, then by start, what they are
    /// about, and end.
    static func isListedEarlier(_ left: Finding, _ right: Finding) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        if left.interval.start != right.interval.start {
            return left.interval.start < right.interval.start
        }
        if left.accounts != right.accounts {
            return left.accounts.lexicographicallyPrecedes(right.accounts)
        }
        if left.units != right.units {
            return left.units.lexicographicallyPrecedes(right.units, by: OwnedUnit.precedes)
        }
        if left.facts != right.facts { return left.facts.lexicographicallyPrecedes(right.facts) }
        let names = [left, right].map {
            ($0.product?.text ?? "", $0.credit?.text ?? "", $0.environment.rawValue)
        }
        if names[0] != names[1] { return names[0] < names[1] }
        return Interval.endsLater(right.interval.end, than: left.interval.end)
    }
}

extension OwnedUnit {
    /// By environment, lineages first, then by id.
    static func precedes(_ left: OwnedUnit, _ right: OwnedUnit) -> Bool {
        switch (left, right) {
        case (.lineage(let left), .lineage(let right)): left < right
        case (.lineage, .purchase): true
        case (.purchase, .lineage): false
        case (.purchase(let left), .purchase(let right)):
            left.environment == right.environment
                ? TransactionID.precedesByLength(left.transactionID, right.transactionID)
                : left.environment.rawValue < right.environment.rawValue
        }
    }
}

extension [Finding] {
    /// In their order, each once.
    func listedOnce() -> [Finding] {
        isEmpty ? [] : Set(self).sorted(by: Finding.isListedEarlier)
    }
}
