internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

extension ActivePolicy {
    /// The Apple ID that a key names; nil if no fact knows one.
    ///
    /// Not every lineage that has its name is known: a renewal info may have come without its
    /// transaction. A lineage whose name has changed since leads to the new one, unless another
    /// still has the old name.
    func appleID(
        named key: AppleIDKey, _ reader: any LedgerReading
    ) throws(LedgerError) -> AppleIDTimeline? {
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
    ) throws(LedgerError) -> FactSet {
        var facts = folding(try reader.facts(about: account))
        var lineages: Set<LineageKey> = []
        if let known = try appleID(named: key, reader) { lineages.formUnion(known.lineages) }
        facts.transactions.removeAll { !lineages.contains($0.value.lineage) }
        facts.renewals.removeAll { !lineages.contains($0.value.lineage) }
        facts.quarantines.removeAll()
        facts.grants.removeAll()
        facts.grantRevocations.removeAll()
        return facts
    }

    /// The account's facts, through one Apple ID where one is named.
    func facts(
        of account: AccountID, throughIfAny key: AppleIDKey?, _ reader: any LedgerReading
    ) throws(LedgerError) -> FactSet {
        guard let key else { return folding(try reader.facts(about: account)) }
        return try facts(of: account, through: key, reader)
    }
}

/// What an Apple-ID key says: `atx:<environment>:<appTransactionId>` or
/// `otx:<environment>:<originalTransactionId>` (spec 1.3).
enum AppleIDName {
    case appTransaction(StoreEnvironment, AppTransactionID)
    case lineage(LineageKey)

    /// Nil for a key of another form. A bare `originalTransactionId` is not a key: it could be
    /// of any environment.
    init?(_ key: AppleIDKey) {
        let parts = key.text.split(
            separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let environment = StoreEnvironment(rawValue: String(parts[1]))
        else { return nil }
        switch parts[0] {
        case "atx":
            guard let id = AppTransactionID(parts[2]) else { return nil }
            self = .appTransaction(environment, id)
        case "otx":
            guard let id = TransactionID(parts[2]) else { return nil }
            self = .lineage(LineageKey(environment, id))
        default: return nil
        }
    }

    /// The lineages that any fact ever named so, sorted; facts of one of them are facts of all.
    func lineages(in reader: any LedgerReading) throws(LedgerError) -> [LineageKey] {
        switch self {
        case .appTransaction(let environment, let id):
            try reader.lineages(withAppTransaction: id, in: environment)
        case .lineage(let key): [key]
        }
    }
}

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
