package import EntitlementModel

/// An account as of one revision: immutable, replaced as a whole when a fact or the policy
/// changes, so that no answer mixes two policies or two states of the ledger.
package final class AccountView: Sendable {
    package let timeline: AccountTimeline
    /// The policy that the timeline was derived by.
    package let policy: Digest256
    /// The policy's entitlements, sorted: what a listing shows even where nothing is granted.
    package let entitlements: [EntitlementName]

    init(timeline: AccountTimeline, policy: Policy) {
        self.timeline = timeline
        self.policy = policy.digest
        entitlements = policy.entitlements.keys.sorted()
    }

    package var account: AccountID { timeline.account }

    /// The answer for one entitlement.
    package func answer(_ key: RightKey, at instant: Instant, revision: LedgerSequence) -> Answer {
        Answer(
            key: key, timeline: timeline.right(key), at: instant, policy: policy,
            revision: revision)
    }

    /// The answers for all entitlements of the policy, by name.
    package func answers(
        in environment: StoreEnvironment, at instant: Instant, revision: LedgerSequence
    ) -> [Answer] {
        entitlements.map {
            answer(RightKey(environment, $0), at: instant, revision: revision)
        }
    }

    /// The balances of the account, by credit.
    package func balances(
        in environment: StoreEnvironment, at instant: Instant
    ) -> [CreditBalance] {
        timeline.balances
            .filter { $0.key.environment == environment }
            .map { CreditBalance(credit: $0.key.credit, timeline: $0.value, at: instant) }
            .sorted { $0.credit < $1.credit }
    }
}

/// One balance at an instant, and the entries that make it.
package struct CreditBalance: Sendable {
    package let credit: CreditName
    package let balance: Int64
    package let entries: [CreditTimeline.Entry]

    init(credit: CreditName, timeline: CreditTimeline, at instant: Instant) {
        self.credit = credit
        balance = timeline.balance(at: instant)
        entries = Array(timeline.entries.prefix { $0.occurredAt <= instant })
    }
}

/// An Apple ID as of one revision.
package final class AppleIDView: Sendable {
    package let timeline: AppleIDTimeline
    package let policy: Digest256
    package let entitlements: [EntitlementName]

    init(timeline: AppleIDTimeline, policy: Policy) {
        self.timeline = timeline
        self.policy = policy.digest
        entitlements = policy.entitlements.keys.sorted()
    }

    /// The answers for all entitlements of the policy, by name.
    package func answers(
        in environment: StoreEnvironment, at instant: Instant, revision: LedgerSequence
    ) -> [Answer] {
        entitlements.map { name in
            let key = RightKey(environment, name)
            return Answer(
                key: key, timeline: timeline.right(key), at: instant, policy: policy,
                revision: revision)
        }
    }
}
