package import EntitlementModel

/// One kind of entry as the ledger keeps it: its payload, the keys that it is found by, and what
/// it concerns. `EntryKind` lists all of them.
protocol LedgerRecord: PayloadObject, Sendable {
    /// Writes the keys that the entry is found by.
    func insertKeys(into index: EntryIndex, at sequence: LedgerSequence) throws
    /// What findings may change because of it.
    var subjects: EntrySubjects { get }
    /// The entry that holds the evidence which says this; nil where no signed evidence has to.
    var signedEvidence: LedgerSequence? { get }
}

extension LedgerRecord {
    func insertKeys(into index: EntryIndex, at sequence: LedgerSequence) throws {}
    var subjects: EntrySubjects { EntrySubjects() }
    var signedEvidence: LedgerSequence? { nil }
}

/// What an entry concerns, as far as findings can follow from it.
package struct EntrySubjects: Sendable {
    package var transactions: [TransactionKey] = []
    package var lineages: [LineageKey] = []
    package var accounts: [AccountID] = []
    package var tokens: [AppAccountToken] = []

    init(
        transactions: [TransactionKey] = [], lineages: [LineageKey] = [],
        accounts: [AccountID] = [], tokens: [AppAccountToken] = []
    ) {
        self.transactions = transactions
        self.lineages = lineages
        self.accounts = accounts
        self.tokens = tokens
    }

    init(unit: OwnedUnit, accounts: [AccountID] = []) {
        self.accounts = accounts
        switch unit {
        case .lineage(let key): lineages = [key]
        case .purchase(let key): transactions = [key]
        }
    }
}

extension LedgerEntry {
    /// What the entry concerns.
    package var subjects: EntrySubjects { registered.record.subjects }

    /// The entry that holds the signed evidence which says this; nil where none has to.
    package var signedEvidence: LedgerSequence? { registered.record.signedEvidence }
}
