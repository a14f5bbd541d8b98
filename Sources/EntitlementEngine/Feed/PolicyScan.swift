internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// The changes by a new policy, account by account (spec 1.10).
///
/// It is applied to a first portion of accounts before anything else is published. The other
/// accounts alternate with recorded and due changes, which wait for one portion at most: the policy
/// is applied to an account in its turn, or before another change of it is published.
extension FeedDerivation {
    /// Whether the account's record may be by an older policy.
    func awaitsPolicy(_ account: AccountID) -> Bool {
        guard let scan = batch.place.scan, account.text > scan else { return false }
        return !applied.contains(account) && (differing?.includes(account) ?? true)
    }

    /// The next accounts by name, and whether there may be more behind them.
    private func accounts(
        after name: String
    ) throws(LedgerError) -> (accounts: [AccountID], last: String?) {
        if let differing {
            let accounts = Array(differing.accounts(after: name, limit: portion))
            return (accounts, accounts.count < portion ? nil : accounts.last?.text)
        }
        let subjects = try reader.outlooks(afterName: name, limit: portion)
        return (
            subjects.compactMap { $0.subject.account },
            subjects.count < portion ? nil : subjects.last?.subject.name
        )
    }

    /// Applies the policy that is in force to the next subjects.
    ///
    /// - Returns: nil where the policy is not known to questions yet.
    mutating func scan(after name: String) throws(LedgerError) -> Batch? {
        guard let policy = policyAfter(activations.count) else { return nil }
        // All earlier due changes were published, and no earlier entry exists.
        let recordedAt = try reader.entry(batch.place.place)?.recordedAt
        let instant = max(recordedAt ?? batch.place.reached, batch.place.reached)
        let (accounts, last) = try accounts(after: name)
        for account in accounts {
            if deadline.isEnding { return nil }
            // Changes under a name that is no longer used are published under the new one.
            for name in Set([policy.name(account), account]).sorted() {
                guard let changes = try applyPolicy(to: name, at: instant) else { return nil }
                batch.changes += changes
            }
        }
        batch.place.scan = last
        batch.place.reached = batch.changes.last?.at ?? batch.place.reached
        return batch
    }

    /// Derives an account by the policy in force, from the facts before the entries that are taken
    /// next, and keeps the result. The differences since its activation are published as of the
    /// instant. Nothing in the past is corrected: it was not answered by this policy.
    ///
    /// - Returns: the changes; nil if the policy is not published to questions yet.
    mutating func applyPolicy(
        to account: AccountID, at instant: Instant
    ) throws(LedgerError) -> [FeedChange]? {
        guard let policy = policyAfter(activations.count) else { return nil }
        try readOld(.account(account))
        applied.insert(account)
        let old = batch.outlooks[.account(account)] ?? FeedOutlook()
        // Under a name that is not asked about any more nothing is answered.
        var timeline = AccountTimeline(account: account)
        if policy.name(account) == account {
            let facts = try reader.facts(withDenialsFor: account).known(upTo: batch.place.place)
            timeline = policy.deriver.deriveAccount(account, facts)
        }
        let new = FeedOutlook(timeline, at: instant)
        batch.outlooks[.account(account)] = new
        // Changes by time alone are not the policy's.
        var advanced = old
        let steps = advanced.advance(to: instant)
        if advanced == new { return steps.map { change($0, of: account, because: nil) } }
        let activation = activations.last
        var since = instant
        if let activation, let entry = try reader.entry(activation) { since = entry.recordedAt }
        var outlook = FeedOutlook(timeline, at: min(since, instant))
        let changes = outlook.differences(from: old, at: instant) + outlook.advance(to: instant)
        return changes.map { difference in
            var late = difference
            late.at = instant
            return change(late, of: account, because: activation)
        }
    }

    private func change(
        _ difference: FeedOutlook.Difference, of account: AccountID,
        because activation: LedgerSequence?
    ) -> FeedChange {
        difference.change(
            of: account, revision: batch.place.place, cause: activation.map { [$0] } ?? [])
    }
}
