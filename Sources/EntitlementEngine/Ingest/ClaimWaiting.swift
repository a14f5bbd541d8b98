internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

extension EngineTransaction {
    /// What evidence claims. Where nobody presents it, the blocks of those for whom it would claim
    /// are looked up first: a blocked account gets nothing so (spec 1.6).
    func claims(
        presentedBy presentation: Presentation, _ facts: inout FactSet
    ) throws(LedgerError) -> [Claim] {
        let claims = policy.deriver.claims(presentedBy: presentation, recordedAt: now, facts)
        guard presentation.account == nil, !claims.isEmpty else { return claims }
        for account in Set(claims.map(\.account)).sorted() {
            facts.merge(
                try transaction.facts(
                    naming: account, of: [.block, .blockRemoval], after: .zero))
        }
        guard !facts.blocks.isEmpty else { return claims }
        facts = policy.folding(facts)
        return policy.deriver.claims(presentedBy: presentation, recordedAt: now, facts)
    }

    /// Claims for the account what nobody owns and whose tokens name it, as a notification does
    /// that comes now: what was known before the account could get it.
    ///
    /// - Parameter actor: the person by whose action it can.
    /// - Returns: accounts about which something was written.
    func claimWhatWaits(
        for account: AccountID, by actor: String
    ) throws(LedgerError) -> Set<AccountID> {
        let own = try transaction.facts(forAccount: account)
        var named: [TransactionSnapshot] = []
        for place in own.transactions.indices
        where own.transactions[place].value.appAccountToken != nil {
            named.append(own.transactions[place].value)
        }
        guard !named.isEmpty else { return [] }
        var facts = try transaction.facts(forClaimsOn: named.map(\.key), by: [account])
        let waiting = Presentation(account: nil, transactions: named, evidence: .zero)
        var touched: Set<AccountID> = []
        for claim in try claims(presentedBy: waiting, &facts) where claim.account == account {
            for verdict in policy.deriver.judge(claim, recordedAt: now, facts)
            where verdict.isRecorded {
                touched.formUnion(try record(verdict, in: &facts))
            }
        }
        guard !touched.isEmpty, try transaction.hasOrders() else { return touched }
        var orders = OrderLedger(self)
        try orders.settle(
            policy.deriver.payments(of: named.map(\.key), facts), claimant: nil, by: actor)
        try orders.deliver(to: touched, by: actor)
        return touched.union(orders.touched)
    }

    private func record(
        _ verdict: JudgedClaim, in facts: inout FactSet
    ) throws(LedgerError) -> Set<AccountID> {
        var claim = verdict.claim
        claim.evidence = try transaction.evidence(of: claim.transaction)
        let cause = try append(claim, as: .claim(claim))
        let decision = verdict.decision(cause: cause.sequence, policy: policy.digest)
        facts.claims.append(cause)
        facts.decisions.append(try append(decision, as: .decision(decision)))
        return Set([claim.account] + decision.ownersBefore + decision.ownersAfter)
    }
}
