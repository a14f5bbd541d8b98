package import EntitlementModel

/// The questions to a ledger, within one consistent view of it (spec 3.4).
///
/// It is valid inside the closure that it is given to, on that thread.
package protocol LedgerReading: FeedReading {
    /// The newest entry's place, hash and instant.
    func head() throws(LedgerError) -> LedgerHead
    /// The head as it was when that entry was the newest; `.beginning` before the first one, nil
    /// for an entry that is not there.
    func head(at sequence: LedgerSequence) throws(LedgerError) -> LedgerHead?
    /// Nil if there is none, or if its payload was erased; as it was restated, if it was.
    func entry(_ sequence: LedgerSequence) throws(LedgerError) -> Recorded<LedgerEntry>?
    /// The next entries in order; erased ones are skipped, restated ones read in their place.
    func entries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [Recorded<LedgerEntry>]

    /// The entry that is read in the place of this one, whose own content was erased.
    func restatement(of sequence: LedgerSequence) throws(LedgerError) -> LedgerSequence?
    /// An entry about erasures that is found by the name (`Erasure.name`) or its beginning.
    func erasure(named name: [UInt8]) throws(LedgerError) -> LedgerSequence?
    /// All of those whose names begin so, by name.
    func erasures(named name: [UInt8]) throws(LedgerError) -> [LedgerSequence]
    /// Nil where nobody was erased.
    func newestErasure() throws(LedgerError) -> LedgerSequence?

    /// The facts that the account's timeline is derived from, in any spelling of a UUID: its own
    /// entries, and all entries of the Apple IDs of which it owns, owned or claimed a lineage. If a
    /// single purchase came from another account, that account's lineages too. Of claims denied by
    /// rules only its own: rights do not depend on others, some findings do (`denials`).
    func facts(forAccount account: AccountID) throws(LedgerError) -> FactSet
    /// The facts about the lineage's Apple ID, whoever owns its lineages.
    func facts(forLineage lineage: LineageKey) throws(LedgerError) -> FactSet
    /// Everything that is known of the transactions' Apple IDs: what claims on them are judged
    /// by.
    ///
    /// - Parameter denials: whether with what a rule has denied of them.
    func facts(
        forTransactions keys: [TransactionKey], withDenials denials: Bool
    ) throws(LedgerError) -> FactSet
    /// The claims on the lineages' Apple IDs that rules have denied, with the decisions.
    ///
    /// - Parameter accounts: the claimants, in whatever case a UUID is written; nil for all.
    func denials(
        ofLineages lineages: Set<LineageKey>, to accounts: Set<AccountID>?
    ) throws(LedgerError) -> FactSet

    /// Nil as long as no transaction with that key is known.
    func lineage(of transaction: TransactionKey) throws(LedgerError) -> LineageKey?
    /// Sorted.
    func lineages(
        withAppTransaction id: AppTransactionID, in environment: StoreEnvironment
    ) throws(LedgerError) -> [LineageKey]
    /// For each lineage, the entry of its first transaction with this `webOrderLineItemId`.
    func transactions(
        ofLineItem id: WebOrderLineItemID, in environment: StoreEnvironment
    ) throws(LedgerError) -> [LedgerSequence]
    /// For each account that presented an app transaction with this ID, the first entry.
    func presentations(
        of appTransaction: AppTransactionKey
    ) throws(LedgerError) -> [LedgerSequence]
    /// The same of every app transaction with an ID; in the ledger's order.
    func presentations() throws(LedgerError) -> [LedgerSequence]
    /// The lineages with a transaction that carries the token; sorted.
    func lineages(withToken token: AppAccountToken) throws(LedgerError) -> [LineageKey]
    /// The lineages that may belong to the same Apple ID, itself included; sorted.
    func lineages(relatedTo lineage: LineageKey) throws(LedgerError) -> [LineageKey]
    /// The accounts that own, owned or claimed a lineage of those Apple IDs: whose timelines a
    /// new fact makes stale, and those that have single purchases from them. Sorted.
    func accountsTouched(
        byLineages lineages: [LineageKey]
    ) throws(LedgerError) -> [AccountID]
    /// Whether any entry names the account, in whatever case a UUID is written.
    func knows(_ account: AccountID) throws(LedgerError) -> Bool
    /// The next accounts that any entry names, by name; folded, each of their spellings once.
    func accounts(
        after account: AccountID?, limit: Int, folded: Bool
    ) throws(LedgerError) -> [AccountID]

    /// One lineage of each Apple ID that there may be, by number; from the next one on.
    func clusters(
        after number: Int64, limit: Int
    ) throws(LedgerError) -> [(number: Int64, lineage: LineageKey)]
    /// The lineages of the matching transactions among those entries, by product and signed kind;
    /// sorted. Erased entries are skipped.
    ///
    /// - Parameter isMeant: True for nil instead of a kind wherever it is true for any: most
    ///   entries are read as far as their product only.
    func lineages(
        after sequence: LedgerSequence, through last: LedgerSequence,
        where isMeant: (ProductID, Stated<ProductKind>?) -> Bool
    ) throws(LedgerError) -> [LineageKey]
    /// The entries with quarantined parts, in order.
    func quarantines(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence]

    /// The ledger's numbers of the accounts, in the order in which they were first named; nil for
    /// those that no entry names. They mean nothing outside this ledger.
    func numbers(of accounts: [AccountID]) throws(LedgerError) -> [Int64?]
    /// The accounts with these numbers; numbers that none has are skipped.
    func accounts(numbered numbers: [Int64]) throws(LedgerError) -> [AccountID]

    /// The entry with exactly this snapshot, if it is known already (spec 4.0).
    func sequence(of snapshot: TransactionSnapshot) throws(LedgerError) -> LedgerSequence?
    func sequence(of snapshot: RenewalSnapshot) throws(LedgerError) -> LedgerSequence?
    /// The entry in which this account presented this app transaction.
    func sequence(
        of snapshot: AppTransactionSnapshot, presentedBy account: AccountID?
    ) throws(LedgerError) -> LedgerSequence?
    func sequence(
        ofNotification uuid: String
    ) throws(LedgerError) -> LedgerSequence?
    func sequence(of grant: GrantID) throws(LedgerError) -> LedgerSequence?
    func sequence(of block: BlockID) throws(LedgerError) -> LedgerSequence?

    /// The entry in which the actor used the idempotency key: a spend, a hold or a reversal.
    func sequence(
        ofCreditKey key: String, by actor: String
    ) throws(LedgerError) -> LedgerSequence?
    /// The entry that ended the hold early.
    func end(ofHold hold: LedgerSequence) throws(LedgerError) -> LedgerSequence?

    /// The entry with exactly these bytes of evidence. For storing them once, never for telling
    /// facts apart.
    func sequence(ofEvidence digest: Digest256) throws(LedgerError) -> LedgerSequence?
    /// The entry that first made the transaction known.
    func firstEntry(of transaction: TransactionKey) throws(LedgerError) -> LedgerSequence?

    /// Nil for an id that no order has.
    func order(_ id: OrderID) throws(LedgerError) -> OrderHistory?
    /// The entry in which the actor used the idempotency key: an order, or a request that returned
    /// an open one.
    func sequence(
        ofOrderKey key: String, by actor: String
    ) throws(LedgerError) -> LedgerSequence?
    /// The orders that one of the transactions pays, or whose payment a client has named; in the
    /// order of their creation.
    func orders(naming transactions: [TransactionKey]) throws(LedgerError) -> [OrderID]
    /// Those made before an entry, the newest first.
    func orders(
        of account: AccountID, before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [OrderID]
    /// The account's orders that await this, for one product or all, each with its last entry;
    /// latest change first, before the given entry.
    func orders(
        of account: AccountID, awaiting awaited: OrderAwaited, for product: ProductID?,
        before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(last: LedgerSequence, order: OrderID)]
    /// The orders of all accounts that await this, for the product; latest change first.
    func orders(
        awaiting awaited: OrderAwaited, for product: ProductID, limit: Int
    ) throws(LedgerError) -> [OrderID]
    /// The orders whose payment differs from the order, in the order of their creation.
    func differingOrders(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(made: LedgerSequence, order: OrderID)]
    /// The groups of what may need a person, regardless of time: by reason, then by policy.
    func lostGroups() throws(LedgerError) -> [LostGroup]
    /// The members of a group, each with the entry since which it belongs to it; after the given
    /// one.
    func lost(
        in group: LostGroup, after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(since: LedgerSequence, subject: LostSubject)]
    /// How much is in the group up to an entry, and since which one the first of it is.
    func lostCount(
        in group: LostGroup, upTo sequence: LedgerSequence
    ) throws(LedgerError) -> (count: Int64, first: LedgerSequence?)
    /// The last entry recorded until then; zero if there is none.
    func lastEntry(recordedBy instant: Instant) throws(LedgerError) -> LedgerSequence
    /// Whether there is any.
    func hasOrders() throws(LedgerError) -> Bool
    /// The number of orders in each state, regardless of time.
    func orderCounts() throws(LedgerError) -> [OrderState: Int64]

    /// The ticket that asks the same for the same account and waits; nil where none does.
    func waitingTicket(like ticket: EvidenceTicket) throws(LedgerError) -> LedgerSequence?
    /// Nil if the entry is not a ticket.
    func ticket(_ sequence: LedgerSequence) throws(LedgerError) -> TicketHistory?
    /// The tickets that wait, or all that were not judged, refused ones included. In the ledger's
    /// order.
    func tickets(
        onlyWaiting: Bool, after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence]

    /// The notifications about refund requests and declined refunds, in the ledger's order; after
    /// the given one.
    func refundNotifications(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence]
    /// The notifications without a purchase, in the ledger's order; after the given one.
    func notices(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence]
    /// The answer to the refund request of a notification; nil if there is none.
    ///
    /// - Parameter begun: whether to return the entry with the outcome `begun` instead, which has
    ///   the answer that is going to be sent.
    func refundAnswer(
        to request: LedgerSequence, begun: Bool
    ) throws(LedgerError) -> Recorded<RefundAnswer>?

    /// How many there are up to an entry. Cheap.
    func countOfActivations(through sequence: LedgerSequence) throws(LedgerError) -> Int
    /// In the ledger's order.
    func policyActivations() throws(LedgerError) -> [Recorded<PolicyActivation>]
    /// Activations whose content was erased, in the ledger's order.
    func erasedPolicyActivations() throws(LedgerError) -> [LedgerSequence]
    /// Scheduled policies and their ends (cancelled, refused, or activated), in the ledger's order;
    /// after the given one.
    func scheduleEntries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence]
    /// The registrations of the token, in the ledger's order.
    func accountTokens(
        _ token: AppAccountToken
    ) throws(LedgerError) -> [Recorded<AccountTokenRegistration>]
    /// What entries of these kinds after that one say that name the account and no purchase, in the
    /// ledger's order.
    func facts(
        naming account: AccountID, of kinds: [EntryKind], after sequence: LedgerSequence
    ) throws(LedgerError) -> FactSet
    /// The account's own entries of these kinds, in whatever case a UUID is written; the newest
    /// first, before the given one.
    func entries(
        naming account: AccountID, of kinds: [EntryKind], before sequence: LedgerSequence,
        limit: Int
    ) throws(LedgerError) -> [LedgerSequence]
}

extension LedgerReading {
    /// The evidence that first made the transaction known.
    package func evidence(
        of transaction: TransactionKey
    ) throws(LedgerError) -> LedgerSequence? {
        guard let place = try firstEntry(of: transaction),
            case .transaction(let fact)? = try entry(place)?.value
        else { return nil }
        return fact.evidence
    }
}

extension LedgerReading {
    /// The same accounts, those first that were named first; those that no entry names come last,
    /// by name.
    package func inLedgerOrder(_ accounts: [AccountID]) throws(LedgerError) -> [AccountID] {
        zip(try numbers(of: accounts), accounts).map { (number: $0 ?? .max, account: $1) }
            .sorted { ($0.number, $0.account) < ($1.number, $1.account) }
            .map(\.account)
    }
}

extension LedgerReading {
    /// Whether an erasure has made it.
    package func isPseudonym(_ account: AccountID) throws(LedgerError) -> Bool {
        try erasure(named: Erasure.name(ofPseudonym: account.folded)) != nil
    }

    /// The merges that name the account, and the blocks on it: what a claim of it is judged by
    /// besides the purchase.
    package func mergesAndBlocks(of account: AccountID) throws(LedgerError) -> FactSet {
        try facts(naming: account, of: EntryKind.ofStanding, after: .zero)
    }
}

extension LedgerReading {
    package func facts(
        forTransactions keys: [TransactionKey]
    ) throws(LedgerError) -> FactSet {
        try facts(forTransactions: keys, withDenials: true)
    }
}

/// A view that includes what was appended in it: the argument of a write's body.
package protocol LedgerWriting: LedgerReading, FeedWriting {
    /// Writes the next entry. It is recorded at `now`, or at the last entry's instant if that is
    /// later: `recordedAt` never decreases (spec 1.10).
    ///
    /// Durable only once the write that it is part of has returned.
    /// - Throws: `.duplicate` where its natural key is taken (spec 4.0).
    func append(_ entry: LedgerEntry, at now: Instant) throws(LedgerError) -> LedgerSequence

    /// Erases what concerns these accounts alone, restates what concerns others too, and records
    /// both (docs/LEDGER.md).
    ///
    /// - Parameters:
    ///   - accounts: those that are one person's; every spelling of a UUID is meant.
    ///   - wish: without what is found here.
    func erase(
        _ accounts: [AccountID], as wish: Erasure, at now: Instant
    ) throws(LedgerError) -> Recorded<Erasure>
}

/// The newest entry of a ledger.
package struct LedgerHead: Hashable, Sendable {
    package let sequence: LedgerSequence
    package let hash: Digest256
    /// No later entry is recorded before it; `distantPast` if there is none.
    package let recordedAt: Instant

    package init(sequence: LedgerSequence, hash: Digest256, recordedAt: Instant) {
        self.sequence = sequence
        self.hash = hash
        self.recordedAt = recordedAt
    }
}

extension LedgerHead {
    /// Of a ledger without entries.
    package static let beginning = LedgerHead(
        sequence: .zero, hash: EntryHash.genesis, recordedAt: .distantPast)
}

/// An entry by its number and its hash: written `412:3fa2…`, as anchors are.
package struct LedgerPosition: Hashable, Sendable {
    package let sequence: LedgerSequence
    package let hash: Digest256

    package init(sequence: LedgerSequence, hash: Digest256) {
        self.sequence = sequence
        self.hash = hash
    }

    package init(_ head: LedgerHead) {
        self.init(sequence: head.sequence, hash: head.hash)
    }

    /// Reads `412:3fa2…`; 0 is the place before the first entry.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number >= 0,
            parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let hash = Digest256(hexadecimal: String(parts[1]))
        else { return nil }
        self.init(sequence: LedgerSequence(number), hash: hash)
    }
}

extension LedgerPosition: CustomStringConvertible {
    package var description: String { "\(sequence):\(hash.hexadecimal)" }
}

/// Orders or payments that a person may have to examine, for one reason and with one time limit:
/// the oldest is due first.
package struct LostGroup: Hashable, Sendable {
    package var reason: LostOrderReason
    /// The policy under which the orders were made; nil for payments without an order.
    package var policy: Digest256?

    package init(_ reason: LostOrderReason, policy: Digest256?) {
        self.reason = reason
        self.policy = policy
    }

    package static let unclaimed = LostGroup(.unclaimedPayment, policy: nil)
    package static let waitingForApple = LostGroup(.waitsForApple, policy: nil)
}

/// Something a person may have to examine.
package enum LostSubject: Hashable, Sendable {
    case order(OrderID)
    /// A lineage that no account has claimed.
    case lineage(LineageKey)
    /// Evidence that waits for Apple.
    case ticket(LedgerSequence)
}

extension LedgerReading {
    /// The facts of an account with the merges of whom the tokens in them name, and of those into
    /// or from which these were merged: whom a token names follows from them (spec 1.6).
    package func withMergesOfNamed(
        in facts: FactSet, of account: AccountID
    ) throws(LedgerError) -> FactSet {
        var seen = Set(facts.accountTokens.map(\.value.account.folded))
        // By place: a loop over the snapshots would copy each of them.
        for place in facts.transactions.indices {
            guard let token = facts.transactions[place].value.appAccountToken,
                let named = AccountID(token.text)
            else { continue }
            seen.insert(named.folded)
        }
        // Its own merges are there.
        if facts.accountMerges.isEmpty { seen.remove(account.folded) }
        guard !seen.isEmpty else { return facts }
        var facts = facts
        var known = Set(facts.accountMerges.map(\.sequence))
        var unasked = Array(seen)
        while let next = unasked.popLast() {
            for merge in try mergesAndBlocks(of: next).accountMerges {
                for other in [merge.value.from.folded, merge.value.into.folded]
                where seen.insert(other).inserted {
                    unasked.append(other)
                }
                if known.insert(merge.sequence).inserted { facts.accountMerges.append(merge) }
            }
        }
        facts.accountMerges.sort { $0.sequence < $1.sequence }
        return facts
    }
}

extension LedgerReading {
    /// Accounts that evidence about the lineages may concern, in order: those that have to do with
    /// them, and those that their tokens name, directly or through merges (spec 1.6).
    package func accountsConcerned(
        byLineages lineages: [LineageKey]
    ) throws(LedgerError) -> [AccountID] {
        var tokens: Set<AppAccountToken> = []
        for lineage in lineages {
            let facts = try facts(forLineage: lineage)
            for place in facts.transactions.indices {
                guard let token = facts.transactions[place].value.appAccountToken else { continue }
                tokens.insert(token)
            }
        }
        var unasked: [AccountID] = []
        for token in tokens {
            unasked += try accountTokens(token).map(\.value.account)
            unasked += AccountID(token.text).map { [$0] } ?? []
        }
        var concerned = Set(try accountsTouched(byLineages: lineages))
        var asked: Set<AccountID> = []
        while let next = unasked.popLast() {
            guard asked.insert(next).inserted else { continue }
            concerned.formUnion([next, next.folded])
            for merge in try mergesAndBlocks(of: next.folded).accountMerges.map(\.value)
            where merge.from.folded == next.folded {
                unasked.append(merge.into)
            }
        }
        return concerned.sorted()
    }
}
