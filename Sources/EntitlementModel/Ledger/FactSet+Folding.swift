extension FactSet {
    /// The same facts, with every account under its folded name: what was recorded keeps its
    /// bytes and is read so (spec 1.1).
    ///
    /// Decisions that judged two spellings of one account against each other are noted.
    package func foldingAccounts() -> FactSet {
        guard namesUnfoldedAccounts else { return self }
        var facts = self
        facts.caseConflicts = caseConflicts + decisionsBetweenSpellings()
        facts.claims.editEach { $0.account = $0.account.folded }
        facts.decisions.editEach {
            $0.ownersBefore = $0.ownersBefore.foldedOnce()
            $0.ownersAfter = $0.ownersAfter.foldedOnce()
        }
        facts.rulings.editEach { $0.account = $0.account?.folded }
        facts.grants.editEach { $0.account = $0.account.folded }
        facts.grantRevocations.editEach { $0.account = $0.account.folded }
        facts.blocks.editEach { $0.account = $0.account.folded }
        facts.blockRemovals.editEach { $0.account = $0.account.folded }
        facts.accountTokens.editEach { $0.account = $0.account.folded }
        facts.quarantines.editEach { $0.account = $0.account?.folded }
        facts.accountMerges.editEach {
            $0.from = $0.from.folded
            $0.into = $0.into.folded
        }
        return facts
    }

    private var namesUnfoldedAccounts: Bool {
        !(claims.allSatisfy(\.value.account.isFolded)
            && decisions.allSatisfy {
                $0.value.ownersBefore.allSatisfy(\.isFolded)
                    && $0.value.ownersAfter.allSatisfy(\.isFolded)
            }
            && rulings.allSatisfy { $0.value.account?.isFolded ?? true }
            && grants.allSatisfy(\.value.account.isFolded)
            && grantRevocations.allSatisfy(\.value.account.isFolded)
            && blocks.allSatisfy(\.value.account.isFolded)
            && blockRemovals.allSatisfy(\.value.account.isFolded)
            && accountTokens.allSatisfy(\.value.account.isFolded)
            && quarantines.allSatisfy { $0.value.account?.isFolded ?? true }
            && accountMerges.allSatisfy { $0.value.from.isFolded && $0.value.into.isFolded })
    }

    /// Decisions on a claim of an account that another spelling of its name owned.
    private func decisionsBetweenSpellings() -> [LedgerSequence] {
        var claimants: [LedgerSequence: AccountID] = [:]
        for claim in claims { claimants[claim.sequence] = claim.value.account }
        return decisions.filter { decision in
            guard let claimant = claimants[decision.value.cause] else { return false }
            return decision.value.ownersBefore.contains {
                $0 != claimant && $0.folded == claimant.folded
            }
        }.map(\.sequence)
    }
}

extension Array {
    fileprivate mutating func editEach<Value>(_ edit: (inout Value) -> Void)
    where Element == Recorded<Value> {
        for index in indices {
            var value = self[index].value
            edit(&value)
            self[index] = self[index].with(value)
        }
    }
}

extension [AccountID] {
    /// Sorted, each once.
    fileprivate func foldedOnce() -> [AccountID] {
        allSatisfy(\.isFolded) ? self : Set(map(\.folded)).sorted()
    }
}
