internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import Synchronization

/// Whether files are there, and how large: a ledger, the log next to it. Opens none: a descriptor
/// of a ledger must not be closed while SQLite has the file open.
package enum FileStatus {
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// 0 if there is none.
    package static func bytes(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}

/// Which file it is, whatever its name.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// The file at a path at one instant.
struct FileStamp: Equatable, Sendable {
    let identity: FileIdentity
    let bytes: Int64
    /// When its content last changed.
    let changedAt: ChangeTime
    /// How many names it has.
    let names: Int
    let isRegular: Bool
    /// Its permissions.
    let mode: UInt32
    let owner: uid_t
    let group: gid_t

    struct ChangeTime: Equatable, Sendable {
        let seconds: Int
        let nanoseconds: Int
    }

    /// Whether it may have the same content: the same file, as long as it was.
    func isAlike(_ earlier: FileStamp) -> Bool {
        identity == earlier.identity && bytes == earlier.bytes
    }

    /// Whether nothing wrote to it between the two.
    func isUntouched(since earlier: FileStamp) -> Bool {
        isAlike(earlier) && changedAt == earlier.changedAt
    }

    /// Nil where there is nothing.
    ///
    /// - Parameter followsLinks: whether a symbolic link is what it leads to.
    init?(_ path: String, followsLinks: Bool = false) {
        var status = stat()
        let result = followsLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { return nil }
        self.init(status)
    }

    /// Of an open file.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino))
        bytes = Int64(status.st_size)
        changedAt = ChangeTime(
            seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec))
        names = Int(status.st_nlink)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        mode = UInt32(status.st_mode & 0o7777)
        owner = status.st_uid
        group = status.st_gid
    }
}

/// Whether an open ledger is still the file at its path, and whether another program wrote to it
/// (spec 3.4, THREATS.md H21).
///
/// Only the writer changes the file and its log, and between its transactions neither: so another
/// size is another program's doing, a copy put over the file in place say. Another time of change
/// alone may be no more than that; then the content decides.
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
    ///
    /// - Parameter examine: throws where the content is another one.
    func expectUntouched(
        examining examine: (LedgerName) throws(LedgerStoreError) -> Void
    ) throws(LedgerStoreError) {
        let before = state.withLock(\.self)
        try compare { now, before in now.isAlike(before) }
        let now = state.withLock(\.self)
        guard
            now.file.changedAt != before.file.changedAt
                || now.log.changedAt != before.log.changedAt
        else { return }
        do throws(LedgerStoreError) {
            try examine(name)
        } catch {
            // The stamp of before is known to be without foreign writes.
            state.withLock { $0 = before }
            throw .replaced(path: name.path)
        }
    }

    /// After a transaction, before anything is published: both files are in place. Their new stamps
    /// are expected next.
    func expectInPlace() throws(LedgerStoreError) {
        try compare { now, before in now.identity == before.identity }
    }

    /// After a checkpoint or a failed transaction: the same, where nothing is published.
    func noteChange() {
        try? expectInPlace()
    }

    /// Whether the file or its log is in place and another program wrote to it: then the log must
    /// not be copied, since either may belong to another ledger now.
    var isOverwritten: Bool {
        let before = state.withLock(\.self)
        return [(name.path, before.file), (name.log, before.log)].contains { path, before in
            guard let now = FileStamp(path) else { return false }
            return now.identity == before.identity && !now.isUntouched(since: before)
        }
    }

    /// The length of the log when it was last read.
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
        // A start would follow the given name, wherever it leads now.
        guard name.given != name.path else { return }
        let found = FileStamp(name.given, followsLinks: true)
        guard found?.identity == file?.identity else { throw .replaced(path: name.given) }
    }

    /// SQLite's own view: that of the file that it has open, by the name that it opened.
    ///
    /// A connection that was closed meanwhile is no evidence.
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
