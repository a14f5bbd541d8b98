internal import EntitlementModel
internal import LedgerModel

/// A view of what is in memory, of its own: questions go through everything that is there.
final class MemoryTransaction: LedgerWriting {
    var contents: MemoryContents
    var keys: MemoryKeys { contents.keys }

    init(_ contents: MemoryContents) {
        self.contents = contents
    }

    func append(_ entry: LedgerEntry, at now: Instant) throws(LedgerError) -> LedgerSequence {
        do {
            return try contents.append(entry, at: now)
        } catch {
            throw LedgerError(thrown: error)
        }
    }
}

extension MemoryTransaction {
    func erase(
        _ accounts: [AccountID], as wish: Erasure, at now: Instant
    ) throws(LedgerError) -> Recorded<Erasure> {
        preconditionFailure("nothing is erased in memory")
    }
}

/// Entries, by where they are.
extension MemoryTransaction {
    func head() -> LedgerHead { contents.head }

    func head(at sequence: LedgerSequence) -> LedgerHead? {
        contents.heads.first { $0.sequence == sequence }
    }

    func entry(_ sequence: LedgerSequence) -> Recorded<LedgerEntry>? { contents[sequence] }

    func entries(after sequence: LedgerSequence, limit: Int) -> [Recorded<LedgerEntry>] {
        Array(contents.entries.dropFirst(Int(sequence.number)).prefix(limit))
    }

    func countOfActivations(through sequence: LedgerSequence) -> Int {
        policyActivations().count { $0.sequence <= sequence }
    }

    func policyActivations() -> [Recorded<PolicyActivation>] {
        contents.entries.compactMap { entry in
            guard case .policyActivation(let activation) = entry.value else { return nil }
            return entry.with(activation)
        }
    }

    func restatement(of sequence: LedgerSequence) -> LedgerSequence? { nil }

    func newestErasure() -> LedgerSequence? { nil }
    func erasure(named name: [UInt8]) -> LedgerSequence? { nil }
    func erasures(named name: [UInt8]) -> [LedgerSequence] { [] }

    /// Nothing is ever erased.
    func erasedPolicyActivations() -> [LedgerSequence] { [] }

    func scheduleEntries(after sequence: LedgerSequence, limit: Int) -> [LedgerSequence] {
        let found = contents.entries.filter { entry in
            switch entry.value {
            case .policySchedule, .policyScheduleEnd: entry.sequence > sequence
            case .policyActivation(let activation):
                activation.schedule != nil && entry.sequence > sequence
            default: false
            }
        }
        return Array(found.map(\.sequence).prefix(limit))
    }

    func transactions(
        ofLineItem id: WebOrderLineItemID, in environment: StoreEnvironment
    ) -> [LedgerSequence] {
        var seen: Set<LineageKey> = []
        return contents.entries.filter { entry in
            guard case .transaction(let fact) = entry.value,
                fact.snapshot.webOrderLineItemID == id,
                fact.snapshot.environment == environment
            else { return false }
            return seen.insert(fact.snapshot.lineage).inserted
        }.map(\.sequence)
    }

    func presentations() -> [LedgerSequence] {
        var seen: Set<[String]> = []
        return contents.entries.filter { entry in
            guard case .appTransaction(let fact) = entry.value, let account = fact.account,
                let id = fact.snapshot.appTransactionID
            else { return false }
            let name = [fact.snapshot.environment.rawValue, id.text, account.text]
            return seen.insert(name).inserted
        }.map(\.sequence)
    }

    func presentations(of appTransaction: AppTransactionKey) -> [LedgerSequence] {
        var seen: Set<AccountID> = []
        return contents.entries.filter { entry in
            guard case .appTransaction(let fact) = entry.value, let account = fact.account,
                fact.snapshot.appTransactionID == appTransaction.id,
                fact.snapshot.environment == appTransaction.environment
            else { return false }
            return seen.insert(account).inserted
        }.map(\.sequence)
    }

    func accountTokens(_ token: AppAccountToken) -> [Recorded<AccountTokenRegistration>] {
        contents.entries.compactMap { entry in
            guard case .accountToken(let registration) = entry.value,
                registration.token == token
            else { return nil }
            return entry.with(registration)
        }
    }

    func lineages(
        after sequence: LedgerSequence, through last: LedgerSequence,
        where isMeant: (ProductID, Stated<ProductKind>?) -> Bool
    ) -> [LineageKey] {
        var found: Set<LineageKey> = []
        for entry in contents.entries where entry.sequence > sequence && entry.sequence <= last {
            guard case .transaction(let fact) = entry.value else { continue }
            let snapshot = fact.snapshot
            if isMeant(snapshot.productID, snapshot.kind) { found.insert(snapshot.lineage) }
        }
        return found.sorted()
    }

    func quarantines(after sequence: LedgerSequence, limit: Int) -> [LedgerSequence] {
        Array(keys.quarantines.filter { $0 > sequence }.prefix(limit))
    }

    func firstEntry(of transaction: TransactionKey) -> LedgerSequence? {
        contents.entries.first { entry in
            guard case .transaction(let fact) = entry.value else { return false }
            return fact.snapshot.key == transaction
        }?.sequence
    }
}

/// Where something is known to be.
extension MemoryTransaction {
    func sequence(of snapshot: TransactionSnapshot) -> LedgerSequence? {
        keys.places[.transaction(snapshot.key, snapshot.signedDate, snapshot.source)]
    }

    func sequence(of snapshot: RenewalSnapshot) -> LedgerSequence? {
        keys.places[.renewal(snapshot.lineage, snapshot.signedDate, snapshot.source)]
    }

    func sequence(
        of snapshot: AppTransactionSnapshot, presentedBy account: AccountID?
    ) -> LedgerSequence? {
        keys.places[.other(.appTransaction, snapshot.uniqueName(presentedBy: account))]
    }

    func sequence(ofNotification uuid: String) -> LedgerSequence? {
        keys.places[.other(.notification, Array(uuid.utf8))]
    }

    func sequence(of grant: GrantID) -> LedgerSequence? {
        keys.places[.other(.grant, Array(grant.text.utf8))]
    }

    func sequence(of block: BlockID) -> LedgerSequence? {
        keys.places[.other(.block, Array(block.text.utf8))]
    }

    func sequence(ofEvidence digest: Digest256) -> LedgerSequence? {
        keys.places[.other(.evidence, digest.bytes)]
    }
}

/// Orders.
extension MemoryTransaction {
    func order(_ id: OrderID) -> OrderHistory? {
        guard let place = keys.orders[id], let made = contents[place.entries[0]],
            case .order(let order) = made.value
        else { return nil }
        var history = OrderHistory(order: made.with(order))
        for entry in place.entries.dropFirst().compactMap({ contents[$0] }) {
            switch entry.value {
            case .orderEvent(let event): history.events.append(entry.with(event))
            case .refusal(let refusal): history.refusals.append(entry.with(refusal))
            default: break
            }
        }
        return history
    }

    func sequence(ofOrderKey key: String, by actor: String) -> LedgerSequence? {
        keys.places[.other(.order, Order.keyName(key, of: actor))]
    }

    func sequence(ofCreditKey key: String, by actor: String) -> LedgerSequence? {
        keys.places[.other(.creditSpend, CreditSpend.keyName(key, of: actor))]
    }

    func end(ofHold hold: LedgerSequence) -> LedgerSequence? {
        keys.places[.other(.holdEnd, HoldEnd.name(ofHold: hold))]
    }

    func orders(naming transactions: [TransactionKey]) -> [OrderID] {
        orders { !$0.transactions.isDisjoint(with: transactions) }.map(\.id)
    }

    func orders(
        of account: AccountID, before sequence: LedgerSequence, limit: Int
    ) -> [OrderID] {
        orders { $0.account.folded == account.folded && $0.entries[0] < sequence }
            .reversed().prefix(limit).map(\.id)
    }

    func orders(
        of account: AccountID, awaiting awaited: OrderAwaited, for product: ProductID?,
        before sequence: LedgerSequence, limit: Int
    ) -> [(last: LedgerSequence, order: OrderID)] {
        let found = orders {
            $0.account.folded == account.folded && $0.standing.awaited == awaited
                && (product ?? $0.product) == $0.product && $0.last < sequence
        }
        return Array(
            found.map { (last: $0.place.last, order: $0.id) }.sorted { $0.last > $1.last }
                .prefix(limit))
    }

    func orders(
        awaiting awaited: OrderAwaited, for product: ProductID, limit: Int
    ) -> [OrderID] {
        let found = orders { $0.standing.awaited == awaited && $0.product == product }
        return found.sorted { $0.place.last > $1.place.last }.prefix(limit).map(\.id)
    }

    func differingOrders(
        after sequence: LedgerSequence, limit: Int
    ) -> [(made: LedgerSequence, order: OrderID)] {
        let found = orders {
            !$0.standing.marks.isDisjoint(with: .findings) && $0.entries[0] > sequence
        }
        return Array(found.map { (made: $0.place.entries[0], order: $0.id) }.prefix(limit))
    }

    func lostGroups() -> [LostGroup] {
        let groups = keys.orders.values.compactMap { place in
            place.standing.lostReason.map { LostGroup($0, policy: place.policy) }
        }
        let sorted = Set(groups).sorted {
            ($0.reason.rawValue, $0.policy?.hexadecimal ?? "")
                < ($1.reason.rawValue, $1.policy?.hexadecimal ?? "")
        }
        return sorted + (keys.unclaimed.isEmpty ? [] : [.unclaimed])
            + (lostTickets.isEmpty ? [] : [.waitingForApple])
    }

    func lost(
        in group: LostGroup, after sequence: LedgerSequence, limit: Int
    ) -> [(since: LedgerSequence, subject: LostSubject)] {
        Array(all(in: group).filter { $0.since > sequence }.prefix(limit))
    }

    func lostCount(
        in group: LostGroup, upTo sequence: LedgerSequence
    ) -> (count: Int64, first: LedgerSequence?) {
        let found = all(in: group).filter { $0.since <= sequence }
        return (Int64(found.count), found.first?.since)
    }

    private func all(in group: LostGroup) -> [(since: LedgerSequence, subject: LostSubject)] {
        if group == .waitingForApple { return lostTickets }
        guard let policy = group.policy else {
            return keys.unclaimed.map { (since: $0.since, subject: .lineage($0.lineage)) }
        }
        return orders { $0.policy == policy && $0.standing.lostReason == group.reason }
            .map { (since: $0.place.standing.since, subject: LostSubject.order($0.id)) }
            .sorted { $0.since < $1.since }
    }

    private var lostTickets: [(since: LedgerSequence, subject: LostSubject)] {
        keys.tickets.filter { $0.value.state == .waiting && $0.value.isEvidence }.keys.sorted()
            .map { (since: $0, subject: .ticket($0)) }
    }

    func lastEntry(recordedBy instant: Instant) -> LedgerSequence {
        contents.entries.last { $0.recordedAt <= instant }?.sequence ?? .zero
    }

    func hasOrders() -> Bool { !keys.orders.isEmpty }

    func orderCounts() -> [OrderState: Int64] {
        keys.orders.values.reduce(into: [:]) { $0[$1.standing.state, default: 0] += 1 }
    }

    /// In the order in which they were made.
    private func orders(
        where isWanted: (MemoryKeys.OrderPlace) -> Bool
    ) -> [(id: OrderID, place: MemoryKeys.OrderPlace)] {
        keys.orders.filter { isWanted($0.value) }
            .map { (id: $0.key, place: $0.value) }
            .sorted { $0.place.entries[0] < $1.place.entries[0] }
    }
}

extension MemoryKeys.OrderPlace {
    var last: LedgerSequence { entries[entries.count - 1] }
}

/// Accounts.
extension MemoryTransaction {
    /// The account in whatever case a UUID was written.
    private func spellings(of account: AccountID) -> [AccountID] {
        keys.accounts.keys.filter { $0.folded == account.folded }
    }

    func knows(_ account: AccountID) -> Bool { !spellings(of: account).isEmpty }

    func accounts(after account: AccountID?, limit: Int, folded: Bool) -> [AccountID] {
        let names = Set(keys.accounts.keys.map { folded ? $0.folded : $0 })
        let later = names.filter { name in account.map { name > $0 } ?? true }
        return Array(later.sorted().prefix(limit))
    }

    func numbers(of accounts: [AccountID]) -> [Int64?] {
        accounts.map { keys.accounts[$0].map(Int64.init) }
    }

    func accounts(numbered numbers: [Int64]) -> [AccountID] {
        numbers.compactMap { number in keys.accounts.first { $0.value == Int(number) }?.key }
    }

    func accountsTouched(byLineages lineages: [LineageKey]) -> [AccountID] {
        let clusters = Set(lineages.compactMap { keys.clusters[$0] })
        var touched: Set<AccountID> = []
        var unasked = keys.links.filter { isAbout(clusters, $0) }.flatMap(\.accounts)
        while let account = unasked.popLast() {
            guard touched.insert(account).inserted else { continue }
            unasked += spellings(of: account)
            unasked += keys.predecessors.filter { $0.value.contains(account) }.keys
        }
        return touched.sorted()
    }
}

/// Lineages.
extension MemoryTransaction {
    private func isAbout(_ clusters: Set<Int>, _ link: MemoryKeys.Link) -> Bool {
        guard let lineage = link.unit.flatMap(keys.lineage(of:)) else { return false }
        return keys.clusters[lineage].map(clusters.contains) ?? false
    }

    func lineage(of transaction: TransactionKey) -> LineageKey? { keys.lineageOf[transaction] }

    func lineages(
        withAppTransaction id: AppTransactionID, in environment: StoreEnvironment
    ) -> [LineageKey] {
        keys.appTransactions[AppTransactionKey(environment: environment, id: id), default: []]
            .sorted()
    }

    func lineages(withToken token: AppAccountToken) -> [LineageKey] {
        keys.tokens[token, default: []].sorted()
    }

    func lineages(relatedTo lineage: LineageKey) -> [LineageKey] {
        guard let cluster = keys.clusters[lineage] else { return [] }
        return keys.clusters.filter { $0.value == cluster }.keys.sorted()
    }

    func clusters(after number: Int64, limit: Int) -> [(number: Int64, lineage: LineageKey)] {
        let first = keys.lineages.enumerated().filter { keys.clusters[$1] == $0 }
        return Array(
            first.map { (number: Int64($0.offset) + 1, lineage: $0.element) }
                .filter { $0.number > number }.prefix(limit))
    }
}

/// Facts.
extension MemoryTransaction {
    func facts(forAccount account: AccountID) throws(LedgerError) -> FactSet {
        var accounts: Set<AccountID> = [account.folded]
        var tokens: Set<AppAccountToken> = []
        while true {
            let known = facts(where: belongs(accounts, tokens))
            let (accountsBefore, tokensBefore) = (accounts, tokens)
            for merge in known.accountMerges.map(\.value)
            where accounts.contains(merge.into.folded) { accounts.insert(merge.from.folded) }
            for registration in known.accountTokens.map(\.value)
            where accounts.contains(registration.account.folded) {
                tokens.insert(registration.token)
            }
            guard (accountsBefore, tokensBefore) != (accounts, tokens) else {
                return try withMergesOfNamed(in: known, of: account)
            }
        }
    }

    /// Which entries belong to one of the accounts, or to what carries one of the tokens.
    private func belongs(
        _ accounts: Set<AccountID>, _ tokens: Set<AppAccountToken>
    ) -> (MemoryKeys.Link) -> Bool {
        var holders: Set<AccountID> = []
        var unasked = accounts.flatMap(spellings(of:))
        while let holder = unasked.popLast() {
            guard holders.insert(holder).inserted else { continue }
            unasked += keys.predecessors[holder, default: []].flatMap(spellings(of:))
        }
        let own = accounts.compactMap { AppAccountToken($0.text) }
        var lineages = Set(tokens.union(own).flatMap(lineages(withToken:)))
        for link in keys.links where !holders.isDisjoint(with: link.accounts) {
            if let lineage = link.unit.flatMap(keys.lineage(of:)) { lineages.insert(lineage) }
        }
        let clusters = Set(lineages.compactMap { keys.clusters[$0] })
        return { [self] link in
            if let claimant = link.claimant { return accounts.contains(claimant.folded) }
            let isOwn =
                !link.isDenial && link.accounts.contains { accounts.contains($0.folded) }
            return isOwn || isAbout(clusters, link)
        }
    }

    func facts(forLineage lineage: LineageKey) -> FactSet {
        let clusters = Set([keys.clusters[lineage]].compactMap(\.self))
        return facts { isAbout(clusters, $0) }
    }

    func facts(
        forTransactions transactions: [TransactionKey], withDenials denials: Bool
    ) -> FactSet {
        let lineages = transactions.compactMap { keys.lineageOf[$0] }
        let clusters = Set(lineages.compactMap { keys.clusters[$0] })
        let waiting = Set(transactions.map(OwnedUnit.purchase))
        return facts { link in
            guard denials || link.claimant == nil else { return false }
            return isAbout(clusters, link) || link.unit.map(waiting.contains) ?? false
        }
    }

    func denials(
        ofLineages lineages: Set<LineageKey>, to accounts: Set<AccountID>?
    ) -> FactSet {
        let clusters = Set(lineages.compactMap { keys.clusters[$0] })
        let folded = accounts.map { Set($0.map(\.folded)) }
        return facts { link in
            guard let claimant = link.claimant, isAbout(clusters, link) else { return false }
            return folded?.contains(claimant.folded) ?? true
        }
    }

    func facts(
        naming account: AccountID, of kinds: [EntryKind], after sequence: LedgerSequence
    ) -> FactSet {
        var facts = FactSet()
        for entry in contents.entries where entry.sequence > sequence {
            let named: [AccountID]
            switch entry.value {
            case .block(let block): named = kinds.contains(.block) ? [block.account] : []
            case .blockRemoval(let removal):
                named = kinds.contains(.blockRemoval) ? [removal.account] : []
            case .grantRevocation(let revocation):
                named = kinds.contains(.grantRevocation) ? [revocation.account] : []
            case .accountMerge(let merge):
                named = kinds.contains(.accountMerge) ? [merge.from, merge.into] : []
            default: named = []
            }
            if named.map(\.folded).contains(account.folded) { facts.insert(entry) }
        }
        return facts
    }

    func entries(
        naming account: AccountID, of kinds: [EntryKind], before sequence: LedgerSequence,
        limit: Int
    ) -> [LedgerSequence] {
        let places = keys.links.filter { link in
            link.sequence < sequence && !link.isDenial
                && link.accounts.contains { $0.folded == account.folded }
        }.map(\.sequence)
        let meant = Set(places).filter { place in
            contents[place].map { kinds.contains($0.value.registered.kind) } ?? false
        }
        return Array(meant.sorted(by: >).prefix(limit))
    }

    /// The entries of those links, in the ledger's order, and what was registered for the tokens
    /// in them (spec 1.6).
    private func facts(where isWanted: (MemoryKeys.Link) -> Bool) -> FactSet {
        var places = Set(keys.links.filter(isWanted).map(\.sequence))
        var tokens: Set<AppAccountToken> = []
        for place in places {
            switch contents[place]?.value {
            case .transaction(let fact): fact.snapshot.appAccountToken.map { _ = tokens.insert($0) }
            case .renewal(let fact): fact.snapshot.appAccountToken.map { _ = tokens.insert($0) }
            default: break
            }
        }
        for token in tokens { places.formUnion(accountTokens(token).map(\.sequence)) }
        var facts = FactSet()
        for place in places.sorted() {
            if let entry = contents[place] { facts.insert(entry) }
        }
        return facts
    }
}
