internal import EntitlementModel
internal import GRDB
internal import LedgerModel

/// The index tables once more, computed from the entries alone, in a temporary database.
struct IndexReplay {
    let scratch: DatabaseQueue

    init() throws {
        // A temporary file that SQLite removes: an index may be larger than memory.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        scratch = try DatabaseQueue(path: "", configuration: configuration)
        try scratch.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try database.execute(sql: LedgerSchema.index)
            try database.execute(sql: "BEGIN")
        }
    }

    /// Lends the index that entries are inserted into, one after the other.
    func filling(_ body: (EntryIndex) throws -> Void) throws {
        try scratch.unsafeRead { database in
            try body(EntryIndex(NameTables(Connection(database: database))))
        }
    }

    /// The names of the tables that are not the same, row for row.
    func differingTables(from original: Connection) throws -> [String] {
        try scratch.unsafeRead { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
            return try tables.filter { table in
                try !Self.isEqual(table, original.database, database)
            }
        }
    }

    /// Both are read in the order of their primary keys.
    private static func isEqual(
        _ table: String, _ left: Database, _ right: Database
    ) throws -> Bool {
        let key = try left.primaryKey(table).columns.joined(separator: ", ")
        let sql = "SELECT * FROM \(table) ORDER BY \(key)"
        let (leftRows, rightRows) = try (
            Row.fetchCursor(left, sql: sql), Row.fetchCursor(right, sql: sql)
        )
        while let row = try leftRows.next() {
            guard try rightRows.next() == row else { return false }
        }
        return try rightRows.next() == nil
    }
}

/// Compares the index of a ledger from which entries were erased with the one that follows from
/// the entries that are left.
///
/// Numbers of names depend on the order of insertion, so names are compared. A row may differ if it
/// can come from an erased entry: it names the entry, or a lineage, account, transaction or natural
/// key that the index links with it. The index is the only source about entries of whose erasure
/// nothing is recorded; everything else must follow from the rest. Of an erasure that is recorded
/// nothing is in the index but what is restated.
extension IndexReplay {
    /// The names of the tables in which anything else differs.
    func differingTables(from original: Connection, erased: Set<Int64>) throws -> [String] {
        let touched = try Set(String.fetchAll(original.database, sql: NamedIndex.touchedMarks))
        return try scratch.unsafeRead { replayed in
            try NamedIndex.tables.filter { table in
                let sql = "SELECT * FROM (\(table.rows)) ORDER BY 1"
                var left = try NamedRows(original.database, sql)
                var right = try NamedRows(replayed, sql)
                while let row = try nextDifference(&left, &right) {
                    if !row.isExcused(erased, touched) { return true }
                }
                return false
            }.map(\.name)
        }
    }

    /// A row that only one of the two has. Both are in the order of their keys.
    private func nextDifference(
        _ left: inout NamedRows, _ right: inout NamedRows
    ) throws -> NamedRow? {
        while let one = left.next, let other = right.next {
            if one.key == other.key {
                try left.advance()
                try right.advance()
            } else if one.precedes(other) {
                return try left.take()
            } else {
                return try right.take()
            }
        }
        return try left.take() ?? right.take()
    }
}

/// A row of an index table with names in the place of numbers.
private struct NamedRow {
    let key: String
    /// The entry that it is about.
    let sequence: Int64?
    /// The names in it.
    let marks: [String]

    init(_ row: Row) throws {
        key = try row.decode(atIndex: 0)
        sequence = try row.decode(atIndex: 1)
        let marks: [String?] = [try row.decode(atIndex: 2), try row.decode(atIndex: 3)]
        self.marks = marks.compactMap(\.self)
    }

    /// As SQLite orders text.
    func precedes(_ other: NamedRow) -> Bool {
        key.utf8.lexicographicallyPrecedes(other.key.utf8)
    }

    func isExcused(_ erased: Set<Int64>, _ touched: Set<String>) -> Bool {
        sequence.map(erased.contains) == true || marks.contains(where: touched.contains)
    }
}

/// The rows of one table, one after the other.
private struct NamedRows {
    private let cursor: RowCursor
    private(set) var next: NamedRow?

    init(_ database: Database, _ sql: String) throws {
        cursor = try Row.fetchCursor(database, sql: sql)
        try advance()
    }

    mutating func advance() throws {
        next = try cursor.next().map(NamedRow.init)
    }

    mutating func take() throws -> NamedRow? {
        let taken = next
        if taken != nil { try advance() }
        return taken
    }
}

/// The index tables as rows of (key, entry, mark, mark).
private enum NamedIndex {
    struct Table {
        let name: String
        let rows: String
    }

    private static func named(_ mark: String, _ table: String, _ id: String) -> String {
        "coalesce((SELECT \(mark) FROM \(table) AS named WHERE named.id = \(id)), '?' || \(id))"
    }

    private static func account(_ id: String) -> String { named("'a:' || name", "account", id) }

    private static func lineage(_ id: String) -> String {
        named("'l:' || environment || ':' || name", "lineage", id)
    }

    private static func transaction(_ id: String) -> String {
        named("'t:' || environment || ':' || name", "store_transaction", id)
    }

    private static func appTransaction(_ id: String) -> String {
        named("'p:' || environment || ':' || name", "app_transaction", id)
    }

    private static func order(_ id: String) -> String {
        named("'o:' || name", "customer_order", id)
    }

    private static let receipt =
        "CASE receipt WHEN 0 THEN '-' ELSE "
        + named("hex(digest)", "receipt", "receipt") + " END"

    private static func table(
        _ name: String, key: String..., entry: String = "NULL", marks: String...
    ) -> Table {
        let columns =
            [key.joined(separator: " || ' ' || "), entry]
            + (marks + ["NULL", "NULL"]).prefix(2)
        return Table(
            name: name, rows: "SELECT \(columns.joined(separator: ", ")) FROM \(name)")
    }

    static let tables: [Table] = [
        table("account", key: "'a:' || name", marks: "'a:' || name"),
        table(
            "account_spelling", key: "folded", account("account"), marks: account("account")),
        table(
            "app_transaction", key: appTransaction("app_transaction.id"),
            marks: appTransaction("app_transaction.id")),
        table(
            "entry_of_account", key: account("account"), "seq", entry: "seq"),
        table(
            "entry_of_lineage", key: lineage("lineage"),
            "CASE claimant WHEN 0 THEN '-' ELSE \(account("claimant")) END", "seq", entry: "seq",
            marks: lineage("lineage")),
        table(
            "entry_without_lineage", key: transaction("store_transaction"), "seq",
            account("account"), entry: "seq", marks: transaction("store_transaction")),
        table(
            "interest", key: account("account"), lineage("lineage"), marks: lineage("lineage")),
        // Clusters are named by the first of their names.
        table(
            "lineage", key: lineage("lineage.id"),
            """
            (SELECT min(other.environment || ':' || other.name) FROM lineage AS other
            WHERE other.cluster = lineage.cluster)
            """, "coalesce(unclaimed, '-')", marks: lineage("lineage.id")),
        table(
            "lineage_of_app_transaction", key: appTransaction("app_transaction"),
            lineage("lineage"), marks: lineage("lineage")),
        table(
            "lineage_of_token", key: "token", lineage("lineage"), marks: lineage("lineage")),
        table(
            "owner_of_purchase", key: lineage("lineage"), account("account"),
            marks: lineage("lineage")),
        table(
            "customer_order", key: "name", account("account"), "product", "policy", "state",
            "last", "since", "marks", "coalesce(awaited, '-')", "coalesce(lost, '-')",
            marks: order("customer_order.id")),
        table(
            "entry_of_order", key: order("customer_order"), "seq", entry: "seq",
            marks: order("customer_order")),
        table(
            "order_of_transaction", key: transaction("store_transaction"),
            order("customer_order"), marks: order("customer_order")),
        table("quarantine", key: "seq", entry: "seq"),
        table("reread_predecessor", key: "seq", "predecessor", entry: "seq"),
        table("restated", key: "seq", "place", entry: "seq"),
        table("receipt", key: "hex(digest)", lineage("lineage"), marks: lineage("lineage")),
        table(
            "renewal_snapshot", key: lineage("lineage"), "signed_at", "hex(digest)", "source",
            receipt, "seq", entry: "seq"),
        table(
            "store_transaction", key: transaction("store_transaction.id"),
            "CASE WHEN lineage IS NULL THEN '-' ELSE \(lineage("lineage")) END", "is_lasting",
            marks: transaction("store_transaction.id"), lineage("lineage")),
        table(
            "succession", key: account("account"), account("predecessor"),
            marks: account("account"), account("predecessor")),
        table(
            "ticket", key: "ticket.id", "hex(name)", "is_evidence", "state", entry: "ticket.id",
            marks: "'k:' || ticket.id"),
        table("token_registration", key: "token", "seq", entry: "seq"),
        table(
            "transaction_snapshot", key: transaction("store_transaction"), "signed_at",
            "hex(digest)", "source", receipt, "seq", entry: "seq"),
        table(
            "undecided_claim", key: "seq", account("account"), entry: "seq",
            marks: account("account"), lineage("lineage")),
        table(
            "unique_name", key: "kind", "hex(name)", "seq", entry: "seq",
            marks: "'n:' || kind || ':' || hex(name)"),
    ]

    /// The marks that the index links with erased entries.
    static let touchedMarks = """
        WITH gone AS MATERIALIZED (
            SELECT seq FROM entry
            WHERE payload IS NULL AND seq NOT IN (SELECT seq FROM restated)),
        touched AS MATERIALIZED (
            SELECT id FROM lineage WHERE cluster IN (
                SELECT cluster FROM lineage WHERE id IN (
                    SELECT lineage FROM entry_of_lineage WHERE seq IN gone
                    UNION SELECT lineage FROM renewal_snapshot WHERE seq IN gone
                    UNION SELECT lineage FROM transaction_snapshot JOIN store_transaction
                        ON store_transaction.id = store_transaction WHERE seq IN gone))),
        sold AS MATERIALIZED (
            SELECT id FROM store_transaction WHERE lineage IN touched
            UNION SELECT store_transaction FROM transaction_snapshot WHERE seq IN gone
            UNION SELECT store_transaction FROM entry_without_lineage WHERE seq IN gone)
        SELECT \(lineage("touched.id")) FROM touched
        UNION SELECT \(transaction("sold.id")) FROM sold
        UNION SELECT \(appTransaction("app_transaction")) FROM lineage_of_app_transaction
            WHERE lineage IN touched
        UNION SELECT \(account("account")) FROM entry_of_account WHERE seq IN gone
        UNION SELECT \(account("account")) FROM entry_without_lineage
            WHERE seq IN gone AND account <> 0
        UNION SELECT \(account("account")) FROM interest WHERE lineage IN touched
        UNION SELECT 'n:' || kind || ':' || hex(name) FROM unique_name WHERE seq IN gone
        UNION SELECT 'o:' || name FROM customer_order WHERE id IN gone OR id IN (
            SELECT customer_order FROM entry_of_order WHERE seq IN gone)
        UNION SELECT 'k:' || CAST(name AS TEXT) FROM unique_name
            WHERE kind = \(EntryKind.ticketClosed.rawValue) AND seq IN gone
        """
}
