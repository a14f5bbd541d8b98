internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification

/// Evidence that names several transactions: what it claims, beside what it has to.
extension Playback {
    mutating func present(
        _ named: [TransactionSnapshot], by handedIn: AccountID?, _ moment: ClaimMoment?,
        recordedAt: Instant
    ) {
        let specification = Specification(policies: policies, facts: facts)
        let account = handedIn.map { specification.account(standingFor: $0) }
        let specified = specification.claims(
            presenting: named.map(\.key), by: account, moment: moment, at: recordedAt)
        let derived = Deriver(policies: policies).claims(
            presentedBy: Presentation(
                account: account, moment: moment, transactions: named,
                evidence: LedgerSequence(1)),
            recordedAt: recordedAt, facts)
        if describe(derived) != describe(specified) {
            disagreements.append(
                Disagreement(
                    "claims of what \(account?.text ?? "nobody") presents", at: recordedAt,
                    derived: describe(derived), specified: describe(specified)))
        }
        if specified.count > 1 { coverage.visit("evidence that claims several") }
        if account == nil, !specified.isEmpty { coverage.visit("a claim by a notification") }
        for claim in specified { judge(claim, recordedAt: recordedAt) }
    }
}

private func describe(_ claims: [Claim]) -> String {
    claims.map { "\($0.account) \($0.moment.rawValue) \($0.transaction)" }
        .joined(separator: "; ")
}
