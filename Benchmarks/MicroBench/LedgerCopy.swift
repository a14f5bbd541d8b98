/// The rows of a ledger, to be written again with bare inserts: the same tables, triggers and
/// indexes, but nothing is encoded, hashed or looked up.
struct LedgerCopy {
    private let schema: [String]
    private let tables: [(insert: String, rows: [[RawSQLite.Value]])]

    init(of path: String) throws {
        let source = try RawSQLite(path: path)
        let objects = try source.rows(
            """
            SELECT sql FROM sqlite_schema
            WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'
            ORDER BY type = 'trigger', type = 'index', rowid
            """)
        schema = objects.compactMap { Self.text($0[0]) }
        let names = try source.rows(
            """
            SELECT name FROM sqlite_schema
            WHERE type = 'table' AND name NOT LIKE 'grdb%' ORDER BY rowid
            """)
        tables = try names.compactMap { Self.text($0[0]) }.map { name in
            // In the order of their keys.
            let rows = try source.rows("SELECT * FROM \(name)")
            let marks = Array(repeating: "?", count: rows.first?.count ?? 1)
            return ("INSERT INTO \(name) VALUES (\(marks.joined(separator: ", ")))", rows)
        }
    }

    func makeTarget(at path: String) throws -> RawSQLite {
        let target = try RawSQLite(path: path)
        for sql in schema { try target.execute(sql) }
        return target
    }

    /// Each of the transactions takes an equal part of every table.
    func write(to target: RawSQLite, transactions count: Int) throws {
        for number in 0..<count {
            try target.execute("BEGIN IMMEDIATE")
            for table in tables where !table.rows.isEmpty {
                let statement = try target.statement(table.insert)
                let part =
                    table.rows.count * number / count..<table.rows.count * (number + 1) / count
                for row in table.rows[part] { try target.insert(row, with: statement) }
            }
            try target.execute("COMMIT")
        }
    }

    private static func text(_ value: RawSQLite.Value) -> String? {
        guard case .text(let bytes) = value else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
