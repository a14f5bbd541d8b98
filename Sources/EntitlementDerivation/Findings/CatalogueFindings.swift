internal import EntitlementModel

/// Where a unit and the catalogue disagree: products that it lacks, and kinds that Apple signed
/// otherwise (spec 1.2). From the first such purchase on, until the catalogue is mended.
func catalogueFindings(of unit: DerivedUnit, view: FactView) -> [Finding] {
    var findings: [Finding] = []
    var seen: Set<ProductID> = []
    for purchase in unit.states.purchases.flatMap(\.members) {
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
        guard let product else { return .unmappedProduct }
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

/// What was rightly signed but has no effect (spec 1.2), as recorded.
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
            units: [
                .lineage(LineageKey($0.value.environment, $0.value.originalTransactionID))
            ],
            product: $0.value.productID, facts: [$0.sequence])
    }
}
