internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// What accounts that have just spent can spend, kept by the writer from one spend to the next, so
/// that it is not derived for each.
///
/// It is as of one end of the ledger. Each commit that may write says which end it begins at: where
/// that is another one, a write was undone or something was written past this, and all is
/// forgotten. Then it says whom it has touched, and they are forgotten but for what it keeps.
final class KeptCredits: Sendable {
    private struct State {
        var head: Digest256?
        var policy: PolicyMark?
        /// When there is too much, what was not used since the last time is forgotten.
        var recent: [AccountID: SpendableCredits] = [:]
        var older: [AccountID: SpendableCredits] = [:]
        var recentWeight = 0

        mutating func take(_ account: AccountID) -> SpendableCredits? {
            if let credits = recent.removeValue(forKey: account) {
                recentWeight -= credits.weight
                return credits
            }
            return older.isEmpty ? nil : older.removeValue(forKey: account)
        }

        mutating func insert(_ credits: SpendableCredits, of account: AccountID) {
            recentWeight += credits.weight
            recent[account] = credits
        }
    }

    /// How much is kept: twice this.
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: of lots, holds and what is to come, of all accounts together; with zero
    ///   nothing is kept.
    init(limit: Int) {
        self.limit = (limit + 1) / 2
    }

    /// How many accounts are kept.
    var count: Int { state.withLock { $0.recent.count + $0.older.count } }

    /// A write begins at that end of the ledger, under that policy.
    func begin(at head: Digest256, policy: PolicyMark) {
        state.withLock { state in
            if state.head == head, state.policy == policy { return }
            state = State(head: head, policy: policy)
        }
    }

    /// What is kept of the account, which is not kept any more.
    func take(_ account: AccountID) -> SpendableCredits? {
        state.withLock { $0.take(account) }
    }

    /// The write has ended at that end of the ledger.
    func end(
        at head: Digest256, touched: Set<AccountID>, keeping kept: [AccountID: SpendableCredits]
    ) {
        state.withLock { state in
            state.head = head
            // What is kept was taken before, and is kept under the name that touches it.
            for account in touched where kept[account] == nil {
                _ = state.take(account)
                if !account.isFolded { _ = state.take(account.folded) }
            }
            guard limit > 0 else { return }
            for (account, credits) in kept { state.insert(credits, of: account) }
            guard state.recentWeight > limit else { return }
            (state.older, state.recent, state.recentWeight) = (state.recent, [:], 0)
        }
    }
}

/// What one commit spends from.
final class CreditsOfCommit {
    private let kept: KeptCredits
    fileprivate(set) var accounts: [AccountID: SpendableCredits] = [:]

    init(_ kept: KeptCredits) {
        self.kept = kept
    }

    /// What the account can spend, if it is known without reading.
    func take(_ account: AccountID) -> SpendableCredits? {
        accounts.removeValue(forKey: account) ?? kept.take(account)
    }

    /// Whatever else the commit writes, it does not concern the account.
    func keep(_ credits: SpendableCredits, of account: AccountID) {
        accounts[account] = credits
    }
}
