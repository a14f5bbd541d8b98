internal import EntitlementAnswers
package import EntitlementModel

/// An account as of one revision with everything that was derived: what reports are written from.
package final class AccountView: Sendable {
    package let timeline: AccountTimeline
    /// The policy that the timeline was derived by.
    package let policy: Digest256

    init(timeline: AccountTimeline, policy: Policy) {
        self.timeline = timeline
        self.policy = policy.digest
    }

    package var account: AccountID { timeline.account }

    /// The answer for one entitlement.
    package func answer(_ key: RightKey, at instant: Instant, revision: LedgerSequence) -> Answer {
        Answer(
            key: key, timeline: timeline.right(key), at: instant, policy: policy,
            revision: revision)
    }
}

extension [CreditKey: CreditTimeline] {
    /// Those of one environment, by credit.
    func balances(in environment: StoreEnvironment, at instant: Instant) -> [CreditBalance] {
        filter { $0.key.environment == environment }
            .map { CreditBalance(credit: $0.key.credit, timeline: $0.value, at: instant) }
            .sorted { $0.credit < $1.credit }
    }
}

/// An Apple ID as of one revision.
package final class AppleIDView: Sendable {
    package let timeline: AppleIDTimeline
    package let rights: PackedRights

    init(timeline: AppleIDTimeline, rights: PackedRights) {
        self.timeline = timeline
        self.rights = rights
    }
}
