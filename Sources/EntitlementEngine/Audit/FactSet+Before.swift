internal import EntitlementModel

extension FactSet {
    /// What was known when the entry at that place was written.
    func before(_ place: LedgerSequence) -> FactSet {
        func earlier<Value>(_ facts: [Recorded<Value>]) -> [Recorded<Value>] {
            facts.filter { $0.sequence < place }
        }
        var facts = FactSet()
        facts.transactions = earlier(transactions)
        facts.renewals = earlier(renewals)
        facts.claims = earlier(claims)
        facts.decisions = earlier(decisions)
        facts.rulings = earlier(rulings)
        facts.grants = earlier(grants)
        facts.grantRevocations = earlier(grantRevocations)
        facts.blocks = earlier(blocks)
        facts.blockRemovals = earlier(blockRemovals)
        facts.accountTokens = earlier(accountTokens)
        facts.quarantines = earlier(quarantines)
        facts.accountMerges = earlier(accountMerges)
        facts.erased = erased.filter { $0 < place }
        return facts
    }
}
