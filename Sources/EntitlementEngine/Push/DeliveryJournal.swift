internal import Dispatch
internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// How far the deliveries of each subscription have come, and what was put aside: kept beside the
/// ledger, so that a service that is killed, or the node that leads next, goes on where it was.
///
/// What is written is written on a queue of its own: a disk or a database may take its time, and
/// whoever asks does not wait for it.
final class DeliveryJournal: Sendable {
    /// What is kept of a subscription.
    struct Content: Equatable, Sendable {
        /// All up to this change is delivered, put aside or not wanted.
        var cursor: FeedCursor?
        /// By number.
        var undelivered: [Int64: UndeliveredChange] = [:]
        /// What was struck off, and by whom; the newest last.
        var discarded: [DiscardedChanges] = []
    }

    fileprivate struct State {
        var contents: [String: Content] = [:]
        var lineCount = 0
        /// Counts how often all was read.
        var reading = 0
        /// Whether nobody else can have written since.
        var isCurrent = false
    }

    /// Lines before the journal is written anew.
    private static let mostLines = 20_000

    private let journal: Journal<DeliveryLine>
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "usher.push")

    /// Reads what is kept, unless other nodes write it too; what is damaged ends it.
    init(_ store: any JournalStore) throws(LedgerError) {
        journal = Journal(store)
        if !store.isShared { try read() }
    }

    var isShared: Bool { journal.store.isShared }

    /// Whether anything can be written, as far as this node knows.
    var takesLines: Bool { journal.store.takesLines }

    subscript(name: String) -> Content { state.withLock { $0.contents[name] ?? Content() } }

    /// By subscription.
    var contents: [String: Content] { state.withLock(\.contents) }

    /// Makes sure that what is known is all that is kept.
    ///
    /// - Returns: which reading that was; see `write`.
    func prepare() async throws(LedgerError) -> Int {
        let known = state.withLock { $0.isCurrent ? $0.reading : nil }
        if let known { return known }
        return try await onQueue { [self] () throws(LedgerError) in
            if !state.withLock(\.isCurrent) { try read() }
            return state.withLock(\.reading)
        }
    }

    /// Another node may have written: all is read before the next line is.
    func expectOthers() {
        if isShared { state.withLock { $0.isCurrent = false } }
    }

    /// Takes in what the node that leads has written.
    func follow() async throws(LedgerError) {
        try await onQueue { [self] () throws(LedgerError) in
            let hasRead = state.withLock { $0.reading > 0 }
            guard hasRead, let new = try journal.newLines() else { return try read() }
            state.withLock { state in
                for line in new { state.take(line) }
            }
        }
    }

    /// Writes the line that follows from what is kept of the subscriptions, if any.
    ///
    /// - Parameter reading: that it follows from, as `prepare` has returned it.
    /// - Throws: `ledger.not-leader` where all has to be read once more: it may follow no longer.
    func write<Value: Sendable>(
        inReading reading: Int,
        _ decide: @escaping @Sendable ([String: Content]) -> (line: DeliveryLine?, value: Value)
    ) async throws(LedgerError) -> Value {
        try await onQueue { [self] () throws(LedgerError) in
            let decided = state.withLock { state in
                state.isCurrent && state.reading == reading ? decide(state.contents) : nil
            }
            guard let decided else { throw LedgerError(FleetError.notLeader) }
            if let line = decided.line { try append(line) }
            return decided.value
        }
    }
}

/// On the queue, one after the other.
extension DeliveryJournal {
    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws(LedgerError) -> Value
    ) async throws(LedgerError) -> Value {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(LedgerError) in try body() })
            }
        }
        return try result.get()
    }

    private func read() throws(LedgerError) {
        let lines = try journal.lines()
        state.withLock { state in
            state = State(reading: state.reading + 1, isCurrent: true)
            for line in lines { state.take(line) }
        }
    }

    private func append(_ line: DeliveryLine) throws(LedgerError) {
        do throws(LedgerError) {
            if state.withLock(\.lineCount) >= Self.mostLines { try writeAnew() }
            try journal.append([line])
        } catch {
            // A session may have ended behind the line or before it.
            expectOthers()
            throw error
        }
        state.withLock { $0.take(line) }
    }

    private func writeAnew() throws(LedgerError) {
        let kept = state.withLock(\.lines)
        try journal.replace(with: kept)
        state.withLock { $0.lineCount = kept.count }
    }
}

extension DeliveryJournal.State {
    /// How much of what was struck off is kept of a subscription.
    private static var mostDiscarded: Int { 100 }

    /// What is struck off comes before what is still there, which it would take along.
    fileprivate var lines: [DeliveryLine] {
        contents.sorted { $0.key < $1.key }.flatMap { name, content in
            [DeliveryLine(subscription: name, cursor: content.cursor)]
                + content.discarded.map { DeliveryLine(subscription: name, discarded: $0) }
                + content.undelivered.sorted { $0.key < $1.key }.map {
                    DeliveryLine(subscription: name, undelivered: $0.value)
                }
        }
    }

    fileprivate mutating func take(_ line: DeliveryLine) {
        lineCount += 1
        var content = contents.removeValue(forKey: line.subscription) ?? .init()
        if let cursor = line.cursor { content.cursor = cursor }
        if let change = line.undelivered { content.undelivered[change.number] = change }
        if let number = line.delivered { content.undelivered[number] = nil }
        if let discarded = line.discarded {
            if let number = discarded.number {
                content.undelivered[number] = nil
            } else {
                content.undelivered = [:]
            }
            content.discarded = Array((content.discarded + [discarded]).suffix(Self.mostDiscarded))
        }
        contents[line.subscription] = content
    }
}

/// One line of the journal.
struct DeliveryLine: WireObject {
    var subscription: String
    var cursor: FeedCursor?
    /// Put aside, or sent again in vain.
    var undelivered: UndeliveredChange?
    /// Delivered after it had been put aside.
    var delivered: Int64?
    var discarded: DiscardedChanges?

    static var shapeName: String { "DeliveryLine" }

    static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> DeliveryLine {
        DeliveryLine(
            subscription: try visitor.value("subscription", \.subscription),
            cursor: try visitor.optional("cursor", \.cursor),
            undelivered: try visitor.optional("undelivered", \.undelivered),
            delivered: try visitor.optional("delivered", \.delivered),
            discarded: try visitor.optional("discarded", \.discarded))
    }
}
