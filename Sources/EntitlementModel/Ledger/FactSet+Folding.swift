extension FactSet {
    /// The same facts, with every account under its folded name: what was recorded keeps its
    /// bytes and is read so (spec 1.1).
    ///
    /// Decisions that judged two spellings of one account against each other are noted.
    package func foldingAccounts() -> FactSet {
        guard namesUnfoldedAccounts else { return self }
        var facts = self
        facts.caseConflicts = caseConflicts + decisionsBetweenSpellings()
        var folding = Folding(facts: facts)
        Self.visitLists(&folding)
        return folding.facts
    }

    private struct Folding: FactListVisitor {
        var facts: FactSet

        mutating func visit<Value: FactValue>(
            _ list: WritableKeyPath<FactSet, [Recorded<Value>]>
        ) {
            guard Value.namesAccounts else { return }
            for index in facts[keyPath: list].indices
            where !facts[keyPath: list][index].value.hasFoldedAccounts {
                facts[keyPath: list][index].value.foldAccounts()
            }
        }
    }

    private struct UnfoldedNames: FactListVisitor {
        let facts: FactSet
        var areThere = false

        mutating func visit<Value: FactValue>(
            _ list: WritableKeyPath<FactSet, [Recorded<Value>]>
        ) {
            guard Value.namesAccounts, !areThere else { return }
            areThere = !facts[keyPath: list].allSatisfy(\.value.hasFoldedAccounts)
        }
    }

    private var namesUnfoldedAccounts: Bool {
        var names = UnfoldedNames(facts: self)
        Self.visitLists(&names)
        return names.areThere
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

/// A fact that names no account.
package protocol AccountlessFact: FactValue {}

extension AccountlessFact {
    package static var namesAccounts: Bool { false }
    package var hasFoldedAccounts: Bool { true }
    package mutating func foldAccounts() {}
}

extension TransactionSnapshot: AccountlessFact {}
extension RenewalSnapshot: AccountlessFact {}

/// A fact that names one account.
package protocol AccountFact: FactValue {
    var account: AccountID { get set }
}

extension AccountFact {
    package var hasFoldedAccounts: Bool { account.isFolded }
    package mutating func foldAccounts() { account = account.folded }
}

extension Claim: AccountFact {}
extension Grant: AccountFact {}
extension GrantRevocation: AccountFact {}
extension Block: AccountFact {}
extension BlockRemoval: AccountFact {}
extension AccountTokenRegistration: AccountFact {}

extension Ruling: FactValue {
    package var hasFoldedAccounts: Bool { account?.isFolded ?? true }
    package mutating func foldAccounts() { account = account?.folded }
}

extension Quarantine: FactValue {
    package var hasFoldedAccounts: Bool { account?.isFolded ?? true }
    package mutating func foldAccounts() { account = account?.folded }
}

extension OwnershipDecision: FactValue {
    package var hasFoldedAccounts: Bool {
        ownersBefore.allSatisfy(\.isFolded) && ownersAfter.allSatisfy(\.isFolded)
    }

    package mutating func foldAccounts() {
        ownersBefore = ownersBefore.foldedOnce()
        ownersAfter = ownersAfter.foldedOnce()
    }
}

extension AccountMerge: FactValue {
    package var hasFoldedAccounts: Bool { from.isFolded && into.isFolded }

    package mutating func foldAccounts() {
        from = from.folded
        into = into.folded
    }
}

extension [AccountID] {
    /// Sorted, each once.
    fileprivate func foldedOnce() -> [AccountID] {
        allSatisfy(\.isFolded) ? self : Set(map(\.folded)).sorted()
    }
}
