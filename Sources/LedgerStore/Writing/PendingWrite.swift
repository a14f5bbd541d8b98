internal import LedgerModel

/// A write that waits for its turn in a batch.
protocol QueuedWrite: Sendable {
    /// Runs the body; a body that throws fails this write only.
    func perform(in transaction: LedgerTransaction) throws
    /// The body threw: nothing of it is kept.
    func undo(because error: any Error)
    /// The batch is durable: tells the world before the caller goes on.
    func publish()
    func resume()
    /// Nothing of the batch is durable.
    func fail(_ error: LedgerStoreError)
}

/// Used by the writer's thread only, from its making until its one resumption, which is why it
/// needs no lock.
final class PendingWrite<Value: Sendable>: QueuedWrite, @unchecked Sendable {
    private let body: @Sendable (LedgerTransaction) throws -> Value
    private let committed: @Sendable (Value, LedgerHead) -> Void
    private let continuation: CheckedContinuation<Value, any Error>
    private var outcome: Result<(value: Value, head: LedgerHead), any Error> =
        .failure(LedgerStoreError.writingStopped)

    init(
        _ body: @escaping @Sendable (LedgerTransaction) throws -> Value,
        committed: @escaping @Sendable (Value, LedgerHead) -> Void,
        continuation: CheckedContinuation<Value, any Error>
    ) {
        self.body = body
        self.committed = committed
        self.continuation = continuation
    }

    func perform(in transaction: LedgerTransaction) throws {
        outcome = .success((try body(transaction), try transaction.head()))
    }

    func undo(because error: any Error) {
        outcome = .failure((error as? LedgerStoreError).map { LedgerError($0) } ?? error)
    }

    func publish() {
        if case .success(let written) = outcome { committed(written.value, written.head) }
    }

    func resume() {
        continuation.resume(with: outcome.map(\.value))
    }

    func fail(_ error: LedgerStoreError) {
        continuation.resume(throwing: LedgerError(error))
    }
}
