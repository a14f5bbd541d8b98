internal import EntitlementModel

/// The accounts that a policy change has dropped from memory, with their packed accounts.
///
/// Naming a million of them, and freeing them, takes longer than a question may wait for a lock:
/// both are left to whoever gets this.
struct DroppedAccounts: Sendable {
    /// Accounts that come back together.
    struct Run: Sendable {
        var accounts: ArraySlice<AccountID>
        /// Whether they were asked about since the last change of generations.
        let wereRecent: Bool
    }

    let recent: PackedAccountTables
    let earlier: PackedAccountTables

    var count: Int { recent.count + earlier.count }

    /// Those that were asked about last come last.
    consuming func runs(_ arrange: ([AccountID]) -> [AccountID] = { $0 }) -> [Run] {
        [
            Run(accounts: arrange(earlier.accounts)[...], wereRecent: false),
            Run(accounts: arrange(recent.accounts)[...], wereRecent: true),
        ]
    }
}
