package import EntitlementAnswers
package import EntitlementModel

/// An account as of one revision, as questions are answered from it: replaced as a whole when a
/// fact or the policy changes, so that no answer mixes two policies or two states of the ledger.
package struct PackedAccount: Sendable {
    /// What it may use, when.
    package let rights: PackedRights
    private let balances: [CreditKey: CreditTimeline]

    init(_ timeline: AccountTimeline, texts: SharedAnswerTexts) {
        rights = texts.packed(of: timeline.rights, owner: timeline.account.text)
        balances = timeline.balances
    }

    package var account: AccountID { AccountID(unchecked: rights.owner) }

    /// The policy that it was derived by.
    package var policy: Digest256 { rights.policy }

    /// The answer for one entitlement.
    package func answer(
        _ key: RightKey, at instant: Instant, revision: LedgerSequence
    ) -> PackedRightAnswer {
        rights.answer(key, at: instant, revision: revision)
    }

    /// The answers for all entitlements of the policy, by name.
    package func answers(
        in environment: StoreEnvironment, at instant: Instant, revision: LedgerSequence
    ) -> [PackedRightAnswer] {
        rights.answers(in: environment, at: instant, revision: revision)
    }

    /// The balances of the account, by credit.
    package func balances(
        in environment: StoreEnvironment, at instant: Instant
    ) -> [CreditBalance] {
        balances.balances(in: environment, at: instant)
    }

    /// What is left of one credit.
    package func balance(_ key: CreditKey, at instant: Instant) -> Int128 {
        balances[key]?.balance(at: instant) ?? 0
    }
}
