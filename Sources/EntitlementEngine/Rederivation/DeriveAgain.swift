internal import EntitlementModel
internal import LedgerModel

extension EntitlementEngine {
    /// Brings back, in the background, what a policy change has dropped from memory.
    func deriveAgain(_ dropped: DroppedAccounts) {
        rederivation.begin(
            dropped, arrange: { [self] in inLedgerOrder($0) },
            bringBack: { [self] in bringBack($0, by: $1) })
    }

    /// Accounts that became known together lie together in the file: reading a million of them
    /// here and there is many times slower where the file is not in memory.
    private func inLedgerOrder(_ accounts: [AccountID]) -> [AccountID] {
        let arranged = try? ledger.reading { reader throws(LedgerError) in
            try reader.inLedgerOrder(accounts)
        }
        return arranged ?? accounts
    }

    /// Where the ledger cannot be read, whoever asks for the accounts meets that error.
    private func bringBack(_ run: DroppedAccounts.Run, by background: BackgroundThread) -> Bool {
        let (accounts, begun) = background.run { [cache] in
            (cache.missing(run.accounts), cache.beginLoad())
        }
        let policy = policy
        let packedAccounts = try? ledger.reading { reader throws(LedgerError) in
            var packedAccounts: [PackedAccount] = []
            packedAccounts.reserveCapacity(accounts.count)
            for account in accounts {
                let facts = try reader.facts(forAccount: account)
                packedAccounts.append(policy.packed(of: account, facts: facts))
            }
            return packedAccounts
        }
        return background.run { [cache] in
            cache.finishLoad(packedAccounts ?? [], begunAt: begun, asRecent: run.wereRecent)
        }
    }
}

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
