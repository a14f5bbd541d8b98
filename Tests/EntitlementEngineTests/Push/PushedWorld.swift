internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON
internal import Synchronization

@testable internal import EntitlementEngine

/// A feed, a receiver and what is kept between two runs of a pusher; time passes as it is waited for.
final class PushedWorld: Sendable {
    static let start = Instant(milliseconds: 1_772_323_200_000)
    static let secret: PushSecret = {
        guard let secret = PushSecret(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")) else {
            preconditionFailure("it is in its form")
        }
        return secret
    }()

    let feed = FeedInMemory()
    let transport = ScriptedReceiver()
    let context = PassingTime(PushedWorld.start)
    private let store: any JournalStore
    private let subscription: PushSubscription
    private let told = Mutex<[PushEvent]>([])
    private let current = Mutex<Pusher?>(nil)

    init(
        changes: Int, filter: PushFilter = PushFilter(), beginsAtFirst: Bool = true,
        store: any JournalStore = LinesInMemory()
    ) {
        self.store = store
        guard let receiver = ReceiverAddress("/run/app.sock:/changes") else {
            preconditionFailure("it is an address")
        }
        var subscription = PushSubscription(name: "app", receiver: receiver, secret: Self.secret)
        subscription.filter = filter
        subscription.beginsAtFirst = beginsAtFirst
        self.subscription = subscription
        feed.add(changes)
    }

    var pusher: Pusher? { current.withLock(\.self) }
    var events: [PushEvent] { told.withLock(\.self) }
    var received: [Int64] { transport.received }

    /// A pusher on what is kept, in the world's store or in another.
    func makePusher(_ other: (any JournalStore)? = nil) throws -> Pusher {
        try Pusher(
            [subscription], source: feed, transport: transport, store: other ?? store,
            context: context,
            report: { [self] event in told.withLock { $0.append(event) } })
    }

    /// Runs a new pusher on what the last one has left, until something holds.
    func run(until isDone: @escaping @Sendable () -> Bool) async {
        guard let pusher = try? makePusher() else { return }
        current.withLock { $0 = pusher }
        let task = Task { await pusher.run() }
        while !isDone() { await Task.yield() }
        task.cancel()
        await task.value
    }
}

func cause(_ actor: String, _ reason: String, _ intent: ActionIntent = .act) -> AdminActionCause {
    AdminActionCause(actor: actor, reason: reason, intent: intent)
}

/// The feed of a ledger that has no file.
final class FeedInMemory: ChangeSource {
    private struct State {
        var ledger = "0123456789abcdef"
        var changes: [FeedChange] = []
    }

    private let state = Mutex(State())

    func add(_ count: Int, make: (Int) -> FeedChange = FeedInMemory.change) {
        state.withLock { state in
            for _ in 0..<count { state.changes.append(make(state.changes.count + 1)) }
        }
    }

    func replace(ledger: String, count: Int) {
        state.withLock {
            $0.ledger = ledger
            $0.changes = (1...count).map(Self.change)
        }
    }

    static func change(_ number: Int) -> FeedChange {
        FeedChange(
            kind: number % 3 == 0 ? .rightGained : .balanceChanged, at: PushedWorld.start,
            revision: LedgerSequence(Int64(number)),
            account: AccountID(unchecked: "user-\(number % 20)"), environment: .production,
            subject: number % 3 == 0 ? "pro" : "coins",
            after: number % 3 == 0
                ? .right(FeedValue.Right(decision: true)) : .balance(Int128(number)))
    }

    func changes(
        after cursor: FeedCursor?, limit: Int
    ) async throws(EngineError) -> ChangePage? {
        state.withLock { state in
            let head = Int64(state.changes.count)
            let first = cursor?.number ?? 0
            guard cursor?.ledger ?? state.ledger == state.ledger, first <= head else { return nil }
            let last = min(head, first + Int64(limit))
            return ChangePage(
                changes: first < last
                    ? ((first + 1)...last).map { number in
                        ChangeAnswer(
                            change: state.changes[Int(number - 1)],
                            cursor: FeedCursor(ledger: state.ledger, number: number))
                    } : [],
                next: FeedCursor(ledger: state.ledger, number: last), head: head,
                isAtHead: last == head, isCaughtUp: true, lagMilliseconds: 0, revision: .zero)
        }
    }

    func wait(behind number: Int64, atMost milliseconds: Int64) async { await Task.yield() }
}

/// A receiver that answers as a test wants.
final class ScriptedReceiver: AppStoreTransport {
    typealias Answer =
        @Sendable (Int, Int64) -> Result<TransportResponse, TransportFailure>

    private struct State {
        var answer: Answer = { _, _ in .success(TransportResponse(status: 200)) }
        var meanwhile: @Sendable (Int64) async -> Void = { _ in }
        var last = Int64.max
        var asked: [Int64] = []
        var requests: [TransportRequest] = []
        var received: [Int64] = []
    }

    private let state = Mutex(State())

    /// By how many requests came before, and the change's number.
    var answer: Answer {
        get { state.withLock(\.answer) }
        set { state.withLock { $0.answer = newValue } }
    }

    /// Changes behind this one are not answered yet.
    func answers(upTo last: Int64) { state.withLock { $0.last = last } }

    /// What happens before a change is answered.
    var meanwhile: @Sendable (Int64) async -> Void {
        get { state.withLock(\.meanwhile) }
        set { state.withLock { $0.meanwhile = newValue } }
    }

    var requests: [TransportRequest] { state.withLock(\.requests) }
    /// Numbers that have come, answered or not.
    var asked: [Int64] { state.withLock(\.asked) }
    /// Numbers that were answered with success.
    var received: [Int64] { state.withLock(\.received) }

    func send(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        let number = (try? parseJSON(request.body ?? []))?["number"]?.int64 ?? 0
        state.withLock { $0.asked.append(number) }
        await meanwhile(number)
        while number > state.withLock(\.last), !Task.isCancelled { await Task.yield() }
        let result = state.withLock { state in
            let result = state.answer(state.requests.count, number)
            state.requests.append(request)
            if case .success(let response) = result, (200...299).contains(response.status) {
                state.received.append(number)
            }
            return result
        }
        return try result.get()
    }
}

/// Time that passes when somebody waits.
final class PassingTime: ClientContext {
    private let instant: Mutex<Instant>

    init(_ instant: Instant) {
        self.instant = Mutex(instant)
    }

    func now() -> Instant { instant.withLock(\.self) }

    func wait(until instant: Instant) async throws(CancellationError) {
        guard !Task.isCancelled else { throw CancellationError() }
        self.instant.withLock { $0 = max($0, instant) }
        await Task.yield()
    }

    func random() -> Double { 0.5 }
}

/// What is kept between two runs.
final class LinesInMemory: JournalStore {
    private let kept = Mutex<[[UInt8]]>([])

    var count: Int { kept.withLock(\.count) }
    func has(_ text: String) -> Bool {
        lines().contains { String(decoding: $0, as: UTF8.self).contains(text) }
    }
    func append(damaged line: String) { kept.withLock { $0.append(Array(line.utf8)) } }
    func lines() -> [[UInt8]] { kept.withLock(\.self) }
    func append(_ lines: [[UInt8]]) { kept.withLock { $0 += lines } }
    func replace(with lines: [[UInt8]]) { kept.withLock { $0 = lines } }
}
