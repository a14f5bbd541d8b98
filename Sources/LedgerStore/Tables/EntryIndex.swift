internal import EntitlementModel
internal import GRDB
internal import LedgerModel

/// Keeps the index tables in step with the entries: the only place that writes them.
///
/// Deterministic: the same entries in the same order give the same tables, row for row.
struct EntryIndex {
    let names: NameTables
    private var connection: Connection { names.connection }

    init(_ names: NameTables) {
        self.names = names
    }

    /// Takes an entry that was written before, perhaps by a program that knew fewer members.
    ///
    /// - Parameter evidence: where the bytes are that the entry was read from.
    func insert(
        _ entry: LedgerEntry, at sequence: LedgerSequence, rereading evidence: RereadEvidence
    ) throws {
        var entry = entry
        if case .transaction(var fact) = entry,
            let predecessor = try evidence.predecessor(of: fact, at: sequence)
        {
            fact.snapshot.previousOriginalTransactionID = predecessor
            entry = .transaction(fact)
            try connection.run(
                "INSERT INTO reread_predecessor VALUES (?, ?)", sequence.number, predecessor.text)
        }
        try insert(entry.keys(at: sequence), at: sequence)
    }

    /// Takes the keys of an entry that is recorded there.
    func insert(_ keys: [EntryKey], at sequence: LedgerSequence) throws {
        for key in keys { try insert(key, at: sequence) }
    }

    private func insert(_ key: EntryKey, at sequence: LedgerSequence) throws {
        switch key {
        case .transaction(let snapshot): try insert(snapshot, at: sequence)
        case .renewal(let snapshot): try insert(snapshot, at: sequence)
        case .token(let token):
            try connection.run(
                "INSERT INTO token_registration VALUES (?, ?)", token.text, sequence.number)
        case .quarantine: try connection.run("INSERT INTO quarantine VALUES (?)", sequence.number)
        case .unit(let unit, let accounts): try place(sequence, unit, for: accounts)
        case .claim(let claim): try place(sequence, claim)
        case .decision(let decision):
            try place(sequence, decision)
            try insertSuccession(decision)
            try insertOwners(decision, at: sequence)
        case .order(let order): try insert(order, at: sequence)
        case .orderEvent(let event): try insert(event, at: sequence)
        case .noteOfOrder(let order):
            try connection.run(
                "INSERT INTO entry_of_order SELECT id, ? FROM customer_order WHERE name = ?",
                sequence.number, order.text)
        case .ticket(let ticket):
            try connection.run(
                "INSERT INTO ticket VALUES (?, ?, ?, ?)", sequence.number, ticket.name.blob,
                Int64(ticket.form.isEvidence ? 1 : 0), TicketState.waiting.rawValue)
        case .ticketClosing(let closing):
            // The closing of a ticket that was erased closes nothing.
            try connection.run(
                "UPDATE ticket SET state = ? WHERE id = ?",
                TicketState(closing.outcome).rawValue, closing.ticket.number)
        case .account(let account): try link(sequence, toAccount: names.account(account))
        case .restatement(let place):
            try connection.run(
                "INSERT OR REPLACE INTO restated VALUES (?, ?)", place.number, sequence.number)
        case .unique(let kind, let name):
            try connection.run(
                "INSERT INTO unique_name VALUES (?, ?, ?)", kind.rawValue, name.blob,
                sequence.number)
        case .first(let kind, let name):
            try connection.run(
                "INSERT OR IGNORE INTO unique_name VALUES (?, ?, ?)", kind.rawValue, name.blob,
                sequence.number)
        }
    }

    private func insert(_ snapshot: TransactionSnapshot, at sequence: LedgerSequence) throws {
        let lineage = try names.lineage(snapshot.lineage)
        let transaction = try place(snapshot, in: lineage)
        let receipt = try names.receipt(snapshot.source.receipt, of: lineage)
        try connection.run(
            "INSERT INTO transaction_snapshot VALUES (?, ?, ?, ?, ?, ?)", transaction,
            snapshot.signedDate.milliseconds, snapshot.source.canonicalDigest,
            snapshot.source.key, receipt ?? 0, sequence.number)
        try names.linkAppTransaction(snapshot.appTransactionKey, to: lineage)
        if let previous = snapshot.previousOriginalTransactionID {
            let key = LineageKey(snapshot.environment, previous)
            try names.join(names.lineage(key), lineage)
        }
        if let token = snapshot.appAccountToken {
            try connection.run(
                "INSERT OR IGNORE INTO lineage_of_token VALUES (?, ?)", token.text, lineage)
        }
        try link(sequence, toLineage: lineage)
        try connection.run(
            "UPDATE lineage SET unclaimed = ? WHERE id = ? AND unclaimed IS NULL",
            sequence.number, lineage)
    }

    /// The number of the transaction, whose lineage is known from now on.
    private func place(_ snapshot: TransactionSnapshot, in lineage: Int64) throws -> Int64 {
        let (key, isLasting) = (snapshot.key, snapshot.isLasting)
        // Most are new: inserting comes before searching.
        if let new = try names.insertIfNew(key, in: lineage, isLasting: isLasting) { return new }
        guard let known = try names.known(key) else { throw LedgerStoreError.corrupt }
        if isLasting, !known.isLasting {
            try connection.run(
                "UPDATE store_transaction SET is_lasting = 1 WHERE id = ?", known.id)
        }
        if let other = known.lineage {
            try names.join(other, lineage)
        } else {
            try settle(known.id, in: lineage)
        }
        return known.id
    }

    private func insert(_ snapshot: RenewalSnapshot, at sequence: LedgerSequence) throws {
        let lineage = try names.lineage(snapshot.lineage)
        let receipt = try names.receipt(snapshot.source.receipt, of: lineage)
        try connection.run(
            "INSERT INTO renewal_snapshot VALUES (?, ?, ?, ?, ?, ?)", lineage,
            snapshot.signedDate.milliseconds, snapshot.source.canonicalDigest,
            snapshot.source.key, receipt ?? 0, sequence.number)
        try names.linkAppTransaction(snapshot.appTransactionKey, to: lineage)
        try link(sequence, toLineage: lineage)
    }

    private func place(
        _ sequence: LedgerSequence, _ unit: OwnedUnit, for accounts: [AccountID]
    ) throws {
        switch unit {
        case .purchase(let key): try place(sequence, key, for: accounts)
        case .lineage(let key):
            let lineage = try names.lineage(key)
            try link(sequence, toLineage: lineage)
            for account in accounts {
                try link(sequence, toAccount: names.account(account), interestedIn: lineage)
            }
        }
    }

    private func place(_ sequence: LedgerSequence, _ claim: Claim) throws {
        try place(sequence, claim.transaction, for: [claim.account])
        try connection.run(
            "INSERT INTO undecided_claim VALUES (?, ?, ?)", sequence.number,
            names.account(claim.account), names.storeTransaction(claim.transaction).lineage)
    }

    private func place(_ sequence: LedgerSequence, _ decision: OwnershipDecision) throws {
        let claim = try undecidedClaim(decision.cause)
        let cause = decision.cause.number
        if claim != nil { try connection.run("DELETE FROM undecided_claim WHERE seq = ?", cause) }
        guard decision.isDenialByRule else {
            return try place(sequence, decision.unit, for: decision.owners)
        }
        let owners = try decision.owners.map(names.account)
        guard let lineage = try lineage(of: decision.unit) else {
            guard case .purchase(let key) = decision.unit else { return }
            let transaction = try names.storeTransaction(key).id
            for account in [0] + owners { try wait(sequence, for: transaction, account: account) }
            return
        }
        let claimant = claim?.lineage == lineage ? claim?.account : nil
        if let claimant {
            try connection.run(
                """
                UPDATE entry_of_lineage SET claimant = ?
                WHERE lineage = ? AND claimant = 0 AND seq = ?
                """, claimant, lineage, cause)
        }
        try link(sequence, toLineage: lineage, claimant: claimant ?? 0)
        for owner in owners { try note(owner, interestedIn: lineage) }
    }

    /// Nil if it is not a claim, or was decided before.
    private func undecidedClaim(
        _ cause: LedgerSequence
    ) throws -> (account: Int64, lineage: Int64?)? {
        try connection.first(
            "SELECT account, lineage FROM undecided_claim WHERE seq = ?", cause.number
        ) { (try $0.integer(0), try $0.optionalInteger(1)) }
    }

    private func lineage(of unit: OwnedUnit) throws -> Int64? {
        switch unit {
        case .lineage(let key): try names.lineage(key)
        case .purchase(let key): try names.storeTransaction(key).lineage
        }
    }

    private func insertSuccession(_ decision: OwnershipDecision) throws {
        let isLasting = try names.known(decision.transaction)?.isLasting ?? false
        guard decision.isOfPurchase(whereLasting: isLasting),
            let lineage = try lineage(of: decision.unit)
        else { return }
        for heir in decision.ownersAfter where !decision.ownersBefore.contains(heir) {
            let heir = try names.account(heir)
            try connection.run(
                """
                INSERT OR IGNORE INTO succession
                SELECT ?1, account FROM owner_of_purchase WHERE lineage = ?2 AND account <> ?1
                """, heir, lineage)
            try connection.run(
                "INSERT OR IGNORE INTO owner_of_purchase VALUES (?, ?)", lineage, heir)
        }
    }

    /// The entry since which it has no owner; 0 if it has one.
    private func insertOwners(
        _ decision: OwnershipDecision, at sequence: LedgerSequence
    ) throws {
        guard let lineage = try lineage(of: decision.unit) else { return }
        if decision.ownersAfter.isEmpty {
            try connection.run(
                "UPDATE lineage SET unclaimed = ? WHERE id = ? AND unclaimed = 0",
                sequence.number, lineage)
        } else {
            try connection.run("UPDATE lineage SET unclaimed = 0 WHERE id = ?", lineage)
        }
    }

    private func place(
        _ sequence: LedgerSequence, _ key: TransactionKey, for accounts: [AccountID]
    ) throws {
        let transaction = try names.storeTransaction(key)
        if let lineage = transaction.lineage {
            try link(sequence, toLineage: lineage)
        } else {
            try wait(sequence, for: transaction.id, account: 0)
        }
        for account in accounts {
            let account = try names.account(account)
            try link(sequence, toAccount: account, interestedIn: transaction.lineage)
            guard transaction.lineage == nil else { continue }
            try wait(sequence, for: transaction.id, account: account)
        }
    }

    private func wait(
        _ sequence: LedgerSequence, for transaction: Int64, account: Int64
    ) throws {
        try connection.run(
            "INSERT INTO entry_without_lineage VALUES (?, ?, ?)", transaction, sequence.number,
            account)
    }

    /// The transaction's lineage has become known: what waited for it is placed.
    private func settle(_ transaction: Int64, in lineage: Int64) throws {
        try connection.run(
            "UPDATE store_transaction SET lineage = ? WHERE id = ?", lineage, transaction)
        try connection.run(
            """
            INSERT OR IGNORE INTO entry_of_lineage
            SELECT ?, 0, seq FROM entry_without_lineage WHERE store_transaction = ?
            """, lineage, transaction)
        try connection.run(
            """
            INSERT OR IGNORE INTO interest
            SELECT account, ? FROM entry_without_lineage
            WHERE store_transaction = ? AND account <> 0
            """, lineage, transaction)
        try connection.run(
            "DELETE FROM entry_without_lineage WHERE store_transaction = ?", transaction)
    }

    /// - Parameter claimant: who alone reads it; 0 for everybody.
    private func link(
        _ sequence: LedgerSequence, toLineage lineage: Int64, claimant: Int64 = 0
    ) throws {
        try connection.run(
            "INSERT INTO entry_of_lineage VALUES (?, ?, ?)", lineage, claimant, sequence.number)
    }

    private func link(
        _ sequence: LedgerSequence, toAccount account: Int64, interestedIn lineage: Int64? = nil
    ) throws {
        try connection.run(
            "INSERT INTO entry_of_account VALUES (?, ?)", account, sequence.number)
        if let lineage { try note(account, interestedIn: lineage) }
    }

    private func note(_ account: Int64, interestedIn lineage: Int64) throws {
        try connection.run("INSERT OR IGNORE INTO interest VALUES (?, ?)", account, lineage)
    }

    private func insert(_ order: Order, at sequence: LedgerSequence) throws {
        let standing = OrderStanding(since: sequence)
        try connection.run(
            "INSERT INTO customer_order VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            sequence.number, order.id.text, names.account(order.account), order.product.text,
            order.policy.hexadecimal, standing.state.rawValue, sequence.number,
            sequence.number, standing.marks.rawValue, standing.awaited?.rawValue,
            standing.lostReason?.rawValue)
    }

    /// An event of an order that was erased belongs nowhere.
    private func insert(_ event: OrderEvent, at sequence: LedgerSequence) throws {
        let rows = try connection.rows(
            "SELECT id, state, marks, since FROM customer_order WHERE name = ?",
            event.order.text)
        guard let row = try rows.next() else { return }
        let order = try row.integer(0)
        guard let state = OrderState(rawValue: try row.decode(atIndex: 1)) else {
            throw LedgerStoreError.corrupt
        }
        var standing = OrderStanding(
            state: state, marks: OrderStanding.Marks(rawValue: try row.integer(2)),
            since: LedgerSequence(try row.integer(3)))
        standing.follow(event, at: sequence)
        try connection.run(
            "INSERT INTO entry_of_order VALUES (?, ?)", order, sequence.number)
        try connection.run(
            """
            UPDATE customer_order
            SET state = ?, last = ?, since = ?, marks = ?, awaited = ?, lost = ? WHERE id = ?
            """, standing.state.rawValue, sequence.number, standing.since.number,
            standing.marks.rawValue, standing.awaited?.rawValue, standing.lostReason?.rawValue,
            order)
        if let account = event.account {
            try connection.run(
                "UPDATE customer_order SET account = ? WHERE id = ?", names.account(account), order)
        }
        guard let transaction = event.transaction else { return }
        try connection.run(
            "INSERT OR IGNORE INTO order_of_transaction VALUES (?, ?)",
            names.storeTransaction(transaction).id, order)
    }
}

extension SQLiteLedger {
    /// Empties the index tables and computes them again from the entries, in one transaction.
    ///
    /// Entries whose payload was erased are in no index afterwards. No other write runs meanwhile.
    package func rebuildIndex() async throws {
        try await writeFile { try $0.rebuildIndex() }
    }
}

extension LedgerTransaction {
    private static let chunk = 1_024

    fileprivate func rebuildIndex() throws {
        for table in try LedgerSchema.indexTables() {
            try connection.database.execute(sql: "DELETE FROM \(table)")
        }
        names.forget()
        try fillIndex()
    }

    /// Computes the index tables, which are empty, from the entries.
    func fillIndex() throws {
        let index = EntryIndex(names)
        let evidence = RereadEvidence(connection)
        var entries = try entries(after: .zero, limit: Self.chunk)
        while let last = entries.last {
            for entry in entries {
                try index.insert(entry.value, at: entry.sequence, rereading: evidence)
            }
            entries = try self.entries(after: last.sequence, limit: Self.chunk)
        }
    }
}
