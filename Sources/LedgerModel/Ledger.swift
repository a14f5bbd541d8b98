package import EntitlementModel
internal import Synchronization

/// A ledger that is open for reading, while a service runs or alone, whatever keeps it
/// (spec 3.4).
package protocol ReadableLedger: Sendable {
    /// One consistent view, however long the body runs; later writes are not visible. Blocks the
    /// calling thread.
    func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value

    /// Re-checks everything that can be checked without a policy or a key: what the store keeps,
    /// the chain of hashes, each payload and the bytes of evidence, the index. In the ledger's
    /// order; empty for a sound ledger.
    ///
    /// It reads one view of the whole ledger. While a service is busy, verify a backup instead.
    ///
    /// - Parameter anchor: A head that the ledger is known to have had. Without one, a ledger
    ///   cannot be told from an older copy of itself.
    func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem]

    /// Nothing may be asked of it afterwards.
    func close() throws(LedgerError)
}

/// The ledger of one service, open for writing: one writer and concurrent readers. Any store can
/// implement it (spec 3.4); `CONTRIBUTING.md` says how.
package protocol Ledger: ReadableLedger {
    /// Runs the body in the writer's next transaction and returns when that is durable.
    ///
    /// A body that throws leaves nothing behind; the writes that share its transaction are not
    /// touched; they may run again because of it: a body does only what can be done twice.
    /// A `LedgerError` thrown here says what the machine did; after a failed commit the
    /// same write may be repeated, since natural keys make it one.
    ///
    /// - Parameter committed: Gets the value and the head after it once both are durable: in the
    ///   order of the writes, before followers are called and before callers continue. The place to
    ///   publish changes. It must not block.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value,
        committed: @escaping @Sendable (Value, LedgerHead) -> Void
    ) async throws -> Value

    /// Runs the body as `write` does, in a transaction of the writer's own that is taken back:
    /// nothing of it is kept, and nobody hears of it. The view is as of the last write, and no
    /// other one is made meanwhile.
    func rehearse<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value
    ) async throws -> Value

    /// Calls `follower` with the new head after each commit that appends something, whoever made
    /// it: in order, once it is durable, and before the callers of its writes continue. The
    /// follower reads what it needs between the last head and this one. It must not block.
    func follow(_ follower: @escaping @Sendable (LedgerHead) -> Void)

    /// From now on, lets `prepare` see every thread that writes before it does; threads change.
    func prepareWritingThreads(_ prepare: @escaping @Sendable () -> Void)

    /// Why writing has stopped for good; nil if it has not.
    var stopped: LedgerError? { get }

    /// Whether the last write that needed disk space found none. Writes are still tried; it
    /// recovers without help.
    var isFull: Bool { get }

    /// Calls `tell` when the store is found full and when it has space again, once each.
    func watchRoom(_ tell: @escaping @Sendable (_ isFull: Bool) -> Void)

    /// Calls `tell` with notices on the ledger: earlier ones at once, later ones as they come, on
    /// any thread.
    func onNotice(_ tell: @escaping @Sendable (any LedgerNotice) -> Void)

    /// How it is kept. Cheap: nothing is counted. Blocks while it reads.
    func condition() throws(LedgerError) -> LedgerCondition
}

extension Ledger {
    /// The same where nothing is to be published.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value
    ) async throws -> Value {
        try await write(body, committed: { _, _ in })
    }

    /// False once a failure has left the stored state unknown, or the ledger was moved or replaced.
    package var acceptsWrites: Bool { stopped == nil }
}

extension ReadableLedger {
    /// The same without a word in between.
    package func verify(anchor: LedgerHead? = nil) throws(LedgerError) -> [LedgerProblem] {
        try verify(anchor: anchor, progress: { _, _ in })
    }
}

/// A ledger that can be copied to a file while it is in use.
package protocol CopyableLedger: Ledger {
    /// Writes a copy that is complete, checked and on the disk when this returns, and replaces
    /// what had that name only then. Blocks.
    func backUp(to path: String) throws(LedgerError)

    /// Removes what copies into the folder have left that were interrupted; `isOwn` knows the
    /// names that those would have got. Not while any is under way.
    func removeInterruptedCopies(in folder: String, named isOwn: (Substring) -> Bool)
}

/// The location of a ledger, existing or new.
package protocol LedgerLocation: Sendable {
    /// Whether there is nothing yet, so that opening it makes a ledger.
    var isVacant: Bool { get }
    /// Opens the ledger for this process alone; creates it if there is none.
    func open() throws(LedgerError) -> any Ledger
}

/// How a ledger is kept, for the operator's page.
package struct LedgerCondition: Hashable, Sendable {
    package let head: LedgerHead
    /// The size of the ledger, without its log.
    package var fileBytes: Int64 = 0
    /// Of the log that has not been copied into it yet.
    package var logBytes: Int64 = 0
    /// Writes that wait for the next transaction.
    package var waitingWrites = 0
    /// Of the library or the server that keeps it.
    package var storeVersion = ""
    /// False where that version has a fault that a newer one has not (THREATS.md H18).
    package var isStoreCurrent = true
    /// Whether anybody was erased, or held for it.
    package var hasErasures = false
    /// Of a ledger that several nodes share.
    package var fleet: FleetCondition?

    package init(head: LedgerHead) {
        self.head = head
    }
}

/// The followers of one ledger, called by its writer.
package final class LedgerFollowers: Sendable {
    private struct State {
        /// The newest entry they were called with.
        var head: LedgerSequence
        var followers: [@Sendable (LedgerHead) -> Void] = []
    }

    private let state: Mutex<State>

    /// - Parameter head: the current head; followers are called for later entries.
    package init(behind head: LedgerSequence) {
        state = Mutex(State(head: head))
    }

    package func add(_ follower: @escaping @Sendable (LedgerHead) -> Void) {
        state.withLock { $0.followers.append(follower) }
    }

    /// On the writer's thread only, with the durable head.
    package func tell(_ head: LedgerHead) {
        let followers = state.withLock { state in
            guard head.sequence > state.head else { return [] as [@Sendable (LedgerHead) -> Void] }
            state.head = head.sequence
            return state.followers
        }
        for follower in followers { follower(head) }
    }
}
