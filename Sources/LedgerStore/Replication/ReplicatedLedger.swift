internal import Dispatch
package import EntitlementModel
internal import GRDB
package import LedgerModel
internal import Synchronization

/// A ledger's file as a copy of what a journal keeps.
extension SQLiteLedger {
    /// From now on every commit is kept by the journal first.
    package func setJournal(_ journal: any CommitJournal) { writer.setJournal(journal) }

    /// Adds rows that the journal has kept; rows that the file has are skipped. Followers of the
    /// ledger are called. Blocks; never on a thread of the cooperative pool.
    ///
    /// - Parameter told: gets the numbers of new changes, before the call returns.
    package func take(
        _ rows: LedgerRows, told: @escaping @Sendable (ClosedRange<Int64>) -> Void = { _ in }
    ) throws(LedgerError) {
        try take(rows, before: ErasuresAhead(), told: told) { () throws(LedgerError) in nil }
    }

    /// The same for rows of which some have no content any more.
    ///
    /// - Parameters:
    ///   - coming: what explains them.
    ///   - next: asked on the writer's thread, while the caller waits, for what follows in the same
    ///     commit: before the last of those erasures is in the file, others' facts are not whole.
    package func take(
        _ rows: LedgerRows, before coming: ErasuresAhead,
        told: @escaping @Sendable (ClosedRange<Int64>) -> Void = { _ in },
        next: @escaping @Sendable () throws(LedgerError) -> LedgerRows?
    ) throws(LedgerError) {
        let write = RowsWrite(rows, coming, told, next)
        writer.enqueue(write)
        try write.wait()
    }

    /// The newest entry's place, hash and instant.
    package func head() throws(LedgerError) -> LedgerHead { try reader.head() }

    /// The hash of an entry; nil if there is none.
    package func hash(at sequence: LedgerSequence) throws(LedgerError) -> Digest256? {
        try reader.hash(at: sequence)
    }

    /// The number of the newest published change.
    package func feedHead() throws(LedgerError) -> Int64 {
        try reader.look { try LedgerTransaction($0).feedHead() }
    }

    /// A published change by its number; nil if there is none.
    package func toldChange(_ number: Int64) throws(LedgerError) -> LedgerRows.Change? {
        try reader.feedRows(after: number - 1, afterName: "\u{10FFFF}", limit: 1).changes.first
    }
}

extension SQLiteLedgerReader {
    /// The hash of an entry, or of the place before the first one; nil if there is none.
    package func hash(at sequence: LedgerSequence) throws(LedgerError) -> Digest256? {
        try look { database in
            let head = try Connection(database: database).head(at: sequence.number)
            return head.sequence == sequence ? head.hash : nil
        }
    }

    /// The entries after one, with their data: `before` and `head` are the ends of the run. Headers
    /// are those not used before `header`.
    package func rows(
        after sequence: LedgerSequence, header: Int64, limit: Int
    ) throws(LedgerError) -> LedgerRows {
        try look { database in
            let connection = Connection(database: database)
            var rows = LedgerRows()
            rows.entries = try connection.entryRows(
                after: sequence.number, limit: Int64(limit))
            guard let last = rows.entries.last else { return rows }
            rows.evidence = try connection.evidenceRows(
                after: sequence.number, through: last.sequence)
            let newest = rows.evidence.compactMap(\.header).max() ?? 0
            rows.headers = try connection.headerRows(after: header)
                .filter { $0.id <= newest }
            rows.before = try connection.head(at: sequence.number)
            rows.head = try connection.head(at: last.sequence)
            return rows
        }
    }

    /// What the erasures behind an entry have taken of those before it.
    ///
    /// - Parameter newest: the last change that is looked at.
    package func erasedRows(
        after sequence: LedgerSequence, amongChanges newest: Int64
    ) throws(LedgerError) -> LedgerRows {
        try look { database in
            let transaction = LedgerTransaction(database)
            var rows = LedgerRows()
            rows.before = try transaction.connection.head(at: sequence.number)
            rows.head = rows.before
            let erasures = try transaction.erasures(after: sequence)
            guard sequence != .zero, !erasures.isEmpty else { return rows }
            rows.erased.add(erasures, through: sequence)
            let kinds = [FeedChange.Kind.erased, .ownerChanged].map(\.number)
            rows.erased.changes = try transaction.connection.changeRows(after: 0, limit: newest)
                .filter { kinds.contains($0.kind) }
            return rows
        }
    }

    /// The published changes and the feed's records: to be taken after all entries. The position
    /// comes with the last part.
    package func feedRows(
        after change: Int64, afterName name: String, limit: Int
    ) throws(LedgerError) -> LedgerRows {
        try look { database in
            let transaction = LedgerTransaction(database)
            var rows = LedgerRows()
            rows.head = try transaction.head()
            rows.before = rows.head
            rows.changes = try transaction.connection.changeRows(
                after: change, limit: Int64(limit))
            rows.outlooks = try transaction.connection.outlookRows(
                afterName: name, limit: Int64(limit))
            if max(rows.changes.count, rows.outlooks.count) < limit {
                rows.place = try transaction.feedPlace()
            }
            return rows
        }
    }
}

extension Connection {
    fileprivate func head(at sequence: Int64) throws -> LedgerHead {
        try first(
            "SELECT seq, hash, recorded_at FROM entry WHERE seq = ?", sequence,
            read: LedgerHead.init) ?? .beginning
    }
}

/// Rows from a journal in the queue of writes, with a caller that waits.
///
/// `rows` never changes; the outcome is written before the one who waits is let go on.
private final class RowsWrite: QueuedWrite {
    let isFromJournal = true
    let isRehearsal = false
    private let rows: LedgerRows
    private let coming: ErasuresAhead
    private let told: @Sendable (ClosedRange<Int64>) -> Void
    private let next: @Sendable () throws(LedgerError) -> LedgerRows?
    private let failure = Mutex<LedgerError?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(
        _ rows: LedgerRows, _ coming: ErasuresAhead,
        _ told: @escaping @Sendable (ClosedRange<Int64>) -> Void,
        _ next: @escaping @Sendable () throws(LedgerError) -> LedgerRows?
    ) {
        (self.rows, self.coming) = (rows, coming)
        (self.told, self.next) = (told, next)
    }

    func wait() throws(LedgerError) {
        isDone.wait()
        if let failure = failure.withLock(\.self) { throw failure }
    }

    func perform(in transaction: LedgerTransaction) throws {
        var coming = coming
        try transaction.take(rows, before: coming)
        coming.areCarriedOut = true
        while let more = try next() { try transaction.take(more, before: coming) }
    }

    func undo(because error: any Error) {
        failure.withLock { $0 = LedgerError(LedgerStoreError(error)) }
    }

    func publish() {}

    /// Followers of the ledger come first: a change is published after its entries.
    func resume() {
        if let first = rows.changes.first, let last = rows.changes.last {
            told(first.number...last.number)
        }
        isDone.signal()
    }

    func fail(_ error: LedgerStoreError) {
        failure.withLock { $0 = LedgerError(error) }
        isDone.signal()
    }
}

/// A ledger that is assembled next to the file that it becomes: after any interruption the file's
/// name has a complete ledger or none.
package struct FetchedFile: Sendable {
    /// The location where it is assembled.
    package let location: LedgerFileLocation
    private let target: LedgerFileLocation

    /// Removes what an interrupted one has left behind.
    ///
    /// - Throws: what says that there is a ledger already, or that another one is being brought
    ///   together.
    package init(for target: LedgerFileLocation) throws(LedgerError) {
        let path = target.path + InterruptedCopies.fetched + InterruptedCopies.suffix
        try LedgerError.mapping {
            guard !FileStatus.exists(target.path) else { throw LedgerStoreError.targetExists }
            try LockFile(of: LedgerName(path), access: target.custody.access).release()
        }
        self.target = target
        location = target.moved(to: path)
        remove()
    }

    /// Once it is closed.
    ///
    /// - Returns: its problems; if there are any, there is no file.
    package func becomeTarget() throws(LedgerError) -> [LedgerProblem] {
        try SQLiteLedger.restore(
            from: location.path, to: target.path, access: target.custody.access)
    }

    package func remove() { InterruptedCopies.remove(location.path) }
}
