internal import EntitlementModel
internal import LedgerModel

/// Everything that a ledger answers about some names, as text: two stores with the same entries
/// answer the same. Every question of `LedgerReading` is asked here.
struct LedgerAnswers: Equatable {
    private(set) var lines: [String] = []
    private(set) var entries: [Recorded<LedgerEntry>?] = []

    init(_ view: any LedgerReading, about entries: [LedgerEntry]) throws {
        let names = LedgerNames(entries)
        // Salts are random, and so are hashes.
        let head = try view.head()
        add("head", (head.sequence, head.recordedAt))
        let all = try view.entries(after: .zero, limit: 10_000)
        self.entries = try all + view.entries(after: LedgerSequence(2), limit: 3)
        for entry in [0, 1, all.count, all.count + 1] {
            self.entries.append(try view.entry(LedgerSequence(Int64(entry))))
        }
        for entry in [0, 1, all.count, all.count + 1] {
            let place = LedgerSequence(Int64(entry))
            try add("head \(entry)", view.head(at: place)?.recordedAt as Any)
            try add("activations \(entry)", view.countOfActivations(through: place))
        }
        try add("activations", view.policyActivations())
        try add("erased activations", view.erasedPolicyActivations())
        try addLists(view)
        try addProducts(of: entries, view)
        for account in names.accounts { try add(account, view) }
        try add("order", view.inLedgerOrder(names.accounts.reversed()))
        for lineage in names.lineages { try add(lineage, view) }
        try add("touched", view.accountsTouched(byLineages: names.lineages))
        for transaction in names.transactions { try add(transaction, view) }
        try add("facts", view.facts(forTransactions: names.transactions).places)
        for token in names.tokens {
            try add("\(token.text) of", view.lineages(withToken: token))
            try add("\(token.text) for", view.accountTokens(token))
        }
        for key in names.appTransactions {
            try add("\(key)", view.lineages(withAppTransaction: key.id, in: key.environment))
        }
        for order in names.orders { try add(order, view) }
        try addOrders(view)
        try addTickets(about: entries, view)
        try addRefunds(about: entries, view)
        try addSchedules(view)
        for entry in entries { try addPlace(of: entry, view) }
        for key in (0..<20).map({ "k-\($0)" }) {
            try add(key, view.sequence(ofCreditKey: key, by: "uid:7") as Any)
        }
        for hold in 1...9 {
            try add("end \(hold)", view.end(ofHold: LedgerSequence(Int64(hold))) as Any)
        }
    }

    private mutating func addProducts(
        of entries: [LedgerEntry], _ view: any LedgerReading
    ) throws {
        let products = Set(
            entries.compactMap { entry -> ProductID? in
                guard case .transaction(let fact) = entry else { return nil }
                return fact.snapshot.productID
            })
        let head = try view.head().sequence
        for product in products.sorted() {
            for kind in ProductKind.allCases {
                try add(
                    "\(product.text) as \(kind)",
                    view.lineages(after: .zero, through: head) {
                        $0 == product && $1.map { $0 == .known(kind) } != false
                    })
            }
        }
        let middle = LedgerSequence(head.number / 2)
        try add("first half", view.lineages(after: .zero, through: middle) { _, _ in true })
        try add("second half", view.lineages(after: middle, through: head) { _, _ in true })
    }

    private mutating func addRefunds(
        about entries: [LedgerEntry], _ view: any LedgerReading
    ) throws {
        var last = LedgerSequence.zero
        while let next = try view.refundNotifications(after: last, limit: 2).last {
            try add("refunds", view.refundNotifications(after: last, limit: 2))
            last = next
        }
        for begun in [false, true] {
            try add("refund", view.refundAnswer(to: LedgerSequence(404), begun: begun) as Any)
            for case .refundAnswer(let answer) in entries {
                try add("refund", view.refundAnswer(to: answer.request, begun: begun) as Any)
            }
        }
    }

    private mutating func addSchedules(_ view: any LedgerReading) throws {
        var last = LedgerSequence.zero
        while let next = try view.scheduleEntries(after: last, limit: 2).last {
            try add("schedules", view.scheduleEntries(after: last, limit: 2))
            last = next
        }
    }

    private mutating func addTickets(
        about entries: [LedgerEntry], _ view: any LedgerReading
    ) throws {
        for onlyWaiting in [true, false] {
            var last = LedgerSequence.zero
            while true {
                let page = try view.tickets(onlyWaiting: onlyWaiting, after: last, limit: 2)
                add("tickets \(onlyWaiting)", page)
                guard let next = page.last else { break }
                for ticket in page { try add("ticket", view.ticket(ticket) as Any) }
                last = next
            }
        }
        try add("no ticket", view.ticket(LedgerSequence(1)) as Any)
        for case .evidenceTicket(let ticket) in entries {
            try add("like", view.waitingTicket(like: ticket) as Any)
        }
        try add("like none", view.waitingTicket(like: EvidenceTicket(.refresh)) as Any)
    }

    private mutating func add(_ order: Order, _ view: any LedgerReading) throws {
        try add("\(order.id)", view.order(order.id).map { ($0.order, $0.events) } as Any)
        for awaited in OrderAwaited.allCases {
            var last = LedgerSequence(.max)
            while true {
                let page = try view.orders(
                    of: order.account, awaiting: awaited, for: order.product, before: last,
                    limit: 1)
                guard let next = page.last?.last else { break }
                add("\(order.account) \(awaited)", page)
                last = next
            }
        }
        guard let key = order.key else { return }
        try add("\(key)", view.sequence(ofOrderKey: key, by: order.actor) as Any)
    }

    private mutating func addOrders(_ view: any LedgerReading) throws {
        try add("orders", view.hasOrders())
        try add("orders", view.orderCounts().sorted { $0.key.rawValue < $1.key.rawValue })
        var last = LedgerSequence.zero
        while let next = try view.differingOrders(after: last, limit: 1).last?.made {
            try add("differing", view.differingOrders(after: last, limit: 1))
            last = next
        }
        let head = try view.head()
        let groups = try view.lostGroups()
        add("lost", groups)
        for group in groups + [LostGroup(.neverPaid, policy: try Sample.digest(99))] {
            var last = LedgerSequence.zero
            while let next = try view.lost(in: group, after: last, limit: 2).last?.since {
                try add("lost", view.lost(in: group, after: last, limit: 2))
                try add("lost", view.lostCount(in: group, upTo: next))
                last = next
            }
            try add("lost", view.lostCount(in: group, upTo: head.sequence))
        }
        for milliseconds in [Int64.min, 0, 1, 1_000_000, head.recordedAt.milliseconds, .max] {
            try add(
                "recorded",
                view.lastEntry(recordedBy: Instant(milliseconds: milliseconds)))
        }
    }

    private mutating func add(_ question: String, _ answer: some Any) {
        lines.append("\(question): \(answer)")
    }

    /// Page by page.
    private mutating func addLists(_ view: any LedgerReading) throws {
        for isFolded in [false, true] {
            var last: AccountID?
            while let next = try view.accounts(after: last, limit: 2, folded: isFolded).last {
                try add("accounts", view.accounts(after: last, limit: 2, folded: isFolded))
                last = next
            }
        }
        var cluster: Int64 = 0
        while let next = try view.clusters(after: cluster, limit: 2).last {
            try add("clusters", view.clusters(after: cluster, limit: 2).map(\.lineage))
            cluster = next.number
        }
        var quarantine = LedgerSequence.zero
        while let next = try view.quarantines(after: quarantine, limit: 2).last {
            try add("quarantines", view.quarantines(after: quarantine, limit: 2))
            quarantine = next
        }
    }

    private mutating func add(_ account: AccountID, _ view: any LedgerReading) throws {
        try add("\(account) known", view.knows(account))
        try add("\(account) facts", view.facts(forAccount: account).places)
        try add("\(account) merges", view.mergesAndBlocks(of: account).places)
        try add(
            "\(account) blocks",
            view.facts(
                naming: account, of: [.block, .blockRemoval, .grantRevocation], after: .zero
            ).places)
        for sequence in [LedgerSequence(.max), LedgerSequence(50)] {
            try add(
                "\(account) entries",
                view.entries(
                    naming: account, of: [.order, .orderEvent, .block, .claim], before: sequence,
                    limit: 3))
            try add(
                "\(account) orders", view.orders(of: account, before: sequence, limit: 3))
        }
        for awaited in OrderAwaited.allCases {
            try add(
                "\(account) \(awaited)",
                view.orders(
                    of: account, awaiting: awaited, for: nil, before: LedgerSequence(.max),
                    limit: 3))
        }
    }

    private mutating func add(_ lineage: LineageKey, _ view: any LedgerReading) throws {
        try add("\(lineage) facts", view.facts(forLineage: lineage).places)
        try add("\(lineage) denials", view.denials(ofLineages: [lineage], to: nil).places)
        try add("\(lineage) kin", view.lineages(relatedTo: lineage))
        try add("\(lineage) touches", view.accountsTouched(byLineages: [lineage]))
    }

    private mutating func add(_ transaction: TransactionKey, _ view: any LedgerReading) throws {
        try add("\(transaction) lineage", view.lineage(of: transaction))
        try add("\(transaction) orders", view.orders(naming: [transaction]))
        try add("\(transaction) evidence", view.evidence(of: transaction))
        try add("\(transaction) first", view.firstEntry(of: transaction))
        try add("\(transaction) facts", view.facts(forTransactions: [transaction]).places)
        try add(
            "\(transaction) without denials",
            view.facts(forTransactions: [transaction], withDenials: false).places)
    }

    /// Where the entry is known to be, by its natural key.
    private mutating func addPlace(of entry: LedgerEntry, _ view: any LedgerReading) throws {
        let place: LedgerSequence? =
            switch entry {
            case .transaction(let fact): try view.sequence(of: fact.snapshot)
            case .renewal(let fact): try view.sequence(of: fact.snapshot)
            case .appTransaction(let fact):
                try view.sequence(of: fact.snapshot, presentedBy: fact.account)
            case .notification(let fact): try view.sequence(ofNotification: fact.uuid)
            case .grant(let grant): try view.sequence(of: grant.id)
            case .block(let block): try view.sequence(of: block.id)
            case .evidence(let record): try view.sequence(ofEvidence: record.digest)
            default: nil
            }
        add("place", place.map { "\($0)" } ?? "none")
    }
}

/// What entries name, and some names that nobody ever named.
private struct LedgerNames {
    var accounts: [AccountID] = [AccountID(unchecked: "nobody")]
    var lineages: [LineageKey] = [Sample.lineage("404")]
    var transactions: [TransactionKey] = [Sample.key("404")]
    var tokens: [AppAccountToken] = []
    var appTransactions: [AppTransactionKey] = []
    var orders: [Order] = []

    init(_ entries: [LedgerEntry]) {
        var names = (
            Set(accounts), Set(lineages), Set(transactions), Set(tokens), Set(appTransactions)
        )
        for entry in entries {
            var index = NameCollector()
            for key in entry.keys(at: .zero) { index.insert(key) }
            names.0.formUnion(index.accounts)
            names.0.formUnion(index.accounts.map(\.folded))
            names.1.formUnion(index.lineages)
            names.2.formUnion(index.transactions)
            names.3.formUnion(index.tokens)
            names.4.formUnion(index.appTransactions)
            orders += index.orders
        }
        (accounts, lineages) = (names.0.sorted(), names.1.sorted())
        transactions = names.2.sorted { "\($0)" < "\($1)" }
        tokens = names.3.sorted()
        appTransactions = names.4.sorted { "\($0)" < "\($1)" }
    }
}

/// Takes the names that an entry is found by, and nothing else.
private struct NameCollector {
    var accounts: [AccountID] = []
    var lineages: [LineageKey] = []
    var transactions: [TransactionKey] = []
    var tokens: [AppAccountToken] = []
    var appTransactions: [AppTransactionKey] = []
    var orders: [Order] = []

    mutating func insert(_ key: EntryKey) {
        switch key {
        case .transaction(let snapshot):
            transactions.append(snapshot.key)
            lineages.append(snapshot.lineage)
            if let token = snapshot.appAccountToken { tokens.append(token) }
            if let key = snapshot.appTransactionKey { appTransactions.append(key) }
        case .renewal(let snapshot):
            lineages.append(snapshot.lineage)
            if let key = snapshot.appTransactionKey { appTransactions.append(key) }
        case .token(let token): tokens.append(token)
        case .unit(let unit, let accounts): insert(unit, accounts)
        case .claim(let claim): insert(.purchase(claim.transaction), [claim.account])
        case .decision(let decision): insert(decision.unit, decision.owners)
        case .order(let order): orders.append(order)
        case .orderEvent(let event):
            if let transaction = event.transaction { transactions.append(transaction) }
        case .account(let account): accounts.append(account)
        case .quarantine, .noteOfOrder, .ticket, .ticketClosing, .restatement, .unique, .first:
            break
        }
    }

    private mutating func insert(_ unit: OwnedUnit, _ accounts: [AccountID]) {
        self.accounts += accounts
        switch unit {
        case .lineage(let key): lineages.append(key)
        case .purchase(let key): transactions.append(key)
        }
    }
}

extension FactSet {
    /// Where the facts of each list are.
    var places: [[Int64]] {
        var lists = FactPlaces(facts: self)
        FactSet.visitLists(&lists)
        return lists.places + [erased.map(\.number)]
    }
}

private struct FactPlaces: FactListVisitor {
    let facts: FactSet
    var places: [[Int64]] = []

    mutating func visit<Value: FactValue>(_ list: WritableKeyPath<FactSet, [Recorded<Value>]>) {
        places.append(facts[keyPath: list].map(\.sequence.number))
    }
}
