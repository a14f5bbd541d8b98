internal import EntitlementModel

/// What an entry of the ledger is about, as far as findings can follow from it.
struct EntrySubjects {
    private(set) var transactions: [TransactionKey] = []
    private(set) var lineages: [LineageKey] = []
    private(set) var accounts: [AccountID] = []
    private(set) var tokens: [AppAccountToken] = []

    init(_ entry: LedgerEntry) {
        switch entry {
        case .transaction(let fact):
            lineages = [
                LineageKey(fact.snapshot.environment, fact.snapshot.originalTransactionID)
            ]
        case .renewal(let fact):
            lineages = [
                LineageKey(fact.snapshot.environment, fact.snapshot.originalTransactionID)
            ]
        case .claim(let claim):
            transactions = [claim.transaction]
            accounts = [claim.account]
        case .decision(let decision):
            insert(decision.unit)
            accounts = decision.ownersBefore + decision.ownersAfter
        case .ruling(let ruling): insert(ruling.unit)
        case .accountToken(let registration): tokens = [registration.token]
        case .accountMerge(let merge): accounts = [merge.from, merge.into]
        case .policyActivation, .evidence, .appTransaction, .notification, .refusal, .quarantine,
            .grant, .grantRevocation, .block, .blockRemoval:
            break
        }
    }

    private mutating func insert(_ unit: OwnedUnit) {
        switch unit {
        case .lineage(let key): lineages.append(key)
        case .purchase(let key): transactions.append(key)
        }
    }
}
