internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerStore

extension ActivePolicy {
    /// The Apple ID that a key names; nil if no fact knows one.
    ///
    /// Not every lineage that has its name is known: a renewal info may have come without its
    /// transaction. A lineage whose name has changed since leads to the new one, unless another
    /// still has the old name.
    func appleID(
        named key: AppleIDKey, _ reader: any LedgerReading
    ) throws(LedgerStoreError) -> AppleIDTimeline? {
        guard let name = AppleIDName(key) else { return nil }
        let lineages = try name.lineages(in: reader)
        guard let first = lineages.first else { return nil }
        let facts = try reader.facts(forLineage: first)
        var renamed: AppleIDTimeline?
        for lineage in lineages {
            guard let found = deriver.deriveAppleID(holding: lineage, facts) else { continue }
            if found.key == key { return found }
            renamed = renamed ?? found
        }
        return renamed
    }

    /// What the account has through one Apple ID: its facts without the lineages of all others,
    /// and without grants, which come through none. Blocks stay.
    ///
    /// What an Apple ID that no fact knows has brought is nothing.
    func facts(
        of account: AccountID, through key: AppleIDKey, _ reader: any LedgerReading
    ) throws(LedgerStoreError) -> FactSet {
        var facts = folding(try reader.facts(about: account))
        var lineages: Set<LineageKey> = []
        if let known = try appleID(named: key, reader) { lineages.formUnion(known.lineages) }
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
        guard let key else { return folding(try reader.facts(about: account)) }
        return try facts(of: account, through: key, reader)
    }
}
