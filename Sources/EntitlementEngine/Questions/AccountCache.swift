internal import EntitlementModel
internal import Synchronization

/// The accounts that are in memory.
///
/// A sheet is made from a snapshot of the ledger while commits go on beside it. So that a load
/// which began before a commit never overwrites what the commit made stale, every commit notes
/// the accounts it touched for as long as any load is under way.
final class AccountCache: Sendable {
    private struct Contents {
        var sheets: [AccountID: AccountSheet] = [:]
        /// Counts publications: a load that began before the last one that touched its account
        /// must not be kept.
        var publication: UInt64 = 0
        var touched: [AccountID: UInt64] = [:]
        /// The publication after which everything is stale (a policy change).
        var clearedAt: UInt64 = 0
        var loads = 0
        var head = LedgerSequence.zero
    }

    private let contents = Mutex(Contents())

    init(head: LedgerSequence) {
        contents.withLock { $0.head = head }
    }

    /// The revision that all sheets reflect.
    var head: LedgerSequence { contents.withLock { $0.head } }

    /// The sheet and the revision that it reflects, read together.
    func sheet(of account: AccountID) -> (sheet: AccountSheet, revision: LedgerSequence)? {
        contents.withLock { contents in
            contents.sheets[account].map { ($0, contents.head) }
        }
    }

    /// Begins a load; `finishLoad` or `abandonLoad` must follow.
    func beginLoad() -> UInt64 {
        contents.withLock { contents in
            contents.loads += 1
            return contents.publication
        }
    }

    /// Keeps the sheet unless a commit has touched its account since the load began.
    /// - Returns: whether it was kept; if not, the load is to be made again.
    func finishLoad(_ sheet: AccountSheet, begunAt publication: UInt64) -> LedgerSequence? {
        contents.withLock { contents in
            let isStale =
                contents.clearedAt > publication
                || (contents.touched[sheet.account] ?? 0) > publication
            endLoad(&contents)
            guard !isStale else { return nil }
            contents.sheets[sheet.account] = sheet
            return contents.head
        }
    }

    func abandonLoad() {
        contents.withLock { endLoad(&$0) }
    }

    /// Drops what a commit has made stale and moves the revision on; called after the commit is
    /// durable and before anybody is told.
    func publish(touched accounts: some Sequence<AccountID>, head: LedgerSequence) {
        contents.withLock { contents in
            contents.publication += 1
            for account in accounts {
                contents.sheets.removeValue(forKey: account)
                if contents.loads > 0 { contents.touched[account] = contents.publication }
            }
            contents.head = max(contents.head, head)
        }
    }

    /// Drops every sheet: the policy has changed.
    func publishPolicyChange(head: LedgerSequence) {
        contents.withLock { contents in
            contents.publication += 1
            contents.clearedAt = contents.publication
            contents.sheets.removeAll(keepingCapacity: true)
            contents.head = max(contents.head, head)
        }
    }

    private func endLoad(_ contents: inout Contents) {
        contents.loads -= 1
        if contents.loads == 0 { contents.touched.removeAll() }
    }
}
