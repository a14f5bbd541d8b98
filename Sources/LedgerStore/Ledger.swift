internal import EntitlementModel
internal import GRDB

/// The ledger of one service: one SQLite file, one writer, readers beside it (spec 3.4).
package final class Ledger: Sendable {
    /// Everything that only reads.
    package let reader: LedgerReader
    private let writer: GroupCommit
    private let lock: LockFile

    private init(reader: LedgerReader, writer: GroupCommit, lock: LockFile) {
        self.reader = reader
        self.writer = writer
        self.lock = lock
    }

    /// Opens the file, made if there is none, for this process alone.
    ///
    /// - Parameter makeSalts: Unpredictable bytes, some times 16 at each call, 16 for each entry:
    ///   they keep a payload's digest from telling what was in an erased payload.
    /// - Parameter findsRoom: Whether there is room on the disk beside a file.
    package static func open(
        path: String, maximumReaders: Int = 4, maximumLogBytes: Int64 = 64 << 20,
        findsRoom: @escaping @Sendable (String) -> Bool = DiskRoom.canAllocate,
        makeSalts: @escaping @Sendable () -> [UInt8]
    ) throws(LedgerStoreError) -> Ledger {
        let lock = try LockFile(path: path + ".lock")
        InterruptedCopies.remove(besideLedger: path)
        let pool = try LedgerFile.openForWriting(path: path, maximumReaders: maximumReaders)
        return Ledger(
            reader: LedgerReader(pool),
            writer: GroupCommit(
                pool, maximumLogBytes: maximumLogBytes, salts: SaltSupply(makeSalts),
                room: DiskRoom { findsRoom(path) }),
            lock: lock)
    }

    /// Opens the file for reading only, beside a running service or alone.
    package static func openReadOnly(
        path: String
    ) throws(LedgerStoreError) -> LedgerReader {
        LedgerReader(try LedgerFile.openForReading(path: path))
    }

    /// The same for `verify`, which names what is foreign in the schema instead of refusing it.
    package static func openToVerify(
        path: String
    ) throws(LedgerStoreError) -> LedgerReader {
        LedgerReader(try LedgerFile.openForReading(path: path, acceptsForeignSchema: true))
    }

    /// Copies a ledger, in use or not, to where there is nothing yet.
    ///
    /// - Returns: How far the copy goes.
    package static func backUp(
        _ path: String, to copy: String
    ) throws(LedgerStoreError) -> LedgerHead {
        guard !FileStatus.exists(copy) else { throw .targetExists }
        let reader = try openReadOnly(path: path)
        try reader.backup(to: copy)
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

    /// False once a failure has left it open what is on the disk.
    package var acceptsWrites: Bool { !writer.hasStopped }

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
