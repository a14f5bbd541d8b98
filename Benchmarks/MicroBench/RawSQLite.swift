internal import GRDBSQLite

/// SQLite's C interface with the settings of a ledger: the yardstick.
final class RawSQLite {
    private let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init(path: String) throws {
        var connection: OpaquePointer?
        guard sqlite3_open(path, &connection) == SQLITE_OK, let connection else {
            throw BenchFailure.sqlite("open")
        }
        self.connection = connection
        for setting in ["journal_mode = WAL", "synchronous = FULL", "cache_size = -16384"] {
            try execute("PRAGMA " + setting)
        }
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(connection)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
            throw failure(of: sql)
        }
    }

    private func failure(of sql: String) -> BenchFailure {
        .sqlite("\(String(cString: sqlite3_errmsg(connection))): \(sql)")
    }

    /// A statement that is prepared once.
    func statement(_ sql: String) throws -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
            let statement
        else { throw failure(of: sql) }
        statements[sql] = statement
        return statement
    }

    /// All rows of a query.
    func rows(_ sql: String) throws -> [[Value]] {
        let statement = try statement(sql)
        defer { sqlite3_reset(statement) }
        var rows: [[Value]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append((0..<sqlite3_column_count(statement)).map { Value(statement, $0) })
        }
        return rows
    }

    func insert(_ row: [Value], with statement: OpaquePointer) throws {
        for (index, value) in row.enumerated() { value.bind(to: statement, at: Int32(index) + 1) }
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure(of: "an insertion") }
        sqlite3_reset(statement)
    }

    /// A value of a row, held as SQLite holds it.
    enum Value {
        case null
        case integer(Int64)
        case text([UInt8])
        case blob([UInt8])

        init(_ statement: OpaquePointer, _ column: Int32) {
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
            case SQLITE_TEXT: self = .text(Self.bytes(statement, column))
            case SQLITE_BLOB: self = .blob(Self.bytes(statement, column))
            default: self = .null
            }
        }

        private static func bytes(_ statement: OpaquePointer, _ column: Int32) -> [UInt8] {
            let start = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return Array(UnsafeRawBufferPointer(start: start, count: count))
        }

        func bind(to statement: OpaquePointer, at index: Int32) {
            // SQLITE_TRANSIENT: SQLite makes its own copy.
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            switch self {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            case .text(let bytes):
                bytes.withUnsafeBytes {
                    _ = sqlite3_bind_text(
                        statement, index, $0.baseAddress?.assumingMemoryBound(to: CChar.self),
                        Int32($0.count), copied)
                }
            case .blob(let bytes):
                bytes.withUnsafeBytes {
                    _ = sqlite3_bind_blob(
                        statement, index, $0.baseAddress, Int32($0.count), copied)
                }
            }
        }
    }
}
