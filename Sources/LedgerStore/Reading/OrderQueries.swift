internal import EntitlementModel
internal import GRDB
internal import LedgerModel

extension LedgerTransaction {
    func order(_ id: OrderID) throws(LedgerError) -> OrderHistory? {
        if let lastOrder, lastOrder.id == id { return lastOrder }
        let number = try LedgerError.mapping {
            try connection.integer("SELECT id FROM customer_order WHERE name = ?", id.text)
        }
        guard let number, let made = try entry(LedgerSequence(number)),
            case .order(let order) = made.value
        else { return nil }
        var history = OrderHistory(order: made.with(order))
        for place in try entries(ofOrder: number) {
            guard let entry = try entry(LedgerSequence(place)) else { continue }
            switch entry.value {
            case .orderEvent(let event): history.events.append(entry.with(event))
            case .refusal(let refusal): history.refusals.append(entry.with(refusal))
            default: break
            }
        }
        lastOrder = history
        return history
    }

    private func entries(ofOrder number: Int64) throws(LedgerError) -> [Int64] {
        try LedgerError.mapping {
            var places: [Int64] = []
            try connection.forEachRow(
                "SELECT seq FROM entry_of_order WHERE customer_order = ? ORDER BY seq", number
            ) { places.append(try $0.integer(0)) }
            return places
        }
    }

    func sequence(
        ofOrderKey key: String, by actor: String
    ) throws(LedgerError) -> LedgerSequence? {
        try LedgerError.mapping {
            try connection.integer(
                "SELECT seq FROM unique_name WHERE kind = ? AND name = ?",
                EntryKind.order.rawValue, Order.keyName(key, of: actor).blob)
        }.map { LedgerSequence($0) }
    }

    func sequence(
        ofCreditKey key: String, by actor: String
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence(of: .creditSpend, named: CreditSpend.keyName(key, of: actor))
    }

    func end(ofHold hold: LedgerSequence) throws(LedgerError) -> LedgerSequence? {
        try sequence(of: .holdEnd, named: HoldEnd.name(ofHold: hold))
    }

    private func sequence(
        of kind: EntryKind, named name: [UInt8]
    ) throws(LedgerError) -> LedgerSequence? {
        try LedgerError.mapping {
            try connection.integer(
                "SELECT seq FROM unique_name WHERE kind = ? AND name = ?", kind.rawValue,
                name.blob)
        }.map { LedgerSequence($0) }
    }

    func orders(naming transactions: [TransactionKey]) throws(LedgerError) -> [OrderID] {
        try LedgerError.mapping {
            var found: [Int64: OrderID] = [:]
            for known in try transactions.compactMap(names.known) {
                try connection.forEachRow(
                    """
                    SELECT id, name FROM order_of_transaction
                    CROSS JOIN customer_order ON id = customer_order WHERE store_transaction = ?
                    """, known.id
                ) { found[try $0.integer(0)] = try $0.identifier(1) }
            }
            return found.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    func orders(
        of account: AccountID, before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [OrderID] {
        let spellings = try LedgerError.mapping { try names.spellings(of: account) }
        return try LedgerError.mapping {
            try ids(
                connection.rows(
                    """
                    SELECT name FROM customer_order
                    WHERE account IN (SELECT value FROM json_each(?)) AND id < ?
                    ORDER BY id DESC LIMIT ?
                    """, spellings.jsonArray, sequence.number, limit))
        }
    }

    private func ids(_ rows: RowCursor) throws -> [OrderID] {
        try Array(
            rows.map { row in
                let id: OrderID = try row.identifier(0)
                return id
            })
    }

    func orders(
        of account: AccountID, awaiting awaited: OrderAwaited, for product: ProductID?,
        before sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(last: LedgerSequence, order: OrderID)] {
        let spellings = try LedgerError.mapping { try names.spellings(of: account) }
        var found: [(last: LedgerSequence, order: OrderID)] = []
        let add = { (row: Columns) in
            found.append((LedgerSequence(try row.integer(0)), try row.identifier(1)))
        }
        for spelling in spellings {
            try LedgerError.mapping {
                if let product {
                    try connection.forEachRow(
                        """
                        SELECT last, name FROM customer_order
                        WHERE account = ? AND awaited = ? AND product = ? AND last < ?
                        ORDER BY last DESC LIMIT ?
                        """, spelling, awaited.rawValue, product.text, sequence.number,
                        Int64(limit), read: add)
                } else {
                    try connection.forEachRow(
                        """
                        SELECT last, name FROM customer_order
                        WHERE account = ? AND awaited = ? AND last < ?
                        ORDER BY last DESC LIMIT ?
                        """, spelling, awaited.rawValue, sequence.number, Int64(limit), read: add)
                }
            }
        }
        return Array(found.sorted { $0.last > $1.last }.prefix(limit))
    }

    func orders(
        awaiting awaited: OrderAwaited, for product: ProductID, limit: Int
    ) throws(LedgerError) -> [OrderID] {
        try LedgerError.mapping {
            try ids(
                connection.rows(
                    """
                    SELECT name FROM customer_order WHERE awaited = ? AND product = ?
                    ORDER BY last DESC LIMIT ?
                    """, awaited.rawValue, product.text, limit))
        }
    }

    func differingOrders(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(made: LedgerSequence, order: OrderID)] {
        try LedgerError.mapping {
            try places(
                connection.rows(
                    """
                    SELECT id, name FROM customer_order
                    WHERE marks & \(OrderStanding.Marks.findings.rawValue) <> 0 AND id > ?
                    ORDER BY id LIMIT ?
                    """, sequence.number, limit)
            ).map { (made: $0.last, order: $0.order) }
        }
    }

    private func places(
        _ rows: RowCursor
    ) throws -> [(last: LedgerSequence, order: OrderID)] {
        var found: [(last: LedgerSequence, order: OrderID)] = []
        while let row = try rows.next() {
            found.append((LedgerSequence(try row.integer(0)), try row.identifier(1)))
        }
        return found
    }

    func hasOrders() throws(LedgerError) -> Bool {
        try LedgerError.mapping {
            try connection.integer("SELECT id FROM customer_order LIMIT 1") != nil
        }
    }

    func orderCounts() throws(LedgerError) -> [OrderState: Int64] {
        try LedgerError.mapping {
            var counts: [OrderState: Int64] = [:]
            let rows = try connection.rows(
                "SELECT state, count(*) FROM customer_order GROUP BY state")
            while let row = try rows.next() {
                let word: String = try row.decode(atIndex: 0)
                guard let state = OrderState(rawValue: word) else {
                    throw LedgerStoreError.corrupt
                }
                counts[state] = try row.integer(1)
            }
            return counts
        }
    }
}

extension LedgerTransaction {
    /// One step in the index for each group, however many orders there are.
    func lostGroups() throws(LedgerError) -> [LostGroup] {
        try LedgerError.mapping {
            var groups: [LostGroup] = []
            var last = ("", "")
            while let next = try lostGroup(after: last) {
                guard let reason = LostOrderReason(rawValue: next.0),
                    let policy = Digest256(hexadecimal: next.1)
                else { throw LedgerStoreError.corrupt }
                groups.append(LostGroup(reason, policy: policy))
                last = next
            }
            let hasUnclaimed = try connection.integer(
                "SELECT id FROM lineage WHERE unclaimed > 0 LIMIT 1")
            if hasUnclaimed != nil { groups.append(.unclaimed) }
            if try !lostTickets(after: .zero, limit: 1).isEmpty { groups.append(.waitingForApple) }
            return groups
        }
    }

    private func lostGroup(after last: (String, String)) throws -> (String, String)? {
        let rows = try connection.rows(
            """
            SELECT lost, policy FROM customer_order
            WHERE lost IS NOT NULL AND (lost, policy) > (?, ?) ORDER BY lost, policy LIMIT 1
            """, last.0, last.1)
        return try rows.next().map { (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1)) }
    }

    func lost(
        in group: LostGroup, after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [(since: LedgerSequence, subject: LostSubject)] {
        try LedgerError.mapping {
            var found: [(since: LedgerSequence, subject: LostSubject)] = []
            if group == .waitingForApple {
                return try lostTickets(after: sequence, limit: limit)
                    .map { (since: $0, subject: .ticket($0)) }
            }
            guard let policy = group.policy else {
                let rows = try connection.rows(
                    """
                    SELECT unclaimed, environment, name FROM lineage
                    WHERE unclaimed > 0 AND unclaimed > ? ORDER BY unclaimed LIMIT ?
                    """, sequence.number, limit)
                while let row = try rows.next() {
                    guard let environment = StoreEnvironment(number: try row.integer(1)) else {
                        throw LedgerStoreError.corrupt
                    }
                    let key = LineageKey(environment, try row.identifier(2))
                    found.append((LedgerSequence(try row.integer(0)), .lineage(key)))
                }
                return found
            }
            let rows = try connection.rows(
                """
                SELECT since, name FROM customer_order
                WHERE lost = ? AND policy = ? AND since > ? ORDER BY since LIMIT ?
                """, group.reason.rawValue, policy.hexadecimal, sequence.number, limit)
            while let row = try rows.next() {
                found.append(
                    (LedgerSequence(try row.integer(0)), .order(try row.identifier(1))))
            }
            return found
        }
    }

    func lostCount(
        in group: LostGroup, upTo sequence: LedgerSequence
    ) throws(LedgerError) -> (count: Int64, first: LedgerSequence?) {
        try LedgerError.mapping {
            let rows =
                try group.policy.map { policy in
                    try connection.rows(
                        """
                        SELECT count(*), min(since) FROM customer_order
                        WHERE lost = ? AND policy = ? AND since <= ?
                        """, group.reason.rawValue, policy.hexadecimal, sequence.number)
                }
                ?? connection.rows(
                    group == .waitingForApple
                        ? """
                        SELECT count(*), min(id) FROM ticket
                        WHERE state = 1 AND is_evidence = 1 AND id <= ?
                        """
                        : """
                        SELECT count(*), min(unclaimed) FROM lineage
                        WHERE unclaimed > 0 AND unclaimed <= ?
                        """,
                    sequence.number)
            guard let row = try rows.next() else { return (0, nil) }
            return (
                try row.integer(0), try row.optionalInteger(1).map { LedgerSequence($0) }
            )
        }
    }

    /// Entries are in the order of time, so a few steps find it.
    func lastEntry(recordedBy instant: Instant) throws(LedgerError) -> LedgerSequence {
        var (low, high) = (Int64(0), try head().sequence.number)
        try LedgerError.mapping {
            while low < high {
                let middle = high - (high - low) / 2
                let recordedAt = try connection.integer(
                    "SELECT recorded_at FROM entry WHERE seq = ?", middle)
                guard let recordedAt else { throw LedgerStoreError.corrupt }
                if recordedAt <= instant.milliseconds { low = middle } else { high = middle - 1 }
            }
        }
        return LedgerSequence(low)
    }
}
