package import EntitlementModel
internal import LedgerStore

extension EntitlementEngine {
    /// Says which account an appAccountToken means (spec 1.6). A token means one account: naming
    /// another one for it is a conflict.
    package func register(
        _ token: AppAccountToken, for account: AccountID, _ cause: DeedCause
    ) async throws(EngineError) -> DeedReport<Recorded<AccountTokenRegistration>> {
        try await record { ledger throws(LedgerStoreError) in
            if let known = try ledger.transaction.accountTokens(token).last {
                let isSame = known.value.account == account
                return (isSame ? .done(known) : .refused(.conflict), [])
            }
            let registration = AccountTokenRegistration(
                token: token, account: account, actor: cause.actor, reason: cause.reason)
            let recorded = try ledger.append(registration, as: .accountToken(registration))
            return (.done(recorded), [account])
        }
    }
}
