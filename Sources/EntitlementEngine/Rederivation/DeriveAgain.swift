internal import EntitlementModel
internal import LedgerStore

extension EntitlementEngine {
    /// Brings back, in the background, what a policy change has dropped from memory.
    func deriveAgain(_ dropped: DroppedAccounts) {
        rederivation.begin(dropped) { [self] in bringBack($0) }
    }

    /// Where the ledger cannot be read, whoever asks for the accounts meets that error.
    private func bringBack(_ run: DroppedAccounts.Run) -> Bool {
        let accounts = cache.missing(run.accounts)
        let begun = cache.beginLoad()
        let policy = policy
        let sheets = try? ledger.reading { reader throws(LedgerStoreError) in
            var sheets: [AccountSheet] = []
            sheets.reserveCapacity(accounts.count)
            for account in accounts {
                let facts = try reader.facts(forAccount: account)
                sheets.append(policy.sheet(of: account, facts: facts))
            }
            return sheets
        }
        return cache.finishLoad(sheets ?? [], begunAt: begun, asRecent: run.wereRecent)
    }
}
