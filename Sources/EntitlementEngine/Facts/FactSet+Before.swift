internal import EntitlementModel

extension FactSet {
    /// What was known when the entry at that place was written.
    func before(_ place: LedgerSequence) -> FactSet {
        var earlier = Earlier(facts: self, place: place)
        Self.visitLists(&earlier)
        earlier.facts.erased.removeAll { $0 >= place }
        earlier.facts.caseConflicts = []
        return earlier.facts
    }

    private struct Earlier: FactListVisitor {
        var facts: FactSet
        let place: LedgerSequence

        mutating func visit<Value: FactValue>(
            _ list: WritableKeyPath<FactSet, [Recorded<Value>]>
        ) {
            facts[keyPath: list].removeAll { $0.sequence >= place }
        }
    }
}
