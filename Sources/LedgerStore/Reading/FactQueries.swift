package import EntitlementModel
internal import GRDB

extension LedgerTransaction {
    package func facts(forAccount account: AccountID) throws(LedgerStoreError) -> FactSet {
        guard let id = try LedgerStoreError.mapping({ try names.known(account) }) else {
            return FactSet()
        }
        return try facts(
            """
            WITH RECURSIVE holder (account) AS (
                SELECT ?1
                UNION
                SELECT predecessor FROM holder CROSS JOIN succession USING (account)
            )
            SELECT seq FROM entry_of_account WHERE account = ?1
            UNION
            SELECT entry_of_lineage.seq FROM holder
            CROSS JOIN interest ON interest.account = holder.account
            CROSS JOIN lineage AS own ON own.id = interest.lineage
            CROSS JOIN lineage AS kin ON kin.cluster = own.cluster
            CROSS JOIN entry_of_lineage ON entry_of_lineage.lineage = kin.id
            """, [id])
    }

    package func facts(forLineage lineage: LineageKey) throws(LedgerStoreError) -> FactSet {
        let id = try LedgerStoreError.mapping { try names.known(lineage) }
        return try facts(forLineages: id.map { [$0] } ?? [], unplaced: [])
    }

    package func facts(
        forTransactions keys: [TransactionKey]
    ) throws(LedgerStoreError) -> FactSet {
        let known = try LedgerStoreError.mapping { try keys.compactMap(names.known) }
        return try facts(
            forLineages: known.compactMap(\.lineage),
            unplaced: known.filter { $0.lineage == nil }.map(\.id))
    }

    private func facts(
        forLineages lineages: [Int64], unplaced transactions: [Int64]
    ) throws(LedgerStoreError) -> FactSet {
        try facts(
            """
            SELECT entry_of_lineage.seq FROM json_each(?1) AS asked
            CROSS JOIN lineage AS own ON own.id = asked.value
            CROSS JOIN lineage AS kin ON kin.cluster = own.cluster
            CROSS JOIN entry_of_lineage ON entry_of_lineage.lineage = kin.id
            UNION
            SELECT seq FROM json_each(?2) AS asked
            CROSS JOIN entry_without_lineage ON store_transaction = asked.value
            """, [lineages.jsonArray, transactions.jsonArray])
    }

    /// The entries at the places that the query finds, in the ledger's order, and what was
    /// registered for the tokens in them.
    private func facts(
        _ sequences: String, _ arguments: [(any DatabaseValueConvertible)?]
    ) throws(LedgerStoreError) -> FactSet {
        var facts = FactSet()
        try forEachEntry(
            """
            SELECT entry.seq, recorded_at, kind, payload
            FROM (\(sequences)) AS found CROSS JOIN entry ON entry.seq = found.seq
            WHERE payload IS NOT NULL AND kind NOT IN (\(EntryKind.passedOver))
            ORDER BY entry.seq
            """, arguments
        ) { facts.insert($0) }
        try addRegistrations(to: &facts)
        return facts
    }

    /// Whose token a purchase carries is part of what its claims are judged by (spec 1.6).
    private func addRegistrations(to facts: inout FactSet) throws(LedgerStoreError) {
        var tokens = Set(facts.transactions.compactMap(\.value.appAccountToken))
        tokens.formUnion(facts.renewals.compactMap(\.value.appAccountToken))
        guard !tokens.isEmpty else { return }
        var known = Set(facts.accountTokens.map(\.sequence))
        for token in tokens {
            for registration in try accountTokens(token)
            where known.insert(registration.sequence).inserted {
                facts.accountTokens.append(registration)
            }
        }
        facts.accountTokens.sort { $0.sequence < $1.sequence }
    }
}

extension [Int64] {
    /// As SQLite's `json_each` reads it.
    var jsonArray: String { "[" + map(String.init).joined(separator: ",") + "]" }
}
