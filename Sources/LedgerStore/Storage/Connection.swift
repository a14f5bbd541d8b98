internal import EntitlementModel
internal import FoundationEssentials
internal import GRDB

/// A connection with its prepared statements. Every statement is a constant text.
struct Connection {
    let database: Database

    func run(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws {
        try prepared(sql, arguments).execute()
    }

    /// The first column of the first row.
    func integer(
        _ sql: String, _ arguments: (any DatabaseValueConvertible)?...
    ) throws -> Int64? {
        try Int64.fetchOne(try prepared(sql, arguments))
    }

    /// What is read from the first row; nil if there is none.
    func first<Value>(
        _ sql: String, _ arguments: (any DatabaseValueConvertible)?...,
        read: (Row) throws -> Value
    ) throws -> Value? {
        let rows = try rows(sql, arguments: arguments)
        // A row is only there as long as its cursor is.
        return try withExtendedLifetime(rows) { try rows.next().map(read) }
    }

    func rows(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws -> RowCursor {
        try rows(sql, arguments: arguments)
    }

    func rows(
        _ sql: String, arguments: [(any DatabaseValueConvertible)?]
    ) throws -> RowCursor {
        try Row.fetchCursor(try prepared(sql, arguments))
    }

    private func prepared(
        _ sql: String, _ arguments: [(any DatabaseValueConvertible)?]
    ) throws -> Statement {
        let statement = try database.cachedStatement(sql: sql)
        statement.setUncheckedArguments(StatementArguments(arguments))
        return statement
    }
}

extension [UInt8] {
    /// As SQLite takes a BLOB.
    var blob: Data { Data(self) }
}

extension Digest256 {
    var blob: Data { Data(bytes) }
}

/// Columns as they must be: in a damaged file they may be anything, and that is thrown.
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
    var number: Int64 {
        switch self {
        case .production: 1
        case .sandbox: 2
        case .xcode: 3
        case .localTesting: 4
        }
    }

    init?(number: Int64) {
        guard let environment = Self.allCases.first(where: { $0.number == number }) else {
            return nil
        }
        self = environment
    }
}
