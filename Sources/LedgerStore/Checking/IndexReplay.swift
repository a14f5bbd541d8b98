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

    func insert(_ entry: LedgerEntry, at sequence: LedgerSequence) throws {
        try scratch.unsafeRead { database in
            try EntryIndex(NameTables(Connection(database: database)))
                .insert(entry, at: sequence)
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
