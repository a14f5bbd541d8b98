internal import EntitlementModel
internal import GRDB
internal import Glibc
internal import LedgerModel
internal import Synchronization

/// The checks before a ledger is opened for writing, so that a refused start changes nothing (spec
/// 3.4, THREATS.md H22).
struct LedgerStart {
    let name: LedgerName
    let custody: LedgerFilePolicy
    let head: HeadFile
    private(set) var notices: [LedgerFileNotice] = []
    /// What to write to the head file; nil for the ledger's own head.
    private(set) var accepted: AcceptedRollback?

    init(_ name: LedgerName, _ custody: LedgerFilePolicy) {
        self.name = name
        self.custody = custody
        head = HeadFile(of: name, access: custody.access)
    }

    /// Holds the file and inspects it. Changes nothing in any case.
    ///
    /// - Returns: nil where there is no file.
    mutating func lookAtFile() throws(LedgerStoreError) -> FileHold? {
        try expectNothingIsMissing()
        try expectOneName()
        guard FileStamp(name.path) != nil else { return nil }
        let hold = try FileHold(writingFileAt: name.path, access: custody.access)
        if FileStatus.bytes(of: name.path) > 0 { try expectHead() }
        return hold
    }

    /// A ledger is made where there is nothing, not where one has been.
    private func expectNothingIsMissing() throws(LedgerStoreError) {
        guard FileStatus.bytes(of: name.path) == 0 else { return }
        let isThere = FileStamp(name.path) != nil
        // A crash may leave an empty file with a journal, but neither a log nor a head: those
        // come after the file's first page is on the disk.
        let lasting = [name.head, name.erasures]
        let remains = isThere ? lasting : [name.log, name.journal] + lasting
        for path in remains where FileStamp(path) != nil {
            throw .missing(path: name.path, beside: path)
        }
        if isThere && FileStatus.bytes(of: name.log) > 0 {
            throw .missing(path: name.path, beside: name.log)
        }
    }

    /// A file with two names has its log and head under one of them; opened by the other name it
    /// would lack their content.
    private func expectOneName() throws(LedgerStoreError) {
        guard let found = FileStamp(name.path), found.isRegular, found.names > 1,
            FileStamp(name.head) == nil, FileStatus.bytes(of: name.log) == 0
        else { return }
        throw .secondName(path: name.path)
    }

    /// The ledger holds the newest entry that was acknowledged, or a person has accepted its end.
    private mutating func expectHead() throws(LedgerStoreError) {
        let (content, acceptedBefore) = head.read()
        let look = try LedgerInspection(
            at: name, for: content.place, knowing: custody.erasures)
        if content == .unreadable { notices.append(.headUnreadable(path: head.path)) }
        if let place = content.place, !look.holdsPlace {
            try expectAccepted(look.end, insteadOf: place, acceptedBefore)
        } else if let place = custody.accepted?.place {
            notices.append(.nothingToAccept(place))
        }
    }

    private mutating func expectAccepted(
        _ end: LedgerPosition, insteadOf place: LedgerPosition,
        _ acceptedBefore: [LedgerPosition]
    ) throws(LedgerStoreError) {
        guard let accepted = custody.accepted, accepted.place == end,
            !acceptedBefore.contains(end)
        else {
            throw .rolledBack(
                end: end, acknowledged: place, wasAccepted: acceptedBefore.contains(end))
        }
        self.accepted = accepted
        notices.append(.rollbackAccepted(end, insteadOf: place))
    }
}

/// The name that a ledger was asked for by, and the file that it leads to.
///
/// SQLite names the log after the file, not after a link to it; so does everything else here.
struct LedgerName: Sendable {
    /// As it was asked for.
    let given: String
    /// Without symbolic links.
    let path: String

    var log: String { path + "-wal" }
    var sharedMemory: String { path + "-shm" }
    var journal: String { path + "-journal" }
    var head: String { path + ".head" }
    var lock: String { path + ".lock" }
    var erasures: String { path + ".erasures" }

    /// - Throws: `.missing` for a dangling link, `.cannotOpen` if the folder is not one.
    init(_ given: String) throws(LedgerStoreError) {
        self.given = given
        if let path = Self.resolved(given) {
            self.path = path
            return
        }
        // A link whose target is away, with its file system say, is no reason to make a new one.
        guard FileStamp(given) == nil else { throw .missing(path: given, beside: given) }
        let folder = Self.folder(of: given)
        guard let resolved = Self.resolved(folder) else { throw .cannotOpen(path: folder) }
        let name = given.utf8.lastIndex(of: UInt8(ascii: "/")).map {
            String(given[given.utf8.index(after: $0)...])
        }
        path = (resolved == "/" ? "" : resolved) + "/" + (name ?? given)
    }

    /// The folder that a file lies in.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// A file next to the ledger that one process at a time holds locked (`flock`).
///
/// It keeps two services from creating one ledger, a restore from running next to a service, and
/// programs before version 0.2 out, which know no other lock. If it was removed, the lock on the
/// ledger itself still protects (`FileHold`). The file stays when the lock is released; only the
/// lock counts.
final class LockFile: Sendable {
    /// Nil once released.
    private let descriptor: Mutex<Int32?>

    init(of ledger: LedgerName, access: FileAccess) throws(LedgerStoreError) {
        guard
            let descriptor = access.open(
                ledger.lock, O_RDWR | O_NOFOLLOW, besideLedger: ledger.path)
        else { throw .cannotOpen(path: ledger.lock) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .alreadyOpen
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    func release() {
        let released = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        guard let released else { return }
        // A process that is just being started has the descriptor too, until it runs its program.
        flock(released, LOCK_UN)
        close(released)
    }
}

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

    /// - Parameters:
    ///   - name: of a file that is held: it has no writer.
    ///   - erasures: by which those are made that the list next to it alone knows.
    init(
        at name: LedgerName, for place: LedgerPosition? = nil,
        knowing erasures: ErasureCustody? = nil
    ) throws(LedgerStoreError) {
        // Only a log without an index makes SQLite write one.
        let makesIndex = name.hasLog && !FileStatus.exists(name.sharedMemory)
        defer { if makesIndex { unlink(name.sharedMemory) } }
        self = try LedgerStoreError.mapping(name.path) {
            try LedgerFile.checkIsNoStump(name.path)
            func look(mayWriteIndex: Bool) throws -> LedgerInspection {
                let queue = try LedgerFile.openForInspection(name, mayWriteIndex: mayWriteIndex)
                let look = try queue.read { try LedgerInspection($0, name, place, erasures) }
                try queue.close()
                return look
            }
            do {
                return try look(mayWriteIndex: false)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_PROTOCOL {
                // A process ended after it had begun the log anew, and before the index said so: who
                // may only read the index waits for it in vain.
                return try look(mayWriteIndex: true)
            }
        }
    }

    private init(
        _ database: Database, _ name: LedgerName, _ place: LedgerPosition?,
        _ erasures: ErasureCustody?
    ) throws {
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
        if let erasures, let list = try ErasureList.read(name.erasures) {
            try transaction.expectOwn(list, at: name.erasures)
            // Earlier formats know none, and have no index for them.
            let undone = isCurrent ? try transaction.undone(of: list) : list.lines
            guard undone.areMade(by: erasures.key) else {
                throw LedgerStoreError.undoneErasures(path: name.erasures, count: undone.count)
            }
        }
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
    func unchangedURI(mayWriteIndex: Bool) -> String {
        let encoded = path.utf8.map { "%" + [$0].hexadecimal }
        var option = "?immutable=1"
        if hasLog {
            let isRead = !mayWriteIndex && FileStatus.exists(sharedMemory)
            option = isRead ? "?readonly_shm=1" : ""
        }
        return "file:" + encoded.joined() + option
    }
}
