package import EntitlementModel

/// Products of the catalogue that the account's client reported as invalid at the store: from the
/// first report that says so to the next one that does not (spec 1.8).
func invalidProducts(of account: AccountID, view: FactView) -> [Finding] {
    StoreEnvironment.allCases.flatMap { environment in
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
    /// What the account's newest report of an environment says that the store does not know.
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
