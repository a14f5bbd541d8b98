internal import EntitlementModel

/// Which account an `appAccountToken` names: by registration (orders register theirs), or, where
/// the policy says so, by being the account id itself (spec 1.6).
struct AccountTokens {
    private let view: FactView
    private let merges: EffectiveMerges

    init(_ view: FactView) {
        self.view = view
        merges = EffectiveMerges(view.facts.accountMerges)
    }

    /// A token that names an account that was merged into another one names that one.
    func account(named token: AppAccountToken) -> AccountID? {
        firstAccount(named: token).map(merges.account(standingFor:))
    }

    /// The newest registration holds. As an account id the token is that account's folded name,
    /// under which it is kept.
    private func firstAccount(named token: AppAccountToken) -> AccountID? {
        let registered = view.facts.accountTokens.filter { $0.value.token == token }
            .max { $0.sequence < $1.sequence }
        if let registered { return registered.value.account }
        return view.policy.policy.foldsAccounts ? AccountID(token.text) : nil
    }

    func relation(of token: AppAccountToken?, to claimant: AccountID) -> TokenMatch {
        guard let token else { return .none }
        guard let account = account(named: token) else { return .none }
        return account == claimant ? .matches : .other
    }
}
