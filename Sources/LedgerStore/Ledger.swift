internal import EntitlementModel
internal import GRDB

/// The ledger of one service: one SQLite file, one writer, readers beside it (spec 3.4).
package final class Ledger: Sendable {
    /// Everything that only reads.
    package let reader: LedgerReader
    private let writer: GroupCommit
    private let keeper: HeadKeeper
    private let lock: LockFile
    private let notices: LedgerNotices

    private init(
        reader: LedgerReader, writer: GroupCommit, keeper: HeadKeeper, lock: LockFile,
        notices: LedgerNotices
    ) {
        self.reader = reader
        self.writer = writer
        self.keeper = keeper
        self.lock = lock
        self.notices = notices
    }

    /// Opens the file, made if there is none, for this process alone.
    ///
    /// - Parameter makeSalts: Unpredictable bytes, some times 16 at each call, 16 for each entry:
    ///   they keep a payload's digest from telling what was in an erased payload.
    package static func open(
        path: String, maximumReaders: Int = 4, maximumLogBytes: Int64 = 64 << 20,
        custody: LedgerFilePolicy = LedgerFilePolicy(),
        makeSalts: @escaping @Sendable () -> [UInt8]
    ) throws(LedgerStoreError) -> Ledger {
        let name = try LedgerName(path)
        let lock = try LockFile(of: name, access: custody.access)
        var start = LedgerStart(name, custody)
        try start.expectNothingIsMissing()
        try start.expectOneName()
        let hold = try FileHold(writingFileAt: name.path, access: custody.access)
        try start.expectHead()
        InterruptedCopies.remove(besideLedger: name.path)
        let pool = try LedgerFile.openForWriting(
            name, maximumReaders: maximumReaders, access: custody.access)
        let reader = LedgerReader(pool, hold, access: custody.access)
        let watch = try FileWatch(name, holding: hold.identity, in: pool)
        let notices = LedgerNotices(start.notices + custody.access.shortcomings(of: name))
        let keeper = HeadKeeper(start.head, notices)
        keeper.note(LedgerPosition(try reader.head()))
        keeper.write(accepting: start.accepted)
        let writer = GroupCommit(
            pool, maximumLogBytes: maximumLogBytes, salts: SaltSupply(makeSalts), watch: watch,
            keeper: keeper, notices: notices, room: DiskRoom { custody.findsRoom(name.path) })
        writer.begin(custody.pace)
        return Ledger(
            reader: reader, writer: writer, keeper: keeper, lock: lock, notices: notices)
    }

    /// Opens the file for reading only, beside a running service or alone.
    package static func openReadOnly(
        path: String
    ) throws(LedgerStoreError) -> LedgerReader {
        try openReadOnly(path: path, acceptsForeignSchema: false)
    }

    private static func openReadOnly(
        path: String, acceptsForeignSchema: Bool
    ) throws(LedgerStoreError) -> LedgerReader {
        let hold = FileHold(readingFileAt: path)
        let pool = try LedgerFile.openForReading(
            path: path, acceptsForeignSchema: acceptsForeignSchema)
        return LedgerReader(pool, hold, access: FileAccess())
    }

    /// Whether this process has a ledger open in that file: then nobody else of it may open the
    /// file and close it again, which would take SQLite's locks away.
    package static func isOpen(_ path: String) -> Bool { FileHold.isOpen(path) }

    /// Hands what should be known of the ledger to `tell`: what is known already at once, and
    /// later what comes, on any thread.
    package func onNotice(_ tell: @escaping @Sendable (LedgerNotice) -> Void) {
        notices.tell(tell)
    }

    /// The same for `verify`, which names what is foreign in the schema instead of refusing it.
    package static func openToVerify(
        path: String
    ) throws(LedgerStoreError) -> LedgerReader {
        try openReadOnly(path: path, acceptsForeignSchema: true)
    }

    /// Copies a ledger, in use or not, to where there is nothing yet.
    ///
    /// - Returns: How far the copy goes.
    package static func backUp(
        _ path: String, to copy: String, access: FileAccess = FileAccess()
    ) throws(LedgerStoreError) -> LedgerHead {
        guard !FileStatus.exists(copy) else { throw .targetExists }
        let reader = try openReadOnly(path: path)
        try Backup.write(reader.pool, to: copy, access)
        try reader.close()
        let copied = try openReadOnly(path: copy)
        let head = try copied.head()
        try copied.close()
        return head
    }

    /// Runs the body in the writer's next transaction and returns when that is durable.
    ///
    /// A body that throws leaves nothing behind; the writes that share its transaction are not
    /// touched. A `LedgerStoreError` thrown here says what the machine did; after a failed
    /// commit the same write may be repeated, since natural keys make it one.
    ///
    /// - Parameter committed: Runs on the writer's thread once the value is durable, in the
    ///   order of the writes and before any caller of the batch goes on: the place to publish
    ///   what changed. It must not block.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (LedgerTransaction) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            writer.enqueue(
                PendingWrite(body, committed: committed, continuation: continuation))
        }
    }

    /// From now on, lets `prepare` see every thread that writes before it does; threads change.
    package func prepareWritingThreads(_ prepare: @escaping @Sendable () -> Void) {
        writer.prepareThreads(prepare)
    }

    /// One consistent view beside the writer. Blocks the calling thread while it runs.
    package func read<Value>(
        _ body: (any LedgerReading) throws -> Value
    ) throws -> Value {
        try reader.read(body)
    }

    /// False once a failure has left it open what is on the disk, or the file is not at its path
    /// any more.
    package var acceptsWrites: Bool { writer.stopped == nil }

    /// Why writing has stopped; nil while it goes on.
    package var stopped: LedgerStoreError? { writer.stopped }

    /// Whether the last write that needed room on the disk found none. Writes are still tried, and
    /// this ends by itself.
    package var isDiskFull: Bool { writer.room.isFull }

    /// Hands to `tell` when the disk is found full and when it has room again, once each.
    package func watchDisk(_ tell: @escaping @Sendable (_ isFull: Bool) -> Void) {
        writer.room.watch(tell)
    }

    /// Looks at once whether a disk that was full has room again; otherwise that is done every few
    /// seconds. Blocks.
    func lookForRoom() { writer.lookForRoom() }

    /// How many writes wait for the next transaction.
    package var waitingWrites: Int { writer.waitingCount }

    /// Waits for the writes that were queued and closes the file; nothing may be asked of it then.
    package func close() throws(LedgerStoreError) {
        writer.finish()
        try reader.close()
        lock.release()
    }
}
