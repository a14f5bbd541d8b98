internal import EntitlementModel
internal import LedgerModel

/// Takes rows out of the index: afterwards it is what follows from the entries that are left.
extension EntryIndex {
    private var connection: Connection { names.connection }

    /// The opposite of `insert`, for entries of whose lineages nothing is left.
    func remove(_ keys: [EntryKey], at sequence: LedgerSequence) throws {
        for key in keys { try remove(key, at: sequence.number) }
        try connection.run("DELETE FROM reread_predecessor WHERE seq = ?", sequence.number)
    }

    private func remove(_ key: EntryKey, at place: Int64) throws {
        switch key {
        case .transaction(let snapshot): try remove(snapshot)
        case .renewal(let snapshot):
            if let lineage = try names.known(snapshot.lineage) {
                try connection.run("DELETE FROM renewal_snapshot WHERE lineage = ?", lineage)
                try unlink(snapshot.appTransactionKey, from: lineage)
            }
            try remove(receipt: snapshot.source.receipt)
        case .token(let token):
            try connection.run(
                "DELETE FROM token_registration WHERE token = ? AND seq = ?", token.text, place)
        case .quarantine: try connection.run("DELETE FROM quarantine WHERE seq = ?", place)
        case .unit(let unit, let accounts):
            try unlink(place, from: accounts)
            if case .purchase(let key) = unit { try removeWaiting(key, at: place) }
        case .claim(let claim):
            try unlink(place, from: [claim.account])
            try connection.run("DELETE FROM undecided_claim WHERE seq = ?", place)
            try removeWaiting(claim.transaction, at: place)
        case .decision(let decision):
            try unlink(place, from: decision.owners)
            if case .purchase(let key) = decision.unit { try removeWaiting(key, at: place) }
        case .order:
            try connection.run("DELETE FROM entry_of_order WHERE customer_order = ?", place)
            try connection.run("DELETE FROM customer_order WHERE id = ?", place)
        case .orderEvent(let event): try remove(event, at: place)
        case .noteOfOrder(let order): try remove(place, ofOrder: order)
        case .ticket: try connection.run("DELETE FROM ticket WHERE id = ?", place)
        case .ticketClosing, .restatement: break
        case .account(let account): try unlink(place, from: [account])
        case .unique(let kind, let name), .first(let kind, let name):
            try connection.run(
                "DELETE FROM unique_name WHERE kind = ? AND name = ? AND seq = ?", kind.rawValue,
                name.blob, place)
        }
    }

    private func remove(_ snapshot: TransactionSnapshot) throws {
        guard let lineage = try names.known(snapshot.lineage),
            let transaction = try names.known(snapshot.key)
        else { return }
        try connection.run(
            "DELETE FROM transaction_snapshot WHERE store_transaction = ?", transaction.id)
        try connection.run(
            "DELETE FROM order_of_transaction WHERE store_transaction = ?", transaction.id)
        try connection.run("DELETE FROM store_transaction WHERE id = ?", transaction.id)
        try unlink(snapshot.appTransactionKey, from: lineage)
        try remove(receipt: snapshot.source.receipt)
        if let token = snapshot.appAccountToken {
            try connection.run(
                "DELETE FROM lineage_of_token WHERE token = ? AND lineage = ?", token.text, lineage)
        }
    }

    private func unlink(_ key: AppTransactionKey?, from lineage: Int64) throws {
        guard let key, let id = try names.known(key) else { return }
        try connection.run(
            "DELETE FROM lineage_of_app_transaction WHERE app_transaction = ? AND lineage = ?", id,
            lineage)
        try connection.run(
            """
            DELETE FROM app_transaction WHERE id = ?1 AND NOT EXISTS (
                SELECT 1 FROM lineage_of_app_transaction WHERE app_transaction = ?1)
            """, id)
    }

    private func remove(receipt: Digest256?) throws {
        guard let receipt else { return }
        try connection.run("DELETE FROM receipt WHERE digest = ?", receipt)
    }

    private func unlink(_ place: Int64, from accounts: [AccountID]) throws {
        for account in accounts {
            guard let number = try names.known(account) else { continue }
            try connection.run(
                "DELETE FROM entry_of_account WHERE account = ? AND seq = ?", number, place)
        }
    }

    /// What waited for its lineage, and the transaction where nothing else names it.
    private func removeWaiting(_ key: TransactionKey, at place: Int64) throws {
        guard let known = try names.known(key) else { return }
        try connection.run(
            "DELETE FROM entry_without_lineage WHERE store_transaction = ? AND seq = ?", known.id,
            place)
        try removeUnused(known.id)
    }

    private func removeUnused(_ transaction: Int64) throws {
        try connection.run(
            """
            DELETE FROM store_transaction WHERE id = ?1 AND lineage IS NULL
                AND NOT EXISTS (
                    SELECT 1 FROM entry_without_lineage WHERE store_transaction = ?1)
                AND NOT EXISTS (
                    SELECT 1 FROM order_of_transaction WHERE store_transaction = ?1)
            """, transaction)
    }

    private func remove(_ event: OrderEvent, at place: Int64) throws {
        if let transaction = event.transaction, let known = try names.known(transaction) {
            try connection.run(
                """
                DELETE FROM order_of_transaction WHERE store_transaction = ? AND customer_order = (
                    SELECT id FROM customer_order WHERE name = ?)
                """, known.id, event.order.text)
            try removeUnused(known.id)
        }
        try remove(place, ofOrder: event.order)
    }

    private func remove(_ place: Int64, ofOrder order: OrderID) throws {
        try connection.run(
            """
            DELETE FROM entry_of_order WHERE seq = ? AND customer_order = (
                SELECT id FROM customer_order WHERE name = ?)
            """, place, order.text)
    }
}

extension LedgerEntry {
    /// The natural keys that the other entry, which is read in its place, does not have.
    func callersKeys(missingIn other: LedgerEntry, at place: LedgerSequence) -> [EntryKey] {
        let left = Set(other.keys(at: place).compactMap(\.uniqueName))
        return keys(at: place).filter { $0.uniqueName.map { !left.contains($0) } ?? false }
    }
}

extension EntryKey {
    fileprivate var uniqueName: [UInt8]? {
        if case .unique(_, let name) = self { name } else { nil }
    }
}

extension EntryIndex {
    /// As an event of the order does that names the transaction.
    func link(_ transaction: TransactionKey, toOrder order: OrderID) throws {
        try connection.run(
            """
            INSERT OR IGNORE INTO order_of_transaction
            SELECT ?, id FROM customer_order WHERE name = ?
            """, names.storeTransaction(transaction).id, order.text)
    }
}

/// What several entries have made together.
extension EntryIndex {
    /// The lineages of transactions and renewals that were removed, and all that may be of the same
    /// Apple ID.
    func removeLineages(of entries: [LedgerEntry]) throws {
        var clusters: Set<Int64> = []
        for entry in entries {
            let key: LineageKey
            switch entry {
            case .transaction(let fact): key = fact.snapshot.lineage
            case .renewal(let fact): key = fact.snapshot.lineage
            default: continue
            }
            let cluster = try names.known(key).flatMap {
                try connection.integer("SELECT cluster FROM lineage WHERE id = ?", $0)
            }
            if let cluster { clusters.insert(cluster) }
        }
        var gone: [Int64] = []
        for cluster in clusters {
            try connection.forEachRow("SELECT id FROM lineage WHERE cluster = ?", cluster) {
                gone.append(try $0.integer(0))
            }
        }
        names.forget()
        for lineage in gone {
            try connection.run("DELETE FROM entry_of_lineage WHERE lineage = ?", lineage)
            try connection.run("DELETE FROM interest WHERE lineage = ?", lineage)
            try connection.run("DELETE FROM owner_of_purchase WHERE lineage = ?", lineage)
            try connection.run("DELETE FROM lineage WHERE id = ?", lineage)
        }
    }

    /// The accounts and tokens that are left have other names.
    func rename(_ renamed: PayloadNames) throws {
        for (account, pseudonym) in renamed.accounts {
            guard let number = try names.known(account) else { continue }
            try connection.run(
                "UPDATE account SET name = ? WHERE id = ?", pseudonym.text, number)
            try connection.run("DELETE FROM account_spelling WHERE account = ?", number)
            if !pseudonym.isFolded {
                try connection.run(
                    "INSERT INTO account_spelling VALUES (?, ?)", pseudonym.folded.text, number)
            }
        }
        for (token, other) in renamed.tokens {
            try connection.run(
                "UPDATE token_registration SET token = ? WHERE token = ?", other.text, token.text)
            try connection.run(
                "UPDATE lineage_of_token SET token = ? WHERE token = ?", other.text, token.text)
        }
        names.forget()
    }

    /// Those of the accounts that no entry names any more.
    func removeAccounts(_ numbers: [Int64]) throws {
        let gone = try numbers.filter { number in
            try connection.integer(
                """
                SELECT EXISTS (SELECT 1 FROM entry_of_account WHERE account = ?1)
                    OR EXISTS (SELECT 1 FROM interest WHERE account = ?1)
                    OR EXISTS (SELECT 1 FROM customer_order WHERE account = ?1)
                """, number) == 0
        }
        for number in gone {
            try connection.run("DELETE FROM account WHERE id = ?", number)
            try connection.run("DELETE FROM account_spelling WHERE account = ?", number)
        }
        // One from whom another had a purchase, of which nothing is left.
        for heir in numbers {
            try connection.run(
                """
                DELETE FROM succession WHERE (account = ?1 OR predecessor = ?1) AND NOT EXISTS (
                    SELECT 1 FROM owner_of_purchase AS one
                    JOIN owner_of_purchase AS other ON other.lineage = one.lineage
                    WHERE one.account = succession.account
                        AND other.account = succession.predecessor)
                """, heir)
        }
        names.forget()
    }
}
