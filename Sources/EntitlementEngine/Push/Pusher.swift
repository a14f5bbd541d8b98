package import EntitlementAnswers
internal import EntitlementModel
package import LedgerModel
internal import Synchronization

/// Where changes come from.
package protocol ChangeSource: Sendable {
    /// The next changes; nil where the cursor is of another ledger, or of more changes than there
    /// are.
    func changes(
        after cursor: FeedCursor?, limit: Int
    ) async throws(EngineError) -> ChangePage?
    /// Returns when there is a change behind that number, after so many milliseconds at the latest.
    func wait(behind number: Int64, atMost milliseconds: Int64) async
}

/// What is said of deliveries in the log: once for each outage, once for each change that is put
/// aside.
package enum PushEvent: Equatable, Sendable {
    case failing(String, PushTrouble, status: Int64?)
    case recovered(String)
    case parked(String, number: Int64)
    case full(String)
    /// The ledger is another one, or an older copy: it goes on with the next change.
    case restarted(String)
    case ledger(String, code: String)
}

/// Sends the changes of the feed to those that the settings name (spec 1.10): each subscription in a
/// task of its own, one change at a time in the order of the feed, at least once. Who is slow or dead
/// keeps nobody else waiting.
///
/// Of a fleet, the node that leads sends, and the others know how far that has come.
package final class Pusher: Sendable {
    struct State {
        var standings: [String: PushStanding]
        /// Whether this node sends.
        var isSending = false
    }

    /// The work on one subscription, until what is kept has to be read once more.
    private struct Turn {
        let subscription: PushSubscription
        let reading: Int

        var name: String { subscription.name }
    }

    /// Changes that are read at once; how far they are delivered is written behind them, and after so
    /// many milliseconds.
    private static let page = 64
    private static let longestUnwritten: Int64 = 1_000
    /// Changes of one subscription that are put aside at most.
    package static let mostUndelivered = 10_000
    /// Bytes of an answer, and milliseconds until its end.
    private static let answerLimit = 65_536
    private static let timeout: Int64 = 10_000
    /// Milliseconds between two looks at what a person wants sent again.
    private static let longestWait: Int64 = 2_000
    /// Milliseconds until what the ledger did not give is asked for again.
    private static let pauseOfLedger: Int64 = 5_000
    private static let pauseOfLead: Int64 = 250

    package let subscriptions: [PushSubscription]
    let source: any ChangeSource
    private let transport: any AppStoreTransport
    let context: any ClientContext
    private let report: @Sendable (PushEvent) -> Void
    let journal: DeliveryJournal
    let state: Mutex<State>

    package init(
        _ subscriptions: [PushSubscription], source: any ChangeSource,
        transport: any AppStoreTransport, store: any JournalStore,
        context: any ClientContext, report: @escaping @Sendable (PushEvent) -> Void
    ) throws(LedgerError) {
        self.subscriptions = subscriptions
        self.source = source
        self.transport = transport
        self.context = context
        self.report = report
        journal = try DeliveryJournal(store)
        var standings: [String: PushStanding] = [:]
        for subscription in subscriptions {
            standings[subscription.name] = PushStanding(
                subscription: subscription.name, receiver: subscription.receiver.shown)
        }
        state = Mutex(State(standings: standings))
    }

    /// Sends until it is cancelled.
    package func run() async {
        journal.expectOthers()
        state.withLock { $0.isSending = true }
        defer { state.withLock { $0.isSending = false } }
        await withTaskGroup(of: Void.self) { tasks in
            for subscription in subscriptions {
                tasks.addTask { await self.run(subscription) }
            }
        }
    }

    /// Looks, until it is cancelled, how far the node has come that sends. Where that cannot be read,
    /// what is known stays, and `/status` says why.
    package func follow() async {
        while !Task.isCancelled {
            do throws(LedgerError) {
                try await journal.follow()
            } catch {
                // It is asked again.
            }
            await pause(Self.longestWait)
        }
    }

    private func run(_ subscription: PushSubscription) async {
        var told: String?
        while !Task.isCancelled {
            do throws(EngineError) {
                let turn = Turn(subscription: subscription, reading: try await prepare())
                // Where nothing can be kept, nothing is sent.
                guard journal.takesLines else {
                    throw .ledger(LedgerError(FleetError.notLeader))
                }
                try await sendAgain(turn)
                if let last = try await sendNext(turn) {
                    change(subscription) { $0.state = .idle }
                    await source.wait(behind: last, atMost: Self.longestWait)
                }
                told = nil
            } catch {
                if Task.isCancelled { return }
                // Another node leads, or what is kept is read once more: it goes on from there.
                guard error.code != FleetError.notLeader.code else {
                    await pause(Self.pauseOfLead)
                    continue
                }
                if told != error.code { report(.ledger(subscription.name, code: error.code)) }
                told = error.code
                await pause(Self.pauseOfLedger)
            }
        }
    }
}

/// Sending.
extension Pusher {
    /// Sends the next changes.
    /// - Returns: the number behind which there was nothing more; nil where there may be.
    private func sendNext(_ turn: Turn) async throws(EngineError) -> Int64? {
        let subscription = turn.subscription
        let cursor = journal[turn.name].cursor
        guard let cursor else { return try await begin(turn) }
        guard let page = try await source.changes(after: cursor, limit: Self.page) else {
            report(.restarted(turn.name))
            return try await begin(turn, atFirst: false)
        }
        change(subscription) { $0.state = page.changes.isEmpty ? $0.state : .delivering }
        var (last, writtenAt) = (cursor, context.now())
        for told in page.changes {
            if subscription.filter.includes(told.change),
                try await !deliver(told, in: turn, after: last)
            {
                // It stops: what is delivered is not sent again.
                try await setCursor(last, in: turn)
                return nil
            }
            last = told.cursor
            if context.now().milliseconds(since: writtenAt) >= Self.longestUnwritten {
                try await setCursor(last, in: turn)
                writtenAt = context.now()
            }
        }
        try await setCursor(page.next, in: turn)
        return page.isAtHead ? page.next.number : nil
    }

    /// Finds where a subscription begins that was never sent anything.
    private func begin(
        _ turn: Turn, atFirst: Bool? = nil
    ) async throws(EngineError) -> Int64? {
        guard let page = try await source.changes(after: nil, limit: 1) else { return 0 }
        let begin = atFirst ?? turn.subscription.beginsAtFirst ? 0 : page.head
        try await setCursor(
            FeedCursor(ledger: page.next.ledger, number: begin), in: turn)
        return page.head == begin ? begin : nil
    }

    /// Sends a change until it is delivered or put aside.
    ///
    /// - Parameter previous: how far all is done before it.
    /// - Returns: false where it was cancelled.
    private func deliver(
        _ told: ChangeAnswer, in turn: Turn, after previous: FeedCursor
    ) async throws(EngineError) -> Bool {
        let subscription = turn.subscription
        var schedule = PushSchedule()
        while !Task.isCancelled {
            let attempt = await attempt(told, to: subscription)
            guard !Task.isCancelled || attempt.outcome == .delivered else { return false }
            note(attempt, of: subscription)
            let chance = context.random()
            switch schedule.step(
                after: attempt.outcome, retryAfter: attempt.retryAfter, chance: chance)
            {
            case .done: return true
            case .park:
                if try await park(told, attempt, schedule, in: turn) { return true }
                try await setCursor(previous, in: turn)
                await pause(PushSchedule.longestPause, subscription)
            case .pause(let milliseconds):
                try await setCursor(previous, in: turn)
                await pause(milliseconds, subscription)
            }
        }
        return false
    }

    /// - Returns: false where no more may be put aside.
    private func park(
        _ told: ChangeAnswer, _ attempt: Attempt, _ schedule: PushSchedule, in turn: Turn
    ) async throws(EngineError) -> Bool {
        let subscription = turn.subscription
        let change = UndeliveredChange(
            subscription: subscription.name, number: told.cursor.number,
            since: context.now(), attempts: Int64(schedule.attempts),
            trouble: attempt.trouble ?? .failed, status: attempt.status)
        // It goes on behind it.
        let line = DeliveryLine(
            subscription: turn.name, cursor: told.cursor, undelivered: change)
        let isDone = try await write(in: turn) { kept in
            let isFull = kept.undelivered.count >= Self.mostUndelivered
            return (isFull ? nil : line, !isFull)
        }
        if isDone {
            report(.parked(subscription.name, number: change.number))
        } else {
            let wasFull = state.withLock { $0.standings[subscription.name]?.state == .full }
            if !wasFull { report(.full(subscription.name)) }
            self.change(subscription) { $0.state = .full }
        }
        return isDone
    }

    /// Tries once more what a person wants sent again, each once.
    private func sendAgain(_ turn: Turn) async throws(EngineError) {
        let subscription = turn.subscription
        let wanted = journal[turn.name].undelivered.values.filter(\.isSentAgain)
            .sorted { $0.number < $1.number }
        for change in wanted where !Task.isCancelled {
            guard let told = try await told(change.number) else {
                // Not in this ledger any more: nobody can send it.
                try await discard(change.number, in: turn)
                continue
            }
            let attempt = await attempt(told, to: subscription)
            guard !Task.isCancelled || attempt.outcome == .delivered else { return }
            note(attempt, of: subscription)
            guard let trouble = attempt.trouble else {
                try await discard(change.number, in: turn)
                continue
            }
            var failed = change
            failed.isSentAgain = false
            failed.attempts += 1
            failed.since = context.now()
            (failed.trouble, failed.status) = (trouble, attempt.status)
            let line = DeliveryLine(subscription: turn.name, undelivered: failed)
            try await write(in: turn) { kept in
                // It may have been struck off while it was sent.
                (kept.undelivered[line.undelivered?.number ?? 0] == nil ? nil : line, ())
            }
        }
    }

    /// The change of that number; nil where this ledger has none.
    func told(_ number: Int64) async throws(EngineError) -> ChangeAnswer? {
        let before = FeedCursor(ledger: nil, number: number - 1)
        let told = try await source.changes(after: before, limit: 1)?.changes.first
        return told?.cursor.number == number ? told : nil
    }

    /// It is delivered, or can never be.
    private func discard(_ number: Int64, in turn: Turn) async throws(EngineError) {
        let line = DeliveryLine(subscription: turn.name, delivered: number)
        try await write(in: turn) { kept in
            (kept.undelivered[number] == nil ? nil : line, ())
        }
    }
}

/// One attempt.
extension Pusher {
    private struct Attempt {
        let outcome: PushOutcome
        let status: Int64?
        /// Seconds.
        let retryAfter: Int64?

        /// Nil for what was delivered.
        var trouble: PushTrouble? { PushTrouble(rawValue: outcome.rawValue) }
    }

    private func attempt(
        _ told: ChangeAnswer, to subscription: PushSubscription
    ) async -> Attempt {
        let body = told.json
        let id = "change_\(told.cursor.ledger ?? "")_\(told.cursor.number)"
        let second = context.now().milliseconds / 1_000
        var request = TransportRequest(
            method: "POST", url: subscription.receiver.url, body: body,
            answerLimit: Self.answerLimit, timeout: Self.timeout)
        request.socket = subscription.receiver.socket
        request.fields = [
            ("webhook-id", id), ("webhook-timestamp", "\(second)"),
            (
                "webhook-signature",
                subscription.secret.signature(id: id, second: second, body: body)
            ),
        ]
        let result: Result<TransportResponse, TransportFailure>
        do throws(TransportFailure) {
            result = .success(try await transport.send(request))
        } catch {
            result = .failure(error)
        }
        let response = try? result.get()
        return Attempt(
            outcome: PushOutcome(result), status: response.map { Int64($0.status) },
            retryAfter: response?.retryAfter.flatMap { Int64($0) })
    }

    /// Tells of an outage once, and of its end.
    private func note(_ attempt: Attempt, of subscription: PushSubscription) {
        let now = context.now()
        let event = state.withLock { state -> PushEvent? in
            guard var standing = state.standings[subscription.name] else { return nil }
            defer { state.standings[subscription.name] = standing }
            let hadTrouble = standing.trouble != nil
            standing.nextAttempt = nil
            guard let trouble = attempt.trouble else {
                standing.delivered += 1
                (standing.trouble, standing.status, standing.since) = (nil, nil, nil)
                standing.state = .delivering
                return hadTrouble ? .recovered(subscription.name) : nil
            }
            standing.failures += 1
            (standing.trouble, standing.status) = (trouble, attempt.status)
            standing.since = standing.since ?? now
            if standing.state != .full { standing.state = trouble == .gone ? .gone : .failing }
            return hadTrouble
                ? nil : .failing(subscription.name, trouble, status: attempt.status)
        }
        if let event { report(event) }
    }

    private func pause(_ milliseconds: Int64, _ subscription: PushSubscription? = nil) async {
        let until = context.now().advanced(byMilliseconds: milliseconds)
        if let subscription { change(subscription) { $0.nextAttempt = until } }
        try? await context.wait(until: until)
    }

    private func change(
        _ subscription: PushSubscription, _ change: (inout PushStanding) -> Void
    ) {
        state.withLock { state in
            guard var standing = state.standings[subscription.name] else { return }
            change(&standing)
            state.standings[subscription.name] = standing
        }
    }

    private func setCursor(_ cursor: FeedCursor, in turn: Turn) async throws(EngineError) {
        let line = DeliveryLine(subscription: turn.name, cursor: cursor)
        try await write(in: turn) { kept in (kept.cursor == cursor ? nil : line, ()) }
    }

    private func write<Value: Sendable>(
        in turn: Turn,
        _ decide:
            @escaping @Sendable (DeliveryJournal.Content) -> (line: DeliveryLine?, value: Value)
    ) async throws(EngineError) -> Value {
        try await write(inReading: turn.reading) { [name = turn.name] in
            decide($0[name] ?? DeliveryJournal.Content())
        }
    }
}

/// What is kept.
extension Pusher {
    func prepare() async throws(EngineError) -> Int {
        do throws(LedgerError) {
            return try await journal.prepare()
        } catch {
            throw .ledger(error)
        }
    }

    func write<Value: Sendable>(
        inReading reading: Int,
        _ decide:
            @escaping @Sendable ([String: DeliveryJournal.Content]) -> (
                line: DeliveryLine?, value: Value
            )
    ) async throws(EngineError) -> Value {
        do throws(LedgerError) {
            return try await journal.write(inReading: reading, decide)
        } catch {
            throw .ledger(error)
        }
    }
}
