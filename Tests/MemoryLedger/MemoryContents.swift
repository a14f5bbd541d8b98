internal import EntitlementModel
internal import LedgerModel

/// The entries, and the keys that they are found by.
struct MemoryContents: Sendable {
    private(set) var entries: [Recorded<LedgerEntry>] = []
    /// After each entry, and before the first one.
    private(set) var heads = [LedgerHead.beginning]
    var head: LedgerHead { heads[heads.count - 1] }
    private(set) var keys = MemoryKeys()
    var feed = MemoryFeed()

    mutating func append(_ entry: LedgerEntry, at now: Instant) throws -> LedgerSequence {
        let sequence = LedgerSequence(head.sequence.number + 1)
        let recordedAt = max(now, head.recordedAt, feed.reached)
        let registered = entry.registered
        for key in entry.keys(at: sequence) { try keys.insert(key, at: sequence) }
        entries.append(Recorded(sequence: sequence, recordedAt: recordedAt, value: entry))
        let digest = EntryHash.payloadDigest(salt: [], payload: Payload.encode(entry))
        heads.append(
            LedgerHead(
                sequence: sequence,
                hash: EntryHash.entry(
                    previous: head.hash, sequence: sequence, recordedAt: recordedAt,
                    kind: registered.kind.rawValue, payloadDigest: digest),
                recordedAt: recordedAt))
        if sequence.number == 1 { feed.firstHash = head.hash }
        return sequence
    }

    subscript(sequence: LedgerSequence) -> Recorded<LedgerEntry>? {
        let index = Int(sequence.number) - 1
        return entries.indices.contains(index) ? entries[index] : nil
    }
}

/// What is known of all entries together.
struct MemoryKeys: Sendable {
    /// What an entry is about, and whom it names.
    struct Link: Sendable {
        let sequence: LedgerSequence
        var unit: OwnedUnit?
        var accounts: [AccountID] = []
        /// Whether it is no entry of the accounts' own: a rule has denied somebody what they own.
        var isDenial = false
        /// To whom a rule has denied it.
        var claimant: AccountID?
    }

    /// What only one entry can have, or only the first one is found by.
    enum Name: Hashable, Sendable {
        case transaction(TransactionKey, Instant, EvidenceSource)
        case renewal(LineageKey, Instant, EvidenceSource)
        case other(EntryKind, [UInt8])
    }

    /// Where an order stands, and all that was written of it.
    struct OrderPlace: Sendable {
        var account: AccountID
        let product: ProductID
        let policy: Digest256
        var standing: OrderStanding
        var entries: [LedgerSequence]
        var transactions: Set<TransactionKey> = []
    }

    /// Where a ticket stands.
    struct TicketPlace: Sendable {
        let name: [UInt8]
        let isEvidence: Bool
        var state: TicketState
    }

    private(set) var links: [Link] = []
    /// Each with its place among all that were ever named.
    private(set) var accounts: [AccountID: Int] = [:]
    /// In the order in which they were named.
    private(set) var lineages: [LineageKey] = []
    /// Of each lineage, the place of the first one of those that may have one Apple ID.
    private(set) var clusters: [LineageKey: Int] = [:]
    private(set) var lineageOf: [TransactionKey: LineageKey] = [:]
    private(set) var places: [Name: LedgerSequence] = [:]
    private(set) var appTransactions: [AppTransactionKey: Set<LineageKey>] = [:]
    private(set) var tokens: [AppAccountToken: Set<LineageKey>] = [:]
    private(set) var quarantines: [LedgerSequence] = []
    private(set) var orders: [OrderID: OrderPlace] = [:]
    private(set) var tickets: [LedgerSequence: TicketPlace] = [:]
    /// Who had single purchases of an account before.
    private(set) var predecessors: [AccountID: Set<AccountID>] = [:]
    /// Lineages with the entry since which nobody owns them; nil while somebody does.
    private var unownedSince: [LineageKey: LedgerSequence?] = [:]
    /// Claims that nothing was decided on, with the places of their links.
    private var undecided: [LedgerSequence: (link: Int, account: AccountID)] = [:]
    private var receipts: [Digest256: LineageKey] = [:]
    /// Transactions that no catalogue can make single purchases.
    private var lasting: Set<TransactionKey> = []
    private var ownersOfPurchases: [LineageKey: Set<AccountID>] = [:]

    mutating func insert(_ key: EntryKey, at sequence: LedgerSequence) throws {
        switch key {
        case .transaction(let snapshot): try insert(snapshot, at: sequence)
        case .renewal(let snapshot): try insert(snapshot, at: sequence)
        // Registrations are found by going through all of them.
        case .token: break
        case .quarantine: quarantines.append(sequence)
        case .unit(let unit, let accounts): place(sequence, unit, for: accounts)
        case .claim(let claim): place(sequence, claim)
        case .decision(let decision):
            place(sequence, decision)
            insertSuccession(decision)
            insertOwners(decision, at: sequence)
        case .order(let order): insert(order, at: sequence)
        case .orderEvent(let event): insert(event, at: sequence)
        case .noteOfOrder(let order): orders[order]?.entries.append(sequence)
        case .ticket(let ticket): try insert(ticket, at: sequence)
        case .ticketClosing(let closing):
            tickets[closing.ticket]?.state = TicketState(closing.outcome)
        case .account(let account):
            add(account)
            links.append(Link(sequence: sequence, accounts: [account]))
        case .restatement: break
        case .unique(let kind, let name): try reserve(.other(kind, name), for: sequence)
        case .first(let kind, let name):
            if places[.other(kind, name)] == nil { places[.other(kind, name)] = sequence }
        }
    }

    private mutating func insert(
        _ snapshot: TransactionSnapshot, at sequence: LedgerSequence
    ) throws {
        let source = snapshot.source
        try reserve(.transaction(snapshot.key, snapshot.signedDate, source), for: sequence)
        let lineage = snapshot.lineage
        add(lineage, in: source.receipt, statedBy: snapshot.appTransactionKey)
        if let previous = snapshot.previousOriginalTransactionID {
            let key = LineageKey(snapshot.environment, previous)
            add(key)
            join(key, lineage)
        }
        if let other = lineageOf[snapshot.key] {
            join(other, lineage)
        } else {
            lineageOf[snapshot.key] = lineage
        }
        if snapshot.isLasting { lasting.insert(snapshot.key) }
        if unownedSince[lineage] == nil { unownedSince[lineage] = .some(sequence) }
        if let token = snapshot.appAccountToken { tokens[token, default: []].insert(lineage) }
        links.append(Link(sequence: sequence, unit: .lineage(lineage)))
    }

    private mutating func insert(_ snapshot: RenewalSnapshot, at sequence: LedgerSequence) throws {
        let (lineage, source) = (snapshot.lineage, snapshot.source)
        try reserve(.renewal(lineage, snapshot.signedDate, source), for: sequence)
        add(lineage, in: source.receipt, statedBy: snapshot.appTransactionKey)
        links.append(Link(sequence: sequence, unit: .lineage(lineage)))
    }

    private mutating func place(
        _ sequence: LedgerSequence, _ unit: OwnedUnit, for accounts: [AccountID]
    ) {
        if case .lineage(let lineage) = unit { add(lineage) }
        for account in accounts { add(account) }
        links.append(Link(sequence: sequence, unit: unit, accounts: accounts))
    }

    private mutating func place(_ sequence: LedgerSequence, _ claim: Claim) {
        place(sequence, .purchase(claim.transaction), for: [claim.account])
        guard lineageOf[claim.transaction] != nil else { return }
        undecided[sequence] = (links.count - 1, claim.account)
    }

    private mutating func place(_ sequence: LedgerSequence, _ decision: OwnershipDecision) {
        place(sequence, decision.unit, for: decision.owners)
        let claim = undecided.removeValue(forKey: decision.cause)
        guard decision.isDenialByRule else { return }
        links[links.count - 1].isDenial = true
        guard let claim,
            let lineage = lineage(of: decision.unit),
            links[claim.link].unit.flatMap(lineage(of:)) == lineage
        else { return }
        links[claim.link].claimant = claim.account
        links[links.count - 1].claimant = claim.account
    }

    func lineage(of unit: OwnedUnit) -> LineageKey? {
        switch unit {
        case .lineage(let key): key
        case .purchase(let key): lineageOf[key]
        }
    }

    private mutating func insertSuccession(_ decision: OwnershipDecision) {
        guard decision.isOfPurchase(whereLasting: lasting.contains(decision.transaction)),
            let lineage = lineage(of: decision.unit)
        else { return }
        for heir in decision.ownersAfter where !decision.ownersBefore.contains(heir) {
            let owners = ownersOfPurchases[lineage, default: []]
            predecessors[heir, default: []].formUnion(owners.subtracting([heir]))
            ownersOfPurchases[lineage] = owners.union([heir])
        }
    }

    private mutating func insertOwners(
        _ decision: OwnershipDecision, at sequence: LedgerSequence
    ) {
        guard let lineage = lineage(of: decision.unit) else { return }
        if !decision.ownersAfter.isEmpty {
            unownedSince[lineage] = .some(nil)
        } else if case .some(nil) = unownedSince[lineage] {
            unownedSince[lineage] = .some(sequence)
        }
    }

    /// Each with the entry since which nobody owns it, in the ledger's order.
    var unclaimed: [(since: LedgerSequence, lineage: LineageKey)] {
        unownedSince.compactMap { lineage, since in
            since.map { (since: $0, lineage: lineage) }
        }.sorted { $0.since < $1.since }
    }

    private mutating func insert(_ order: Order, at sequence: LedgerSequence) {
        orders[order.id] = OrderPlace(
            account: order.account, product: order.product, policy: order.policy,
            standing: OrderStanding(since: sequence), entries: [sequence])
    }

    private mutating func insert(_ event: OrderEvent, at sequence: LedgerSequence) {
        guard var place = orders[event.order] else { return }
        place.entries.append(sequence)
        place.standing.follow(event, at: sequence)
        if let account = event.account { place.account = account }
        if let transaction = event.transaction { place.transactions.insert(transaction) }
        orders[event.order] = place
    }

    private mutating func insert(
        _ ticket: EvidenceTicket, at sequence: LedgerSequence
    ) throws {
        let isTaken = tickets.values.contains { $0.state == .waiting && $0.name == ticket.name }
        guard !isTaken else { throw LedgerError(MemoryFailure.duplicate) }
        tickets[sequence] = TicketPlace(
            name: ticket.name, isEvidence: ticket.form.isEvidence, state: .waiting)
    }

    private mutating func reserve(_ name: Name, for sequence: LedgerSequence) throws {
        guard places[name] == nil else { throw LedgerError(MemoryFailure.duplicate) }
        places[name] = sequence
    }

    private mutating func add(_ account: AccountID) {
        if accounts[account] == nil { accounts[account] = accounts.count }
    }

    private mutating func add(
        _ lineage: LineageKey, in receipt: Digest256? = nil,
        statedBy appTransaction: AppTransactionKey? = nil
    ) {
        if clusters[lineage] == nil {
            clusters[lineage] = lineages.count
            lineages.append(lineage)
        }
        if let receipt {
            if let other = receipts[receipt] { join(other, lineage) }
            receipts[receipt] = receipts[receipt] ?? lineage
        }
        if let appTransaction {
            if let other = appTransactions[appTransaction]?.first { join(other, lineage) }
            appTransactions[appTransaction, default: []].insert(lineage)
        }
    }

    private mutating func join(_ left: LineageKey, _ right: LineageKey) {
        guard let one = clusters[left], let other = clusters[right], one != other else { return }
        for (lineage, cluster) in clusters where cluster == max(one, other) {
            clusters[lineage] = min(one, other)
        }
    }
}
