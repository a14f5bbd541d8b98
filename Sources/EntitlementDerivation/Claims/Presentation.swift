package import EntitlementModel

/// Evidence that was handed in, as far as it decides what is claimed (spec 1.6).
package struct Presentation: Sendable {
    /// Nil for a notification, and for evidence that nobody presents.
    package var account: AccountID?
    /// What the caller says; nil to find out.
    package var moment: ClaimMoment?
    /// When it was handed in, where Apple had to be asked first; nil for now.
    package var presentedAt: Instant?
    /// The order's transaction, where an order came with the evidence and has one.
    package var orderedTransaction: TransactionKey?
    package var order: OrderID?
    package var transactions: [TransactionSnapshot]
    /// The ledger entry that holds the evidence.
    package var evidence: LedgerSequence

    package init(
        account: AccountID?, moment: ClaimMoment? = nil,
        orderedTransaction: TransactionKey? = nil, order: OrderID? = nil,
        transactions: [TransactionSnapshot], evidence: LedgerSequence
    ) {
        self.account = account
        self.moment = moment
        self.orderedTransaction = orderedTransaction
        self.order = order
        self.transactions = transactions
        self.evidence = evidence
    }
}

/// The claims that evidence makes. `facts` include the snapshots that came with it; what they
/// do not know, or has no effect, is not claimed.
package func claims(
    presentedBy presentation: Presentation, recordedAt: Instant, policies: PolicyHistory,
    facts: FactSet
) -> [Claim] {
    Deriver(policies: policies).claims(
        presentedBy: presentation, recordedAt: recordedAt, facts)
}

extension Deriver {
    /// As the free function `claims(presentedBy:recordedAt:policies:facts:)`.
    package func claims(
        presentedBy presentation: Presentation, recordedAt: Instant, _ facts: FactSet
    ) -> [Claim] {
        let reading = PresentationReading(
            presentation, recordedAt: recordedAt, view: FactView(facts, policy: policy))
        guard let account = presentation.account.map(policy.policy.name) else {
            return reading.notificationClaims()
        }
        return reading.claims(for: account)
    }
}

/// Which account an `appAccountToken` names: by registration (orders register theirs), or, where
/// the policy says so, by being the account id itself (spec 1.6).
struct AccountTokens {
    private let view: FactView
    private let merges: EffectiveMerges
    /// What was recorded later is not known.
    private let instant: Instant?

    init(_ view: FactView, asOf instant: Instant? = nil) {
        self.view = view
        self.instant = instant
        merges = EffectiveMerges(view.facts.accountMerges, asOf: instant)
    }

    /// A token that names an account that was merged into another one names that one, for what was
    /// bought then.
    ///
    /// - Parameter released: accounts that it does not name.
    func account(
        named token: AppAccountToken, boughtAt: Instant, besides released: Set<AccountID> = []
    ) -> AccountID? {
        guard let first = firstAccount(named: token) else { return nil }
        let standing = merges.account(standingFor: first, boughtAt: boughtAt)
        return released.isDisjoint(with: [first, standing]) ? standing : nil
    }

    /// The newest registration holds. As an account id the token is that account's folded name,
    /// under which it is kept.
    private func firstAccount(named token: AppAccountToken) -> AccountID? {
        let registered = view.facts.accountTokens
            .filter { $0.value.token == token && $0.isKnown(at: instant) }
            .max { $0.sequence < $1.sequence }
        if let registered { return registered.value.account }
        return view.policy.policy.foldsAccounts ? AccountID(token.text) : nil
    }
}
