package import EntitlementModel

extension LedgerReading {
    /// The facts of an account with the merges of whom the tokens in them name, and of those into
    /// or from which these were merged: whom a token names follows from them (spec 1.6).
    package func withMergesOfNamed(
        in facts: FactSet, of account: AccountID
    ) throws(LedgerError) -> FactSet {
        var seen = Set(facts.accountTokens.map(\.value.account.folded))
        // By place: a loop over the snapshots would copy each of them.
        for place in facts.transactions.indices {
            guard let token = facts.transactions[place].value.appAccountToken,
                let named = AccountID(token.text)
            else { continue }
            seen.insert(named.folded)
        }
        // Its own merges are there.
        if facts.accountMerges.isEmpty { seen.remove(account.folded) }
        guard !seen.isEmpty else { return facts }
        var facts = facts
        var known = Set(facts.accountMerges.map(\.sequence))
        var unasked = Array(seen)
        while let next = unasked.popLast() {
            for merge in try mergeFacts(of: next).accountMerges {
                for other in [merge.value.from.folded, merge.value.into.folded]
                where seen.insert(other).inserted {
                    unasked.append(other)
                }
                if known.insert(merge.sequence).inserted { facts.accountMerges.append(merge) }
            }
        }
        facts.accountMerges.sort { $0.sequence < $1.sequence }
        return facts
    }
}

extension LedgerReading {
    /// Accounts that evidence about the lineages may concern, in order: those that have to do with
    /// them, and those that their tokens name, directly or through merges (spec 1.6).
    package func accountsConcerned(
        byLineages lineages: [LineageKey]
    ) throws(LedgerError) -> [AccountID] {
        var tokens: Set<AppAccountToken> = []
        for lineage in lineages {
            let facts = try facts(forLineage: lineage)
            for place in facts.transactions.indices {
                guard let token = facts.transactions[place].value.appAccountToken else { continue }
                tokens.insert(token)
            }
        }
        var unasked: [AccountID] = []
        for token in tokens {
            unasked += try accountTokens(token).map(\.value.account)
            unasked += AccountID(token.text).map { [$0] } ?? []
        }
        var concerned = Set(try accountsTouched(byLineages: lineages))
        var asked: Set<AccountID> = []
        while let next = unasked.popLast() {
            guard asked.insert(next).inserted else { continue }
            concerned.formUnion([next, next.folded])
            for merge in try mergeFacts(of: next.folded).accountMerges.map(\.value)
            where merge.from.folded == next.folded {
                unasked.append(merge.into)
            }
        }
        return concerned.sorted()
    }
}
