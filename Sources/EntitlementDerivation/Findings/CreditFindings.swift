internal import EntitlementModel

/// What is to be said of the balances of an account: credits that a refund keeps from being spent
/// until a person lifts that, and balances below zero (spec 1.7).
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
