package import EntitlementModel

/// A ledger as it was when one of its entries was the newest (spec 1.10, `revision`): each view
/// answers as a ledger would that has the entries up to there and no others.
package struct PastLedger: ReadableLedger {
    private let base: any ReadableLedger
    private let last: LedgerSequence

    /// - Parameter last: no later than the newest entry.
    package init(_ base: any ReadableLedger, through last: LedgerSequence) {
        (self.base, self.last) = (base, last)
    }

    package func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
        try base.read { try body(PastReading($0, through: last)) }
    }

    package func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem] { try base.verify(anchor: anchor, progress: progress) }

    /// The ledger stays open: it is not the past's.
    package func close() throws(LedgerError) {}
}

/// A view of a ledger up to one of its entries.
///
/// Every question is answered here, so that none is forwarded by oversight. Facts that became
/// related later may be among those of an account: no answer depends on them. What stores keep of
/// the present only, over all accounts, is not answered (`PastFailure`).
package final class PastReading: LedgerReading {
    private let base: any LedgerReading
    private let last: LedgerSequence
    /// A report asks for the same orders several times.
    private var orders: [OrderID: OrderHistory?] = [:]
    private var ordersOfAccounts: [AccountID: [OrderHistory]] = [:]

    package init(_ base: any LedgerReading, through last: LedgerSequence) {
        (self.base, self.last) = (base, last)
    }

    /// The first entry that is not there.
    private var end: LedgerSequence { LedgerSequence(last.number + 1) }

    private func known(_ place: LedgerSequence?) -> LedgerSequence? {
        place.flatMap { $0 <= last ? $0 : nil }
    }

    private func known(_ places: [LedgerSequence]) -> [LedgerSequence] {
        places.filter { $0 <= last }
    }

    private func known<Value>(_ entry: Recorded<Value>?) -> Recorded<Value>? {
        entry.flatMap { $0.sequence <= last ? $0 : nil }
    }

    private func known<Value>(_ entries: [Recorded<Value>]) -> [Recorded<Value>] {
        entries.filter { $0.sequence <= last }
    }
}

/// Entries, by where they are.
extension PastReading {
    package func head() throws(LedgerError) -> LedgerHead {
        guard let head = try base.head(at: last) else { return try base.head() }
        return head
    }

    package func head(at sequence: LedgerSequence) throws(LedgerError) -> LedgerHead? {
        sequence <= last ? try base.head(at: sequence) : nil
    }

    package func entry(_ sequence: LedgerSequence) throws(LedgerError) -> Recorded<LedgerEntry>? {
        sequence <= last ? try base.entry(sequence) : nil
    }

    package func entries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [Recorded<LedgerEntry>] {
        sequence < last ? known(try base.entries(after: sequence, limit: limit)) : []
    }

    package func entries(
        naming account: AccountID, of kinds: [EntryKind], before sequence: LedgerSequence,
        limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        try base.entries(naming: account, of: kinds, before: min(sequence, end), limit: limit)
    }

    package func lastEntry(recordedBy instant: Instant) throws(LedgerError) -> LedgerSequence {
        min(last, try base.lastEntry(recordedBy: instant))
    }

    package func countOfActivations(through sequence: LedgerSequence) throws(LedgerError) -> Int {
        try base.countOfActivations(through: min(sequence, last))
    }

    package func restatement(
        of sequence: LedgerSequence
    ) throws(LedgerError) -> LedgerSequence? {
        sequence <= last ? try base.restatement(of: sequence) : nil
    }

    /// What was erased is not known about any time.
    package func erasures(named name: [UInt8]) throws(LedgerError) -> [LedgerSequence] {
        try base.erasures(named: name)
    }

    package func newestErasure() throws(LedgerError) -> LedgerSequence? {
        try base.newestErasure()
    }

    package func erasure(named name: [UInt8]) throws(LedgerError) -> LedgerSequence? {
        try base.erasure(named: name)
    }

    package func policyActivations() throws(LedgerError) -> [Recorded<PolicyActivation>] {
        known(try base.policyActivations())
    }

    package func erasedPolicyActivations() throws(LedgerError) -> [LedgerSequence] {
        known(try base.erasedPolicyActivations())
    }

    package func scheduleEntries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        known(try base.scheduleEntries(after: sequence, limit: limit))
    }

    package func quarantines(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        known(try base.quarantines(after: sequence, limit: limit))
    }

    package func notices(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        known(try base.notices(after: sequence, limit: limit))
    }

    package func refundNotifications(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        known(try base.refundNotifications(after: sequence, limit: limit))
    }

    package func refundAnswer(
        to request: LedgerSequence, begun: Bool
    ) throws(LedgerError) -> Recorded<RefundAnswer>? {
        known(try base.refundAnswer(to: request, begun: begun))
    }

    package func accountTokens(
        _ token: AppAccountToken
    ) throws(LedgerError) -> [Recorded<AccountTokenRegistration>] {
        known(try base.accountTokens(token))
    }

    package func transactions(
        ofLineItem id: WebOrderLineItemID, in environment: StoreEnvironment
    ) throws(LedgerError) -> [LedgerSequence] {
        known(try base.transactions(ofLineItem: id, in: environment))
    }

    package func presentations(
        of appTransaction: AppTransactionKey
    ) throws(LedgerError) -> [LedgerSequence] {
        known(try base.presentations(of: appTransaction))
    }

    package func presentations() throws(LedgerError) -> [LedgerSequence] {
        known(try base.presentations())
    }
}

/// Facts.
extension PastReading {
    package func facts(forAccount account: AccountID) throws(LedgerError) -> FactSet {
        try base.facts(forAccount: account).before(end)
    }

    package func facts(forLineage lineage: LineageKey) throws(LedgerError) -> FactSet {
        try base.facts(forLineage: lineage).before(end)
    }

    package func facts(
        forTransactions keys: [TransactionKey], withDenials denials: Bool
    ) throws(LedgerError) -> FactSet {
        try base.facts(forTransactions: keys, withDenials: denials).before(end)
    }

    package func denials(
        ofLineages lineages: Set<LineageKey>, to accounts: Set<AccountID>?
    ) throws(LedgerError) -> FactSet {
        try base.denials(ofLineages: lineages, to: accounts).before(end)
    }

    package func facts(
        naming account: AccountID, of kinds: [EntryKind], after sequence: LedgerSequence
    ) throws(LedgerError) -> FactSet {
        try base.facts(naming: account, of: kinds, after: sequence).before(end)
    }
}

/// Where something is known to be.
extension PastReading {
    package func firstEntry(of transaction: TransactionKey) throws(LedgerError) -> LedgerSequence? {
        known(try base.firstEntry(of: transaction))
    }

    package func sequence(of snapshot: TransactionSnapshot) throws(LedgerError) -> LedgerSequence? {
        known(try base.sequence(of: snapshot))
    }

    package func sequence(of snapshot: RenewalSnapshot) throws(LedgerError) -> LedgerSequence? {
        known(try base.sequence(of: snapshot))
    }

    package func sequence(
        of snapshot: AppTransactionSnapshot, presentedBy account: AccountID?
    ) throws(LedgerError) -> LedgerSequence? {
        known(try base.sequence(of: snapshot, presentedBy: account))
    }

    package func sequence(ofNotification uuid: String) throws(LedgerError) -> LedgerSequence? {
        known(try base.sequence(ofNotification: uuid))
    }

    package func sequence(of grant: GrantID) throws(LedgerError) -> LedgerSequence? {
        known(try base.sequence(of: grant))
    }

    package func sequence(of block: BlockID) throws(LedgerError) -> LedgerSequence? {
        known(try base.sequence(of: block))
    }

    package func sequence(
        ofCreditKey key: String, by actor: String
    ) throws(LedgerError) -> LedgerSequence? {
        known(try base.sequence(ofCreditKey: key, by: actor))
    }

    package func end(ofHold hold: LedgerSequence) throws(LedgerError) -> LedgerSequence? {
        known(try base.end(ofHold: hold))
    }

    package func sequence(ofEvidence digest: Digest256) throws(LedgerError) -> LedgerSequence? {
        known(try base.sequence(ofEvidence: digest))
    }

    package func sequence(
        ofOrderKey key: String, by actor: String
    ) throws(LedgerError) -> LedgerSequence? {
        known(try base.sequence(ofOrderKey: key, by: actor))
    }
}

/// Lineages and accounts.
extension PastReading {
    package func lineage(of transaction: TransactionKey) throws(LedgerError) -> LineageKey? {
        // The first snapshot of a transaction has said it, once and for all.
        guard try firstEntry(of: transaction) != nil else { return nil }
        return try base.lineage(of: transaction)
    }

    package func lineages(
        withAppTransaction id: AppTransactionID, in environment: StoreEnvironment
    ) throws(LedgerError) -> [LineageKey] {
        let lineages = try base.lineages(withAppTransaction: id, in: environment)
        // What is known of one is known of all.
        guard let first = lineages.first else { return [] }
        let facts = try facts(forLineage: first)
        let stated =
            facts.transactions.filter { $0.value.appTransactionID == id }.map(\.value.lineage)
            + facts.renewals.filter { $0.value.appTransactionID == id }.map(\.value.lineage)
        return lineages.filter(Set(stated).contains)
    }

    package func lineages(withToken token: AppAccountToken) throws(LedgerError) -> [LineageKey] {
        var found: [LineageKey] = []
        for lineage in try base.lineages(withToken: token) {
            let isStated = try facts(forLineage: lineage).transactions.contains {
                $0.value.lineage == lineage && $0.value.appAccountToken == token
            }
            if isStated { found.append(lineage) }
        }
        return found
    }

    package func lineages(
        after sequence: LedgerSequence, through last: LedgerSequence,
        where isMeant: (ProductID, Stated<ProductKind>?) -> Bool
    ) throws(LedgerError) -> [LineageKey] {
        try base.lineages(after: sequence, through: min(last, self.last), where: isMeant)
    }

    package func knows(_ account: AccountID) throws(LedgerError) -> Bool {
        try !entries(naming: account, of: EntryKind.allCases, before: end, limit: 1).isEmpty
    }

    package func accounts(
        after account: AccountID?, limit: Int, folded: Bool
    ) throws(LedgerError) -> [AccountID] {
        var (found, last): ([AccountID], AccountID?) = ([], account)
        while found.count < limit {
            let page = try base.accounts(after: last, limit: limit, folded: folded)
            for account in page where try knows(account) { found.append(account) }
            guard page.count == limit else { break }
            last = page.last
        }
        return Array(found.prefix(limit))
    }

    package func numbers(of accounts: [AccountID]) throws(LedgerError) -> [Int64?] {
        var numbers = try base.numbers(of: accounts)
        for index in accounts.indices where try !knows(accounts[index]) { numbers[index] = nil }
        return numbers
    }

    package func accounts(numbered numbers: [Int64]) throws(LedgerError) -> [AccountID] {
        var found: [AccountID] = []
        for account in try base.accounts(numbered: numbers) where try knows(account) {
            found.append(account)
        }
        return found
    }
}

/// Orders, by what their entries said by then: what stores keep of them is of the present.
extension PastReading {
    package func order(_ id: OrderID) throws(LedgerError) -> OrderHistory? {
        if let known = orders[id] { return known }
        var history = try base.order(id)
        history?.events.removeAll { $0.sequence > last }
        history?.refusals.removeAll { $0.sequence > last }
        if let made = history?.order.sequence, made > last { history = nil }
        orders[id] = .some(history)
        return history
    }

    /// In the order of their creation.
    private func orders(of account: AccountID) throws(LedgerError) -> [OrderHistory] {
        if let known = ordersOfAccounts[account.folded] { return known }
        var found: [LedgerSequence: OrderHistory] = [:]
        let places = try entries(
            naming: account, of: [.order, .orderEvent], before: end, limit: .max)
        for place in places {
            let named: OrderID? =
                switch try base.entry(place)?.value {
                case .order(let order): order.id
                case .orderEvent(let event): event.account == nil ? nil : event.order
                default: nil
                }
            guard let named, let history = try order(named),
                history.account.folded == account.folded
            else { continue }
            found[history.order.sequence] = history
        }
        let orders = found.values.sorted { $0.order.sequence < $1.order.sequence }
        ordersOfAccounts[account.folded] = orders
        return orders
    }

    package func orders(
        of account: AccountID, before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [OrderID] {
        try orders(of: account).reversed().filter { $0.order.sequence < sequence }
            .prefix(limit).map(\.id)
    }

    package func orders(
        of account: AccountID, awaiting awaited: OrderAwaited, for product: ProductID?,
        before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(last: LedgerSequence, order: OrderID)] {
        let waiting = try orders(of: account).filter { history in
            history.standing.awaited == awaited
                && (product ?? history.order.value.product) == history.order.value.product
        }
        let places = waiting.map {
            (last: $0.events.last?.sequence ?? $0.order.sequence, order: $0.id)
        }
        return Array(
            places.filter { $0.last < sequence }.sorted { $0.last > $1.last }.prefix(limit))
    }

    package func orders(naming transactions: [TransactionKey]) throws(LedgerError) -> [OrderID] {
        var found: [OrderID] = []
        for id in try base.orders(naming: transactions) {
            let isNamed = try order(id)?.events.contains { event in
                event.value.transaction.map(transactions.contains) ?? false
            }
            if isNamed == true { found.append(id) }
        }
        return found
    }

    /// One of later is enough: nothing that is asked for then finds it.
    package func hasOrders() throws(LedgerError) -> Bool { try base.hasOrders() }

    package func ticket(_ sequence: LedgerSequence) throws(LedgerError) -> TicketHistory? {
        guard sequence <= last, var history = try base.ticket(sequence) else { return nil }
        history.closing = known(history.closing)
        return history
    }
}

/// A question about all accounts that stores answer of the present only.
package enum PastFailure: LedgerText, StoreFailure {
    case presentOnly

    package var kind: LedgerError.Kind { .failed }
    package var code: String { "ledger.past" }

    package var english: String {
        switch self {
        case .presentOnly: "this is known of the present only, not of the past"
        }
    }
}

/// What stores keep of the present only.
extension PastReading {
    private func notKept<Value>() throws(LedgerError) -> Value {
        throw LedgerError(PastFailure.presentOnly)
    }

    package func lineages(relatedTo lineage: LineageKey) throws(LedgerError) -> [LineageKey] {
        try notKept()
    }

    package func accountsTouched(
        byLineages lineages: [LineageKey]
    ) throws(LedgerError) -> [AccountID] { try notKept() }

    package func clusters(
        after number: Int64, limit: Int
    ) throws(LedgerError) -> [(number: Int64, lineage: LineageKey)] { try notKept() }

    package func orders(
        awaiting awaited: OrderAwaited, for product: ProductID, limit: Int
    ) throws(LedgerError) -> [OrderID] { try notKept() }

    package func differingOrders(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(made: LedgerSequence, order: OrderID)] { try notKept() }

    package func lostGroups() throws(LedgerError) -> [LostGroup] { try notKept() }

    package func lost(
        in group: LostGroup, after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(since: LedgerSequence, subject: LostSubject)] { try notKept() }

    package func lostCount(
        in group: LostGroup, upTo sequence: LedgerSequence
    ) throws(LedgerError) -> (count: Int64, first: LedgerSequence?) { try notKept() }

    package func orderCounts() throws(LedgerError) -> [OrderState: Int64] { try notKept() }

    package func waitingTicket(
        like ticket: EvidenceTicket
    ) throws(LedgerError) -> LedgerSequence? { try notKept() }

    package func tickets(
        onlyWaiting: Bool, after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence] { try notKept() }

    package func outlook(of subject: FeedSubject) throws(LedgerError) -> FeedOutlook? {
        try notKept()
    }

    package func outlooks(
        dueBy instant: Instant, limit: Int
    ) throws(LedgerError) -> [(subject: FeedSubject, outlook: FeedOutlook)] { try notKept() }

    package func outlooks(
        afterName name: String, limit: Int
    ) throws(LedgerError) -> [(subject: FeedSubject, outlook: FeedOutlook)] { try notKept() }

    package func nextDue() throws(LedgerError) -> Instant? { try notKept() }

    package func changes(
        after number: Int64, matching filter: ChangeFilter, limit: Int
    ) throws(LedgerError) -> ChangeRun { try notKept() }

    package func feedHead() throws(LedgerError) -> Int64 { try notKept() }

    /// The feed has no place in the past.
    package func feedPlace() throws(LedgerError) -> FeedPlace { .beginning }

    package func firstHash() throws(LedgerError) -> Digest256? {
        last == .zero ? nil : try base.firstHash()
    }
}
