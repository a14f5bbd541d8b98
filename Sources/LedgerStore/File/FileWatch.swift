internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Whether a ledger that is open is still what its name leads to, and whether anybody else wrote
/// to it (spec 3.4, THREATS.md H21).
///
/// Only the writer changes the file and its log, and between its transactions neither: so another
/// size or time of change is another program's doing, a copy put over the file in place say.
final class FileWatch: Sendable {
    private struct State {
        var file: FileStamp
        var log: FileStamp
    }

    private let name: LedgerName
    private let state: Mutex<State>

    /// - Parameter identity: of the file that is held.
    /// - Throws: `.replaced` where SQLite has opened another one.
    init(_ name: LedgerName, holding identity: FileIdentity, in pool: DatabasePool)
        throws(LedgerStoreError)
    {
        guard let file = FileStamp(name.path), file.identity == identity else {
            throw .replaced(path: name.path)
        }
        guard let log = FileStamp(name.log) else { throw .replaced(path: name.log) }
        self.name = name
        state = Mutex(State(file: file, log: log))
        try LedgerStoreError.mapping(name.path) {
            try pool.writeWithoutTransaction(expectUnmoved)
        }
    }

    /// Before a transaction: both are in their places, and as the last one left them.
    func expectUntouched() throws(LedgerStoreError) {
        try compare { now, before in now.isUntouched(since: before) }
    }

    /// Behind a transaction, and before anybody is told of it: both are in their places. What
    /// they are now is what the next one expects.
    func expectInPlace() throws(LedgerStoreError) {
        try compare { now, before in now.identity == before.identity }
    }

    /// Behind a checkpoint, or a transaction that failed: the same where nobody is told anything.
    func noteChange() {
        try? expectInPlace()
    }

    /// Whether the file is in its place and somebody else wrote to it: then the log is not
    /// copied into what may be another ledger by now.
    var isOverwritten: Bool {
        guard let now = FileStamp(name.path) else { return false }
        return state.withLock { state in
            now.identity == state.file.identity && !now.isUntouched(since: state.file)
        }
    }

    /// How long the log was when it was last looked at.
    var logBytes: Int64 { state.withLock(\.log.bytes) }

    private func compare(
        _ isSame: (_ now: FileStamp, _ before: FileStamp) -> Bool
    ) throws(LedgerStoreError) {
        let (file, log) = (FileStamp(name.path), FileStamp(name.log))
        let fault = state.withLock { state -> LedgerStoreError? in
            guard let file, isSame(file, state.file) else { return .replaced(path: name.path) }
            guard let log, isSame(log, state.log) else { return .replaced(path: name.log) }
            state = State(file: file, log: log)
            return nil
        }
        if let fault { throw fault }
        // A start would follow the name that was given, wherever that leads by now.
        guard name.given != name.path else { return }
        let found = FileStamp(name.given, followsLinks: true)
        guard found?.identity == file?.identity else { throw .replaced(path: name.given) }
    }

    /// SQLite's own view: that of the file that it has open, by the name that it opened.
    ///
    /// A connection that was closed meanwhile says nothing about it.
    func expectUnmoved(_ database: Database) throws {
        guard let connection = database.sqliteConnection else {
            throw LedgerStoreError.cannotOpen(path: name.path)
        }
        var hasMoved: Int32 = 0
        let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        guard code == SQLITE_OK, hasMoved == 0 else {
            throw LedgerStoreError.replaced(path: name.path)
        }
    }
}
