internal import EntitlementModel

/// Which account an `appAccountToken` names: by registration (orders register theirs), or, where
/// the policy says so, by being the account id itself (spec 1.6).
struct AccountTokens {
    private let view: FactView
    private let merges: StandingMerges

    init(_ view: FactView) {
        self.view = view
        merges = StandingMerges(view.facts.accountMerges)
    }

    /// A token that names an account that was merged into another one names that one.
    func account(named token: AppAccountToken) -> AccountID? {
        firstAccount(named: token).map(merges.account(standingFor:))
    }

    /// The newest registration holds. As an account id the token is compared without case, and
    /// named as the account writes itself, where that is known.
    private func firstAccount(named token: AppAccountToken) -> AccountID? {
        let registered = view.facts.accountTokens.filter { $0.value.token == token }
            .max { $0.sequence < $1.sequence }
        if let registered { return registered.value.account }
        guard view.policy.policy.app.accountToken == .isAccountID else { return nil }
        let accounts = view.facts.accounts.union(view.facts.accountMerges.map(\.value.from))
        let known = accounts.filter { AppAccountToken($0.text) == token }.min()
        return known ?? AccountID(token.text)
    }

    func relation(of token: AppAccountToken?, to claimant: AccountID) -> TokenMatch {
        guard let token else { return .none }
        if view.policy.policy.app.accountToken == .isAccountID, !isRegistered(token),
            AppAccountToken(claimant.text) == token
        {
            return .matches
        }
        guard let account = account(named: token) else { return .none }
        return account == claimant ? .matches : .other
    }

    private func isRegistered(_ token: AppAccountToken) -> Bool {
        view.facts.accountTokens.contains { $0.value.token == token }
    }
}
