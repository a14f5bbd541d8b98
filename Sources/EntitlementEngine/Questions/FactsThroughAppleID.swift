internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerStore

extension ActivePolicy {
    /// What the account has through one Apple ID: its facts without the lineages of all others,
    /// and without grants, which come through none. Blocks stay.
    ///
    /// What an Apple ID that no fact knows has brought is nothing.
    func facts(
        of account: AccountID, through key: AppleIDKey, _ reader: any LedgerReading
    ) throws(LedgerStoreError) -> FactSet {
        var facts = try reader.facts(forAccount: account)
        var lineages: Set<LineageKey> = []
        if let lineage = try AppleIDName(key)?.lineage(in: reader) {
            let known = try reader.facts(forLineage: lineage)
            lineages.formUnion(deriver.deriveAppleID(holding: lineage, known)?.lineages ?? [])
        }
        facts.transactions.removeAll {
            !lineages.contains(LineageKey($0.value.environment, $0.value.originalTransactionID))
        }
        facts.renewals.removeAll {
            !lineages.contains(LineageKey($0.value.environment, $0.value.originalTransactionID))
        }
        facts.quarantines.removeAll()
        facts.grants.removeAll()
        facts.grantRevocations.removeAll()
        return facts
    }

    /// The account's facts, through one Apple ID where one is named.
    func facts(
        of account: AccountID, throughIfAny key: AppleIDKey?, _ reader: any LedgerReading
    ) throws(LedgerStoreError) -> FactSet {
        guard let key else { return try reader.facts(forAccount: account) }
        return try facts(of: account, through: key, reader)
    }
}
