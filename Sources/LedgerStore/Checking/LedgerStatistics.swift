internal import EntitlementModel
internal import GRDB
package import LedgerModel

/// How large a ledger is and how it is kept.
package struct LedgerStatistics: Hashable, Sendable {
    package var head: LedgerHead
    /// By the name of the kind; kinds without entries are omitted.
    package var entries: [String: Int64] = [:]
    package var accounts: Int64 = 0
    package var lineages: Int64 = 0
    package var transactions: Int64 = 0
    /// Of the ledger file, without its log.
    package var fileBytes: Int64
    /// Of the write-ahead log next to it.
    package var logBytes: Int64
    package var sqliteVersion: SQLiteVersion
    package var warnings: [LedgerWarning] = []
}

/// Something that an operator should know and that stops nothing.
package enum LedgerWarning: Hashable, Sendable {
    /// This SQLite may damage a log when two connections checkpoint at once. The ledger lets
    /// only one do so; another program on the file would break that (docs/LEDGER.md).
    case outdatedSQLite(SQLiteVersion)
}

/// The version of the library that the program runs with.
package struct SQLiteVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first one without the fault that `LedgerWarning.outdatedSQLite` warns of.
    package static let withoutLogFault = SQLiteVersion(3, 51, 3)

    package let major: Int
    package let minor: Int
    package let patch: Int

    package init(_ major: Int, _ minor: Int, _ patch: Int) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads `3.40.1`; nil for anything else.
    package init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1],
            let patch = numbers[2]
        else { return nil }
        self.init(major, minor, patch)
    }

    package var warnings: [LedgerWarning] {
        self < Self.withoutLogFault ? [.outdatedSQLite(self)] : []
    }

    package var description: String { "\(major).\(minor).\(patch)" }

    package static func < (left: SQLiteVersion, right: SQLiteVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}

extension LedgerStatistics {
    init(_ transaction: LedgerTransaction, path: String) throws {
        let connection = transaction.connection
        head = try transaction.head()
        fileBytes = FileStatus.bytes(of: path)
        logBytes = FileStatus.bytes(of: path + "-wal")
        sqliteVersion = try SQLiteVersion(connection)
        warnings = sqliteVersion.warnings
        accounts = try connection.integer("SELECT count(*) FROM account") ?? 0
        lineages = try connection.integer("SELECT count(*) FROM lineage") ?? 0
        transactions = try connection.integer("SELECT count(*) FROM store_transaction") ?? 0
        let rows = try connection.rows("SELECT kind, count(*) FROM entry GROUP BY kind")
        while let row = try rows.next() {
            let number = try row.integer(0)
            let name = EntryKind(rawValue: number).map { "\($0.name)" }
            entries[name ?? "\(number)"] = try row.integer(1)
        }
    }
}

extension SQLiteVersion {
    init(_ connection: Connection) throws {
        let text = try String.fetchOne(connection.database, sql: "SELECT sqlite_version()")
        guard let version = text.flatMap({ SQLiteVersion($0) }) else {
            preconditionFailure("SQLite's version is three numbers")
        }
        self = version
    }
}
