package import EntitlementModel

/// A view of a ledger that is another one, except for the questions that it answers itself: what a
/// person asks of a ledger as it was, or as it might be.
package protocol ForwardedReading: LedgerReading {
    var base: any LedgerReading { get }
}

extension ForwardedReading {
    package func head() throws(LedgerError) -> LedgerHead { try base.head() }
    package func head(at sequence: LedgerSequence) throws(LedgerError) -> LedgerHead? {
        try base.head(at: sequence)
    }
    package func entry(_ sequence: LedgerSequence) throws(LedgerError) -> Recorded<LedgerEntry>? {
        try base.entry(sequence)
    }
    package func entries(after sequence: LedgerSequence, limit: Int) throws(LedgerError)
        -> [Recorded<LedgerEntry>]
    { try base.entries(after: sequence, limit: limit) }
    package func facts(forAccount account: AccountID) throws(LedgerError) -> FactSet {
        try base.facts(forAccount: account)
    }
    package func facts(forLineage lineage: LineageKey) throws(LedgerError) -> FactSet {
        try base.facts(forLineage: lineage)
    }
    package func facts(forTransactions keys: [TransactionKey], withDenials denials: Bool)
        throws(LedgerError) -> FactSet
    { try base.facts(forTransactions: keys, withDenials: denials) }
    package func denials(ofLineages lineages: Set<LineageKey>, to accounts: Set<AccountID>?)
        throws(LedgerError) -> FactSet
    { try base.denials(ofLineages: lineages, to: accounts) }
    package func lineage(of transaction: TransactionKey) throws(LedgerError) -> LineageKey? {
        try base.lineage(of: transaction)
    }
    package func lineages(withAppTransaction id: AppTransactionID, in environment: StoreEnvironment)
        throws(LedgerError) -> [LineageKey]
    { try base.lineages(withAppTransaction: id, in: environment) }
    package func transactions(ofLineItem id: WebOrderLineItemID, in environment: StoreEnvironment)
        throws(LedgerError) -> [LedgerSequence]
    { try base.transactions(ofLineItem: id, in: environment) }
    package func presentations(of appTransaction: AppTransactionKey) throws(LedgerError)
        -> [LedgerSequence]
    { try base.presentations(of: appTransaction) }
    package func presentations() throws(LedgerError) -> [LedgerSequence] {
        try base.presentations()
    }
    package func lineages(withToken token: AppAccountToken) throws(LedgerError) -> [LineageKey] {
        try base.lineages(withToken: token)
    }
    package func lineages(relatedTo lineage: LineageKey) throws(LedgerError) -> [LineageKey] {
        try base.lineages(relatedTo: lineage)
    }
    package func accountsTouched(byLineages lineages: [LineageKey]) throws(LedgerError)
        -> [AccountID]
    { try base.accountsTouched(byLineages: lineages) }
    package func knows(_ account: AccountID) throws(LedgerError) -> Bool { try base.knows(account) }
    package func accounts(after account: AccountID?, limit: Int, folded: Bool) throws(LedgerError)
        -> [AccountID]
    { try base.accounts(after: account, limit: limit, folded: folded) }
    package func clusters(after number: Int64, limit: Int) throws(LedgerError) -> [(
        number: Int64, lineage: LineageKey
    )] { try base.clusters(after: number, limit: limit) }
    package func lineages(
        after sequence: LedgerSequence, through last: LedgerSequence,
        where isMeant: (ProductID, Stated<ProductKind>?) -> Bool
    ) throws(LedgerError) -> [LineageKey] {
        try base.lineages(after: sequence, through: last, where: isMeant)
    }
    package func quarantines(after sequence: LedgerSequence, limit: Int) throws(LedgerError)
        -> [LedgerSequence]
    { try base.quarantines(after: sequence, limit: limit) }
    package func numbers(of accounts: [AccountID]) throws(LedgerError) -> [Int64?] {
        try base.numbers(of: accounts)
    }
    package func accounts(numbered numbers: [Int64]) throws(LedgerError) -> [AccountID] {
        try base.accounts(numbered: numbers)
    }
    package func sequence(of snapshot: TransactionSnapshot) throws(LedgerError) -> LedgerSequence? {
        try base.sequence(of: snapshot)
    }
    package func sequence(of snapshot: RenewalSnapshot) throws(LedgerError) -> LedgerSequence? {
        try base.sequence(of: snapshot)
    }
    package func sequence(of snapshot: AppTransactionSnapshot, presentedBy account: AccountID?)
        throws(LedgerError) -> LedgerSequence?
    { try base.sequence(of: snapshot, presentedBy: account) }
    package func sequence(ofNotification uuid: String) throws(LedgerError) -> LedgerSequence? {
        try base.sequence(ofNotification: uuid)
    }
    package func sequence(of grant: GrantID) throws(LedgerError) -> LedgerSequence? {
        try base.sequence(of: grant)
    }
    package func sequence(of block: BlockID) throws(LedgerError) -> LedgerSequence? {
        try base.sequence(of: block)
    }
    package func sequence(ofCreditKey key: String, by actor: String) throws(LedgerError)
        -> LedgerSequence?
    { try base.sequence(ofCreditKey: key, by: actor) }
    package func end(ofHold hold: LedgerSequence) throws(LedgerError) -> LedgerSequence? {
        try base.end(ofHold: hold)
    }
    package func sequence(ofEvidence digest: Digest256) throws(LedgerError) -> LedgerSequence? {
        try base.sequence(ofEvidence: digest)
    }
    package func firstEntry(of transaction: TransactionKey) throws(LedgerError) -> LedgerSequence? {
        try base.firstEntry(of: transaction)
    }
    package func order(_ id: OrderID) throws(LedgerError) -> OrderHistory? { try base.order(id) }
    package func sequence(ofOrderKey key: String, by actor: String) throws(LedgerError)
        -> LedgerSequence?
    { try base.sequence(ofOrderKey: key, by: actor) }
    package func orders(naming transactions: [TransactionKey]) throws(LedgerError) -> [OrderID] {
        try base.orders(naming: transactions)
    }
    package func orders(of account: AccountID, before sequence: LedgerSequence, limit: Int)
        throws(LedgerError) -> [OrderID]
    { try base.orders(of: account, before: sequence, limit: limit) }
    package func orders(
        of account: AccountID, awaiting awaited: OrderAwaited, for product: ProductID?,
        before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(last: LedgerSequence, order: OrderID)] {
        try base.orders(
            of: account, awaiting: awaited, for: product, before: sequence, limit: limit)
    }
    package func orders(awaiting awaited: OrderAwaited, for product: ProductID, limit: Int)
        throws(LedgerError) -> [OrderID]
    { try base.orders(awaiting: awaited, for: product, limit: limit) }
    package func differingOrders(after sequence: LedgerSequence, limit: Int) throws(LedgerError)
        -> [(made: LedgerSequence, order: OrderID)]
    { try base.differingOrders(after: sequence, limit: limit) }
    package func lostGroups() throws(LedgerError) -> [LostGroup] { try base.lostGroups() }
    package func lost(in group: LostGroup, after sequence: LedgerSequence, limit: Int)
        throws(LedgerError) -> [(since: LedgerSequence, subject: LostSubject)]
    { try base.lost(in: group, after: sequence, limit: limit) }
    package func lostCount(in group: LostGroup, upTo sequence: LedgerSequence) throws(LedgerError)
        -> (count: Int64, first: LedgerSequence?)
    { try base.lostCount(in: group, upTo: sequence) }
    package func lastEntry(recordedBy instant: Instant) throws(LedgerError) -> LedgerSequence {
        try base.lastEntry(recordedBy: instant)
    }
    package func hasOrders() throws(LedgerError) -> Bool { try base.hasOrders() }
    package func orderCounts() throws(LedgerError) -> [OrderState: Int64] { try base.orderCounts() }
    package func waitingTicket(like ticket: EvidenceTicket) throws(LedgerError) -> LedgerSequence? {
        try base.waitingTicket(like: ticket)
    }
    package func ticket(_ sequence: LedgerSequence) throws(LedgerError) -> TicketHistory? {
        try base.ticket(sequence)
    }
    package func tickets(onlyWaiting: Bool, after sequence: LedgerSequence, limit: Int)
        throws(LedgerError) -> [LedgerSequence]
    { try base.tickets(onlyWaiting: onlyWaiting, after: sequence, limit: limit) }
    package func refundNotifications(after sequence: LedgerSequence, limit: Int) throws(LedgerError)
        -> [LedgerSequence]
    { try base.refundNotifications(after: sequence, limit: limit) }
    package func notices(after sequence: LedgerSequence, limit: Int) throws(LedgerError)
        -> [LedgerSequence]
    { try base.notices(after: sequence, limit: limit) }
    package func refundAnswer(to request: LedgerSequence, begun: Bool) throws(LedgerError)
        -> Recorded<RefundAnswer>?
    { try base.refundAnswer(to: request, begun: begun) }
    package func countOfActivations(through sequence: LedgerSequence) throws(LedgerError) -> Int {
        try base.countOfActivations(through: sequence)
    }
    package func policyActivations() throws(LedgerError) -> [Recorded<PolicyActivation>] {
        try base.policyActivations()
    }
    package func restatement(
        of sequence: LedgerSequence
    ) throws(LedgerError) -> LedgerSequence? {
        try base.restatement(of: sequence)
    }

    package func erasures(named name: [UInt8]) throws(LedgerError) -> [LedgerSequence] {
        try base.erasures(named: name)
    }

    package func newestErasure() throws(LedgerError) -> LedgerSequence? {
        try base.newestErasure()
    }

    package func erasure(named name: [UInt8]) throws(LedgerError) -> LedgerSequence? {
        try base.erasure(named: name)
    }

    package func erasedPolicyActivations() throws(LedgerError) -> [LedgerSequence] {
        try base.erasedPolicyActivations()
    }
    package func scheduleEntries(after sequence: LedgerSequence, limit: Int) throws(LedgerError)
        -> [LedgerSequence]
    { try base.scheduleEntries(after: sequence, limit: limit) }
    package func accountTokens(_ token: AppAccountToken) throws(LedgerError) -> [Recorded<
        AccountTokenRegistration
    >] { try base.accountTokens(token) }
    package func facts(
        naming account: AccountID, of kinds: [EntryKind], after sequence: LedgerSequence
    ) throws(LedgerError) -> FactSet { try base.facts(naming: account, of: kinds, after: sequence) }
    package func entries(
        naming account: AccountID, of kinds: [EntryKind], before sequence: LedgerSequence,
        limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        try base.entries(naming: account, of: kinds, before: sequence, limit: limit)
    }
    package func feedPlace() throws(LedgerError) -> FeedPlace { try base.feedPlace() }
    package func feedHead() throws(LedgerError) -> Int64 { try base.feedHead() }
    package func changes(after number: Int64, matching filter: ChangeFilter, limit: Int)
        throws(LedgerError) -> ChangeRun
    { try base.changes(after: number, matching: filter, limit: limit) }
    package func outlook(of subject: FeedSubject) throws(LedgerError) -> FeedOutlook? {
        try base.outlook(of: subject)
    }
    package func outlooks(dueBy instant: Instant, limit: Int) throws(LedgerError) -> [(
        subject: FeedSubject, outlook: FeedOutlook
    )] { try base.outlooks(dueBy: instant, limit: limit) }
    package func nextDue() throws(LedgerError) -> Instant? { try base.nextDue() }
    package func outlooks(afterName name: String, limit: Int) throws(LedgerError) -> [(
        subject: FeedSubject, outlook: FeedOutlook
    )] { try base.outlooks(afterName: name, limit: limit) }
    package func firstHash() throws(LedgerError) -> Digest256? { try base.firstHash() }
}
