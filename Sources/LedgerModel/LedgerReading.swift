package import EntitlementModel

/// What can be asked of a ledger, within one consistent view of it (spec 3.4).
///
/// It is valid inside the closure that it is given to, on that thread.
package protocol LedgerReading: FeedReading {
    /// The newest entry's place, hash and instant.
    func head() throws(LedgerError) -> LedgerHead
    /// Nil where there is none, or where its payload was erased.
    func entry(_ sequence: LedgerSequence) throws(LedgerError) -> Recorded<LedgerEntry>?
    /// The next entries in order; erased ones are passed over.
    func entries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [Recorded<LedgerEntry>]

    /// Everything that the account's timeline is derived from, in whatever case a UUID is written:
    /// its own entries, and all entries
    /// of the Apple IDs of which it owns, owned or claimed a lineage. Where a single purchase
    /// came from another account, that account's lineages too. Of what a rule has denied only its
    /// own: rights do not depend on the rest, some findings do (`denials`).
    func facts(forAccount account: AccountID) throws(LedgerError) -> FactSet
    /// Everything that is known of the lineage's Apple ID, whoever owns its lineages.
    func facts(forLineage lineage: LineageKey) throws(LedgerError) -> FactSet
    /// Everything that is known of the transactions' Apple IDs: what claims on them are judged
    /// by.
    ///
    /// - Parameter denials: whether with what a rule has denied of them.
    func facts(
        forTransactions keys: [TransactionKey], withDenials denials: Bool
    ) throws(LedgerError) -> FactSet
    /// What a rule has denied of the lineages' Apple IDs: the claims and the decisions on them.
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
    /// Where each lineage's first transaction is recorded that has this `webOrderLineItemId`.
    func transactions(
        ofLineItem id: WebOrderLineItemID, in environment: StoreEnvironment
    ) throws(LedgerError) -> [LedgerSequence]
    /// Where each account that presented an app transaction of this id did so first.
    func presentations(
        of appTransaction: AppTransactionKey
    ) throws(LedgerError) -> [LedgerSequence]
    /// Those of which a transaction carries the token; sorted.
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
    /// The lineages of which a transaction in those entries is meant, by its product and its signed
    /// kind; sorted. What was erased is passed over.
    ///
    /// - Parameter isMeant: True for nil instead of a kind wherever it is true for any: most
    ///   entries are read as far as their product only.
    func lineages(
        after sequence: LedgerSequence, through last: LedgerSequence,
        where isMeant: (ProductID, Stated<ProductKind>?) -> Bool
    ) throws(LedgerError) -> [LineageKey]
    /// Where something was quarantined, in the ledger's order.
    func quarantines(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence]

    /// The same accounts, those first that were named first; those that no entry names come last.
    func inLedgerOrder(_ accounts: [AccountID]) throws(LedgerError) -> [AccountID]

    /// Where exactly this snapshot stands, if it is known already (spec 4.0).
    func sequence(of snapshot: TransactionSnapshot) throws(LedgerError) -> LedgerSequence?
    func sequence(of snapshot: RenewalSnapshot) throws(LedgerError) -> LedgerSequence?
    /// Where this account presented this app transaction.
    func sequence(
        of snapshot: AppTransactionSnapshot, presentedBy account: AccountID?
    ) throws(LedgerError) -> LedgerSequence?
    func sequence(
        ofNotification uuid: String
    ) throws(LedgerError) -> LedgerSequence?
    func sequence(of grant: GrantID) throws(LedgerError) -> LedgerSequence?
    func sequence(of block: BlockID) throws(LedgerError) -> LedgerSequence?

    /// Where the actor's idempotency key was used: a spend, a hold or a reversal.
    func sequence(
        ofCreditKey key: String, by actor: String
    ) throws(LedgerError) -> LedgerSequence?
    /// Where the hold in that entry was ended before its time.
    func end(ofHold hold: LedgerSequence) throws(LedgerError) -> LedgerSequence?

    /// Where exactly these bytes are kept. For storing them once, never for telling facts apart.
    func sequence(ofEvidence digest: Digest256) throws(LedgerError) -> LedgerSequence?
    /// The evidence that first made the transaction known.
    func evidence(of transaction: TransactionKey) throws(LedgerError) -> LedgerSequence?

    /// Nil for an id that no order has.
    func order(_ id: OrderID) throws(LedgerError) -> OrderHistory?
    /// Where the actor's idempotency key was used: an order, or a request for which an open one was
    /// returned.
    func sequence(
        ofOrderKey key: String, by actor: String
    ) throws(LedgerError) -> LedgerSequence?
    /// Those that one of the transactions pays, or for which a client has named it; in the order
    /// in which they were made.
    func orders(naming transactions: [TransactionKey]) throws(LedgerError) -> [OrderID]
    /// Those made before an entry, the newest first.
    func orders(
        of account: AccountID, before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [OrderID]
    /// Those of the account of which that is awaited, of the product or of all, each with its last
    /// entry; what changed last comes first, from before an entry on.
    func orders(
        of account: AccountID, awaiting awaited: OrderAwaited, for product: ProductID?,
        before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(last: LedgerSequence, order: OrderID)]
    /// Those of all accounts of which that is awaited, of the product; what changed last comes first.
    func orders(
        awaiting awaited: OrderAwaited, for product: ProductID, limit: Int
    ) throws(LedgerError) -> [OrderID]
    /// Those of which somebody should look at the payment, in the order in which they were made.
    func differingOrders(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(made: LedgerSequence, order: OrderID)]
    /// Why somebody may have to look at something, without regard to time: by reason, then by
    /// policy.
    func lostGroups() throws(LedgerError) -> [LostGroup]
    /// What is in the group, each with the entry since which it is; from the next one on.
    func lost(
        in group: LostGroup, after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(since: LedgerSequence, subject: LostSubject)]
    /// How much is in the group up to an entry, and since which one the first of it is.
    func lostCount(
        in group: LostGroup, upTo sequence: LedgerSequence
    ) throws(LedgerError) -> (count: Int64, first: LedgerSequence?)
    /// The last entry that was recorded by then; zero where there is none.
    func lastEntry(recordedBy instant: Instant) throws(LedgerError) -> LedgerSequence
    /// Whether there is any.
    func hasOrders() throws(LedgerError) -> Bool
    /// How many stand where, without regard to time.
    func orderCounts() throws(LedgerError) -> [OrderState: Int64]

    /// The ticket that asks the same for the same account and waits; nil where none does.
    func waitingTicket(like ticket: EvidenceTicket) throws(LedgerError) -> LedgerSequence?
    /// Nil for what is no ticket.
    func ticket(_ sequence: LedgerSequence) throws(LedgerError) -> TicketHistory?
    /// Those that wait; or those that are not judged, refused ones among them. In the ledger's order.
    func tickets(
        onlyWaiting: Bool, after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence]

    /// Where notifications say that a refund is asked for or declined, in the ledger's order; from the
    /// next one on.
    func refundNotifications(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence]
    /// Where notifications are that carry no purchase, in the ledger's order; from the next one on.
    func notices(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence]
    /// The answer to a refund request, named by its notification; nil while there is none.
    ///
    /// - Parameter begun: for what it is going to be answered, with the outcome `begun`, instead.
    func refundAnswer(
        to request: LedgerSequence, begun: Bool
    ) throws(LedgerError) -> Recorded<RefundAnswer>?

    /// In the ledger's order.
    func policyActivations() throws(LedgerError) -> [Recorded<PolicyActivation>]
    /// Those whose content was erased, in the ledger's order.
    func erasedPolicyActivations() throws(LedgerError) -> [LedgerSequence]
    /// Where policies were scheduled, and where that ended: taken back, refused, or put into force
    /// as scheduled. In the ledger's order; from the next one on.
    func scheduleEntries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence]
    /// What was registered for the token, in the ledger's order.
    func accountTokens(
        _ token: AppAccountToken
    ) throws(LedgerError) -> [Recorded<AccountTokenRegistration>]
    /// What entries of these kinds after that one say that name the account and no purchase, in the
    /// ledger's order.
    func facts(
        naming account: AccountID, of kinds: [EntryKind], after sequence: LedgerSequence
    ) throws(LedgerError) -> FactSet
}

extension LedgerReading {
    /// The merges that name the account.
    package func mergeFacts(of account: AccountID) throws(LedgerError) -> FactSet {
        try facts(naming: account, of: [.accountMerge], after: .zero)
    }
}

extension LedgerReading {
    package func facts(
        forTransactions keys: [TransactionKey]
    ) throws(LedgerError) -> FactSet {
        try facts(forTransactions: keys, withDenials: true)
    }
}

/// A view that sees what was appended to it: what the body of a write is given.
package protocol LedgerWriting: LedgerReading, FeedWriting {
    /// Writes the next entry. It is recorded at `now`, or at the last entry's instant if that is
    /// later: `recordedAt` never decreases (spec 1.10).
    ///
    /// Durable only once the write that it is part of has returned.
    /// - Throws: `.duplicate` where its natural key is taken (spec 4.0).
    func append(_ entry: LedgerEntry, at now: Instant) throws(LedgerError) -> LedgerSequence
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

/// Orders, or payments, that somebody may have to look at for one reason and by one time limit:
/// those that have been so for longest are due first.
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

/// What somebody may have to look at.
package enum LostSubject: Hashable, Sendable {
    case order(OrderID)
    /// Nobody has claimed anything of it.
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
            for merge in try mergeFacts(of: next).accountMerges {
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
            for merge in try mergeFacts(of: next.folded).accountMerges.map(\.value)
            where merge.from.folded == next.folded {
                unasked.append(merge.into)
            }
        }
        return concerned.sorted()
    }
}
