internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// Compares what the change feed has told of every account and order, and when something is due
/// next, with what follows from the entries that it has told (spec 1.10).
struct OutlookRecheck {
    private static let portion = 256

    let ledger: any LedgerReading
    /// The one in force where the feed is.
    let policy: ActivePolicy
    private(set) var count: Int64 = 0
    private let place: FeedPlace
    /// As of when both are compared: nothing was told that is due later.
    private let instant: Instant

    init(_ ledger: any LedgerReading, _ policy: ActivePolicy) throws(LedgerError) {
        self.ledger = ledger
        self.policy = policy
        place = try ledger.feedPlace()
        let recordedAt = try ledger.entry(place.place)?.recordedAt
        instant = max(place.reached, recordedAt ?? place.reached)
    }

    /// - Returns: the names of those that differ, in their order, and no more than are wanted.
    mutating func differing(atMost most: Int) throws(LedgerError) -> [String] {
        var (found, last): ([String], String?) = ([], "")
        while let name = last, found.count < most {
            let subjects = try ledger.outlooks(afterName: name, limit: Self.portion)
            for (subject, outlook) in subjects where !awaitsPolicy(subject) {
                count += 1
                if try !agrees(subject, outlook) { found.append(subject.name) }
            }
            last = subjects.count < Self.portion ? nil : subjects.last?.subject.name
        }
        var account: AccountID?
        repeat {
            let accounts = try ledger.accounts(
                after: account, limit: Self.portion, folded: policy.history.current.foldsAccounts)
            for account in accounts where try isMissing(account) { found.append(account.text) }
            account = accounts.count < Self.portion ? nil : accounts.last
        } while account != nil && found.count < most
        return Array(found.prefix(most))
    }

    /// What was told of it may be by an older policy.
    private func awaitsPolicy(_ subject: FeedSubject) -> Bool {
        guard let scan = place.scan, case .account = subject else { return false }
        return subject.name > scan
    }

    private func agrees(
        _ subject: FeedSubject, _ stored: FeedOutlook
    ) throws(LedgerError) -> Bool {
        // What is due at this very instant may not be told yet.
        var told = stored
        _ = told.advance(to: instant)
        switch subject {
        case .account(let account):
            guard policy.name(account) == account else { return told == FeedOutlook() }
            return told == (try derived(account))
        case .order(let id):
            guard let order = try ledger.order(id)?.known(upTo: place.place) else { return false }
            let settings = policy.orderSettings(order.order.value.policy)
            return told == FeedOutlook(order, at: instant, settings)
        case .entry(let entry):
            let findings = try ledger.feedFindings(becauseOf: entry, upTo: place.place, policy)
            return told == FeedOutlook(findings, of: entry, at: instant)
        }
    }

    private func derived(_ account: AccountID) throws(LedgerError) -> FeedOutlook {
        let facts = try ledger.facts(withDenialsFor: account).known(upTo: place.place)
        return FeedOutlook(policy.deriver.deriveAccount(account, facts), at: instant)
    }

    /// Whether nothing is kept of an account of which something is answered.
    private func isMissing(_ account: AccountID) throws(LedgerError) -> Bool {
        guard policy.name(account) == account, try ledger.outlook(of: .account(account)) == nil
        else { return false }
        return try derived(account) != FeedOutlook()
    }
}
