package import EntitlementModel

/// Evidence that was handed in, as far as it decides what is claimed (spec 1.6).
package struct Presentation: Sendable {
    package enum Form: Hashable, Sendable {
        /// One JWS transaction: it claims whatever its age.
        case transaction
        /// A receipt or a verifyReceipt answer: it names many.
        case receipt
        /// A notification, or evidence without an account.
        case unaddressed
    }

    package var account: AccountID?
    /// What the caller says; nil to find out.
    package var moment: ClaimMoment?
    /// When it was handed in, where Apple had to be asked first; nil for now.
    package var presentedAt: Instant?
    /// The order's transaction, where an order came with the evidence and has one.
    package var orderedTransaction: TransactionKey?
    package var order: OrderID?
    package var form: Form
    package var transactions: [TransactionSnapshot]
    /// The ledger entry that holds the evidence.
    package var evidence: LedgerSequence

    package init(
        account: AccountID?, moment: ClaimMoment? = nil,
        orderedTransaction: TransactionKey? = nil, order: OrderID? = nil, form: Form,
        transactions: [TransactionSnapshot], evidence: LedgerSequence
    ) {
        self.account = account
        self.moment = moment
        self.orderedTransaction = orderedTransaction
        self.order = order
        self.form = form
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
        switch presentation.form {
        case .unaddressed: return reading.notificationClaims()
        case .transaction: return reading.transactionClaims(for: account)
        case .receipt: return reading.receiptClaims(for: account)
        }
    }
}

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
