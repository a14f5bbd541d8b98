package import EntitlementModel

/// Findings about the balances of an account: credits frozen by a refund until a person releases
/// them, and balances below zero (spec 1.7).
func creditFindings(
    of account: AccountID, _ balances: [CreditKey: CreditTimeline]
) -> [Finding] {
    balances.flatMap { key, timeline in
        timeline.freezes.map { freeze in
            Finding(
                kind: .creditFrozen, environment: key.environment, interval: freeze.interval,
                accounts: [account], units: [.purchase(freeze.transaction)], credit: key.credit,
                facts: freeze.facts)
        } + debts(of: account, key, timeline)
    }
}

private func debts(
    of account: AccountID, _ key: CreditKey, _ timeline: CreditTimeline
) -> [Finding] {
    var findings: [Finding] = []
    var begun: CreditTimeline.Entry?
    func close(at end: Instant?) {
        guard let first = begun,
            let interval = Interval(from: first.occurredAt, to: end)
        else { return }
        findings.append(
            Finding(
                kind: .balanceBelowZero, environment: key.environment, interval: interval,
                accounts: [account], credit: key.credit, facts: first.facts))
    }
    var sum: Int128 = 0
    for (index, entry) in timeline.entries.enumerated() {
        sum += Int128(entry.units)
        let next = index + 1 < timeline.entries.count ? timeline.entries[index + 1] : nil
        // What happens in one instant counts together.
        if next?.occurredAt == entry.occurredAt { continue }
        if sum < 0, begun == nil { begun = entry }
        if sum >= 0, begun != nil {
            close(at: entry.occurredAt)
            begun = nil
        }
    }
    close(at: nil)
    return findings
}

extension FactSet {
    /// Whether anything may keep a credit from being spent, or take more than there is. Most
    /// accounts have no such fact, and their balances are not derived to find that out.
    var mayOweCredits: Bool {
        !creditSpends.isEmpty || !creditHolds.isEmpty
            || accountMerges.contains { !$0.value.credits.isEmpty }
            || transactions.contains { $0.value.revocation != nil }
    }
}

/// Products of the catalogue that the account's client reported as invalid at the store: from the
/// first report that says so to the next one that does not (spec 1.8).
func invalidProducts(of account: AccountID, view: FactView) -> [Finding] {
    if view.facts.storeReports.isEmpty { return [] }
    return StoreEnvironment.allCases.flatMap { environment in
        let reports = view.facts.storeReports.filter {
            $0.value.account == account && $0.value.environment == environment
                && $0.value.invalidProducts != nil
        }
        return findings(of: reports, view.policy.policy.products, account, environment)
    }
}

private func findings(
    of reports: [Recorded<StoreReport>], _ products: [ProductID: Product], _ account: AccountID,
    _ environment: StoreEnvironment
) -> [Finding] {
    var (standing, findings): ([ProductID: Recorded<StoreReport>], [Finding]) = ([:], [])
    func close(_ product: ProductID, _ first: Recorded<StoreReport>, at end: Instant?) {
        // Two reports of one instant leave nothing between them.
        guard end.map({ $0 > first.recordedAt }) ?? true else { return }
        findings.append(
            Finding(
                kind: .invalidProduct, environment: environment,
                interval: Interval(uncheckedFrom: first.recordedAt, to: end),
                accounts: [account], product: product, facts: [first.sequence]))
    }
    for report in reports {
        let invalid = Set(report.value.invalidProducts ?? []).filter { products[$0] != nil }
        for (product, first) in standing where !invalid.contains(product) {
            close(product, first, at: report.recordedAt)
            standing[product] = nil
        }
        for product in invalid where standing[product] == nil { standing[product] = report }
    }
    for (product, first) in standing { close(product, first, at: nil) }
    return findings
}

extension FactSet {
    /// The products in the account's newest report of an environment that the store does not know.
    package func invalidProducts(
        reportedBy account: AccountID, in environment: StoreEnvironment, at instant: Instant
    ) -> Set<ProductID> {
        let newest = storeReports.last {
            $0.value.account == account && $0.value.environment == environment
                && $0.value.invalidProducts != nil && $0.recordedAt <= instant
        }
        return Set(newest?.value.invalidProducts ?? [])
    }
}
