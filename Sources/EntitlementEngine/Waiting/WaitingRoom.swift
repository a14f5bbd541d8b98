package import AppStoreClient
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// What waits for Apple, in memory: the ledger has the tickets, and this process knows when it asked
/// about each and how that went. Nothing is written while Apple is down, and no ticket has a timer.
final class WaitingRoom: Sendable {
    /// A ticket that waits.
    struct Visitor: Sendable {
        let number: LedgerSequence
        let ticket: EvidenceTicket
        let since: Instant
        /// By this process.
        var attempts: Int64 = 0
        var lastAttempt: Instant?
        var failure: AppStoreFailure?
        /// When it is asked about next, if its service answers.
        var due: Instant
        var isUnderWay = false

        var schedule: RetrySchedule { RetrySchedule(since: since, seed: number) }

        /// Attempts of this process before it gives a ticket up, however old: it may have been
        /// stopped for a month.
        static let fewestAttempts: Int64 = 20

        /// Never for a fault of ours: a wrong key says nothing of what was handed in.
        func isGivenUp(after failure: AppStoreFailure, at instant: Instant) -> Bool {
            schedule.isOver(at: instant) && attempts >= Self.fewestAttempts
                && failure.meaning != .settings
        }
    }

    /// What came of an attempt.
    enum Result: Sendable {
        /// The ticket is closed, by this attempt or by another.
        case closed
        /// The ticket is closed because Apple does not answer.
        case givenUp(AppStoreFailure)
        case failed(AppStoreFailure)
        /// The ledger did not take it.
        case unrecorded
    }

    struct State {
        fileprivate(set) var visitors: [LedgerSequence: Visitor] = [:]
        fileprivate(set) var circuits: [AppStoreRoute: Circuit] = [:]
        fileprivate(set) var attempts: [AttemptOutcome: Int64] = [:]
        /// Tickets that were looked at to see whether they are due.
        fileprivate(set) var examined: Int64 = 0
        /// Before it nothing is due.
        fileprivate(set) var wakesAt: Instant?
    }

    /// How many tickets may wait at once; each may hold a receipt.
    static let capacity = 100_000
    /// Milliseconds until what the ledger did not take is tried again.
    private static let recordingPause: Int64 = 30_000

    let state = Mutex(State())

    var count: Int { state.withLock { $0.visitors.count } }
    var hasRoom: Bool { count < Self.capacity }
    var examined: Int64 { state.withLock { $0.examined } }
    var attempts: [AttemptOutcome: Int64] { state.withLock { $0.attempts } }
    /// When to look again; nil while nothing waits.
    var wakesAt: Instant? { state.withLock { $0.wakesAt } }
    /// Whether a service fails everybody that something waits for.
    var isShutOut: Bool {
        state.withLock { state in
            let shut = state.circuits.filter { $0.value.opensAt != nil }
            return !shut.isEmpty && state.visitors.values.contains { shut[$0.ticket.route] != nil }
        }
    }

    subscript(number: LedgerSequence) -> Visitor? { state.withLock { $0.visitors[number] } }

    /// What waits, the oldest first.
    var visitors: [Visitor] {
        state.withLock { $0.visitors.values.sorted { $0.number < $1.number } }
    }

    /// Takes a ticket in; one that is there already stays as it is.
    ///
    /// - Parameter startedAt: when this process began, for a ticket that waited before: it is asked
    ///   about when its turn comes, not at once with all others.
    func add(_ ticket: Recorded<EvidenceTicket>, startedAt: Instant? = nil) {
        state.withLock { state in
            guard state.visitors[ticket.sequence] == nil else { return }
            var visitor = Visitor(
                number: ticket.sequence, ticket: ticket.value, since: ticket.recordedAt,
                due: ticket.recordedAt)
            visitor.due = visitor.schedule.attempt(after: startedAt)
            state.visitors[ticket.sequence] = visitor
            state.wakesAt = min(state.wakesAt ?? visitor.due, state.instant(of: visitor))
        }
    }

    /// Begins as many attempts as are due, the longest overdue first. `finish` must follow for each.
    func begin(at now: Instant, atMost limit: Int) -> [Visitor] {
        state.withLock { state in
            guard let wakesAt = state.wakesAt, wakesAt <= now else { return [] }
            state.examined += Int64(state.visitors.count)
            let due = state.visitors.values.filter { !$0.isUnderWay && $0.due <= now }
                .sorted { ($0.due, $0.number) < ($1.due, $1.number) }
            var room: [AppStoreRoute: Int] = [:]
            for visitor in state.visitors.values where visitor.isUnderWay {
                room[visitor.ticket.route, default: state.room(for: visitor, limit, now)] -= 1
            }
            var begun: [Visitor] = []
            for visitor in due where begun.count < limit {
                let left = room[visitor.ticket.route] ?? state.room(for: visitor, limit, now)
                guard left > 0 else { continue }
                room[visitor.ticket.route] = left - 1
                state.visitors[visitor.number]?.isUnderWay = true
                begun.append(visitor)
            }
            state.planNextLook(after: now, hasMore: begun.count == limit)
            return begun
        }
    }

    func finish(_ number: LedgerSequence, _ result: Result, at now: Instant) {
        state.withLock { state in
            guard var visitor = state.visitors[number] else { return }
            let route = visitor.ticket.route
            visitor.isUnderWay = false
            visitor.attempts += 1
            visitor.lastAttempt = now
            switch result {
            case .closed:
                state.attempts[.answered, default: 0] += 1
                state.circuits[route, default: Circuit()].succeed()
                state.visitors[number] = nil
                state.wakesAt = now
                return
            case .givenUp(let failure):
                state.attempts[.failed(failure.kind), default: 0] += 1
                state.note(failure, on: route, at: now)
                state.visitors[number] = nil
                state.wakesAt = state.circuits[route]?.opensAt ?? now
                return
            case .unrecorded:
                state.attempts[.unrecorded, default: 0] += 1
                visitor.due = now.advanced(byMilliseconds: Self.recordingPause)
            case .failed(let failure):
                state.attempts[.failed(failure.kind), default: 0] += 1
                visitor.failure = failure
                let planned = visitor.schedule.attempt(after: now)
                visitor.due = max(planned, failure.retryAt ?? planned)
                state.note(failure, on: route, at: now)
            }
            state.visitors[number] = visitor
            // Those that wait for this attempt go on, now or once the service is asked again.
            let next = state.circuits[route]?.opensAt ?? now
            state.wakesAt = min(state.wakesAt ?? next, next)
        }
    }
}

/// What is counted of attempts.
package enum AttemptOutcome: Hashable, Sendable {
    /// Apple answered, and what it said is recorded.
    case answered
    case failed(AppStoreFailure.Kind)
    /// Apple answered, and the ledger did not take it.
    case unrecorded

    package static let all: [AttemptOutcome] =
        [.answered, .unrecorded] + AppStoreFailure.Kind.allCases.map(AttemptOutcome.failed)

    /// As metrics have it.
    package var word: String {
        switch self {
        case .answered: "answered"
        case .failed(let kind): kind.rawValue
        case .unrecorded: "unrecorded"
        }
    }
}

extension WaitingRoom.State {
    /// How many may ask on the visitor's route.
    fileprivate func room(for visitor: WaitingRoom.Visitor, _ limit: Int, _ now: Instant) -> Int {
        circuits[visitor.ticket.route]?.admits(limit, at: now) ?? limit
    }

    /// When the visitor can ask.
    func instant(of visitor: WaitingRoom.Visitor) -> Instant {
        max(visitor.due, circuits[visitor.ticket.route]?.opensAt ?? visitor.due)
    }

    /// - Parameter hasMore: whether there was no room for all who can ask now; else those who could
    ///   and did not wait for an attempt that is under way, and its end wakes them.
    fileprivate mutating func planNextLook(after now: Instant, hasMore: Bool) {
        let instants = visitors.values.lazy.filter { !$0.isUnderWay }.map(instant)
        wakesAt = hasMore ? instants.min() : instants.filter { $0 > now }.min()
    }

    /// A failure of one ticket shows that its service answers.
    fileprivate mutating func note(
        _ failure: AppStoreFailure, on route: AppStoreRoute, at now: Instant
    ) {
        switch failure.meaning {
        // The service itself has answered, and sent us on.
        case .service where failure.isAfterFallback: circuits[route] = nil
        case .service:
            circuits[route, default: Circuit()]
                .fail(at: now, until: failure.retryAt, isLasting: false)
        case .settings:
            circuits[route, default: Circuit()]
                .fail(at: now, until: failure.retryAt, isLasting: true)
        case .ticket, .final: circuits[route] = nil
        }
    }
}
