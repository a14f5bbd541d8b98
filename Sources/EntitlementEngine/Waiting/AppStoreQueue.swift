package import EntitlementModel
internal import HeapModule
internal import LedgerModel
internal import Synchronization

/// A ticket that waits.
package struct PendingTicket: Sendable {
    package let number: LedgerSequence
    package let ticket: EvidenceTicket
    let since: Instant
    /// Whose call has let it wait; nil where this process does not know.
    var user: String?
    /// What it takes of the queue.
    var amount = WaitingLoad.Amount(tickets: 1)
    /// By this process.
    var attempts: Int64 = 0
    var lastAttempt: Instant?
    var failure: AppStoreFailure?
    /// When it is asked about next, if its service answers.
    var due: Instant
    var isUnderWay = false

    package var schedule: RetrySchedule { RetrySchedule(since: since, seed: number) }

    /// What Apple is asked, by whomever; nil for what is asked for one ticket alone.
    fileprivate var question: AppStoreQueue.Question? {
        guard ticket.form == .receipt || ticket.form == .oldReceipt else { return nil }
        return ticket.evidence.map { .init(form: ticket.form, evidence: $0) }
    }

    /// Attempts of this process before it gives a ticket up, however old: it may have been
    /// stopped for a month.
    static let fewestAttempts: Int64 = 20

    /// Never for a fault of ours: a wrong key says nothing of what was handed in.
    package func isGivenUp(after failure: AppStoreFailure, at instant: Instant) -> Bool {
        schedule.isOver(at: instant) && attempts >= Self.fewestAttempts
            && failure.meaning != .settings
    }
}

/// What waits for Apple, in memory: the ledger has the tickets, and this process knows when it asked
/// about each and how that went. Nothing is written while Apple is down, and no ticket has a timer.
package final class AppStoreQueue: Sendable {
    /// The same bytes are asked about once, whoever has handed them in (spec 1.8).
    fileprivate struct Question: Hashable {
        let form: EvidenceTicket.Form
        let evidence: LedgerSequence
    }

    /// What came of an attempt.
    package enum Result: Sendable {
        /// The ticket is closed, by this attempt or by another.
        case closed
        /// The ticket is closed because Apple does not answer.
        case givenUp(AppStoreFailure)
        case failed(AppStoreFailure)
        /// The ledger did not take it.
        case unrecorded
    }

    struct State {
        fileprivate(set) var tickets: [LedgerSequence: PendingTicket] = [:]
        fileprivate(set) var circuits: [AppStoreRoute: Circuit] = [:]
        fileprivate(set) var attempts: [AttemptOutcome: Int64] = [:]
        fileprivate(set) var load = WaitingLoad()
        fileprivate(set) var counts: [EvidenceTicket.Form: Int64] = [:]
        fileprivate var routes: [AppStoreRoute: Route] = [:]
        /// Tickets that set the token of a lineage: only the newest is asked about, and none while
        /// another is under way, since the one that Apple hears last holds.
        fileprivate var tokens: [LineageKey: Set<LedgerSequence>] = [:]
        /// Tickets that wait for the same answer: one asks for all of them.
        fileprivate var questions: [Question: Set<LedgerSequence>] = [:]
        /// What Apple is being asked.
        fileprivate var asked: Set<Question> = []
        /// Tickets that were looked at to see whether they are due.
        fileprivate(set) var examined: Int64 = 0
        /// Before it nothing is due.
        fileprivate(set) var wakesAt: Instant?
    }

    /// When a ticket is due; of equal ones the older comes first. It is never changed: whoever takes
    /// one compares it with what is true by then.
    struct Turn: Comparable, Sendable {
        let due: Instant
        let number: LedgerSequence

        static func < (one: Turn, other: Turn) -> Bool {
            (one.due, one.number) < (other.due, other.number)
        }
    }

    /// What waits for one of Apple's services. A look costs what is due, and not what waits.
    fileprivate struct Route {
        var queue = Heap<Turn>()
        var waiting = 0
        var underWay = 0
    }

    /// Milliseconds until what the ledger did not take is tried again.
    private static let recordingPause: Int64 = 30_000

    let state = Mutex(State())

    var count: Int { state.withLock { $0.tickets.count } }
    var examined: Int64 { state.withLock { $0.examined } }
    var attempts: [AttemptOutcome: Int64] { state.withLock { $0.attempts } }
    var counts: [EvidenceTicket.Form: Int64] { state.withLock { $0.counts } }
    /// When to look again; nil while nothing waits.
    package var wakesAt: Instant? { state.withLock { $0.wakesAt } }
    /// Whether a service fails everybody that something waits for.
    var isUnavailable: Bool {
        state.withLock { state in
            state.circuits.contains { route, circuit in
                circuit.opensAt != nil && state.routes[route]?.waiting ?? 0 > 0
            }
        }
    }
    /// Since when the oldest ticket waits; goes through all of them.
    var oldestSince: Instant? {
        state.withLock { $0.tickets.values.min { $0.number < $1.number }?.since }
    }

    subscript(number: LedgerSequence) -> PendingTicket? { state.withLock { $0.tickets[number] } }

    /// Whether more may wait, as `WaitingLoad.hasRoom` has it.
    func hasRoom(
        for amount: WaitingLoad.Amount, of user: String?, opened: WaitingLoad.Amount
    ) -> Bool {
        state.withLock { $0.load.hasRoom(for: amount, of: user, opened: opened) }
    }

    /// Tickets that set the token of the same lineage and were opened before.
    package func tokens(olderThan pending: PendingTicket) -> [LedgerSequence] {
        guard let lineage = pending.ticket.tokenLineage else { return [] }
        return state.withLock { state in
            state.tokens[lineage, default: []].filter { $0 < pending.number }.sorted()
        }
    }

    /// All that the answer to the ticket's question judges, itself among them, in the order in
    /// which they came.
    package func tickets(with pending: PendingTicket) -> [PendingTicket] {
        state.withLock { state in
            let others = state.others(askingAs: pending).filter { $0.number != pending.number }
            return ([pending] + others).sorted { $0.number < $1.number }
        }
    }

    /// Another node waits for all of them from now on.
    func empty() {
        state.withLock { state in
            state.questions = [:]
            for number in Array(state.tickets.keys) { state.remove(number) }
        }
    }

    /// Takes a ticket in; one that is there already stays as it is.
    ///
    /// - Parameters:
    ///   - user: whose call has let it wait.
    ///   - bytes: how many it holds that prove nothing by themselves.
    ///   - startedAt: when this process began, for a ticket that waited before: it is asked
    ///     about when its turn comes, not at once with all others.
    func add(
        _ ticket: Recorded<EvidenceTicket>, user: String? = nil, bytes: Int = 0,
        startedAt: Instant? = nil
    ) {
        state.withLock { state in
            guard state.tickets[ticket.sequence] == nil else { return }
            var pending = PendingTicket(
                number: ticket.sequence, ticket: ticket.value, since: ticket.recordedAt,
                due: ticket.recordedAt)
            pending.user = user
            pending.amount.bytes = bytes
            pending.due = pending.schedule.attempt(after: startedAt)
            state.insert(pending)
            state.wakesAt = min(state.wakesAt ?? pending.due, state.instant(of: pending))
        }
    }

    /// Begins as many attempts as are due, the longest overdue first. `finish` must follow for each.
    package func begin(at now: Instant, atMost limit: Int) -> [PendingTicket] {
        state.withLock { state in
            guard let wakesAt = state.wakesAt, wakesAt <= now else { return [] }
            var begun: [PendingTicket] = []
            while begun.count < limit, let pending = state.beginNext(limit, now) {
                begun.append(pending)
            }
            state.planNextLook(after: now, hasMore: begun.count == limit)
            return begun
        }
    }

    /// A newer ticket says what this one was to say, or another's answer has judged it; it is under
    /// way no more.
    package func drop(_ number: LedgerSequence) {
        state.withLock { $0.remove(number) }
    }

    /// Those that were judged by the ticket's answer wait no more.
    package func drop(_ judged: [PendingTicket], by pending: PendingTicket) {
        state.withLock { state in
            let others = judged.map(\.number).filter { $0 != pending.number }
            if let question = pending.question { state.questions[question]?.subtract(others) }
            for other in others { state.remove(other) }
        }
    }

    package func finish(_ number: LedgerSequence, _ result: Result, at now: Instant) {
        state.withLock { state in
            guard var pending = state.tickets[number] else { return }
            let route = pending.ticket.route
            pending.isUnderWay = false
            if let question = pending.question { state.asked.remove(question) }
            state.routes[route]?.underWay -= 1
            pending.attempts += 1
            pending.lastAttempt = now
            switch result {
            case .closed:
                state.attempts[.answered, default: 0] += 1
                state.circuits[route, default: Circuit()].succeed()
                state.remove(number)
                state.wakesAt = now
                return
            case .givenUp(let failure):
                state.attempts[.failed(failure.kind), default: 0] += 1
                state.note(failure, on: route, at: now)
                state.remove(number)
                state.wakesAt = state.circuits[route]?.opensAt ?? now
                return
            case .unrecorded:
                state.attempts[.unrecorded, default: 0] += 1
                pending.due = now.advanced(byMilliseconds: Self.recordingPause)
            case .failed(let failure):
                state.attempts[.failed(failure.kind), default: 0] += 1
                pending.failure = failure
                let planned = pending.schedule.attempt(after: now)
                pending.due = max(planned, failure.retryAt ?? planned)
                state.note(failure, on: route, at: now)
            }
            state.tickets[number] = pending
            state.enqueue(pending)
            state.letOthersWait(as: pending)
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

extension AppStoreQueue.State {
    /// When the ticket can ask.
    func instant(of pending: PendingTicket) -> Instant {
        max(pending.due, circuits[pending.ticket.route]?.opensAt ?? pending.due)
    }

    /// Why the ticket has to wait: its own last attempt, or the service that fails everybody.
    func failure(of pending: PendingTicket) -> AppStoreFailure? {
        circuits[pending.ticket.route]?.failure ?? pending.failure
    }

    fileprivate mutating func insert(_ pending: PendingTicket) {
        tickets[pending.number] = pending
        load.add(pending.amount, of: pending.user)
        counts[pending.ticket.form, default: 0] += 1
        routes[pending.ticket.route, default: AppStoreQueue.Route()].waiting += 1
        if let lineage = pending.ticket.tokenLineage {
            tokens[lineage, default: []].insert(pending.number)
        }
        if let question = pending.question {
            questions[question, default: []].insert(pending.number)
        }
        enqueue(pending)
    }

    fileprivate func others(askingAs pending: PendingTicket) -> [PendingTicket] {
        guard let question = pending.question else { return [] }
        return questions[question, default: []].filter { $0 != pending.number }
            .compactMap { tickets[$0] }
    }

    /// The attempt was theirs too: they try again when it does, and not sooner.
    fileprivate mutating func letOthersWait(as pending: PendingTicket) {
        for var other in others(askingAs: pending) {
            other.attempts += 1
            other.lastAttempt = pending.lastAttempt
            other.failure = pending.failure
            other.due = max(other.due, pending.due)
            tickets[other.number] = other
            enqueue(other)
        }
    }

    fileprivate mutating func remove(_ number: LedgerSequence) {
        guard let pending = tickets.removeValue(forKey: number) else { return }
        load.remove(pending.amount, of: pending.user)
        counts[pending.ticket.form, default: 0] -= 1
        routes[pending.ticket.route]?.waiting -= 1
        if let question = pending.question {
            questions[question]?.remove(number)
            if questions[question]?.isEmpty == true { questions[question] = nil }
            for other in others(askingAs: pending) { enqueue(other) }
        }
        guard let lineage = pending.ticket.tokenLineage else { return }
        tokens[lineage]?.remove(number)
        guard let newest = tokens[lineage]?.max(), let next = tickets[newest] else {
            tokens[lineage] = nil
            return
        }
        enqueue(next)
    }

    /// Gives the ticket a turn; of a lineage's tokens, the newest.
    fileprivate mutating func enqueue(_ pending: PendingTicket) {
        let lineage = pending.ticket.tokenLineage
        let newest = lineage.flatMap { tokens[$0]?.max() }.flatMap { tickets[$0] } ?? pending
        routes[newest.ticket.route, default: AppStoreQueue.Route()].queue.insert(
            AppStoreQueue.Turn(due: newest.due, number: newest.number))
    }

    /// The one that is due for the longest time, of those whose service takes one more.
    fileprivate mutating func beginNext(
        _ limit: Int, _ now: Instant
    ) -> PendingTicket? {
        var best: (route: AppStoreRoute, turn: AppStoreQueue.Turn)?
        for (route, state) in routes
        where (circuits[route]?.admits(limit, at: now) ?? limit) > state.underWay {
            guard let turn = nextTurn(on: route), turn.due <= now else { continue }
            if best.map({ turn < $0.turn }) ?? true { best = (route, turn) }
        }
        guard let best else { return nil }
        _ = routes[best.route]?.queue.popMin()
        routes[best.route]?.underWay += 1
        tickets[best.turn.number]?.isUnderWay = true
        if let question = tickets[best.turn.number]?.question { asked.insert(question) }
        return tickets[best.turn.number]
    }

    /// The first turn that still holds; those that do not are dropped.
    private mutating func nextTurn(on route: AppStoreRoute) -> AppStoreQueue.Turn? {
        while let turn = routes[route]?.queue.min {
            examined += 1
            if let pending = tickets[turn.number], pending.due == turn.due, mayBegin(pending) {
                return turn
            }
            _ = routes[route]?.queue.popMin()
        }
        return nil
    }

    /// Whoever is dropped for another one gets its turn back when that one ends.
    private func mayBegin(_ pending: PendingTicket) -> Bool {
        guard !pending.isUnderWay, pending.question.map({ !asked.contains($0) }) ?? true else {
            return false
        }
        guard let lineage = pending.ticket.tokenLineage, let numbers = tokens[lineage] else {
            return true
        }
        return numbers.allSatisfy { number in
            number <= pending.number && tickets[number]?.isUnderWay == false
        }
    }

    /// - Parameter hasMore: whether there was no room for all who can ask now; else those who could
    ///   and did not wait for an attempt that is under way, and its end wakes them.
    fileprivate mutating func planNextLook(after now: Instant, hasMore: Bool) {
        var next: Instant?
        for route in Array(routes.keys) {
            guard let turn = nextTurn(on: route) else { continue }
            let instant = max(turn.due, circuits[route]?.opensAt ?? turn.due)
            guard hasMore || instant > now else { continue }
            next = min(next ?? instant, instant)
        }
        wakesAt = next
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
                .fail(at: now, with: failure, isLasting: false)
        case .settings:
            circuits[route, default: Circuit()]
                .fail(at: now, with: failure, isLasting: true)
        case .ticket, .final: circuits[route] = nil
        }
    }
}

extension EvidenceTicket {
    /// The lineage that a token is set for; nil for every other ticket.
    fileprivate var tokenLineage: LineageKey? {
        guard form == .accountToken, let environment, let transaction else { return nil }
        return LineageKey(environment, transaction)
    }
}

/// How much of the queue is taken: by all, and by each user whose calls have let something wait
/// (THREATS.md H27).
///
/// Nobody may take more than he leaves to the others: a user has room while what he has there is
/// less than what is free. So one that fills it gets half of it, the next one a quarter, and there is
/// room for somebody else always. What waited before this process began is nobody's.
struct WaitingLoad: Sendable {
    /// What waits, and how many bytes of it nobody has vouched for.
    struct Amount: Equatable, Sendable {
        var tickets = 0
        var bytes = 0

        static func + (one: Amount, other: Amount) -> Amount {
            Amount(tickets: one.tickets + other.tickets, bytes: one.bytes + other.bytes)
        }

        static func - (one: Amount, other: Amount) -> Amount {
            Amount(tickets: one.tickets - other.tickets, bytes: one.bytes - other.bytes)
        }
    }

    /// How many tickets may wait at once, and how many bytes that prove nothing by themselves.
    static let capacity = Amount(tickets: 100_000, bytes: 256 << 20)

    private var total = Amount()
    private var byUser: [String: Amount] = [:]

    mutating func add(_ amount: Amount, of user: String?) {
        total = total + amount
        if let user { byUser[user] = byUser[user, default: Amount()] + amount }
    }

    mutating func remove(_ amount: Amount, of user: String?) {
        total = total - amount
        guard let user else { return }
        let left = byUser[user, default: Amount()] - amount
        byUser[user] = left == Amount() ? nil : left
    }

    /// Whether more may wait.
    ///
    /// - Parameters:
    ///   - amount: what is to wait.
    ///   - user: who lets it; nil for the engine itself.
    ///   - opened: what the same commit lets wait already.
    func hasRoom(for amount: Amount, of user: String?, opened: Amount = Amount()) -> Bool {
        let free = Self.capacity - total - opened - amount
        guard free.tickets >= 0, free.bytes >= 0 else { return false }
        guard let user else { return true }
        let own = byUser[user, default: Amount()] + opened + amount
        return own.tickets <= free.tickets + 1
            && (amount.bytes == 0 || own.bytes <= free.bytes + amount.bytes)
    }
}
