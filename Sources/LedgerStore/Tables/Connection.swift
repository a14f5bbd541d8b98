internal import EntitlementModel
internal import GRDB

/// A connection with its prepared statements. Every statement is a constant text.
///
/// Valid where GRDB lends the database, on that thread.
final class Connection {
    let database: Database
    private var statements = StatementTable()

    init(database: Database) {
        self.database = database
    }

    func run<each Value: StatementBinding>(
        _ sql: StaticString, _ values: repeat each Value
    ) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(repeat each values)
        try statement.execute()
    }

    /// Runs the insertion of one row and says which number the row got.
    func insert<each Value: StatementBinding>(
        _ sql: StaticString, _ values: repeat each Value
    ) throws -> Int64 {
        try run(sql, repeat each values)
        return database.lastInsertedRowID
    }

    /// The same for an insertion that gives way to a row that is there: nil if it did.
    func insertIfNew<each Value: StatementBinding>(
        _ sql: StaticString, _ values: repeat each Value
    ) throws -> Int64? {
        try run(sql, repeat each values)
        return database.changesCount == 0 ? nil : database.lastInsertedRowID
    }

    /// The first column of the first row.
    func integer<each Value: StatementBinding>(
        _ sql: StaticString, _ values: repeat each Value
    ) throws -> Int64? {
        try first(sql, repeat each values) { try $0.optionalInteger(0) } ?? nil
    }

    /// The result for the first row; nil if there is none.
    func first<each Value: StatementBinding, Result>(
        _ sql: StaticString, _ values: repeat each Value, read: (Columns) throws -> Result
    ) throws -> Result? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(repeat each values)
        return try statement.first(read)
    }

    /// Reads all rows, each while it is there. The body must not ask the same question.
    func forEachRow<each Value: StatementBinding>(
        _ sql: StaticString, _ values: repeat each Value, read: (Columns) throws -> Void
    ) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(repeat each values)
        try statement.forEachRow(read)
    }

    /// For questions whose text is put together.
    func rows(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws -> RowCursor {
        try rows(sql, arguments: arguments)
    }

    func rows(
        _ sql: String, arguments: [(any DatabaseValueConvertible)?]
    ) throws -> RowCursor {
        let statement = try database.cachedStatement(sql: sql)
        statement.setUncheckedArguments(StatementArguments(arguments))
        return try Row.fetchCursor(statement)
    }

    private func statement(_ sql: StaticString) throws -> PreparedStatement {
        if let known = statements[sql] { return known }
        let text = sql.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        let statement = PreparedStatement(try database.cachedStatement(sql: text))
        statements.insert(statement, for: sql)
        return statement
    }
}

/// As `Columns`.
extension Row {
    func integer(_ column: Int) throws -> Int64 { try decode(atIndex: column) }
    func optionalInteger(_ column: Int) throws -> Int64? { try decode(atIndex: column) }

    func identifier<ID: Identifier>(_ column: Int) throws -> ID {
        guard let id = ID(try decode(String.self, atIndex: column)) else {
            throw LedgerStoreError.corrupt
        }
        return id
    }

    func bytes(_ column: Int) throws -> [UInt8]? {
        try withUnsafeData(atIndex: column) { data in data.map { [UInt8]($0) } }
    }
}

extension StoreEnvironment {
    /// As the index stores it.
    init?(number: Int64) {
        guard let environment = Self.allCases.first(where: { $0.number == number }) else {
            return nil
        }
        self = environment
    }
}
