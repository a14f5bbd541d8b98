internal import EntitlementModel
internal import LedgerStore

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
        let arranged = try? ledger.reading { reader throws(LedgerStoreError) in
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
        let packedAccounts = try? ledger.reading { reader throws(LedgerStoreError) in
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
