internal import Dispatch
internal import GRDB
internal import Synchronization

/// The one writer. All writes that wait when it is ready go into one SQLite transaction and share
/// its one fsync; while that runs, the next batch gathers.
final class GroupCommit: Sendable {
    private struct State {
        var waiting: [any QueuedWrite] = []
        var isRunning = false
        var hasStopped = false
        /// Done on the thread that writes before it does.
        var prepare: @Sendable () -> Void = {}
    }

    /// How many writes may wait before the next is turned away.
    private static let maximumWaiting = 4_096
    /// How many writes share one transaction.
    private static let maximumBatch = 512
    private let pool: DatabasePool
    /// A log that is longer is copied back and cut: a reader that stayed long let it grow.
    private let maximumLogBytes: Int64
    private let salts: SaltSupply
    let room: DiskRoom
    private let queue = DispatchQueue(label: "usher.ledger.group-commit")
    private let state = Mutex(State())

    init(
        _ pool: DatabasePool, maximumLogBytes: Int64, salts: SaltSupply, room: DiskRoom
    ) {
        self.pool = pool
        self.room = room
        self.maximumLogBytes = maximumLogBytes
        self.salts = salts
    }

    var hasStopped: Bool { state.withLock(\.hasStopped) }
    var waitingCount: Int { state.withLock(\.waiting.count) }

    func enqueue(_ write: any QueuedWrite) {
        enum Verdict {
            case queued
            case begins(@Sendable () -> Void)
            case refused(LedgerStoreError)
        }
        let verdict: Verdict = state.withLock { state in
            if state.hasStopped { return .refused(.writingStopped) }
            guard state.waiting.count < Self.maximumWaiting else { return .refused(.overloaded) }
            state.waiting.append(write)
            guard !state.isRunning else { return .queued }
            state.isRunning = true
            return .begins(state.prepare)
        }
        switch verdict {
        case .refused(let error): write.fail(error)
        case .queued: break
        case .begins(let prepare):
            queue.async { [self] in
                prepare()
                drain()
            }
        }
    }

    /// From now on, lets `prepare` see every thread that writes before it does.
    func prepareThreads(_ prepare: @escaping @Sendable () -> Void) {
        state.withLock { $0.prepare = prepare }
    }

    /// Returns when all that was queued before has been written, and copied from the log into
    /// the file: GRDB closes the readers last, and they cannot do that.
    func finish() {
        queue.sync { truncateLog() }
    }

    private func drain() {
        while let batch = nextBatch() {
            do {
                try commit(batch)
                for write in batch { write.publish() }
                for write in batch { write.resume() }
            } catch {
                if error.stopsWriting { stop() }
                if error == .diskFull, room.note(isFull: true) { lookForRoomLater() }
                for write in batch { write.fail(error) }
            }
            truncateLogIfLong()
        }
    }

    private func nextBatch() -> [any QueuedWrite]? {
        let (batch, refused) = state.withLock { state -> ([any QueuedWrite], [any QueuedWrite]) in
            let batch = Array(state.waiting.prefix(Self.maximumBatch))
            state.waiting.removeFirst(batch.count)
            state.isRunning = !batch.isEmpty
            return state.hasStopped ? ([], batch) : (batch, [])
        }
        for write in refused { write.fail(.writingStopped) }
        if !refused.isEmpty { return nextBatch() }
        return batch.isEmpty ? nil : batch
    }

    private func stop() {
        state.withLock { $0.hasStopped = true }
    }

    private func commit(_ batch: [any QueuedWrite]) throws(LedgerStoreError) {
        let hasWritten = try LedgerStoreError.mapping {
            try pool.writeWithoutTransaction { database in
                let before = database.totalChangesCount
                try database.inTransaction(.immediate) {
                    let transaction = LedgerTransaction(database, salts: salts)
                    if batch.count == 1 { return try performAlone(batch[0], in: transaction) }
                    for write in batch { try perform(write, in: transaction) }
                    return .commit
                }
                return database.totalChangesCount != before
            }
        }
        // A commit of nothing finds room on every disk, and a small one on a disk on which the next
        // does not.
        if hasWritten, room.isFull, room.isFound() { room.note(isFull: false) }
    }

    private func lookForRoomLater() {
        queue.asyncAfter(deadline: .now() + .seconds(DiskRoom.interval)) { [weak self] in
            guard let self, room.isFull, !hasStopped else { return }
            if !findRoom() { lookForRoomLater() }
        }
    }

    /// Looks whether a disk that was full has room again. Blocks while it looks.
    func lookForRoom() {
        _ = queue.sync { findRoom() }
    }

    private func findRoom() -> Bool {
        guard room.isFull else { return true }
        guard room.isFound() else { return false }
        do {
            // The smallest commit that there is: one page of the log, that says what it said.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 0") }
        } catch {
            return false
        }
        room.note(isFull: false)
        return true
    }

    /// Each write in its own savepoint: a body that throws undoes only itself, a machine that
    /// fails undoes the batch.
    private func perform(
        _ write: any QueuedWrite, in transaction: LedgerTransaction
    ) throws {
        do {
            try transaction.undoingFailures { try write.perform(in: transaction) }
        } catch {
            guard transaction.outlives(error) else { throw error }
            write.undo(because: error)
        }
    }

    /// The transaction itself is what is undone.
    private func performAlone(
        _ write: any QueuedWrite, in transaction: LedgerTransaction
    ) throws -> Database.TransactionCompletion {
        do {
            try write.perform(in: transaction)
            return .commit
        } catch {
            guard transaction.outlives(error) else { throw error }
            write.undo(because: error)
            return .rollback
        }
    }

    /// Only the writer's connection ever checkpoints: two that do have met a race in SQLite
    /// before 3.51.3. It waits for no reader; while one is in the way, the next batch tries
    /// again.
    private func truncateLogIfLong() {
        if FileStatus.bytes(of: pool.path + "-wal") > maximumLogBytes { truncateLog() }
    }

    private func truncateLog() {
        _ = try? pool.writeWithoutTransaction { database in
            let patience = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
            try database.execute(sql: "PRAGMA busy_timeout = 0")
            defer { try? database.execute(sql: "PRAGMA busy_timeout = \(patience)") }
            try database.checkpoint(.truncate)
        }
    }
}

extension LedgerTransaction {
    /// Whether only the body that met the error is lost, and not the whole transaction.
    fileprivate func outlives(_ error: any Error) -> Bool {
        guard connection.database.isInsideTransaction else { return false }
        switch error as? LedgerStoreError {
        case nil: return !(error is DatabaseError)
        case .duplicate, .refusedBySchema, .overloaded: return true
        default: return false
        }
    }
}
