internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// The refund requests that are still due: the ledger has them, and this process the time and the
/// result of each attempt.
final class RefundQueue: Sendable {
    struct Case: Sendable {
        let event: RefundEvent
        /// When it is handled next.
        var nextLook: Instant
        /// The owner of the purchase at the last attempt.
        var account: AccountID?
        /// Why nothing was sent then; nil where something may be.
        var obstacle: RefundObstacle?
        /// Whether an answer is wanted.
        var isWanted = true
        /// Calls of this process.
        var attempts: Int64 = 0
        var failure: AppStoreFailure?
        var isUnderWay = false

        var schedule: RetrySchedule { RetrySchedule(since: event.recordedAt, seed: event.place) }
    }

    struct State {
        var cases: [LedgerSequence: Case] = [:]
        /// Entries up to this one were read; nil before the first.
        var place: LedgerSequence?
        var policy: Digest256?
        var circuit = Circuit()
        var outcomes: [RefundOutcome: Int64] = [:]
    }

    /// Milliseconds after which a request without a possible answer is tried again: its purchase
    /// may have an owner by then.
    private static let rest: Int64 = 60_000
    /// Milliseconds until what the ledger did not take is tried again.
    private static let recordingPause: Int64 = 30_000

    private let state = Mutex(State())

    /// Reads new entries, and drops requests that they end.
    func follow(_ reading: RefundReading, at now: Instant) throws(LedgerError) {
        let head = try reading.reader.head().sequence
        let known = state.withLock { $0.place }
        guard known.map({ $0 < head }) ?? true else { return }
        var last: LedgerSequence
        if let known { last = known } else { last = try reading.beginningOfWindow(at: now) }
        while true {
            let places = try reading.reader.refundNotifications(
                after: last, limit: RefundReading.portion)
            guard let next = places.last else { break }
            for place in places {
                guard let event = try reading.event(at: place) else { continue }
                let answer = try reading.reader.refundAnswer(to: place, begun: false)
                take(event, isAnswered: answer != nil, at: now)
            }
            last = next
        }
        state.withLock { $0.place = head }
    }

    private func take(_ event: RefundEvent, isAnswered: Bool, at now: Instant) {
        state.withLock { state in
            let earlier = state.cases.values.filter { event.follows($0.event) }.map(\.event.place)
            for place in earlier {
                state.cases[place] = nil
                state.outcomes[event.isRequest ? .superseded : .decided, default: 0] += 1
            }
            guard event.isRequest, !isAnswered, now < event.due else { return }
            let isOvertaken = state.cases.values.contains { $0.event.follows(event) }
            if !isOvertaken { state.cases[event.place] = Case(event: event, nextLook: now) }
        }
    }

    /// Begins the due requests, the one with the earliest deadline first. `finish` must follow for
    /// each.
    func begin(by policy: Digest256, at now: Instant, atMost limit: Int) -> [Case] {
        state.withLock { state in
            if state.policy != policy {
                state.policy = policy
                for place in Array(state.cases.keys) { state.cases[place]?.nextLook = now }
            }
            let due = state.cases.values.filter { !$0.isUnderWay && $0.nextLook <= now }
                .sorted { ($0.event.due, $0.event.place) < ($1.event.due, $1.event.place) }
                .prefix(limit)
            for next in due { state.cases[next.event.place]?.isUnderWay = true }
            return Array(due)
        }
    }

    /// Whether Apple may be called now.
    func mayCall(at now: Instant) -> Bool {
        state.withLock { $0.circuit.admits(1, at: now) > 0 }
    }

    /// The result of an attempt.
    enum Result: Sendable {
        /// Nothing is to be done any more.
        case ended(RefundOutcome)
        /// Nothing may be sent as it is.
        case rests(RefundStanding)
        case failed(AppStoreFailure)
        /// Another one waits for Apple to answer again.
        case held
        /// The ledger did not take it, or cannot be read.
        case unrecorded
    }

    func finish(_ place: LedgerSequence, _ result: Result, at now: Instant) {
        state.withLock { state in
            guard var looked = state.cases[place] else { return }
            looked.isUnderWay = false
            switch result {
            case .ended(let outcome):
                state.outcomes[outcome, default: 0] += 1
                if outcome == .sent || outcome == .refused { state.circuit.succeed() }
                state.cases[place] = nil
                return
            case .rests(let standing):
                looked.account = standing.evaluation?.account
                looked.obstacle = standing.obstacle
                looked.isWanted = standing.isWanted
                looked.nextLook = min(
                    now.advanced(byMilliseconds: Self.rest), looked.event.due)
            case .failed(let failure):
                state.outcomes[.failed, default: 0] += 1
                looked.attempts += 1
                looked.failure = failure
                looked.obstacle = nil
                let planned = looked.schedule.attempt(after: now)
                looked.nextLook = min(max(planned, failure.retryAt ?? planned), looked.event.due)
                state.note(failure, at: now)
            case .held:
                looked.nextLook = min(state.circuit.opensAt ?? now, looked.event.due)
            case .unrecorded:
                looked.nextLook = now.advanced(byMilliseconds: Self.recordingPause)
            }
            state.cases[place] = looked
        }
    }

    /// The account has given its consent or withdrawn it: requests about its purchases, and those
    /// without an owner, are due.
    func wake(_ account: AccountID, at now: Instant) {
        state.withLock { state in
            for (place, open) in state.cases where open.account == nil || open.account == account {
                state.cases[place]?.nextLook = min(open.nextLook, now)
            }
        }
    }

    /// The open requests, the one with the earliest deadline first.
    var cases: [Case] {
        state.withLock { state in
            state.cases.values.sorted {
                ($0.event.due, $0.event.place) < ($1.event.due, $1.event.place)
            }
        }
    }

    subscript(place: LedgerSequence) -> Case? { state.withLock { $0.cases[place] } }

    /// When a request is due next; nil if none is open.
    var nextLook: Instant? {
        state.withLock { $0.cases.values.lazy.filter { !$0.isUnderWay }.map(\.nextLook).min() }
    }

    /// By this process.
    var outcomes: [RefundOutcome: Int64] { state.withLock { $0.outcomes } }
}

extension RefundQueue.State {
    fileprivate mutating func note(_ failure: AppStoreFailure, at now: Instant) {
        switch failure.meaning {
        case .service: circuit.fail(at: now, with: failure, isLasting: false)
        case .settings: circuit.fail(at: now, with: failure, isLasting: true)
        case .ticket, .final: circuit.succeed()
        }
    }
}

/// The counted outcomes of refund requests.
package enum RefundOutcome: String, CaseIterable, Hashable, Sendable {
    case sent
    /// Apple rejects the answer.
    case refused
    case byPerson = "by-person"
    /// Apple has decided before anything was said.
    case decided
    /// A reminder came.
    case superseded
    /// Apple got no answer in time.
    case lapsed
    /// One call has failed; others may follow.
    case failed
}
