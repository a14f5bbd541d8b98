package import EntitlementModel

extension LedgerTransaction {
    package func facts(forAccount account: AccountID) throws(LedgerStoreError) -> FactSet {
        let found = try LedgerStoreError.mapping {
            try names.known(account).map(places(ofAccount:)) ?? []
        }
        return try facts(at: found)
    }

    package func facts(forLineage lineage: LineageKey) throws(LedgerStoreError) -> FactSet {
        let found = try LedgerStoreError.mapping {
            let known = try names.known(lineage)
            return try places(ofClusters: clusters(of: known.map { [$0] } ?? []))
        }
        return try facts(at: found)
    }

    package func facts(
        forTransactions keys: [TransactionKey]
    ) throws(LedgerStoreError) -> FactSet {
        let found = try LedgerStoreError.mapping {
            let known = try keys.compactMap(names.known)
            var found = try places(ofClusters: clusters(of: known.compactMap(\.lineage)))
            for transaction in known where transaction.lineage == nil {
                try addPlaces(ofUnplaced: transaction.id, to: &found)
            }
            return found
        }
        return try facts(at: found)
    }

    /// The entries there, in the ledger's order, and what was registered for the tokens in them.
    private func facts(at places: [Int64]) throws(LedgerStoreError) -> FactSet {
        var facts = FactSet()
        try LedgerStoreError.mapping {
            var last: Int64?
            for place in places.sorted() where place != last {
                last = place
                if let entry = try fact(at: place) { facts.insert(entry) }
            }
        }
        try addRegistrations(to: &facts)
        return facts
    }

    /// Nil for what no derivation reads, and for what was erased.
    private func fact(at place: Int64) throws -> Recorded<LedgerEntry>? {
        try connection.first(
            "SELECT seq, recorded_at, kind, payload FROM entry WHERE seq = ?", place
        ) { row in
            let kind = EntryKind(rawValue: try row.integer(2))
            return kind?.isPassedOver == true ? nil : try reader.entry(in: row)
        } ?? nil
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
