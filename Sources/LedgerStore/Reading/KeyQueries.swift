internal import EntitlementModel
internal import GRDB
internal import Glibc
internal import LedgerModel

extension LedgerTransaction {
    func numbers(of accounts: [AccountID]) throws(LedgerError) -> [Int64?] {
        try LedgerError.mapping { try accounts.map(names.known) }
    }

    func accounts(numbered numbers: [Int64]) throws(LedgerError) -> [AccountID] {
        try LedgerError.mapping {
            try numbers.compactMap { number in
                try connection.first("SELECT name FROM account WHERE id = ?", number) { row in
                    let name: AccountID = try row.identifier(0)
                    return name
                }
            }
        }
    }

    func lineage(
        of transaction: TransactionKey
    ) throws(LedgerError) -> LineageKey? {
        try LedgerError.mapping {
            // Both are of the transaction's environment.
            try connection.first(
                """
                SELECT lineage.name
                FROM store_transaction JOIN lineage ON lineage.id = store_transaction.lineage
                WHERE store_transaction.environment = ? AND store_transaction.name = ?
                """, transaction.environment.number, transaction.transactionID.text
            ) { LineageKey(transaction.environment, try $0.identifier(0)) }
        }
    }

    func lineages(
        withAppTransaction id: AppTransactionID, in environment: StoreEnvironment
    ) throws(LedgerError) -> [LineageKey] {
        try lineages(
            """
            SELECT lineage.environment, lineage.name FROM app_transaction
            JOIN lineage_of_app_transaction AS link ON link.app_transaction = app_transaction.id
            JOIN lineage ON lineage.id = link.lineage
            WHERE app_transaction.environment = ? AND app_transaction.name = ?
            """, environment.number, id.text)
    }

    func erasure(named name: [UInt8]) throws(LedgerError) -> LedgerSequence? {
        try erasures(named: name, limit: 1).first
    }

    func newestErasure() throws(LedgerError) -> LedgerSequence? {
        let name = Erasure.anyName
        return try LedgerError.mapping {
            try connection.integer(
                """
                SELECT seq FROM unique_name WHERE kind = ? AND name >= ? AND name < ?
                ORDER BY name DESC LIMIT 1
                """, EntryKind.erasure.rawValue, name.blob, (name + [0xFF]).blob)
        }.map { LedgerSequence($0) }
    }

    func erasures(named name: [UInt8]) throws(LedgerError) -> [LedgerSequence] {
        try erasures(named: name, limit: -1)
    }

    private func erasures(
        named name: [UInt8], limit: Int64
    ) throws(LedgerError) -> [LedgerSequence] {
        try LedgerError.mapping {
            var places: [LedgerSequence] = []
            try connection.forEachRow(
                """
                SELECT seq FROM unique_name WHERE kind = ? AND name >= ? AND name < ?
                ORDER BY name LIMIT ?
                """, EntryKind.erasure.rawValue, name.blob, (name + [0xFF]).blob, limit
            ) { places.append(LedgerSequence(try $0.integer(0))) }
            return places
        }
    }

    func transactions(
        ofLineItem id: WebOrderLineItemID, in environment: StoreEnvironment
    ) throws(LedgerError) -> [LedgerSequence] {
        try places(of: .transaction, under: TransactionSnapshot.lineItemName(id, in: environment))
    }

    func presentations(
        of appTransaction: AppTransactionKey
    ) throws(LedgerError) -> [LedgerSequence] {
        try places(of: .appTransaction, under: appTransaction.name)
    }

    func presentations() throws(LedgerError) -> [LedgerSequence] {
        try places(of: .appTransaction, under: AppTransactionKey.anyName)
    }

    /// The entries with a name of that prefix, in the ledger's order.
    private func places(
        of kind: EntryKind, under name: [UInt8]
    ) throws(LedgerError) -> [LedgerSequence] {
        try LedgerError.mapping {
            var places: [LedgerSequence] = []
            try connection.forEachRow(
                """
                SELECT seq FROM unique_name WHERE kind = ? AND name > ? AND name < ? ORDER BY seq
                """, kind.rawValue, name.blob, (name + [0xFF]).blob
            ) { places.append(LedgerSequence(try $0.integer(0))) }
            return places
        }
    }

    func lineages(
        withToken token: AppAccountToken
    ) throws(LedgerError) -> [LineageKey] {
        try lineages(
            """
            SELECT environment, name FROM lineage_of_token
            JOIN lineage ON lineage.id = lineage_of_token.lineage WHERE token = ?
            """, token.text)
    }

    func lineages(
        relatedTo lineage: LineageKey
    ) throws(LedgerError) -> [LineageKey] {
        try lineages(
            """
            SELECT kin.environment, kin.name
            FROM lineage AS own JOIN lineage AS kin USING (cluster)
            WHERE own.environment = ? AND own.name = ?
            """, lineage.environment.number, lineage.originalTransactionID.text)
    }

    func accountsTouched(
        byLineages lineages: [LineageKey]
    ) throws(LedgerError) -> [AccountID] {
        try LedgerError.mapping {
            let clusters = try clusters(of: lineages.compactMap(names.known))
            var found: [AccountID] = []
            for cluster in clusters {
                try connection.forEachRow(
                    """
                    WITH RECURSIVE touched (account) AS (
                        SELECT interest.account FROM lineage
                        CROSS JOIN interest ON interest.lineage = lineage.id WHERE cluster = ?
                        UNION
                        SELECT succession.account FROM touched
                        CROSS JOIN succession ON succession.predecessor = touched.account
                        UNION
                        SELECT kin.account FROM touched
                        CROSS JOIN account_spelling AS own ON own.account = touched.account
                        CROSS JOIN account_spelling AS kin ON kin.folded = own.folded
                        UNION
                        SELECT account.id FROM touched
                        CROSS JOIN account_spelling AS own ON own.account = touched.account
                        CROSS JOIN account ON account.name = own.folded
                        UNION
                        SELECT kin.account FROM touched
                        CROSS JOIN account ON account.id = touched.account
                        CROSS JOIN account_spelling AS kin ON kin.folded = account.name
                    )
                    SELECT name FROM touched CROSS JOIN account ON account.id = touched.account
                    ORDER BY name
                    """, cluster
                ) { found.append(try $0.identifier(0)) }
            }
            return clusters.count > 1 ? Set(found).sorted() : found
        }
    }

    func knows(_ account: AccountID) throws(LedgerError) -> Bool {
        try LedgerError.mapping { try !names.spellings(of: account).isEmpty }
    }

    func accounts(
        after account: AccountID?, limit: Int, folded: Bool
    ) throws(LedgerError) -> [AccountID] {
        let last = account?.text ?? ""
        guard folded else {
            return try accounts(
                "SELECT name FROM account WHERE name > ? ORDER BY name LIMIT ?", last, limit)
        }
        return try accounts(
            """
            SELECT name FROM account
            WHERE name > ? AND NOT EXISTS (
                SELECT 1 FROM account_spelling WHERE account_spelling.account = account.id)
            UNION SELECT folded FROM account_spelling WHERE folded > ?
            ORDER BY 1 LIMIT ?
            """, last, last, limit)
    }

    func clusters(
        after number: Int64, limit: Int
    ) throws(LedgerError) -> [(number: Int64, lineage: LineageKey)] {
        try LedgerError.mapping {
            var found: [(number: Int64, lineage: LineageKey)] = []
            let rows = try connection.rows(
                """
                SELECT id, environment, name FROM lineage
                WHERE id > ? AND cluster = id ORDER BY id LIMIT ?
                """, number, limit)
            while let row = try rows.next() {
                guard let environment = StoreEnvironment(number: try row.integer(1)) else {
                    throw LedgerStoreError.corrupt
                }
                found.append(
                    (try row.integer(0), LineageKey(environment, try row.identifier(2))))
            }
            return found
        }
    }

    func lineages(
        after sequence: LedgerSequence, through last: LedgerSequence,
        where isMeant: (ProductID, Stated<ProductKind>?) -> Bool
    ) throws(LedgerError) -> [LineageKey] {
        try LedgerError.mapping {
            var found: Set<LineageKey> = []
            try connection.forEachRow(
                """
                SELECT seq, recorded_at, kind, payload FROM entry
                WHERE seq > ? AND seq <= ? AND kind = 3
                """, sequence.number, last.number
            ) { row in
                let mayBeMeant = try row.withBytes(3) { payload in
                    payload.withUnsafeBytes { $0.productName.map { isMeant($0, nil) } ?? true }
                }
                let snapshot: TransactionSnapshot
                if mayBeMeant == nil, case .transaction(let fact)? = try restated(row)?.value {
                    snapshot = fact.snapshot
                } else if mayBeMeant == true,
                    let fact = try reader.recorded(in: row, { try $0.transaction(from: $1) })
                {
                    snapshot = fact.value.snapshot
                } else {
                    return
                }
                if isMeant(snapshot.productID, snapshot.kind) { found.insert(snapshot.lineage) }
            }
            return found.sorted()
        }
    }

    func quarantines(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        try LedgerError.mapping {
            let rows = try connection.rows(
                "SELECT seq FROM quarantine WHERE seq > ? ORDER BY seq LIMIT ?",
                sequence.number, limit)
            return try Array(rows.map { LedgerSequence(try $0.integer(0)) })
        }
    }

    private func lineages(
        _ sql: String, _ arguments: (any DatabaseValueConvertible)?...
    ) throws(LedgerError) -> [LineageKey] {
        try LedgerError.mapping {
            var keys: [LineageKey] = []
            let rows = try connection.rows(sql, arguments: arguments)
            while let row = try rows.next() {
                guard let environment = StoreEnvironment(number: try row.integer(0)) else {
                    throw LedgerStoreError.corrupt
                }
                keys.append(LineageKey(environment, try row.identifier(1)))
            }
            return keys.sorted()
        }
    }

    private func accounts(
        _ sql: String, _ arguments: (any DatabaseValueConvertible)?...
    ) throws(LedgerError) -> [AccountID] {
        try LedgerError.mapping {
            let rows = try connection.rows(sql, arguments: arguments)
            return try Array(rows.map { try $0.identifier(0) })
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The product in a transaction's payload, without decoding the rest; nil if that requires
    /// decoding.
    ///
    /// A payload has no white space, and a quote within a text is escaped, so that these bytes are
    /// a member's name wherever they are found.
    fileprivate var productName: ProductID? {
        let name = StaticString("\"productId\":\"")
        let length = name.utf8CodeUnitCount
        guard count > length, let start = baseAddress else { return nil }
        var place = 0
        while place + length < count {
            guard let found = memchr(start + place, CInt(UInt8(ascii: "p")), count - place) else {
                return nil
            }
            place = start.distance(to: UnsafeRawPointer(found))
            guard place > 0, place + length <= count else { return nil }
            if memcmp(start + (place - 1), name.utf8Start, length) == 0 {
                return productName(at: place - 1 + length)
            }
            place += 1
        }
        return nil
    }

    private func productName(at first: Int) -> ProductID? {
        guard let end = self[first...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let bytes = self[first..<end]
        if bytes.contains(UInt8(ascii: "\\")) { return nil }
        return ProductID(String(decoding: bytes, as: UTF8.self))
    }
}

extension [Int64] {
    /// As SQLite's `json_each` reads it.
    var jsonArray: String { "[" + map(String.init).joined(separator: ",") + "]" }
}

extension LedgerTransaction {
    func sequence(
        of snapshot: TransactionSnapshot
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence {
            guard let transaction = try names.known(snapshot.key) else { return nil }
            return try connection.integer(
                """
                SELECT seq FROM transaction_snapshot
                WHERE store_transaction = ? AND signed_at = ? AND digest = ? AND source = ?
                    AND receipt = ?
                """, transaction.id, snapshot.signedDate.milliseconds,
                snapshot.source.canonicalDigest, snapshot.source.key,
                try receipt(of: snapshot.source))
        }
    }

    func sequence(
        of snapshot: RenewalSnapshot
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence {
            guard let lineage = try names.known(snapshot.lineage) else { return nil }
            return try connection.integer(
                """
                SELECT seq FROM renewal_snapshot
                WHERE lineage = ? AND signed_at = ? AND digest = ? AND source = ?
                    AND receipt = ?
                """, lineage, snapshot.signedDate.milliseconds,
                snapshot.source.canonicalDigest, snapshot.source.key,
                try receipt(of: snapshot.source))
        }
    }

    func sequence(
        of snapshot: AppTransactionSnapshot, presentedBy account: AccountID?
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence(of: .appTransaction, snapshot.uniqueName(presentedBy: account))
    }

    func sequence(
        ofNotification uuid: String
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence(of: .notification, Array(uuid.utf8))
    }

    func sequence(of grant: GrantID) throws(LedgerError) -> LedgerSequence? {
        try sequence(of: .grant, Array(grant.text.utf8))
    }

    func sequence(of block: BlockID) throws(LedgerError) -> LedgerSequence? {
        try sequence(of: .block, Array(block.text.utf8))
    }

    private func sequence(
        of kind: EntryKind, _ name: [UInt8]
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence {
            try connection.integer(
                "SELECT seq FROM unique_name WHERE kind = ? AND name = ?", kind.rawValue,
                name.blob)
        }
    }

    private func sequence(
        _ query: () throws -> Int64?
    ) throws(LedgerError) -> LedgerSequence? {
        try LedgerError.mapping(nil, query).map { LedgerSequence($0) }
    }

    /// 0 for evidence that is no receipt, -1 for a receipt that no row can have.
    private func receipt(of source: EvidenceSource) throws -> Int64 {
        guard let digest = source.receipt else { return 0 }
        return try names.known(digest) ?? -1
    }
}

extension LedgerTransaction {
    func sequence(
        ofEvidence digest: Digest256
    ) throws(LedgerError) -> LedgerSequence? {
        try LedgerError.mapping {
            try connection.integer(
                "SELECT seq FROM unique_name WHERE kind = ? AND name = ?",
                EntryKind.evidence.rawValue, digest)
        }.map { LedgerSequence($0) }
    }

    func firstEntry(
        of transaction: TransactionKey
    ) throws(LedgerError) -> LedgerSequence? {
        try LedgerError.mapping {
            try connection.integer(
                """
                SELECT min(seq) FROM store_transaction
                JOIN transaction_snapshot ON store_transaction = store_transaction.id
                WHERE environment = ? AND name = ?
                """, transaction.environment.number, transaction.transactionID.text)
        }.map { LedgerSequence($0) }
    }
}
