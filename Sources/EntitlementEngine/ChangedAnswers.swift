internal import EntitlementModel
internal import LedgerModel

/// The accounts whose answers entries change, by the statements of their records (`EntryChange`)
/// and the ledger.
struct ChangedAnswers {
    /// By every spelling.
    var accounts: Set<AccountID> = []
    /// Owners of units on which a claim was denied: only their findings change.
    var deniedOwners: Set<AccountID> = []
    /// The findings about these change.
    var lineages: Set<LineageKey> = []
    var orders: Set<OrderID> = []
    var quarantines: Set<LedgerSequence> = []
    var tickets: Set<LedgerSequence> = []
    var notices: Set<LedgerSequence> = []
    /// Notifications about refund requests.
    var refunds: Set<LedgerSequence> = []
    /// Purchases whose refund requests change.
    var refunded: Set<TransactionKey> = []

    mutating func formUnion(_ other: ChangedAnswers) {
        accounts.formUnion(other.accounts)
        deniedOwners.formUnion(other.deniedOwners)
        lineages.formUnion(other.lineages)
        orders.formUnion(other.orders)
        quarantines.formUnion(other.quarantines)
        tickets.formUnion(other.tickets)
        notices.formUnion(other.notices)
        refunds.formUnion(other.refunds)
        refunded.formUnion(other.refunded)
    }
}

/// Finds what entries change, within one view of the ledger.
struct ChangeReading {
    let reader: any LedgerReading
    private var concerned: [LineageKey: [AccountID]] = [:]
    /// Whose facts were read last in this view.
    private var read: (account: AccountID, facts: FactSet)?

    init(_ reader: any LedgerReading) {
        self.reader = reader
    }

    /// What an account is derived from. An entry that names it is asked about first, and then the
    /// account: the last one is kept.
    mutating func facts(of account: AccountID) throws(LedgerError) -> FactSet {
        if let read, read.account == account { return read.facts }
        let facts = try reader.facts(withDenialsFor: account)
        read = (account, facts)
        return facts
    }

    mutating func changes(
        by entry: Recorded<LedgerEntry>, _ policy: ActivePolicy
    ) throws(LedgerError) -> ChangedAnswers {
        var changed = ChangedAnswers()
        for change in entry.value.changes(at: entry.sequence) {
            try add(change, by: policy, to: &changed)
        }
        return changed
    }

    private mutating func add(
        _ change: EntryChange, by policy: ActivePolicy, to changed: inout ChangedAnswers
    ) throws(LedgerError) {
        switch change {
        case .account(let account): changed.accounts.insert(account)
        case .unit(let unit): try add(lineages(of: unit), to: &changed)
        case .token(let token): try add(reader.lineages(withToken: token), to: &changed)
        case .holdings(let account):
            changed.accounts.insert(account)
            let facts = try reader.facts(forAccount: account)
            try add(facts.transactions.map(\.value.lineage), to: &changed)
        case .claim(let claim): try add(claim, by: policy, to: &changed)
        case .decision(let decision):
            if decision.isDenialByRule,
                case .claim(let claim)? = try reader.entry(decision.cause)?.value
            {
                changed.deniedOwners.formUnion(decision.ownersBefore)
                try add(claim, by: policy, to: &changed)
            } else {
                changed.accounts.formUnion(decision.owners)
                try add(lineages(of: decision.unit), to: &changed)
            }
        case .order(let order): changed.orders.insert(order)
        case .quarantine(let place): changed.quarantines.insert(place)
        case .ticket(let ticket): changed.tickets.insert(ticket)
        case .notice(let place): changed.notices.insert(place)
        case .refund(let place): changed.refunds.insert(place)
        case .refunds(let purchase): changed.refunded.insert(purchase)
        }
    }

    private mutating func add(
        _ lineages: [LineageKey], to changed: inout ChangedAnswers
    ) throws(LedgerError) {
        changed.lineages.formUnion(lineages)
        for lineage in lineages {
            if concerned[lineage] == nil {
                concerned[lineage] = try reader.accountsConcerned(byLineages: [lineage])
            }
            changed.accounts.formUnion(concerned[lineage] ?? [])
        }
    }

    /// A claim changes the answers about the claimant only, and so does its denial. If a token
    /// names the claimant, it changes those of all concerned by the lineage: earlier findings end
    /// with the claim.
    private mutating func add(
        _ claim: Claim, by policy: ActivePolicy, to changed: inout ChangedAnswers
    ) throws(LedgerError) {
        changed.accounts.insert(claim.account)
        guard let lineage = try reader.lineage(of: claim.transaction) else { return }
        changed.lineages.insert(lineage)
        let claimant = policy.name(claim.account)
        let named = try facts(of: claimant).tokens(naming: claimant)
        guard !named.isEmpty else { return }
        let kin = Set(try reader.lineages(relatedTo: lineage))
        for token in named {
            guard kin.isDisjoint(with: try reader.lineages(withToken: token)) else {
                return try add([lineage], to: &changed)
            }
        }
    }

    private func lineages(of unit: OwnedUnit) throws(LedgerError) -> [LineageKey] {
        switch unit {
        case .lineage(let key): [key]
        case .purchase(let key): try reader.lineage(of: key).map { [$0] } ?? []
        }
    }
}

extension FactSet {
    /// Tokens that may name the account, or one that was merged with it.
    fileprivate func tokens(naming account: AccountID) -> Set<AppAccountToken> {
        let merged = accountMerges.flatMap { [$0.value.from, $0.value.into] }
        let ids = ([account] + merged).compactMap { AppAccountToken($0.text) }
        return Set(accountTokens.map(\.value.token) + ids)
    }
}
