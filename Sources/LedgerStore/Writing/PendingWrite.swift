internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON
internal import Synchronization

/// A write that waits for its turn in a batch.
protocol QueuedWrite: Sendable {
    /// Whether it puts into the file what the journal has already.
    var isFromJournal: Bool { get }
    /// Whether all that it writes is taken back.
    var isRehearsal: Bool { get }
    /// Runs the body; a body that throws fails this write only.
    func perform(in transaction: LedgerTransaction) throws
    /// The body threw: nothing of it is kept.
    func undo(because error: any Error)
    /// The batch is durable: publishes before the caller continues.
    func publish()
    func resume()
    /// Nothing of the batch is durable.
    func fail(_ error: LedgerStoreError)
}

extension QueuedWrite {
    /// Whether it shares its transaction with no other.
    var isAlone: Bool { isFromJournal || isRehearsal }
}

/// Used by the writer's thread only, from its making until its one resumption, which is why it
/// needs no lock.
final class PendingWrite<Value: Sendable>: QueuedWrite, @unchecked Sendable {
    private let body: @Sendable (LedgerTransaction) throws -> Value
    private let committed: @Sendable (Value, LedgerHead) -> Void
    private let continuation: CheckedContinuation<Value, any Error>
    let isFromJournal: Bool
    let isRehearsal: Bool
    private var outcome: Result<(value: Value, head: LedgerHead), any Error> =
        .failure(LedgerStoreError.writingStopped)

    init(
        _ body: @escaping @Sendable (LedgerTransaction) throws -> Value,
        committed: @escaping @Sendable (Value, LedgerHead) -> Void,
        continuation: CheckedContinuation<Value, any Error>, isFromJournal: Bool = false,
        isRehearsal: Bool = false
    ) {
        self.isFromJournal = isFromJournal
        self.isRehearsal = isRehearsal
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
        // A key path of a generic type would be looked up by name for each write.
        continuation.resume(with: outcome.map { $0.value })
    }

    func fail(_ error: LedgerStoreError) {
        continuation.resume(throwing: LedgerError(error))
    }
}

/// An entry's salt and its payload side by side, as its digest is computed from them.
struct SaltedPayload {
    /// Keeps its room from one entry to the next.
    private var bytes: [UInt8] = []

    mutating func write(_ entry: RegisteredEntry, salt: UInt128) {
        bytes.removeAll(keepingCapacity: true)
        withUnsafeBytes(of: salt) { bytes.append(contentsOf: $0) }
        var room: [UInt8] = []
        swap(&room, &bytes)
        var writer = JSONWriter(behind: room)
        entry.write(to: &writer)
        bytes = writer.bytes
    }

    var digest: Digest256 { EntryHash.digest(of: bytes) }

    /// Lends both to a statement.
    func withBlobs<Result>(
        _ body: (_ salt: BorrowedBlob, _ payload: BorrowedBlob) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBytes { bytes in
            try body(
                BorrowedBlob(bytes[..<SaltSupply.saltLength]),
                BorrowedBlob(bytes[SaltSupply.saltLength...]))
        }
    }
}

/// Salts for entries, asked for several at a time: each question to the source is one to the
/// system.
final class SaltSupply: Sendable {
    static let saltLength = 16

    private struct Drawn {
        var bytes: [UInt8] = []
        var used = 0
    }

    private let source: @Sendable () -> [UInt8]
    private let drawn = Mutex(Drawn())

    init(_ source: @escaping @Sendable () -> [UInt8]) {
        self.source = source
    }

    /// Sixteen bytes that were not used before.
    func next() -> UInt128 {
        drawn.withLock { drawn in
            if drawn.used == drawn.bytes.count {
                drawn = Drawn(bytes: source())
                precondition(
                    !drawn.bytes.isEmpty && drawn.bytes.count.isMultiple(of: Self.saltLength),
                    "a salt has 16 bytes")
            }
            defer { drawn.used += Self.saltLength }
            return drawn.bytes.span.bytes.unsafeLoadUnaligned(
                fromByteOffset: drawn.used, as: UInt128.self)
        }
    }
}
