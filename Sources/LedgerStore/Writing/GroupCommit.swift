internal import Dispatch
internal import GRDB
internal import LedgerModel
internal import Synchronization

/// The one writer. All writes that wait when it is ready go into one SQLite transaction and share
/// its one fsync; while that runs, the next batch gathers.
final class GroupCommit: Sendable {
    private struct State {
        var waiting: [any QueuedWrite] = []
        var isRunning = false
        /// What every write is answered with from now on.
        var stopped: LedgerStoreError?
        /// Done on the thread that writes before it does.
        var prepare: @Sendable () -> Void = {}
        /// What keeps each commit first; nil where the file alone does.
        var journal: (any CommitJournal)?
    }

    /// The longest queue before the next write is rejected.
    private static let maximumWaiting = 4_096
    /// How many writes share one transaction.
    private static let maximumBatch = 512
    private let pool: DatabasePool
    /// A log that is longer is copied back and cut: a reader that stayed long let it grow.
    private let maximumLogBytes: Int64
    /// Whether the log may hold what was erased, and is to be cut however short it is: also what
    /// was erased before it was opened, since the process may have ended then.
    private let hasErased: Mutex<Bool>
    /// How long the log is when readers are waited for next.
    private let nextLogWait = Mutex<Int64>(0)
    private let salts: SaltSupply
    private let watch: FileWatch
    private let headWriter: HeadFileWriter
    /// Nil where none is kept.
    private let erasures: ErasureListFile?
    private let notices: LedgerNotices
    let followers: LedgerFollowers
    /// Held during a check of the file: a check that has begun ends before the file is closed, and
    /// none begins afterwards.
    private let isFinished = Mutex(false)
    /// Calls `look()` periodically; nil before it begins and once it has ended.
    private let pace = Mutex<(any Sendable)?>(nil)
    let diskSpace: DiskSpace
    private let queue = DispatchQueue(label: "usher.ledger.group-commit")
    private let state = Mutex(State())

    init(
        _ pool: DatabasePool, maximumLogBytes: Int64, salts: SaltSupply, watch: FileWatch,
        headWriter: HeadFileWriter, erasures: ErasureListFile?, notices: LedgerNotices,
        followers: LedgerFollowers, diskSpace: DiskSpace
    ) {
        self.erasures = erasures
        hasErased = Mutex(erasures?.isUnfinished ?? false)
        self.pool = pool
        self.diskSpace = diskSpace
        self.maximumLogBytes = maximumLogBytes
        self.salts = salts
        self.watch = watch
        self.headWriter = headWriter
        self.notices = notices
        self.followers = followers
    }

    var stopped: LedgerStoreError? { state.withLock(\.stopped) }
    var waitingCount: Int { state.withLock(\.waiting.count) }

    func enqueue(_ write: any QueuedWrite) {
        enum Verdict {
            case queued
            case begins(@Sendable () -> Void)
            case rejected(LedgerStoreError)
        }
        let verdict: Verdict = state.withLock { state in
            if let stopped = state.stopped { return .rejected(stopped) }
            guard state.waiting.count < Self.maximumWaiting else { return .rejected(.overloaded) }
            state.waiting.append(write)
            guard !state.isRunning else { return .queued }
            state.isRunning = true
            return .begins(state.prepare)
        }
        switch verdict {
        case .rejected(let error): write.fail(error)
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

    /// Returns when all that was queued before has been written.
    func awaitWrites() { queue.sync {} }

    /// Returns when all that was queued before has been written, and copied from the log into
    /// the file: GRDB closes the readers last, and they cannot do that.
    func finish() {
        pace.withLock { $0 = nil }
        isFinished.withLock { isFinished in
            look()
            queue.sync {
                // A reader may just be ending.
                if stopped == nil || !watch.isOverwritten {
                    truncateLog(waiting: Self.readersTimeout)
                }
            }
            writeHead()
            isFinished = true
        }
    }

    /// From now on, checks the file at its path periodically and writes the newest head.
    func begin(_ pace: LedgerPace) {
        let running = pace.begin { [weak self] in
            self?.isFinished.withLock { [self] isFinished in
                guard let self, !isFinished else { return }
                look()
                writeHead()
            }
        }
        self.pace.withLock { $0 = running }
    }

    /// A ledger that has taken the place of this one may have a head file of its own.
    private func writeHead() {
        if case .replaced = stopped { headWriter.write(mayOpen: false) } else { headWriter.write() }
    }

    /// Finds a replaced file even if nothing is written.
    private func look() {
        queue.sync {
            guard stopped == nil else { return }
            do throws(LedgerStoreError) {
                try expectUntouched()
                try LedgerStoreError.mapping {
                    try pool.writeWithoutTransaction(watch.expectUnmoved)
                }
                cutErasedLog()
            } catch {
                if case .replaced = error { stop(because: error) }
            }
        }
    }

    /// A file with a new modification time only is checked as at a start.
    private func expectUntouched() throws(LedgerStoreError) {
        try watch.expectUntouched { name throws(LedgerStoreError) in
            try LedgerFile.expect(headWriter.newest, in: name)
        }
    }

    private func drain() {
        while let batch = nextBatch() {
            do {
                let head = try commit(batch)
                // Before anybody reads, who would keep the log from being cut.
                cutErasedLog()
                for write in batch { write.publish() }
                if let head { followers.tell(head) }
                for write in batch { write.resume() }
            } catch {
                if error.stopsWriting { stop(because: error) }
                if error == .diskFull { noteFull() }
                for write in batch { write.fail(error) }
            }
            truncateLogIfLong()
        }
    }

    private func nextBatch() -> [any QueuedWrite]? {
        let (batch, stopped) = state.withLock { state -> ([any QueuedWrite], LedgerStoreError?) in
            let batch = Self.nextBatch(in: state.waiting)
            state.waiting.removeFirst(batch.count)
            state.isRunning = !batch.isEmpty
            return (batch, state.stopped)
        }
        if batch.isEmpty { return nil }
        guard let stopped else { return batch }
        for write in batch { write.fail(stopped) }
        return nextBatch()
    }

    /// Rows from the journal are a batch of their own, and so is a rehearsal.
    private static func nextBatch(in waiting: [any QueuedWrite]) -> [any QueuedWrite] {
        guard let first = waiting.first, !first.isAlone else {
            return Array(waiting.prefix(1))
        }
        return Array(waiting.prefix(maximumBatch).prefix { !$0.isAlone })
    }

    /// From now on every commit is kept by the journal first; with nil, by the file alone.
    func setJournal(_ journal: (any CommitJournal)?) {
        state.withLock { $0.journal = journal }
    }

    /// For good. If the file was moved, the log is copied into it: all acknowledged entries are
    /// then in one file, whatever becomes of the log.
    private func stop(because error: LedgerStoreError) {
        var reason = LedgerStoreError.writingStopped
        if case .replaced(let path) = error {
            reason = error
            notices.add(.replaced(path: path))
        }
        state.withLock { $0.stopped = $0.stopped ?? reason }
        if case .replaced = error, !watch.isOverwritten { truncateLog() }
    }

    /// - Returns: the end of the ledger; nil where nothing is kept.
    private func commit(
        _ batch: [any QueuedWrite]
    ) throws(LedgerStoreError) -> LedgerHead? {
        try expectUntouched()
        let journal = batch[0].isFromJournal ? nil : state.withLock(\.journal)
        try LedgerStoreError.mapping { try journal?.expectReady() }
        let written: (head: LedgerHead?, isAnything: Bool)
        do {
            written = try write(batch, journal)
        } catch {
            // Also a transaction that fails may have written to the log.
            watch.noteChange()
            throw error
        }
        // It is durable now, in the files that are open; it is acknowledged only where those are
        // the files that the next start finds.
        try watch.expectInPlace()
        if let head = written.head { headWriter.note(LedgerPosition(head)) }
        // A commit of nothing finds room on every disk, and a small one on a disk on which the next
        // does not.
        if written.isAnything, diskSpace.isFull, diskSpace.hasSpace() {
            diskSpace.note(isFull: false)
        }
        return written.head
    }

    /// - Returns: the new head, nil where nothing is kept, and whether anything was written.
    private func write(
        _ batch: [any QueuedWrite], _ journal: (any CommitJournal)?
    ) throws(LedgerStoreError) -> (head: LedgerHead?, isAnything: Bool) {
        try LedgerStoreError.mapping(pool.path) {
            try pool.writeWithoutTransaction { database in
                do {
                    return try write(batch, undoingEach: false, to: database, journal)
                } catch is PartialWrite {
                    return try write(batch, undoingEach: true, to: database, journal)
                }
            }
        }
    }

    /// A body has thrown after it had written something.
    private struct PartialWrite: Error {}

    /// - Parameter undoingEach: whether a body that throws undoes only itself, which costs each of
    ///   them a savepoint; else `PartialWrite` is thrown where there is something to undo.
    private func write(
        _ batch: [any QueuedWrite], undoingEach: Bool, to database: Database,
        _ journal: (any CommitJournal)?
    ) throws -> (head: LedgerHead?, isAnything: Bool) {
        var head: LedgerHead?
        var isKept = false
        let before = database.totalChangesCount
        do {
            try database.inTransaction(.immediate) {
                let transaction = LedgerTransaction(database, salts: salts)
                let mark = try journal.map { _ in try RowsMark(transaction) }
                let completion = try perform(batch, undoingEach: undoingEach, in: transaction)
                guard completion == .commit else {
                    try journal?.confirm()
                    return completion
                }
                head = try transaction.head()
                if transaction.hasErased { hasErased.withLock { $0 = true } }
                if let journal, let mark {
                    let rows = try LedgerRows(since: mark, in: transaction)
                    if rows.isEmpty {
                        try journal.confirm()
                    } else {
                        try journal.keep(rows)
                        isKept = true
                    }
                }
                return completion
            }
        } catch  where isKept {
            guard LedgerStoreError(error) == .diskFull else {
                // It is kept, and not in the file: the next start puts it there.
                throw LedgerStoreError.fileBehind
            }
            // Once there is room, it is taken as what other nodes write is.
            noteFull()
            journal?.fileHadNoRoom()
            throw LedgerStoreError.fleet(.outcomeUnknown)
        }
        return (head, head != nil && database.totalChangesCount != before)
    }

    private func noteFull() {
        if diskSpace.note(isFull: true) { checkSpaceLater() }
    }

    private func checkSpaceLater() {
        queue.asyncAfter(deadline: .now() + .seconds(DiskSpace.interval)) { [weak self] in
            guard let self, diskSpace.isFull, stopped == nil else { return }
            if !findRoom() { checkSpaceLater() }
        }
    }

    /// Checks whether a disk that was full has space again. Blocks.
    func lookForRoom() {
        _ = queue.sync { findRoom() }
    }

    private func findRoom() -> Bool {
        guard diskSpace.isFull else { return true }
        guard diskSpace.hasSpace() else { return false }
        defer { watch.noteChange() }
        do {
            // The smallest commit that there is: one page of the log, that says what it said.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 0") }
        } catch {
            return false
        }
        diskSpace.note(isFull: false)
        return true
    }

    private func perform(
        _ batch: [any QueuedWrite], undoingEach: Bool, in transaction: LedgerTransaction
    ) throws -> Database.TransactionCompletion {
        if batch.count == 1 { return try performAlone(batch[0], in: transaction) }
        for write in batch {
            if undoingEach {
                try perform(write, in: transaction)
            } else {
                try performTogether(write, in: transaction)
            }
        }
        return .commit
    }

    /// Without a savepoint: most bodies that throw have written nothing before.
    private func performTogether(
        _ write: any QueuedWrite, in transaction: LedgerTransaction
    ) throws {
        let database = transaction.connection.database
        let before = database.totalChangesCount
        do {
            try write.perform(in: transaction)
        } catch {
            guard transaction.outlives(error) else { throw error }
            guard database.totalChangesCount == before else { throw PartialWrite() }
            write.undo(because: error)
        }
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

    /// Undoes by the transaction itself.
    private func performAlone(
        _ write: any QueuedWrite, in transaction: LedgerTransaction
    ) throws -> Database.TransactionCompletion {
        do {
            try write.perform(in: transaction)
            return write.isRehearsal ? .rollback : .commit
        } catch {
            guard transaction.outlives(error) else { throw error }
            write.undo(because: error)
            return .rollback
        }
    }

    /// Only the writer's connection checkpoints: two that do have met a race in SQLite before
    /// 3.51.3. With continuous readers, a checkpoint that does not wait would never finish: each
    /// time the log has doubled, the writer waits for the present readers, and otherwise tries
    /// again with the next batch.
    private func truncateLogIfLong() {
        let length = watch.logBytes
        guard length > maximumLogBytes else { return }
        let waitsForReaders = nextLogWait.withLock { next in
            defer { if length >= next { next = length + maximumLogBytes } }
            return length >= next
        }
        truncateLog(waiting: waitsForReaders ? Self.readersTimeout : 0)
        if watch.logBytes <= maximumLogBytes { nextLogWait.withLock { $0 = 0 } }
    }

    /// Where a reader has kept it, it is cut with the next check of the file.
    private func cutErasedLog() {
        guard hasErased.withLock(\.self) else { return }
        let isListed = erasures?.list(pool) ?? true
        truncateLog(waiting: Self.readersTimeout)
        if watch.logBytes == 0, isListed { hasErased.withLock { $0 = false } }
    }

    /// Milliseconds: longer than the service's own views of the ledger take.
    private static let readersTimeout = 500

    private func truncateLog(waiting milliseconds: Int = 0) {
        _ = try? pool.writeWithoutTransaction { database in
            let busyTimeout = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
            try database.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
            defer { try? database.execute(sql: "PRAGMA busy_timeout = \(busyTimeout)") }
            defer { watch.noteChange() }
            try database.checkpoint(.truncate)
        }
    }
}

extension LedgerTransaction {
    /// Whether only the body that met the error is lost, and not the whole transaction.
    fileprivate func outlives(_ error: any Error) -> Bool {
        guard connection.database.isInsideTransaction else { return false }
        let failure = (error as? LedgerError)?.failure ?? error
        guard let failure = failure as? LedgerStoreError else { return !(error is DatabaseError) }
        return [.duplicate, .refusedBySchema, .overloaded].contains(failure)
    }
}
