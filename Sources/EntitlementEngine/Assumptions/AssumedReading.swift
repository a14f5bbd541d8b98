internal import EntitlementModel
internal import LedgerModel

/// A view of a ledger with entries after its newest one that were never written: every question
/// about accounts is answered as if they had been. Lists of the whole ledger are as they are.
final class AssumedReading: ForwardedReading, LedgerWriting {
    let base: any LedgerReading
    private var entries: [Recorded<LedgerEntry>] = []
    /// What `head()` says while entries are appended. Answers name the newest real one.
    private var appending: LedgerHead?
    private let first: LedgerHead

    init(_ base: any LedgerReading) throws(LedgerError) {
        self.base = base
        first = try base.head()
        appending = first
    }

    /// No more is assumed.
    func seal() { appending = nil }

    func append(_ entry: LedgerEntry, at now: Instant) throws(LedgerError) -> LedgerSequence {
        guard let last = appending else { preconditionFailure("nothing is assumed any more") }
        let next = LedgerHead(
            sequence: LedgerSequence(last.sequence.number + 1), hash: first.hash,
            recordedAt: max(now, last.recordedAt))
        entries.append(
            Recorded(sequence: next.sequence, recordedAt: next.recordedAt, value: entry))
        appending = next
        return next.sequence
    }

    func erase(
        _ accounts: [AccountID], as wish: Erasure, at now: Instant
    ) throws(LedgerError) -> Recorded<Erasure> {
        preconditionFailure("nothing is erased by assumption")
    }

    func tell(_ change: FeedChange) throws(LedgerError) -> Int64 { neverTold() }
    func setOutlook(_ outlook: FeedOutlook, of subject: FeedSubject) throws(LedgerError) {
        neverTold()
    }
    func setFeedPlace(_ place: FeedPlace) throws(LedgerError) { neverTold() }

    private func neverTold() -> Never { preconditionFailure("the feed tells nothing assumed") }
}

/// Entries, by where they are and what they are called.
extension AssumedReading {
    func head() throws(LedgerError) -> LedgerHead { appending ?? first }

    func entry(_ sequence: LedgerSequence) throws(LedgerError) -> Recorded<LedgerEntry>? {
        if sequence <= first.sequence { return try base.entry(sequence) }
        return entries.first { $0.sequence == sequence }
    }

    func entries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [Recorded<LedgerEntry>] {
        let known = try base.entries(after: sequence, limit: limit)
        let more = entries.filter { $0.sequence > sequence }.prefix(limit - known.count)
        return known + more
    }

    func sequence(of snapshot: TransactionSnapshot) throws(LedgerError) -> LedgerSequence? {
        if let known = try base.sequence(of: snapshot) { return known }
        return place { entry in
            guard case .transaction(let fact) = entry else { return false }
            return fact.snapshot == snapshot
        }
    }

    func sequence(of snapshot: RenewalSnapshot) throws(LedgerError) -> LedgerSequence? {
        if let known = try base.sequence(of: snapshot) { return known }
        return place { entry in
            guard case .renewal(let fact) = entry else { return false }
            return fact.snapshot == snapshot
        }
    }

    func sequence(of grant: GrantID) throws(LedgerError) -> LedgerSequence? {
        if let known = try base.sequence(of: grant) { return known }
        return place { entry in
            guard case .grant(let other) = entry else { return false }
            return other.id == grant
        }
    }

    func sequence(of block: BlockID) throws(LedgerError) -> LedgerSequence? {
        if let known = try base.sequence(of: block) { return known }
        return place { entry in
            guard case .block(let other) = entry else { return false }
            return other.id == block
        }
    }

    private func place(where isMeant: (LedgerEntry) -> Bool) -> LedgerSequence? {
        entries.first { isMeant($0.value) }?.sequence
    }

    func lineage(of transaction: TransactionKey) throws(LedgerError) -> LineageKey? {
        if let known = try base.lineage(of: transaction) { return known }
        for case .transaction(let fact) in entries.map(\.value)
        where fact.snapshot.key == transaction { return fact.snapshot.lineage }
        return nil
    }

    func firstEntry(of transaction: TransactionKey) throws(LedgerError) -> LedgerSequence? {
        if let known = try base.firstEntry(of: transaction) { return known }
        return place { entry in
            guard case .transaction(let fact) = entry else { return false }
            return fact.snapshot.key == transaction
        }
    }

    func knows(_ account: AccountID) throws(LedgerError) -> Bool {
        if try base.knows(account) { return true }
        return entries.contains { link($0).accounts.contains(account.folded) }
    }
}

/// Facts: those of the ledger, and what is assumed of the same lineages and accounts.
extension AssumedReading {
    /// What an assumed entry is about, and whom it names.
    private func link(
        _ entry: Recorded<LedgerEntry>
    ) -> (unit: OwnedUnit?, accounts: Set<AccountID>) {
        var link: (unit: OwnedUnit?, accounts: Set<AccountID>) = (nil, [])
        for key in entry.value.keys(at: entry.sequence) {
            switch key {
            case .transaction(let snapshot): link.unit = .lineage(snapshot.lineage)
            case .renewal(let snapshot): link.unit = .lineage(snapshot.lineage)
            case .unit(let unit, let accounts):
                link = (unit, link.accounts.union(accounts.map(\.folded)))
            case .claim(let claim):
                link = (.purchase(claim.transaction), link.accounts.union([claim.account.folded]))
            case .decision(let decision):
                link = (decision.unit, link.accounts.union(decision.owners.map(\.folded)))
            case .account(let account): link.accounts.insert(account.folded)
            case .token, .quarantine, .order, .orderEvent, .noteOfOrder, .ticket, .ticketClosing,
                .restatement, .unique, .first:
                break
            }
        }
        return link
    }

    private func lineage(of unit: OwnedUnit?) throws(LedgerError) -> LineageKey? {
        switch unit {
        case .lineage(let key): key
        case .purchase(let key): try lineage(of: key)
        case nil: nil
        }
    }

    /// The facts with what is assumed of the lineages in them, of these lineages, and of the
    /// accounts.
    private func adding(
        to facts: FactSet, of lineages: Set<LineageKey> = [], _ accounts: Set<AccountID> = []
    ) throws(LedgerError) -> FactSet {
        guard !entries.isEmpty else { return facts }
        var facts = facts
        var about = lineages.union(facts.lineages)
        // An account that an assumed decision names takes an interest in the whole Apple ID.
        for entry in entries {
            let link = link(entry)
            guard !link.accounts.isDisjoint(with: accounts),
                let lineage = try lineage(of: link.unit), about.insert(lineage).inserted
            else { continue }
            facts.merge(try base.facts(forLineage: lineage))
            about.formUnion(facts.lineages)
        }
        if !accounts.isEmpty {
            for owner in try formerOwners(facts, accounts) {
                facts.merge(try base.facts(forAccount: owner))
                about.formUnion(facts.lineages)
            }
        }
        for entry in entries {
            let link = link(entry)
            let lineage = try lineage(of: link.unit)
            if lineage.map(about.contains) ?? false || !link.accounts.isDisjoint(with: accounts) {
                facts.insert(entry)
            }
        }
        return facts
    }

    /// Those from whom an account has a single purchase by an assumed decision: it keeps its place
    /// in their stack (spec 1.4).
    private func formerOwners(
        _ facts: FactSet, _ heirs: Set<AccountID>
    ) throws(LedgerError) -> Set<AccountID> {
        var owners: Set<AccountID> = []
        for case .decision(let decided) in entries.map(\.value)
        where decided.ownersAfter.contains(where: { heirs.contains($0.folded) }) {
            guard case .purchase(let key) = decided.unit else { continue }
            let moved = try lineage(of: key)
            for case .purchase(let other) in facts.decisions.map(\.value.unit)
            where try lineage(of: other) == moved {
                for decision in facts.decisions where decision.value.unit == .purchase(other) {
                    owners.formUnion(decision.value.owners)
                }
            }
        }
        return owners.filter { !heirs.contains($0.folded) }
    }

    func facts(forAccount account: AccountID) throws(LedgerError) -> FactSet {
        let known = try base.facts(forAccount: account)
        // What was merged into it is its own.
        let merged = known.accountMerges.map(\.value.from.folded)
        return try adding(to: known, Set(merged + [account.folded]))
    }

    func facts(forLineage lineage: LineageKey) throws(LedgerError) -> FactSet {
        try adding(to: base.facts(forLineage: lineage), of: [lineage])
    }

    func facts(
        forTransactions keys: [TransactionKey], withDenials denials: Bool
    ) throws(LedgerError) -> FactSet {
        var lineages: Set<LineageKey> = []
        var facts = try base.facts(forTransactions: keys, withDenials: denials)
        for key in keys {
            guard let lineage = try lineage(of: key) else { continue }
            lineages.insert(lineage)
            if try base.lineage(of: key) == nil {
                facts.merge(try base.facts(forLineage: lineage))
            }
        }
        return try adding(to: facts, of: lineages)
    }

    func facts(
        naming account: AccountID, of kinds: [EntryKind], after sequence: LedgerSequence
    ) throws(LedgerError) -> FactSet {
        var facts = try base.facts(naming: account, of: kinds, after: sequence)
        for entry in entries where kinds.contains(entry.value.registered.kind) {
            if link(entry).accounts.contains(account.folded) { facts.insert(entry) }
        }
        return facts
    }
}

extension FactSet {
    /// Of which there is a transaction or a renewal info.
    fileprivate var lineages: Set<LineageKey> {
        var found: Set<LineageKey> = []
        // By place: a loop over the snapshots would copy each of them.
        for place in transactions.indices { found.insert(transactions[place].value.lineage) }
        for place in renewals.indices { found.insert(renewals[place].value.lineage) }
        return found
    }
}

/// Orders that were made, or of which something happened, by what is assumed.
extension AssumedReading {
    private var changed: [OrderID] {
        var found: [OrderID] = []
        for entry in entries {
            switch entry.value {
            case .order(let order): found.append(order.id)
            case .orderEvent(let event): found.append(event.order)
            default: continue
            }
        }
        return found.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    func order(_ id: OrderID) throws(LedgerError) -> OrderHistory? {
        var history = try base.order(id)
        for entry in entries {
            switch entry.value {
            case .order(let order) where order.id == id:
                history = OrderHistory(order: entry.with(order))
            case .orderEvent(let event) where event.order == id:
                history?.events.append(entry.with(event))
            default: continue
            }
        }
        return history
    }

    private func changedOrders(
        where isMeant: (OrderHistory) -> Bool
    ) throws(LedgerError) -> [OrderHistory] {
        var found: [OrderHistory] = []
        for id in changed {
            if let history = try order(id), isMeant(history) { found.append(history) }
        }
        return found
    }

    func hasOrders() throws(LedgerError) -> Bool { try base.hasOrders() || !changed.isEmpty }

    func orders(naming transactions: [TransactionKey]) throws(LedgerError) -> [OrderID] {
        let known = try base.orders(naming: transactions)
        let more = try changedOrders { history in
            history.events.contains { $0.value.transaction.map(transactions.contains) ?? false }
        }
        guard more.contains(where: { !known.contains($0.id) }) else { return known }
        var places: [(made: LedgerSequence, id: OrderID)] = []
        for id in Set(known + more.map(\.id)) {
            if let history = try order(id) { places.append((history.order.sequence, id)) }
        }
        return places.sorted { $0.made < $1.made }.map(\.id)
    }

    func orders(
        of account: AccountID, before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [OrderID] {
        let made = try changedOrders {
            $0.order.sequence > first.sequence && $0.order.sequence < sequence
                && $0.account.folded == account.folded
        }
        let known = try base.orders(of: account, before: sequence, limit: limit)
        return Array((made.reversed().map(\.id) + known).prefix(limit))
    }

    func orders(
        of account: AccountID, awaiting awaited: OrderAwaited, for product: ProductID?,
        before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(last: LedgerSequence, order: OrderID)] {
        let changed = changed
        let known = try base.orders(
            of: account, awaiting: awaited, for: product, before: sequence,
            limit: limit + changed.count
        ).filter { !changed.contains($0.order) }
        let more = try changedOrders {
            $0.account.folded == account.folded && $0.standing.awaited == awaited
                && (product ?? $0.order.value.product) == $0.order.value.product
                && $0.lastEntry < sequence
        }.map { (last: $0.lastEntry, order: $0.id) }
        return Array((more.sorted { $0.last > $1.last } + known).prefix(limit))
    }

    func orders(
        awaiting awaited: OrderAwaited, for product: ProductID, limit: Int
    ) throws(LedgerError) -> [OrderID] {
        let changed = changed
        let known = try base.orders(
            awaiting: awaited, for: product, limit: limit + changed.count
        ).filter { !changed.contains($0) }
        let more = try changedOrders {
            $0.standing.awaited == awaited && $0.order.value.product == product
        }
        return Array((more.sorted { $0.lastEntry > $1.lastEntry }.map(\.id) + known).prefix(limit))
    }
}

extension OrderHistory {
    fileprivate var lastEntry: LedgerSequence { events.last?.sequence ?? order.sequence }
}
