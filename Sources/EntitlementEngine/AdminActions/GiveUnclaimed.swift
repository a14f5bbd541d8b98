internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension EntitlementEngine {
    /// Gives a payment that nobody owns to an account (spec 1.6): a ruling, which needs no claim.
    package func give(
        _ transaction: TransactionKey, to account: AccountID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<RulingRecord> {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            try ledger.give(transaction, to: account, cause)
        }
    }
}

extension EngineTransaction {
    fileprivate func give(
        _ payment: TransactionKey, to account: AccountID, _ cause: AdminActionCause
    ) throws(LedgerError) -> (value: AdminActionReport<RulingRecord>, touched: Set<AccountID>) {
        let account = try transaction.account(standingFor: policy.name(account), policy)
        guard try transaction.lineage(of: payment) != nil else {
            return (.rejected(.ruling(.unknownUnit)), [])
        }
        let facts = try transaction.facts(forClaimsOn: [payment], by: [account])
        guard let paid = policy.deriver.payments(of: [payment], facts).first else {
            return (.rejected(.ruling(.unknownUnit)), [])
        }
        guard paid.owners.isEmpty || paid.owners.contains(account) else {
            return (.rejected(.ownedByOther), [])
        }
        let ruling = Ruling(
            verb: .transfer, unit: paid.unit, account: account, actor: cause.actor,
            reason: cause.reason)
        switch policy.deriver.rule(ruling, recordedAt: now, facts) {
        case .impossible(let obstacle): return (.rejected(.ruling(obstacle)), [])
        case .decided(let decided):
            var done = try record(ruling, decided)
            try writeToken(of: account, for: payment)
            done.touched.formUnion(
                try deliverOrders(of: payment, to: done.touched, by: cause.actor))
            return done
        }
    }
}
