internal import GRDB
internal import LedgerModel

/// Compares a file's schema with one made in memory by the same program: an added trigger, or a
/// view in place of a table, changes what is read and written (spec 3.4).
enum SchemaCheck {
    /// One row of `sqlite_schema`.
    private struct Object: Hashable {
        let type: String
        let name: String
        let table: String
        /// Nil for objects that SQLite makes.
        let sql: String?

        /// For people: `trigger 'x'`.
        var title: String { "\(type) '\(name)'" }
    }

    /// Whether every object has the text of `LedgerSchema`: only reads the file's own statements,
    /// so that opening a ledger stays cheap. If false, `differences` says whether anything differs.
    static func isOwn(_ database: Database) throws -> Bool {
        let found = try String.fetchSet(
            database,
            sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND \(isCompared)")
        guard found == LedgerSchema.statements else { return false }
        return try versionDifference(in: database).isEmpty
    }

    /// Everything but what statistics and migrations are kept in.
    private static let isCompared =
        "tbl_name <> 'grdb_migrations' AND name NOT GLOB 'sqlite_stat[1-4]'"

    /// The objects that differ, in the order of names.
    static func differences(in database: Database) throws -> [SchemaDifference] {
        let found = try objects(of: database)
        let own = try made { try LedgerSchema.make(in: $0) }
        guard found != own else { return try versionDifference(in: database) }
        return try compare(found, with: own) + versionDifference(in: database)
    }

    /// Of the table that says which steps were taken: anything but a table would be run when it
    /// is read.
    static func differenceOfSteps(in database: Database) throws -> SchemaDifference? {
        let other = try String.fetchOne(
            database,
            sql: """
                SELECT type || ' ''grdb_migrations''' FROM sqlite_schema
                WHERE name = 'grdb_migrations' AND rootpage = 0
                """)
        return other.map { .changed($0) }
    }

    /// Whether every table is a table with the text of `LedgerSchema`: then reading them runs no
    /// foreign code.
    static func areTablesOwn(_ database: Database) throws -> Bool {
        let found = try String.fetchSet(
            database, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL")
        return LedgerSchema.statements.filter { $0.hasPrefix("CREATE TABLE ") }.isSubset(of: found)
    }

    /// Of a file of an earlier format, before anything in it is changed: its index tables are
    /// those of its time, but nothing else may be there.
    static func differencesOfKept(in database: Database) throws -> [SchemaDifference] {
        let hasFeed = try database.tableExists("feed")
        let own = try made { try LedgerSchema.makeKept(in: $0, hasFeed: hasFeed) }
        let index = Set(try LedgerSchema.indexTables())
        let found = try objects(of: database).filter {
            !index.contains($0.table) || $0.type == "trigger" || $0.type == "view"
        }
        return try compare(found, with: own) + versionDifference(in: database)
    }

    private static func compare(
        _ found: Set<Object>, with own: Set<Object>
    ) -> [SchemaDifference] {
        let known = Set(own.map(\.title))
        let there = Set(found.map(\.title))
        let others = found.subtracting(own).map { object -> (String, SchemaDifference) in
            let title = object.title
            return (title, known.contains(title) ? .changed(title) : .foreign(title))
        }
        let missing = known.subtracting(there).map { ($0, SchemaDifference.missing($0)) }
        return (others + missing).sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func objects(of database: Database) throws -> Set<Object> {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT type, name, tbl_name, sql FROM sqlite_schema
                WHERE \(isCompared)
                """)
        var objects: Set<Object> = []
        while let row = try rows.next() {
            objects.insert(
                Object(
                    type: try row.decode(atIndex: 0), name: try row.decode(atIndex: 1),
                    table: try row.decode(atIndex: 2), sql: try row.decode(atIndex: 3)))
        }
        return objects
    }

    private static func made(_ make: (Database) throws -> Void) throws -> Set<Object> {
        try DatabaseQueue().writeWithoutTransaction { database in
            try make(database)
            return try objects(of: database)
        }
    }

    /// No format has ever set SQLite's own number for one.
    static func versionDifference(in database: Database) throws -> [SchemaDifference] {
        let version = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        return version == 0 ? [] : [.foreign("user_version \(version)")]
    }
}
