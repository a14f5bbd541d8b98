internal import EntitlementModel
internal import GRDB
package import LedgerModel

/// The ledger in one SQLite file: one writer and concurrent readers (spec 3.4).
package final class SQLiteLedger: Sendable {
    let reader: SQLiteLedgerReader
    let writer: GroupCommit
    /// Of what it copies to.
    private let access: FileAccess
    private let lock: LockFile
    private let notices: LedgerNotices
    /// How many erasures of the list next to it the file lacked when it was opened.
    package let erasedAgain: Int

    private init(
        reader: SQLiteLedgerReader, writer: GroupCommit, access: FileAccess, lock: LockFile,
        notices: LedgerNotices, erasedAgain: Int
    ) {
        self.erasedAgain = erasedAgain
        self.reader = reader
        self.writer = writer
        self.access = access
        self.lock = lock
        self.notices = notices
    }

    /// Opens the file for this process alone; creates it if there is none.
    ///
    /// - Parameters:
    ///   - maximumReaders: more than what goes on in the background holds at once: it is of the
    ///     lowest priority, and a question must not wait for it.
    ///   - makeSalts: Unpredictable bytes, a multiple of 16 at each call, 16 for each entry: they
    ///     keep a payload's digest from revealing an erased payload.
    package static func open(
        path: String, maximumReaders: Int = 8, maximumLogBytes: Int64 = 16 << 20,
        custody: LedgerFilePolicy = LedgerFilePolicy(),
        makeSalts: @escaping @Sendable () -> [UInt8]
    ) throws(LedgerError) -> SQLiteLedger {
        try LedgerError.mapping {
            let name = try LedgerName(path)
            var start = LedgerStart(name, custody)
            let found = try start.lookAtFile()
            let lock = try LockFile(of: name, access: custody.access)
            // Under the lock only one process creates it; another may have done so meanwhile.
            let hold =
                try found ?? start.lookAtFile()
                ?? FileHold(writingFileAt: name.path, access: custody.access)
            custody.access.apply(toFileAt: name.path)
            InterruptedCopies.remove(besideLedger: name.path)
            let pool = try LedgerFile.openForWriting(
                name, maximumReaders: maximumReaders, access: custody.access)
            let reader = SQLiteLedgerReader(pool, hold)
            let notices = LedgerNotices(start.notices + custody.access.shortcomings(of: name))
            let salts = SaltSupply(makeSalts)
            let list = custody.erasures.map {
                ErasureListFile(of: name, custody.access, $0, notices)
            }
            // Before the watch begins: what is written here is no other program's.
            let erasedAgain = try list?.bringUp(pool, salts) ?? 0
            let watch = try FileWatch(name, holding: hold.identity, in: pool)
            let headWriter = HeadFileWriter(start.head, notices)
            let head = try reader.head()
            headWriter.note(LedgerPosition(head))
            headWriter.write(accepting: start.accepted)
            let writer = GroupCommit(
                pool, maximumLogBytes: maximumLogBytes, salts: salts,
                watch: watch, headWriter: headWriter, erasures: list, notices: notices,
                followers: LedgerFollowers(behind: head.sequence),
                diskSpace: DiskSpace { custody.hasSpace(name.path) })
            writer.begin(custody.pace)
            return SQLiteLedger(
                reader: reader, writer: writer, access: custody.access, lock: lock,
                notices: notices, erasedAgain: erasedAgain)
        }
    }

    package func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
        try reader.read(body)
    }

    package func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem] {
        try reader.verify(anchor: anchor, progress: progress)
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value,
        committed: @escaping @Sendable (Value, LedgerHead) -> Void
    ) async throws -> Value {
        try await writeFile(body, committed: committed)
    }

    package func rehearse<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            writer.enqueue(
                PendingWrite(
                    body, committed: { _, _ in }, continuation: continuation, isRehearsal: true))
        }
    }

    /// The same for operations on the file itself.
    func writeFile<Value: Sendable>(
        _ body: @escaping @Sendable (LedgerTransaction) throws -> Value,
        committed: @escaping @Sendable (Value, LedgerHead) -> Void = { _, _ in }
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            writer.enqueue(
                PendingWrite(body, committed: committed, continuation: continuation))
        }
    }

    package func follow(_ follower: @escaping @Sendable (LedgerHead) -> Void) {
        writer.followers.add(follower)
    }

    package func prepareWritingThreads(_ prepare: @escaping @Sendable () -> Void) {
        writer.prepareThreads(prepare)
    }

    package var stopped: LedgerError? { writer.stopped.map { LedgerError($0) } }

    package var isFull: Bool { writer.diskSpace.isFull }

    package func watchRoom(_ tell: @escaping @Sendable (_ isFull: Bool) -> Void) {
        writer.diskSpace.watch(tell)
    }

    /// Looks at once whether a disk that was full has room again; otherwise that is done every few
    /// seconds. Blocks.
    func lookForRoom() { writer.lookForRoom() }

    package func onNotice(_ tell: @escaping @Sendable (any LedgerNotice) -> Void) {
        notices.tell(tell)
    }

    /// How many writes wait for the next transaction.
    var waitingWrites: Int { writer.waitingCount }

    package func condition() throws(LedgerError) -> LedgerCondition {
        try reader.condition(waiting: waitingWrites)
    }

    /// Waits for the writes that were queued.
    package func awaitWrites() { writer.awaitWrites() }

    /// Waits for the writes that were queued and closes the file.
    package func close() throws(LedgerError) {
        writer.finish()
        try reader.close()
        lock.release()
    }
}

extension SQLiteLedger: CopyableLedger {
    package func backUp(to path: String) throws(LedgerError) {
        try LedgerError.mapping {
            guard !FileHold.isOpen(path) else { throw LedgerStoreError.targetExists }
            try Backup.write(reader.pool, to: path, access)
        }
    }

    package func removeInterruptedCopies(in folder: String, named isOwn: (Substring) -> Bool) {
        InterruptedCopies.remove(in: folder, where: isOwn)
    }
}

/// Operations on a ledger's file that is not open for writing.
extension SQLiteLedger {
    /// Opens the file for reading only, while a service runs or alone.
    package static func openReadOnly(path: String) throws(LedgerError) -> SQLiteLedgerReader {
        try LedgerError.mapping { try SQLiteLedgerReader(path: path) }
    }

    /// The same for `verify`, which reports a foreign schema or missing entries instead of refusing
    /// them.
    package static func openToVerify(path: String) throws(LedgerError) -> SQLiteLedgerReader {
        try LedgerError.mapping {
            try SQLiteLedgerReader(path: path, isToVerify: true)
        }
    }

    /// Whether this process has a ledger open in that file: opening and closing it elsewhere would
    /// release SQLite's locks.
    package static func isOpen(_ path: String) -> Bool { FileHold.isOpen(path) }

    /// Copies a ledger, in use or not, to where there is nothing yet.
    ///
    /// - Returns: How far the copy goes.
    package static func backUp(
        _ path: String, to copy: String, access: FileAccess = FileAccess()
    ) throws(LedgerError) -> LedgerHead {
        try LedgerError.mapping {
            guard !FileStatus.exists(copy) else { throw LedgerStoreError.targetExists }
            let reader = try openReadOnly(path: path)
            try Backup.write(reader.pool, to: copy, access)
            try reader.close()
            let copied = try openReadOnly(path: copy)
            let head = try copied.head()
            try copied.close()
            return head
        }
    }
}
