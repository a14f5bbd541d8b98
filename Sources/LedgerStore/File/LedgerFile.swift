internal import Dispatch
internal import EntitlementModel
internal import FoundationEssentials
internal import GRDB
internal import LedgerModel
internal import SQLiteHardening
internal import Synchronization

/// Opens ledger files: settings, checks, migrations.
enum LedgerFile {
    /// - Parameter name: of a file that is held and was inspected; created if there was none.
    static func openForWriting(
        _ name: LedgerName, maximumReaders: Int, access: FileAccess
    ) throws(LedgerStoreError) -> DatabasePool {
        let path = name.path
        return try LedgerStoreError.mapping(path) {
            var configuration = settings
            configuration.maximumReaderCount = maximumReaders
            configuration.persistentReadOnlyConnections = true
            let pool = try DatabasePool(path: path, configuration: configuration)
            // SQLite makes them with the ledger's mode, and in the group of the process.
            for path in [name.log, name.sharedMemory] { access.apply(toFileAt: path) }
            try pool.writeWithoutTransaction { database in
                try setDurable(database)
                // Savepoints keep their undo data in memory, not in a temporary file.
                try database.execute(sql: "PRAGMA temp_store = MEMORY")
            }
            try migrate(pool, path: path, access)
            try pool.writeWithoutTransaction(checkDurable)
            try openReaders(of: pool, maximumReaders)
            return pool
        }
    }

    /// All readers at once, and for good: one that is opened later would open whatever has the
    /// ledger's name by then.
    private static func openReaders(of pool: DatabasePool, _ count: Int) throws {
        let fault = Mutex<(any Error)?>(nil)
        let (isOpen, areAllOpen) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<count {
            pool.asyncRead { result in
                do {
                    // The log is opened with the first question.
                    _ = try Int64.fetchOne(result.get(), sql: "PRAGMA schema_version")
                } catch {
                    fault.withLock { $0 = error }
                }
                isOpen.signal()
                areAllOpen.wait()
            }
        }
        for _ in 0..<count { isOpen.wait() }
        for _ in 0..<count { areAllOpen.signal() }
        if let fault = fault.withLock(\.self) { throw fault }
    }

    /// A connection that changes nothing, to a file without a writer.
    ///
    /// - Parameter mayWriteIndex: whether the log's index may be computed again.
    static func openForInspection(
        _ name: LedgerName, mayWriteIndex: Bool = false
    ) throws -> DatabaseQueue {
        var configuration = settings
        configuration.readonly = true
        let path = name.unchangedURI(mayWriteIndex: mayWriteIndex)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// That the file, which is open for writing, still is what the next start would serve: with the
    /// newest entry that was acknowledged. What connections have read before does not count.
    static func expect(
        _ place: LedgerPosition?, in name: LedgerName
    ) throws(LedgerStoreError) {
        let pool = try openForReading(path: name.path)
        try LedgerStoreError.mapping(name.path) {
            try pool.read { database in
                try checkEndOfChain(database)
                guard try place.map(LedgerTransaction(database).holds) ?? true else {
                    throw LedgerStoreError.replaced(path: name.path)
                }
            }
            try pool.close()
        }
    }

    /// While a service runs, or alone.
    ///
    /// - Parameter acceptsForeignSchema: for a check that reports foreign objects.
    static func openForReading(
        path: String, acceptsForeignSchema: Bool = false
    ) throws(LedgerStoreError) -> DatabasePool {
        try LedgerStoreError.mapping(path) {
            // Other kinds of files may have no end, or block.
            if let found = FileStamp(path, followsLinks: true), !found.isRegular {
                throw LedgerStoreError.notALedger
            }
            var configuration = settings
            configuration.readonly = true
            let pool = try DatabasePool(path: path, configuration: configuration)
            _ = try pool.read { try checkIsLedger($0, at: path) }
            let isCurrent = try pool.read(LedgerSchema.migrator().hasCompletedMigrations)
            guard isCurrent else { throw LedgerStoreError.schemaTooOld }
            if !acceptsForeignSchema { try pool.read(checkSchema) }
            return pool
        }
    }

    /// Before the first file is opened; no harm is done where another program was quicker.
    private static let isMemoryUncounted = sqlite_leave_memory_uncounted() == 0

    private static var settings: Configuration {
        _ = isMemoryUncounted
        var configuration = Configuration()
        configuration.label = "usher.ledger"
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            guard let connection = database.sqliteConnection,
                sqlite_forbid_corrupting_statements(connection) == 0
            else { throw LedgerStoreError.cannotOpen(path: nil) }
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            // What is erased or replaced is overwritten at once.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "PRAGMA cache_size = -16384")
        }
        return configuration
    }

    /// GRDB sets NORMAL when it opens a pool, and with NORMAL a commit may be lost with the
    /// power; so this comes after, and is read back.
    private static func setDurable(_ database: Database) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try checkDurable(database)
    }

    private static func checkDurable(_ database: Database) throws {
        let full: Int64 = 2
        let synchronous = try Int64.fetchOne(database, sql: "PRAGMA synchronous") ?? -1
        guard synchronous == full else {
            throw LedgerStoreError.notDurable(synchronous: synchronous)
        }
    }

    /// The newest thousand entries: enough to find manual changes at the end of the ledger at every
    /// start. `verify` checks the rest.
    static func checkEndOfChain(_ database: Database) throws {
        let connection = Connection(database: database)
        let newest = try connection.integer("SELECT max(seq) FROM entry") ?? 0
        let first = max(newest, 0) - 1_000
        let trusted = try connection.first(
            "SELECT seq, recorded_at, hash FROM entry WHERE seq = ?", first,
            read: ChainCheck.init(after:))
        var chain = trusted ?? ChainCheck()
        let rows = try connection.rows(
            "SELECT \(ChainCheck.columns) FROM entry WHERE seq > ? ORDER BY seq", first)
        while let row = try rows.next() {
            guard let problem = try chain.advance(to: row).first else { continue }
            throw LedgerStoreError.chainBroken(problem.sequence ?? .zero)
        }
    }

    static func checkSchema(_ database: Database) throws {
        if try SchemaCheck.isOwn(database) { return }
        guard let difference = try SchemaCheck.differences(in: database).first else { return }
        throw LedgerStoreError.foreignSchema(difference)
    }

    /// SQLite takes a file that ends within its first page for a new one.
    static func checkIsNoStump(_ path: String) throws {
        let (bytes, page) = (FileStatus.bytes(of: path), 4_096 as Int64)
        guard bytes == 0 || bytes >= page else { throw LedgerStoreError.corrupt }
    }

    /// By what the file says of itself, before anything of it is read through its schema.
    ///
    /// - Parameter acceptsEmpty: whether it may have no table yet, as after a crash during its
    ///   creation.
    /// - Returns: whether it has tables.
    @discardableResult
    static func checkIsLedger(
        _ database: Database, at path: String, acceptsEmpty: Bool = false
    ) throws -> Bool {
        let id = try Int64.fetchOne(database, sql: "PRAGMA application_id")
        let count = try Int64.fetchOne(
            database,
            sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'")
        let isEmpty = acceptsEmpty && count == 0
        guard id == LedgerSchema.applicationID || isEmpty else {
            throw LedgerStoreError.notALedger
        }
        let foreign =
            try SchemaCheck.differenceOfSteps(in: database)
            ?? (isEmpty ? SchemaCheck.versionDifference(in: database).first : nil)
        if let foreign { throw LedgerStoreError.foreignSchema(foreign) }
        let migrator = LedgerSchema.migrator()
        guard try migrator.hasBeenSuperseded(database) else { return !isEmpty }
        let newer = try migrator.appliedIdentifiers(database).compactMap { Int($0) }
            .filter { $0 > SQLiteLedger.format }.sorted()
        guard let format = newer.last else { throw LedgerStoreError.notALedger }
        let copy = newer.map { path + ".before-\($0)" }.first(where: isReadable)
        throw LedgerStoreError.schemaTooNew(format: format, copy: copy)
    }

    /// Whether a copy that a newer version has made before it moved the ledger on can be served by
    /// this one.
    private static func isReadable(_ path: String) -> Bool {
        guard FileStamp(path)?.isRegular == true, let name = try? LedgerName(path) else {
            return false
        }
        return (try? LedgerInspection(at: name)) != nil
    }

    /// Each step is one transaction, and a file that holds something is backed up before.
    private static func migrate(
        _ pool: DatabasePool, path: String, _ access: FileAccess
    ) throws {
        let migrator = LedgerSchema.migrator()
        let applied = try pool.read(migrator.appliedIdentifiers)
        guard applied != Set(migrator.migrations) else { return }
        if !applied.isEmpty {
            let name = path + ".before-" + (migrator.migrations.last ?? "")
            try Backup.write(pool, to: name, access, besideLedger: path, replaces: true)
        }
        try migrator.migrate(pool)
    }
}
