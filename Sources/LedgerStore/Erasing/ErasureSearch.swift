internal import EntitlementModel
internal import LedgerModel

/// Finds what an erasure takes of a ledger (docs/LEDGER.md, Erasure).
///
/// A cluster of lineages goes as a whole if nobody else has to do with any of it. Otherwise all of it
/// stays, under a pseudonym: then everybody else is answered as before.
struct ErasureSearch {
    let ledger: LedgerTransaction
    /// Every spelling of the accounts.
    let names: Set<AccountID>
    /// Entries of which nothing is left.
    private(set) var whole: [Int64: LedgerEntry] = [:]
    /// Entries that are restated, as they are now.
    private(set) var shared: [Int64: LedgerEntry] = [:]
    /// Evidence whose bytes go, and whose entry stays.
    private(set) var blanked: Set<Int64> = []
    /// The tokens that stand for the accounts in what is restated.
    private(set) var sharedTokens: Set<AppAccountToken> = []
    private let numbers: Set<Int64>
    private let taken: [Int64]
    private var tokens: Set<AppAccountToken> = []
    private var own: [Int64: LedgerEntry] = [:]
    private var sharedClusters: Set<Int64> = []
    /// The evidence of what stays.
    private var kept: Set<Int64> = []
    private var connection: Connection { ledger.connection }

    /// - Parameters:
    ///   - accounts: those that are one person's, by the names that are asked about.
    ///   - taken: entries of whose lineages another copy of the ledger knows that they are the
    ///     person's.
    init(_ ledger: LedgerTransaction, accounts: [AccountID], taken: [Int64] = []) throws {
        self.ledger = ledger
        self.taken = taken
        numbers = Set(try accounts.flatMap(ledger.names.spellings))
        names = Set(accounts).union(try ledger.accounts(numbered: numbers.sorted()))
        try findOwn()
        try findClusters()
        try findOrders()
        try findRest()
        try keepMoved()
        try findWhatFollows()
    }

    private mutating func findOwn() throws {
        for number in numbers {
            var places: [Int64] = []
            try connection.forEachRow(
                "SELECT seq FROM entry_of_account WHERE account = ?", number
            ) { places.append(try $0.integer(0)) }
            for place in places { own[place] = try entry(place) }
        }
        for case .accountToken(let registration) in own.values {
            // One that a merge has made another's is theirs.
            let registered = try ledger.accountTokens(registration.token)
            if registered.allSatisfy({ names.contains($0.value.account) }) {
                tokens.insert(registration.token)
            }
        }
        tokens.formUnion(names.compactMap { AppAccountToken($0.text) })
    }

    private func entry(_ place: Int64) throws -> LedgerEntry? {
        try ledger.entry(LedgerSequence(place))?.value
    }

    private mutating func findClusters() throws {
        var clusters = try ledger.clusters(ofTokens: tokens.sorted())
        for number in numbers {
            try connection.forEachRow(
                """
                SELECT cluster FROM interest CROSS JOIN lineage ON lineage.id = interest.lineage
                WHERE account = ?
                """, number
            ) { clusters.insert(try $0.integer(0)) }
        }
        for case .transaction(let fact)? in try taken.map(entry) {
            let lineage = try ledger.names.known(fact.snapshot.lineage)
            clusters.formUnion(try ledger.clusters(of: lineage.map { [$0] } ?? []))
        }
        for cluster in clusters.sorted() {
            var entries: [Int64: LedgerEntry] = [:]
            for place in try ledger.places(ofClusters: [cluster], deniedTo: nil) {
                entries[place] = try entry(place)
            }
            if try concernsOthers(entries) {
                sharedClusters.insert(cluster)
                for (place, entry) in entries { try keep(entry, at: place) }
            } else {
                whole.merge(entries) { one, _ in one }
            }
        }
    }

    private func concernsOthers(_ entries: [Int64: LedgerEntry]) throws -> Bool {
        for entry in entries.values {
            let found = entry.names
            if try namesOthers(entry) { return true }
            for token in found.foundTokens where !tokens.contains(token) {
                if try isOfAnother(token) { return true }
            }
            guard case .transaction(let fact) = entry,
                let known = try ledger.names.known(fact.snapshot.key)
            else { continue }
            if try isPaymentOfOthers(known.id) { return true }
        }
        return false
    }

    private func isOfAnother(_ token: AppAccountToken) throws -> Bool {
        if try !ledger.accountTokens(token).isEmpty { return true }
        return try !ledger.names.spellings(of: AccountID(unchecked: token.text)).isEmpty
    }

    /// Whether the transaction was named for an order that concerns others.
    private func isPaymentOfOthers(_ transaction: Int64) throws -> Bool {
        var orders: [Int64] = []
        try connection.forEachRow(
            "SELECT customer_order FROM order_of_transaction WHERE store_transaction = ?",
            transaction
        ) { orders.append(try $0.integer(0)) }
        return try orders.contains { order in
            // That of somebody who was erased before stays where it is.
            try entries(ofOrder: order).values.contains {
                !$0.names.foundAccounts.isSubset(of: names)
            }
        }
    }

    /// Whether it names somebody who was not erased.
    private func namesOthers(_ entry: LedgerEntry) throws -> Bool {
        try entry.names.foundAccounts.subtracting(names).contains { try !ledger.isPseudonym($0) }
    }

    private func entries(ofOrder number: Int64) throws -> [Int64: LedgerEntry] {
        var places = [number]
        try connection.forEachRow(
            "SELECT seq FROM entry_of_order WHERE customer_order = ?", number
        ) { places.append(try $0.integer(0)) }
        var entries: [Int64: LedgerEntry] = [:]
        for place in places { entries[place] = try entry(place) }
        return entries
    }

    /// It stays, without the names.
    private mutating func keep(_ entry: LedgerEntry, at place: Int64) throws {
        if let evidence = entry.signedEvidence { kept.insert(evidence.number) }
        let found = entry.names
        let named = found.foundTokens.intersection(tokens)
        sharedTokens.formUnion(named)
        guard !named.isEmpty || !found.foundAccounts.isDisjoint(with: names) || entry.isRuling
        else {
            return
        }
        shared[place] = try withPredecessor(entry, at: place)
        // Apple has signed the token in it.
        if !named.isEmpty, let evidence = entry.signedEvidence { blanked.insert(evidence.number) }
    }

    /// With what an earlier program has left in the evidence alone.
    private func withPredecessor(_ entry: LedgerEntry, at place: Int64) throws -> LedgerEntry {
        guard case .transaction(var fact) = entry else { return entry }
        let found = try connection.first(
            "SELECT predecessor FROM reread_predecessor WHERE seq = ?", place
        ) { row -> TransactionID in try row.identifier(0) }
        guard let found else { return entry }
        fact.snapshot.previousOriginalTransactionID = found
        return .transaction(fact)
    }

    /// An order goes as a whole, or stays.
    private mutating func findOrders() throws {
        var orders: Set<OrderID> = []
        for entry in own.values {
            switch entry {
            case .order(let order): orders.insert(order.id)
            case .orderEvent(let event): orders.insert(event.order)
            default: break
            }
        }
        for id in orders.sorted() {
            let number = try connection.integer(
                "SELECT id FROM customer_order WHERE name = ?", id.text)
            guard let number else { continue }
            let entries = try entries(ofOrder: number)
            if try entries.values.contains(where: namesOthers) || isPaidInShared(entries) {
                for (place, entry) in entries { try keep(entry, at: place) }
            } else {
                whole.merge(entries) { one, _ in one }
            }
        }
    }

    private func isPaidInShared(_ entries: [Int64: LedgerEntry]) throws -> Bool {
        for case .orderEvent(let event) in entries.values {
            guard let transaction = event.transaction,
                let lineage = try ledger.names.known(transaction)?.lineage
            else { continue }
            if try !ledger.clusters(of: [lineage]).isDisjoint(with: sharedClusters) { return true }
        }
        return false
    }

    /// The account's other entries.
    private mutating func findRest() throws {
        let replaced = Set(
            shared.values.compactMap { entry in
                if case .grantRevocation(let revocation) = entry { revocation.grant } else { nil }
            })
        // A merge with somebody else has moved some of these.
        let isMerged = try own.values.contains { entry in
            guard case .accountMerge = entry else { return false }
            return try namesOthers(entry)
        }
        for (place, entry) in own where whole[place] == nil && shared[place] == nil {
            let isNeeded =
                switch entry {
                case .accountToken(let registration):
                    sharedTokens.contains(registration.token)
                        || !tokens.contains(registration.token)
                case .accountMerge: !sharedClusters.isEmpty
                case .grant(let grant): isMerged || replaced.contains(grant.id)
                case .grantRevocation, .creditHold, .holdEnd: isMerged
                default: false
                }
            if try isNeeded || namesOthers(entry) {
                try keep(entry, at: place)
            } else {
                whole[place] = entry
            }
        }
    }

    /// What a merge has moved has its reason, by which it is known.
    private mutating func keepMoved() throws {
        for (place, entry) in own {
            guard case .accountMerge = entry, shared[place] != nil,
                let merge = try ledger.entry(LedgerSequence(place))
            else { continue }
            for next in try ledger.entries(after: merge.sequence, limit: Self.mostMoved) {
                guard next.recordedAt == merge.recordedAt else { break }
                switch next.value {
                case .grant, .grantRevocation, .accountToken, .creditHold, .holdEnd:
                    if whole[next.sequence.number] == nil {
                        shared[next.sequence.number] = next.value
                    }
                default: break
                }
            }
        }
    }

    /// More is not looked at: what a merge moves follows it at once.
    private static let mostMoved = 4_096

    /// What says something of the entries that go: the ends of tickets, answers to refund requests,
    /// evidence and what else was read of it.
    private mutating func findWhatFollows() throws {
        var evidence: Set<Int64> = []
        for (place, entry) in whole {
            if let named = entry.signedEvidence { evidence.insert(named.number) }
            guard case .evidenceTicket(let ticket) = entry else { continue }
            if let named = ticket.evidence { evidence.insert(named.number) }
            try take(.ticketClosed, TicketClosing.name(ofTicket: LedgerSequence(place)))
        }
        for place in evidence.sorted() where place > 0 { try takeEvidence(place) }
        for (place, entry) in whole {
            guard case .notification = entry else { continue }
            for begun in [false, true] {
                let request = LedgerSequence(place)
                try take(
                    .refundAnswer, RefundAnswer.name(ofRequest: request, begun: begun))
            }
        }
        for place in shared.keys { whole[place] = nil }
    }

    private mutating func take(_ kind: EntryKind, _ name: [UInt8]) throws {
        let place = try connection.integer(
            "SELECT seq FROM unique_name WHERE kind = ? AND name = ?", kind.rawValue, name.blob)
        guard let place else { return }
        whole[place] = try entry(place)
    }

    private mutating func takeEvidence(_ place: Int64) throws {
        guard let evidence = try ledger.entry(LedgerSequence(place)) else { return }
        var isKept = kept.contains(place)
        // What was read of it was recorded with it.
        var last = place
        reading: while true {
            let next = try ledger.entries(after: LedgerSequence(last), limit: 64)
            for entry in next {
                guard entry.recordedAt == evidence.recordedAt else { break reading }
                if entry.value.signedEvidence == evidence.sequence,
                    whole[entry.sequence.number] == nil
                {
                    isKept = try !takeReading(entry) || isKept
                }
            }
            guard let end = next.last else { break }
            last = end.sequence.number
        }
        if isKept {
            blanked.insert(place)
        } else {
            whole[place] = evidence.value
        }
    }

    /// - Returns: false for what concerns somebody else.
    private mutating func takeReading(_ entry: Recorded<LedgerEntry>) throws -> Bool {
        switch entry.value {
        case .notification: break
        case .quarantine, .appTransaction:
            guard try !namesOthers(entry.value) else { return false }
        default: return false
        }
        whole[entry.sequence.number] = entry.value
        return true
    }
}

extension LedgerEntry {
    /// Whether its reason may say something of any of those concerned.
    fileprivate var isRuling: Bool {
        if case .ruling = self { true } else { false }
    }
}
