internal import EntitlementModel
internal import GRDB
internal import LedgerModel

/// Carries out an erasure that is recorded: on the node that recorded it, and on each copy.
///
/// Everything follows from the entries: whose names go is in those that it takes.
extension LedgerTransaction {
    func apply(_ erasure: Erasure, at sequence: LedgerSequence) throws {
        let restated = try restated(by: erasure, at: sequence)
        let content = try foreseen.removeValue(forKey: sequence) ?? take(erasure, restated)
        try erase(content, fromFeedIn: connection)
    }

    /// The same in a copy that does not have the erasure itself yet, nor what is restated: all but
    /// what the feed has told, which is for `apply`, in the same transaction.
    func foresee(_ erasure: Erasure, at sequence: LedgerSequence, in coming: ErasuresAhead) throws {
        foreseen[sequence] = try take(erasure, coming.restated(by: erasure, at: sequence))
    }

    /// All but what the feed has told.
    ///
    /// - Parameter restated: what is left of its entries, by the places for which it stands.
    private func take(
        _ erasure: Erasure, _ restated: [Int64: LedgerEntry]
    ) throws -> ErasedContent {
        let content = try ErasedContent(erasure, restated, in: self)
        let index = EntryIndex(names)
        for (place, entry) in content.whole.reversed() {
            try index.remove(entry.keys(at: LedgerSequence(place)), at: LedgerSequence(place))
        }
        let numbers = try content.accounts.compactMap(names.known)
        try index.removeLineages(of: content.whole.map(\.entry))
        for (place, keys) in content.dropped {
            try index.remove(keys, at: LedgerSequence(place))
        }
        try index.rename(content.names)
        try index.removeAccounts(numbers)
        for place in erasure.entries.numbers {
            try connection.run(
                "UPDATE entry SET payload = NULL, salt = NULL WHERE seq = ?", place)
            try connection.run("UPDATE evidence SET bytes = NULL WHERE seq = ?", place)
        }
        for (restated, place) in content.earlier {
            try connection.run(
                "DELETE FROM restated WHERE seq = ? AND place = ?", restated.sequence.number, place)
            try index.remove(restated.keys(at: LedgerSequence(place)), at: LedgerSequence(place))
        }
        for place in erasure.evidence.numbers {
            try connection.run("UPDATE evidence SET bytes = NULL WHERE seq = ?", place)
        }
        noteErasure()
        for order in content.keptOrders.sorted() { try relink(order, index) }
        return content
    }

    private func restated(
        by erasure: Erasure, at sequence: LedgerSequence
    ) throws -> [Int64: LedgerEntry] {
        var found: [Int64: LedgerEntry] = [:]
        for place in erasure.placesOfRestated(at: sequence) {
            guard case .restated(let entry)? = try storedEntry(LedgerSequence(place))?.value
            else { continue }
            found[entry.sequence.number] = entry.entry
        }
        return found
    }
    /// An order that stays may name a transaction of which nothing else does.
    private func relink(_ order: OrderID, _ index: EntryIndex) throws {
        var places: [Int64] = []
        try connection.forEachRow(
            """
            SELECT seq FROM customer_order
            CROSS JOIN entry_of_order ON customer_order = id WHERE name = ?
            """, order.text
        ) { places.append(try $0.integer(0)) }
        for place in places {
            guard case .orderEvent(let event)? = try entry(LedgerSequence(place))?.value,
                let transaction = event.transaction
            else { continue }
            try index.link(transaction, toOrder: order)
        }
    }
}

/// What an erasure takes, before it is gone.
struct ErasedContent {
    fileprivate(set) var whole: [(place: Int64, entry: LedgerEntry)] = []
    /// The accounts that it takes, by every spelling.
    fileprivate(set) var accounts: Set<AccountID> = []
    /// Those in entries that it takes: the feed takes each for an account of that name.
    fileprivate(set) var tokens: Set<AppAccountToken> = []
    /// The pseudonyms of those that others have to do with.
    fileprivate(set) var names = PayloadNames()
    /// The others in the entries that are restated.
    fileprivate(set) var others: Set<AccountID> = []
    fileprivate(set) var orders: Set<OrderID> = []
    /// Those of which something is restated.
    fileprivate(set) var keptOrders: Set<OrderID> = []
    /// By what callers found entries that are restated.
    fileprivate(set) var dropped: [(place: Int64, keys: [EntryKey])] = []
    /// Entries that had been restated before, and where.
    fileprivate(set) var earlier: [(restated: RestatedEntry, place: Int64)] = []

    /// - Throws: `FleetError.otherLedger` for a copy that lacks how an entry was restated, which somebody
    ///   else's erasure has taken since.
    fileprivate init(
        _ erasure: Erasure, _ restated: [Int64: LedgerEntry], in ledger: LedgerTransaction
    ) throws {
        let places = Set(erasure.restated.numbers)
        let isThere = { (place: Int64) in
            try ledger.connection.integer(
                "SELECT payload IS NOT NULL FROM entry WHERE seq = ?", place) == 1
        }
        for place in erasure.entries.numbers where try isThere(place) {
            guard let stored = try ledger.storedEntry(LedgerSequence(place)) else { continue }
            var (origin, entry) = (place, stored.value)
            if case .restated(let earlier) = entry {
                (origin, entry) = (earlier.sequence.number, earlier.entry)
                self.earlier.append((earlier, place))
            }
            note(entry)
            if let new = restated[origin] {
                add(entry, as: new)
                let keys = entry.callersKeys(missingIn: new, at: LedgerSequence(origin))
                if !keys.isEmpty { dropped.append((origin, keys)) }
            } else if places.contains(origin) {
                throw LedgerStoreError.fleet(.otherLedger(LedgerSequence(origin)))
            } else {
                whole.append((origin, entry))
                accounts.formUnion(entry.names.foundAccounts)
                tokens.formUnion(entry.names.foundTokens)
            }
        }
        whole.sort { $0.place < $1.place }
        accounts.formUnion(names.accounts.keys)
        tokens.formUnion(names.tokens.keys)
        others.subtract(accounts)
    }

    private mutating func note(_ entry: LedgerEntry) {
        switch entry {
        case .order(let order): orders.insert(order.id)
        default: break
        }
    }

    /// The names that only one of the two has are each other's, in their order.
    private mutating func add(_ old: LedgerEntry, as new: LedgerEntry) {
        let (before, after) = (old.names, new.names)
        for (name, pseudonym) in zip(
            before.foundAccounts.subtracting(after.foundAccounts).sorted(),
            after.foundAccounts.subtracting(before.foundAccounts).sorted())
        {
            names.accounts[name] = pseudonym
        }
        for (token, other) in zip(
            before.foundTokens.subtracting(after.foundTokens).sorted(),
            after.foundTokens.subtracting(before.foundTokens).sorted())
        {
            names.tokens[token] = other
        }
        others.formUnion(before.foundAccounts)
        switch old {
        case .order(let order): keptOrders.insert(order.id)
        case .orderEvent(let event): keptOrders.insert(event.order)
        default: break
        }
    }
}

/// The change feed: what was told of the accounts keeps its numbers, and says nothing.
extension LedgerTransaction {
    private func erase(_ content: ErasedContent, fromFeedIn connection: Connection) throws {
        let nothing = FeedChange(
            kind: .erased, at: .distantPast, revision: .zero, subject: ""
        ).payload
        let tokens = content.tokens.map { AccountID(unchecked: $0.text) }
        for name in content.accounts.union(content.accounts.map(\.folded)).union(tokens).sorted() {
            guard try names.known(name) == nil, let number = try subject(name.text) else {
                continue
            }
            try connection.forEachRow(
                """
                UPDATE change SET account = NULL, environment = NULL, kind = ?, subject = '',
                    payload = ? WHERE account = ? RETURNING number
                """, FeedChange.Kind.erased.number, nothing.blob, number
            ) { note(erasedChange: try $0.integer(0)) }
            try remove(outlookOf: name.text)
        }
        for subject in content.whole.map({ FeedSubject.entry(LedgerSequence($0.place)) }) {
            try remove(outlookOf: subject.name)
        }
        // One that stays may have become somebody else's.
        for id in content.orders.union(content.keptOrders) {
            guard let owner = try order(id)?.account, try !isPseudonym(owner) else {
                try remove(outlookOf: FeedSubject.order(id).name)
                continue
            }
        }
        for other in content.others.union(content.others.map(\.folded)).sorted() {
            guard let number = try subject(other.text) else { continue }
            try rename(content.names, inOwnersToldTo: number)
        }
    }

    private func remove(outlookOf name: String) throws {
        note(outlookOf: name)
        try connection.run("DELETE FROM feed_subject WHERE name = ?", name)
    }

    private func subject(_ name: String) throws -> Int64? {
        try connection.integer("SELECT id FROM feed_subject WHERE name = ?", name)
    }

    private func rename(_ names: PayloadNames, inOwnersToldTo account: Int64) throws {
        var folded = names.accounts
        for (name, pseudonym) in names.accounts { folded[name.folded] = pseudonym.folded }
        var told: [(number: Int64, change: FeedChange)] = []
        let kind = FeedChange.Kind.ownerChanged
        try connection.forEachRow(
            "SELECT number, payload FROM change WHERE account = ? AND kind = ?", account,
            kind.number
        ) { row in
            var change = FeedChange(kind: kind, at: .distantPast, revision: .zero, subject: "")
            do {
                try change.read(payload: try row.bytes(1) ?? [])
            } catch {
                throw LedgerStoreError.corrupt
            }
            told.append((try row.integer(0), change))
        }
        for (number, change) in told {
            var renamed = change
            renamed.before = change.before?.renamed(folded)
            renamed.after = change.after?.renamed(folded)
            guard renamed != change else { continue }
            try connection.run(
                "UPDATE change SET payload = ? WHERE number = ?", renamed.payload.blob, number)
            note(erasedChange: number)
        }
    }
}

extension FeedValue {
    fileprivate func renamed(_ names: [AccountID: AccountID]) -> FeedValue {
        guard case .owners(let owners) = self else { return self }
        return .owners(owners.map { names[$0] ?? $0 }.sorted())
    }
}
