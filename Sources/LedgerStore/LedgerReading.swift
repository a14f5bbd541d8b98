package import EntitlementModel

/// What can be asked of a ledger, within one consistent view of it.
///
/// The seam behind which another store may take SQLite's place (spec 3.4).
package protocol LedgerReading {
    /// The newest entry's place, hash and instant.
    func head() throws(LedgerStoreError) -> LedgerHead
    /// Nil where there is none, or where its payload was erased.
    func entry(_ sequence: LedgerSequence) throws(LedgerStoreError) -> Recorded<LedgerEntry>?
    /// The next entries in order; erased ones are passed over.
    func entries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerStoreError) -> [Recorded<LedgerEntry>]

    /// Everything that the account's timeline is derived from, in whatever case a UUID is written:
    /// its own entries, and all entries
    /// of the Apple IDs of which it owns, owned or claimed a lineage. Where a single purchase
    /// came from another account, that account's lineages too.
    func facts(forAccount account: AccountID) throws(LedgerStoreError) -> FactSet
    /// Everything that is known of the lineage's Apple ID, whoever owns its lineages.
    func facts(forLineage lineage: LineageKey) throws(LedgerStoreError) -> FactSet
    /// Everything that is known of the transactions' Apple IDs: what claims on them are judged
    /// by.
    func facts(forTransactions keys: [TransactionKey]) throws(LedgerStoreError) -> FactSet

    /// Nil as long as no transaction with that key is known.
    func lineage(of transaction: TransactionKey) throws(LedgerStoreError) -> LineageKey?
    /// Sorted.
    func lineages(
        withAppTransaction id: AppTransactionID, in environment: StoreEnvironment
    ) throws(LedgerStoreError) -> [LineageKey]
    /// Those of which a transaction carries the token; sorted.
    func lineages(withToken token: AppAccountToken) throws(LedgerStoreError) -> [LineageKey]
    /// The lineages that may belong to the same Apple ID, itself included; sorted.
    func lineages(relatedTo lineage: LineageKey) throws(LedgerStoreError) -> [LineageKey]
    /// The accounts that own, owned or claimed a lineage of those Apple IDs: whose timelines a
    /// new fact makes stale, and those that have single purchases from them. Sorted.
    func accountsTouched(
        byLineages lineages: [LineageKey]
    ) throws(LedgerStoreError) -> [AccountID]
    /// Whether any entry names the account, in whatever case a UUID is written.
    func knows(_ account: AccountID) throws(LedgerStoreError) -> Bool
    /// The next accounts that any entry names, by name; folded, each of their spellings once.
    func accounts(
        after account: AccountID?, limit: Int, folded: Bool
    ) throws(LedgerStoreError) -> [AccountID]

    /// One lineage of each Apple ID that there may be, by number; from the next one on.
    func clusters(
        after number: Int64, limit: Int
    ) throws(LedgerStoreError) -> [(number: Int64, lineage: LineageKey)]
    /// Where something was quarantined, in the ledger's order.
    func quarantines(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerStoreError) -> [LedgerSequence]

    /// The same accounts, those first that were named first; those that no entry names come last.
    func inLedgerOrder(_ accounts: [AccountID]) throws(LedgerStoreError) -> [AccountID]

    /// Where exactly this snapshot stands, if it is known already (spec 4.0).
    func sequence(of snapshot: TransactionSnapshot) throws(LedgerStoreError) -> LedgerSequence?
    func sequence(of snapshot: RenewalSnapshot) throws(LedgerStoreError) -> LedgerSequence?
    /// Where this account presented this app transaction.
    func sequence(
        of snapshot: AppTransactionSnapshot, presentedBy account: AccountID?
    ) throws(LedgerStoreError) -> LedgerSequence?
    func sequence(
        ofNotification uuid: String
    ) throws(LedgerStoreError) -> LedgerSequence?
    func sequence(of grant: GrantID) throws(LedgerStoreError) -> LedgerSequence?
    func sequence(of block: BlockID) throws(LedgerStoreError) -> LedgerSequence?

    /// Where exactly these bytes are kept. For storing them once, never for telling facts apart.
    func sequence(ofEvidence digest: Digest256) throws(LedgerStoreError) -> LedgerSequence?
    /// The evidence that first made the transaction known.
    func evidence(of transaction: TransactionKey) throws(LedgerStoreError) -> LedgerSequence?

    /// In the ledger's order.
    func policyActivations() throws(LedgerStoreError) -> [Recorded<PolicyActivation>]
    /// Those whose content was erased, in the ledger's order.
    func erasedPolicyActivations() throws(LedgerStoreError) -> [LedgerSequence]
    /// What was registered for the token, in the ledger's order.
    func accountTokens(
        _ token: AppAccountToken
    ) throws(LedgerStoreError) -> [Recorded<AccountTokenRegistration>]
    /// The merges that name the account, in the ledger's order.
    func mergeFacts(of account: AccountID) throws(LedgerStoreError) -> FactSet
}

/// The newest entry of a ledger.
package struct LedgerHead: Hashable, Sendable {
    package let sequence: LedgerSequence
    package let hash: Digest256
    /// The next entry is not recorded before it; `distantPast` while there is none.
    package let recordedAt: Instant

    package init(sequence: LedgerSequence, hash: Digest256, recordedAt: Instant) {
        self.sequence = sequence
        self.hash = hash
        self.recordedAt = recordedAt
    }
}
