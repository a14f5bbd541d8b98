internal import EntitlementModel
internal import GRDB
internal import Glibc
internal import LedgerModel

/// Reads a ledger's file without changing it or anything next to it, SQLite's log and its index
/// included.
///
/// The schema comes before everything that is read through it: a view in a table's place may have
/// no end.
struct LedgerInspection {
    /// Its newest entry.
    let end: LedgerPosition
    /// Whether it has the entry asked for.
    let holdsPlace: Bool

    /// - Parameter name: of a file that is held: it has no writer.
    init(at name: LedgerName, for place: LedgerPosition? = nil) throws(LedgerStoreError) {
        // Only a log without an index makes SQLite write one.
        let makesIndex = name.hasLog && !FileStatus.exists(name.sharedMemory)
        defer { if makesIndex { unlink(name.sharedMemory) } }
        self = try LedgerStoreError.mapping(name.path) {
            try LedgerFile.checkIsNoStump(name.path)
            let queue = try LedgerFile.openForInspection(name)
            let look = try queue.read { try LedgerInspection($0, name, place) }
            try queue.close()
            return look
        }
    }

    private init(_ database: Database, _ name: LedgerName, _ place: LedgerPosition?) throws {
        guard try LedgerFile.checkIsLedger(database, at: name.path, acceptsEmpty: true) else {
            end = LedgerPosition(sequence: .zero, hash: EntryHash.genesis)
            holdsPlace = place == nil || place == end
            return
        }
        let isCurrent = try LedgerSchema.migrator().hasCompletedMigrations(database)
        if isCurrent {
            try LedgerFile.checkSchema(database)
        } else if let difference = try SchemaCheck.differencesOfKept(in: database).first {
            throw LedgerStoreError.foreignSchema(difference)
        }
        try LedgerFile.checkEndOfChain(database)
        let transaction = LedgerTransaction(database)
        end = LedgerPosition(try transaction.head())
        holdsPlace = try place.map { try transaction.holds($0) } ?? true
    }
}

extension LedgerTransaction {
    /// Whether the ledger has this entry.
    func holds(_ place: LedgerPosition) throws -> Bool {
        if place.sequence == .zero { return place.hash == EntryHash.genesis }
        let hash = try connection.first(
            "SELECT hash FROM entry WHERE seq = ?", place.sequence.number
        ) { try $0.bytes(0) }
        return hash == place.hash.bytes
    }
}

extension LedgerName {
    /// Whether a log has anything that the file lacks.
    fileprivate var hasLog: Bool { FileStatus.bytes(of: log) > 0 }

    /// For a connection that leaves everything as it is: without a log nothing but the file is
    /// opened; with one, its index is only read.
    var unchangedURI: String {
        let encoded = path.utf8.map { "%" + [$0].hexadecimal }
        var option = "?immutable=1"
        if hasLog { option = FileStatus.exists(sharedMemory) ? "?readonly_shm=1" : "" }
        return "file:" + encoded.joined() + option
    }
}
