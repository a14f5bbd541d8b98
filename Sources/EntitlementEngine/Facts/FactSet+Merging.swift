internal import EntitlementModel

extension FactSet {
    /// Adds what is not there yet: an entry is one and the same wherever it was found.
    mutating func merge(_ other: FactSet) {
        let (erased, caseConflicts) = (self.erased, self.caseConflicts)
        var merging = Merging(facts: self, other: other)
        // Lists that are held once are changed where they are.
        self = FactSet()
        Self.visitLists(&merging)
        merging.facts.erased = Set(erased + other.erased).sorted()
        merging.facts.caseConflicts = Set(caseConflicts + other.caseConflicts).sorted()
        self = merging.facts
    }

    private struct Merging: FactListVisitor {
        var facts: FactSet
        let other: FactSet

        mutating func visit<Value: FactValue>(
            _ list: WritableKeyPath<FactSet, [Recorded<Value>]>
        ) {
            let added = other[keyPath: list]
            guard !added.isEmpty else { return }
            let known = Set(facts[keyPath: list].map(\.sequence))
            facts[keyPath: list] += added.filter { !known.contains($0.sequence) }
            facts[keyPath: list].sort { $0.sequence < $1.sequence }
        }
    }
}

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
