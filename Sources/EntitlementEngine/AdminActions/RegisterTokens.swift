package import EntitlementModel
internal import LedgerStore

extension EntitlementEngine {
    /// Says which account an appAccountToken means (spec 1.6). A token means one account: naming
    /// another one for it is a conflict, also where the token is the id of an account.
    package func register(
        _ token: AppAccountToken, for account: AccountID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<Recorded<AccountTokenRegistration>> {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerStoreError) in
            let account = ledger.policy.name(account)
            if let known = try ledger.transaction.accountTokens(token).last {
                let isSame = ledger.policy.name(known.value.account) == account
                return (isSame ? .done(known) : .rejected(.conflict), [])
            }
            guard try !ledger.isOfAnother(token, than: account) else {
                return (.rejected(.conflict), [])
            }
            let registration = AccountTokenRegistration(
                token: token, account: account, actor: cause.actor, reason: cause.reason)
            let recorded = try ledger.append(registration, as: .accountToken(registration))
            return (.done(recorded), [account])
        }
    }
}

extension EngineTransaction {
    /// Whether the token is the id of an account that exists, and is not this one.
    fileprivate func isOfAnother(
        _ token: AppAccountToken, than account: AccountID
    ) throws(LedgerStoreError) -> Bool {
        guard AppAccountToken(account.text) != token else { return false }
        for other in token.accounts where try transaction.knows(other) { return true }
        return false
    }
}
