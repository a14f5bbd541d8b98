internal import Dispatch
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import NIOCore
internal import Synchronization

/// What followers of the change feed share: the newest changes as events, encoded once, and the
/// wakes of those who wait (spec 3.1).
///
/// A follower is a position in it and nothing else: a slow one reads what it has missed from the
/// ledger, at no cost to others.
final class FeedBroadcast: Sendable {
    /// Calls something after so long.
    typealias Schedule = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// A change as an event.
    private struct Event {
        let change: FeedChange
        let bytes: [UInt8]
    }

    private struct Waiter {
        let deadline: ContinuousClock.Instant
        let wake: @Sendable () -> Void
    }

    /// What followers read behind one place.
    struct Portion {
        let bytes: ByteBuffer
        let count: Int
        /// How far it is.
        let last: Int64
    }

    private struct State {
        /// The newest ones, in their order; the last one is `last`.
        var events: [Event] = []
        var bytes = 0
        var last: Int64?
        var waiters: [Int: Waiter] = [:]
        var tickets = 0
        var isWakeDue = false
        var isSweepDue = false
        var wokenAt: ContinuousClock.Instant?
        var hasEnded = false
        var followers = 0

        var isFollowed: Bool { followers > 0 || !waiters.isEmpty }

        /// Forgets the oldest events beyond the bounds, some at a time.
        mutating func trim(to most: Int, _ mostBytes: Int) {
            guard events.count > most || bytes > mostBytes else { return }
            var dropped = 0
            while events.count - dropped > most / 2 || bytes > mostBytes / 2, dropped < events.count
            {
                bytes -= events[dropped].bytes.count
                dropped += 1
            }
            events.removeFirst(dropped)
        }

        /// Nil where something behind the place is not here any more.
        func portion(
            after number: Int64, _ last: Int64, matching filter: ChangeFilter, atMost most: Int
        ) -> Portion? {
            let first = last - Int64(events.count)
            guard number >= first else { return nil }
            var (bytes, count, place) = (ByteBuffer(), 0, number)
            for event in events[Int(number - first)...] {
                guard bytes.readableBytes < most else { break }
                place += 1
                guard filter.includes(event.change) else { continue }
                bytes.writeBytes(event.bytes)
                count += 1
            }
            return Portion(bytes: bytes, count: count, last: place)
        }
    }

    private static let mostEvents = 16_384
    private static let mostBytes = 8 << 20
    /// Waiting followers are woken together, at most once in this time, however many changes come.
    private static let beat = Duration.milliseconds(20)
    /// How often followers are checked for an expired deadline: one timer for all of them.
    private static let sweep = Duration.milliseconds(250)

    private let ledger: String
    private let limit: Int
    private let schedule: Schedule
    private let state = Mutex(State())
    /// Encodes events, in their order.
    private let queue = DispatchQueue(label: "usher.feed.events")

    /// - Parameters:
    ///   - ledger: its name, which the ids of events begin with.
    ///   - limit: how many may wait at once.
    init(ofLedger ledger: String, limit: Int, schedule: @escaping Schedule) {
        self.ledger = ledger
        self.limit = limit
        self.schedule = schedule
    }

    /// A broadcast that is never followed.
    static let withoutFollowers = FeedBroadcast(
        ofLedger: FeedCursor.name(ofLedger: nil), limit: 0, schedule: { _, _ in })

    /// How many follow by a stream.
    var followers: Int { state.withLock(\.followers) }

    /// One more follows by a stream. `leave()` must follow.
    /// - Throws: where too many do.
    func join() throws(Problem) {
        let hasRoom = state.withLock { state in
            guard state.followers < limit, !state.hasEnded else { return false }
            state.followers += 1
            return true
        }
        guard hasRoom else { throw Problem(.overloaded) }
    }

    func leave() { state.withLock { $0.followers -= 1 } }

    /// Whether it has ended: the service stops, and nobody may wait.
    var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// The changes of one commit, in their order; by the writer's thread, which has others to serve:
    /// it waits for nothing here.
    func add(_ changes: [PublishedChange]) {
        queue.async { [self] in
            ThreadPriority.background.apply()
            encode(changes)
        }
    }

    /// Encodes nothing while there are no followers: a new one reads the ledger first.
    private func encode(_ changes: [PublishedChange]) {
        guard let last = changes.last?.number else { return }
        let isFollowed = state.withLock(\.isFollowed)
        let events = (isFollowed ? changes : []).map { told in
            Event(change: told.change, bytes: ChangeAnswer(told, ledger: ledger).event)
        }
        let pause = state.withLock { state -> Duration? in
            if !isFollowed { (state.events, state.bytes) = ([], 0) }
            state.events += events
            state.bytes += events.reduce(0) { $0 + $1.bytes.count }
            state.last = last
            state.trim(to: Self.mostEvents, Self.mostBytes)
            guard !state.isWakeDue else { return nil }
            state.isWakeDue = true
            let since = state.wokenAt.map { ContinuousClock.now - $0 } ?? Self.beat
            return max(.zero, Self.beat - since)
        }
        if let pause { schedule(pause) { [weak self] in self?.wakeAll() } }
    }

    private func wakeAll() {
        let woken = state.withLock { state in
            state.isWakeDue = false
            state.wokenAt = .now
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in woken { waiter.wake() }
    }

    /// Wakes all followers, for good.
    func end() {
        state.withLock { $0.hasEnded = true }
        wakeAll()
    }

    /// The events after a place that match the filter, and how far they go; nil if the ledger has
    /// to be read because an event after that place is no longer here.
    func events(
        after number: Int64, matching filter: ChangeFilter, atMost most: Int
    ) -> Portion? {
        state.withLock { state in
            guard let last = state.last else { return nil }
            guard number < last else {
                return Portion(bytes: ByteBuffer(), count: 0, last: max(number, last))
            }
            return state.portion(after: number, last, matching: filter, atMost: most)
        }
    }

    /// Waits for a change behind that number, or until the time is over, and a moment longer.
    ///
    /// - Throws: where too many wait already.
    func wait(behind number: Int64, atMost duration: Duration) async throws(Problem) {
        let deadline = ContinuousClock.now + duration
        let hasRoom = await withCheckedContinuation { continuation in
            let (waits, sweeps) = state.withLock { state -> (waits: Bool?, sweeps: Bool) in
                if state.hasEnded || state.last.map({ $0 > number }) ?? false {
                    return (false, false)
                }
                guard state.waiters.count < limit else { return (nil, false) }
                state.tickets += 1
                state.waiters[state.tickets] = Waiter(deadline: deadline) {
                    continuation.resume(returning: true)
                }
                defer { state.isSweepDue = true }
                return (true, !state.isSweepDue)
            }
            if sweeps { sweepLater() }
            if waits != true { continuation.resume(returning: waits != nil) }
        }
        guard hasRoom else { throw Problem(.overloaded) }
    }

    private func sweepLater() {
        schedule(Self.sweep) { [weak self] in self?.giveUpOverdue() }
    }

    private func giveUpOverdue() {
        let now = ContinuousClock.now
        let (woken, hasMore) = state.withLock { state in
            let overdue = state.waiters.filter { $0.value.deadline <= now }
            for ticket in overdue.keys { state.waiters[ticket] = nil }
            state.isSweepDue = !state.waiters.isEmpty
            return (Array(overdue.values), state.isSweepDue)
        }
        for waiter in woken { waiter.wake() }
        if hasMore { sweepLater() }
    }
}

extension ChangeAnswer {
    /// As an event of a stream: JSON has no line breaks of its own.
    var event: [UInt8] {
        Array("id: \(cursor.text)\nevent: \(change.kind.rawValue)\ndata: ".utf8) + json
            + Array("\n\n".utf8)
    }
}

extension Duration {
    /// As an event loop counts.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
