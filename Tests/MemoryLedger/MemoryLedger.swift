internal import Dispatch
package import EntitlementModel
package import LedgerModel
internal import Synchronization

/// A ledger in memory, which is gone with the process: the plainest store behind the protocols.
///
/// Each batch of writes works on a copy of everything, which takes the place of what was there
/// when all of it has succeeded; a view is what was there when it began.
package final class MemoryLedger: Ledger {
    /// Runs one write and says how to publish it and how to go on with its caller.
    private typealias Write =
        @Sendable (MemoryTransaction) -> (publish: () -> Void, resume: () -> Void)

    private struct State {
        var waiting: [Write] = []
        var isRunning = false
        var prepare: @Sendable () -> Void = {}
    }

    private let contents = Mutex(MemoryContents())
    private let state = Mutex(State())
    private let followers = LedgerFollowers(behind: .zero)
    private let queue = DispatchQueue(label: "usher.ledger.memory")

    package init() {}

    package func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
        try body(MemoryTransaction(contents.withLock(\.self)))
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value,
        committed: @escaping @Sendable (Value, LedgerHead) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue { transaction in
                let before = transaction.contents
                do {
                    let value = try body(transaction)
                    let head = transaction.contents.head
                    return ({ committed(value, head) }, { continuation.resume(returning: value) })
                } catch {
                    transaction.contents = before
                    return ({}, { continuation.resume(throwing: error) })
                }
            }
        }
    }

    package func rehearse<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue { transaction in
                let before = transaction.contents
                let outcome = Result { try body(transaction) }
                transaction.contents = before
                return ({}, { continuation.resume(with: outcome) })
            }
        }
    }

    private func enqueue(_ write: @escaping Write) {
        let prepare = state.withLock { state -> (@Sendable () -> Void)? in
            state.waiting.append(write)
            guard !state.isRunning else { return nil }
            state.isRunning = true
            return state.prepare
        }
        guard let prepare else { return }
        queue.async { [self] in
            prepare()
            while let batch = nextBatch() { commit(batch) }
        }
    }

    private func nextBatch() -> [Write]? {
        state.withLock { state in
            let batch = state.waiting
            state.waiting = []
            state.isRunning = !batch.isEmpty
            return batch.isEmpty ? nil : batch
        }
    }

    private func commit(_ batch: [Write]) {
        let transaction = MemoryTransaction(contents.withLock(\.self))
        let outcomes = batch.map { $0(transaction) }
        contents.withLock { $0 = transaction.contents }
        for outcome in outcomes { outcome.publish() }
        followers.tell(transaction.contents.head)
        for outcome in outcomes { outcome.resume() }
    }

    package func follow(_ follower: @escaping @Sendable (LedgerHead) -> Void) {
        followers.add(follower)
    }

    package func prepareWritingThreads(_ prepare: @escaping @Sendable () -> Void) {
        state.withLock { $0.prepare = prepare }
    }

    package func close() throws(LedgerError) { queue.sync {} }
}

/// What memory has none of: a disk, other programs, damage.
extension MemoryLedger {
    package var stopped: LedgerError? { nil }
    package var isFull: Bool { false }
    package func watchRoom(_ tell: @escaping @Sendable (_ isFull: Bool) -> Void) {}
    package func onNotice(_ tell: @escaping @Sendable (any LedgerNotice) -> Void) {}

    package func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem] { [] }

    package func condition() throws(LedgerError) -> LedgerCondition {
        var condition = LedgerCondition(head: contents.withLock(\.head))
        condition.waitingWrites = state.withLock(\.waiting.count)
        condition.storeVersion = "memory"
        return condition
    }
}

/// Opened again, it has what it had.
extension MemoryLedger: LedgerLocation {
    package var isVacant: Bool { contents.withLock(\.head.sequence) == .zero }
    package func open() throws(LedgerError) -> any Ledger { self }
}

/// All that can go wrong.
package enum MemoryFailure: StoreFailure {
    case duplicate

    package var kind: LedgerError.Kind { .duplicate }
    package var code: String { "ledger.duplicate" }
    package func template(in language: Language) -> String {
        switch language {
        case .english: "this entry is already in the ledger"
        case .chinese: "此条目已在账本中"
        }
    }
}
