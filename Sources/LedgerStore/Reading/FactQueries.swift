internal import EntitlementModel
internal import LedgerModel

extension LedgerTransaction {
    func facts(forAccount account: AccountID) throws(LedgerError) -> FactSet {
        var accounts: Set<AccountID> = [account.folded]
        var found = try LedgerError.mapping { try places(naming: account) }
        while true {
            let known = try facts(at: found)
            // The merged accounts, and their registrations, are known only now.
            let merged = known.accountMerges.filter {
                accounts.contains($0.value.into.folded)
                    && accounts.insert($0.value.from.folded).inserted
            }
            let registered = known.accountTokens.filter {
                accounts.contains($0.value.account.folded)
            }
            guard !merged.isEmpty || !registered.isEmpty else {
                return try withMergesOfNamed(in: known, of: account)
            }
            var more: [Int64] = []
            try LedgerError.mapping {
                for merge in merged { more += try places(naming: merge.value.from) }
                let tokens = Set(registered.map(\.value.token)).sorted()
                more += try places(ofClusters: clusters(ofTokens: tokens), deniedTo: [])
            }
            guard !Set(more).isSubset(of: found) else {
                return try withMergesOfNamed(in: known, of: account)
            }
            found += more
        }
    }

    /// The entries of the account, and those of the Apple IDs that it has an interest in or whose
    /// purchases carry its id as their token.
    private func places(naming account: AccountID) throws -> [Int64] {
        let own = AppAccountToken(account.text).map { [$0] } ?? []
        return try places(
            ofAccounts: names.spellings(of: account), clusters: clusters(ofTokens: own))
    }

    func facts(forLineage lineage: LineageKey) throws(LedgerError) -> FactSet {
        let found = try LedgerError.mapping {
            let known = try names.known(lineage)
            return try places(
                ofClusters: clusters(of: known.map { [$0] } ?? []), deniedTo: nil)
        }
        return try facts(at: found)
    }

    func facts(
        forTransactions keys: [TransactionKey], withDenials denials: Bool
    ) throws(LedgerError) -> FactSet {
        let found = try LedgerError.mapping {
            let known = try keys.compactMap(names.known)
            var found = try places(
                ofClusters: clusters(of: known.compactMap(\.lineage)),
                deniedTo: denials ? nil : [])
            for transaction in known where transaction.lineage == nil {
                try addPlaces(ofUnplaced: transaction.id, to: &found)
            }
            return found
        }
        return try facts(at: found)
    }

    func denials(
        ofLineages lineages: Set<LineageKey>, to accounts: Set<AccountID>?
    ) throws(LedgerError) -> FactSet {
        let found = try LedgerError.mapping {
            try denials(
                inClusters: clusters(of: lineages.compactMap(names.known)),
                to: accounts.map { try Set($0.flatMap(names.spellings)).sorted() })
        }
        return found.isEmpty ? FactSet() : try facts(at: found)
    }

    func facts(
        naming account: AccountID, of kinds: [EntryKind], after sequence: LedgerSequence
    ) throws(LedgerError) -> FactSet {
        let isAboutStanding = kinds == EntryKind.ofStanding && sequence == .zero
        if isAboutStanding, isKnownPlain(account) { return FactSet() }
        let places = try LedgerError.mapping {
            // An entry may name two spellings of one account.
            var places: Set<Int64> = []
            for known in try names.spellings(of: account) {
                // The plus: beside an index of one kind, SQLite would prepare this for each value.
                for kind in kinds {
                    try connection.forEachRow(
                        """
                        SELECT entry.seq FROM entry_of_account CROSS JOIN entry USING (seq)
                        WHERE account = ? AND entry_of_account.seq > ? AND +kind = ?
                        """, known, sequence.number, kind.rawValue
                    ) { row in places.insert(try row.integer(0)) }
                }
            }
            return places
        }
        if isAboutStanding, places.isEmpty { notePlain(account) }
        return places.isEmpty ? FactSet() : try facts(at: places.sorted())
    }

    func entries(
        naming account: AccountID, of kinds: [EntryKind], before sequence: LedgerSequence,
        limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        try LedgerError.mapping {
            var places: Set<Int64> = []
            for known in try names.spellings(of: account) {
                for kind in kinds {
                    try connection.forEachRow(
                        """
                        SELECT entry.seq FROM entry_of_account CROSS JOIN entry USING (seq)
                        WHERE account = ? AND entry_of_account.seq < ? AND +kind = ?
                        ORDER BY entry_of_account.seq DESC LIMIT ?
                        """, known, sequence.number, kind.rawValue, Int64(limit)
                    ) { row in places.insert(try row.integer(0)) }
                }
            }
            return places.sorted(by: >).prefix(limit).map { LedgerSequence($0) }
        }
    }

    /// The entries there, in the ledger's order, with the registrations of their tokens.
    private func facts(at places: [Int64]) throws(LedgerError) -> FactSet {
        var facts = FactSet()
        facts.transactions.reserveCapacity(places.count)
        try LedgerError.mapping {
            // Entries recorded together are adjacent and read in one walk.
            for run in places.runs {
                try connection.forEachRow(
                    """
                    SELECT seq, recorded_at, kind, payload FROM entry
                    WHERE seq BETWEEN ? AND ? ORDER BY seq
                    """, run.lowerBound, run.upperBound
                ) { row in
                    if try reader.insertFact(in: row, into: &facts) { return }
                    if let restated = try restated(row) {
                        facts.insert(restated)
                    } else {
                        facts.erased.append(LedgerSequence(try row.integer(0)))
                    }
                }
            }
        }
        try LedgerError.mapping { try addRereadPredecessors(to: &facts) }
        try addRegistrations(to: &facts)
        return facts
    }

    /// What an earlier program left out of its entries; in most ledgers there is nothing.
    private func addRereadPredecessors(to facts: inout FactSet) throws {
        let first = try connection.integer("SELECT min(seq) FROM reread_predecessor")
        guard let first else { return }
        for place in facts.transactions.indices {
            let sequence = facts.transactions[place].sequence.number
            guard sequence >= first else { continue }
            let predecessor = try connection.first(
                "SELECT predecessor FROM reread_predecessor WHERE seq = ?", sequence
            ) { row -> TransactionID in try row.identifier(0) }
            guard let predecessor else { continue }
            facts.transactions[place].value.previousOriginalTransactionID = predecessor
        }
    }

    /// Whose token a purchase carries is part of what its claims are judged by (spec 1.6).
    private func addRegistrations(to facts: inout FactSet) throws(LedgerError) {
        var tokens: Set<AppAccountToken> = []
        // By place: a loop over the snapshots would copy each of them.
        for place in facts.transactions.indices {
            if let token = facts.transactions[place].value.appAccountToken { tokens.insert(token) }
        }
        for place in facts.renewals.indices {
            if let token = facts.renewals[place].value.appAccountToken { tokens.insert(token) }
        }
        guard !tokens.isEmpty else { return }
        var known = Set(facts.accountTokens.map(\.sequence))
        for token in tokens {
            try LedgerError.mapping {
                try connection.forEachRow(
                    """
                    SELECT entry.seq FROM token_registration JOIN entry USING (seq)
                    WHERE token = ? AND payload IS NULL
                        AND entry.seq NOT IN (SELECT seq FROM restated)
                    """, token.text
                ) { facts.erased.append(LedgerSequence(try $0.integer(0))) }
            }
            for registration in try accountTokens(token)
            where known.insert(registration.sequence).inserted {
                facts.accountTokens.append(registration)
            }
        }
        facts.accountTokens.sort { $0.sequence < $1.sequence }
    }
}

extension PayloadReader {
    /// Adds the entry of a row (seq, recorded_at, kind, payload) to its list. Kinds that no
    /// derivation reads are skipped.
    ///
    /// - Returns: false for an erased entry.
    fileprivate mutating func insertFact(
        in row: Columns, into facts: inout FactSet
    ) throws -> Bool {
        switch EntryKind(rawValue: try row.integer(2)) {
        case .transaction:
            // Snapshots are large: those of the usual kinds go to their place at once.
            let snapshot = try recorded(in: row) { try $0.transaction(from: $1).snapshot }
            guard let snapshot else { return false }
            facts.transactions.append(snapshot)
        case .renewal:
            let snapshot = try recorded(in: row) { try $0.renewal(from: $1).snapshot }
            guard let snapshot else { return false }
            facts.renewals.append(snapshot)
        case let kind:
            guard kind?.isPassedOver != true else { return true }
            guard let entry = try entry(in: row) else { return false }
            facts.insert(entry)
        }
        return true
    }
}

extension [Int64] {
    /// The numbers in their order, those that follow each other as one.
    fileprivate var runs: [ClosedRange<Int64>] {
        var runs: [ClosedRange<Int64>] = []
        for number in sorted() {
            guard let last = runs.last, number <= last.upperBound + 1 else {
                runs.append(number...number)
                continue
            }
            runs[runs.count - 1] = last.lowerBound...number
        }
        return runs
    }
}
