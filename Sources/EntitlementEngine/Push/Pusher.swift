package import AppStoreClient
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
    case putAside(String, number: Int64)
    case full(String)
    /// The ledger is another one, or an older copy: it goes on with the next change.
    case restarted(String)
    case ledger(String, code: String)
}

/// Sends the changes of the feed to those that the settings name (spec 1.10): each subscription in a
/// task of its own, one change at a time in the order of the feed, at least once. Who is slow or dead
/// keeps nobody else waiting.
package final class Pusher: Sendable {
    private struct State {
        var journal: DeliveryJournal
        var standings: [String: PushStanding]
    }

    /// Changes that are read at once; how far they are delivered is written behind them.
    private static let page = 64
    /// Changes of one subscription that are put aside at most.
    package static let mostUndelivered = 10_000
    /// Bytes of an answer, and milliseconds until its end.
    private static let answerLimit = 65_536
    private static let timeout: Int64 = 10_000
    /// Milliseconds between two looks at what a person wants sent again.
    private static let longestWait: Int64 = 2_000
    /// Milliseconds until what the ledger did not give is asked for again.
    private static let pauseOfLedger: Int64 = 5_000

    package let subscriptions: [PushSubscription]
    private let source: any ChangeSource
    private let transport: any AppStoreTransport
    private let surroundings: any AppStoreSurroundings
    private let tell: @Sendable (PushEvent) -> Void
    private let state: Mutex<State>

    package init(
        _ subscriptions: [PushSubscription], source: any ChangeSource,
        transport: any AppStoreTransport, store: any DeliveryStore,
        surroundings: any AppStoreSurroundings, tell: @escaping @Sendable (PushEvent) -> Void
    ) throws(LedgerError) {
        self.subscriptions = subscriptions
        self.source = source
        self.transport = transport
        self.surroundings = surroundings
        self.tell = tell
        let journal = try DeliveryJournal(store)
        var standings: [String: PushStanding] = [:]
        for subscription in subscriptions {
            standings[subscription.name] = PushStanding(
                subscription: subscription.name, receiver: subscription.receiver.shown)
        }
        state = Mutex(State(journal: journal, standings: standings))
    }

    /// Sends until it is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { tasks in
            for subscription in subscriptions {
                tasks.addTask { await self.run(subscription) }
            }
        }
    }

    private func run(_ subscription: PushSubscription) async {
        var told: String?
        while !Task.isCancelled {
            do throws(EngineError) {
                try await sendAgain(subscription)
                if let last = try await sendNext(subscription) {
                    change(subscription) { $0.state = .idle }
                    await source.wait(behind: last, atMost: Self.longestWait)
                }
                told = nil
            } catch {
                if told != error.code { tell(.ledger(subscription.name, code: error.code)) }
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
    private func sendNext(_ subscription: PushSubscription) async throws(EngineError) -> Int64? {
        let cursor = state.withLock { $0.journal[subscription.name].cursor }
        guard let cursor else { return try await begin(subscription) }
        guard let page = try await source.changes(after: cursor, limit: Self.page) else {
            tell(.restarted(subscription.name))
            return try await begin(subscription, atFirst: false)
        }
        change(subscription) { $0.state = page.changes.isEmpty ? $0.state : .delivering }
        var last = cursor
        for told in page.changes {
            if subscription.filter.includes(told.change),
                try await !deliver(told, to: subscription, after: last)
            {
                // It stops: what is delivered is not sent again.
                try setCursor(last, of: subscription)
                return nil
            }
            last = told.cursor
        }
        try setCursor(page.next, of: subscription)
        return page.isAtHead ? page.next.number : nil
    }

    /// Finds where a subscription begins that was never sent anything.
    private func begin(
        _ subscription: PushSubscription, atFirst: Bool? = nil
    ) async throws(EngineError) -> Int64? {
        guard let page = try await source.changes(after: nil, limit: 1) else { return 0 }
        let begin = atFirst ?? subscription.beginsAtFirst ? 0 : page.head
        try setCursor(
            FeedCursor(ledger: page.next.ledger, number: begin), of: subscription)
        return page.head == begin ? begin : nil
    }

    /// Sends a change until it is delivered or put aside.
    ///
    /// - Parameter previous: how far all is done before it.
    /// - Returns: false where it was cancelled.
    private func deliver(
        _ told: ChangeAnswer, to subscription: PushSubscription, after previous: FeedCursor
    ) async throws(EngineError) -> Bool {
        var schedule = PushSchedule()
        while !Task.isCancelled {
            let attempt = await attempt(told, to: subscription)
            guard !Task.isCancelled || attempt.outcome == .delivered else { return false }
            note(attempt, of: subscription)
            let chance = surroundings.chance()
            switch schedule.step(
                after: attempt.outcome, retryAfter: attempt.retryAfter, chance: chance)
            {
            case .done: return true
            case .putAside:
                if try putAside(told, attempt, schedule, of: subscription) { return true }
                try setCursor(previous, of: subscription)
                await pause(PushSchedule.longestPause, subscription)
            case .pause(let milliseconds):
                try setCursor(previous, of: subscription)
                await pause(milliseconds, subscription)
            }
        }
        return false
    }

    /// - Returns: false where no more may be put aside.
    private func putAside(
        _ told: ChangeAnswer, _ attempt: Attempt, _ schedule: PushSchedule,
        of subscription: PushSubscription
    ) throws(EngineError) -> Bool {
        let change = UndeliveredChange(
            subscription: subscription.name, number: told.cursor.number,
            since: surroundings.now(), attempts: Int64(schedule.attempts),
            trouble: attempt.trouble ?? .failed, status: attempt.status)
        let isDone = try journal { journal throws(LedgerError) in
            guard journal[subscription.name].undelivered.count < Self.mostUndelivered else {
                return false
            }
            try journal.putAside(change, goingOnAt: told.cursor)
            return true
        }
        if isDone {
            tell(.putAside(subscription.name, number: change.number))
        } else {
            let wasFull = state.withLock { $0.standings[subscription.name]?.state == .full }
            if !wasFull { tell(.full(subscription.name)) }
            self.change(subscription) { $0.state = .full }
        }
        return isDone
    }

    /// Tries once more what a person wants sent again, each once.
    private func sendAgain(_ subscription: PushSubscription) async throws(EngineError) {
        let wanted = state.withLock { state in
            state.journal[subscription.name].undelivered.values.filter(\.isSentAgain)
                .sorted { $0.number < $1.number }
        }
        guard !wanted.isEmpty, let ledger = try await source.changes(after: nil, limit: 1) else {
            return
        }
        for change in wanted where !Task.isCancelled {
            let before = FeedCursor(ledger: ledger.next.ledger, number: change.number - 1)
            let told = try await source.changes(after: before, limit: 1)?.changes.first
            guard let told, told.cursor.number == change.number else {
                // Not in this ledger any more: nobody can send it.
                try journal { journal throws(LedgerError) in
                    try journal.remove(change.number, of: subscription.name)
                }
                continue
            }
            let attempt = await attempt(told, to: subscription)
            guard !Task.isCancelled || attempt.outcome == .delivered else { return }
            note(attempt, of: subscription)
            try journal { journal throws(LedgerError) in
                guard let trouble = attempt.trouble else {
                    return try journal.remove(change.number, of: subscription.name)
                }
                // It may have been struck off while it was sent.
                guard journal[subscription.name].undelivered[change.number] != nil else { return }
                var change = change
                change.isSentAgain = false
                change.attempts += 1
                change.since = surroundings.now()
                (change.trouble, change.status) = (trouble, attempt.status)
                try journal.update(change)
            }
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
        let second = surroundings.now().milliseconds / 1_000
        var request = TransportRequest(
            method: "POST", url: subscription.receiver.url, body: body,
            answerLimit: Self.answerLimit, timeout: Self.timeout)
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
        let now = surroundings.now()
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
        if let event { tell(event) }
    }

    private func pause(_ milliseconds: Int64, _ subscription: PushSubscription? = nil) async {
        let until = surroundings.now().advanced(byMilliseconds: milliseconds)
        if let subscription { change(subscription) { $0.nextAttempt = until } }
        try? await surroundings.wait(until: until)
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

    private func setCursor(
        _ cursor: FeedCursor, of subscription: PushSubscription
    ) throws(EngineError) {
        try journal { journal throws(LedgerError) in
            try journal.setCursor(cursor, of: subscription.name)
        }
    }

    private func journal<Value>(
        _ body: (inout DeliveryJournal) throws(LedgerError) -> Value
    ) throws(EngineError) -> Value {
        let result = state.withLock { state -> Result<Value, LedgerError> in
            do throws(LedgerError) {
                return .success(try body(&state.journal))
            } catch {
                return .failure(error)
            }
        }
        do throws(LedgerError) {
            return try result.get()
        } catch {
            throw .ledger(error)
        }
    }
}

/// What is asked about deliveries.
extension Pusher {
    /// How the subscriptions stand, by name.
    package var standings: [PushStanding] {
        state.withLock { state in
            subscriptions.map(\.name).sorted().compactMap { name in
                guard var standing = state.standings[name] else { return nil }
                standing.cursor = state.journal[name].cursor
                standing.undelivered = Int64(state.journal[name].undelivered.count)
                return standing
            }
        }
    }

    /// The same with how many changes of the feed wait, by the number of its last one.
    package func standings(upTo head: Int64) -> [PushStanding] {
        standings.map { standing in
            var standing = standing
            standing.waiting = standing.cursor.map { max(0, head - $0.number) }
            return standing
        }
    }

    /// Changes that were put aside, those of subscriptions too that the settings lack by now.
    package func undelivered(of name: String?, skip: Int64, limit: Int) -> UndeliveredList {
        let contents = state.withLock { state in
            state.journal.contents.filter { (name ?? $0.key) == $0.key }
        }
        let all = contents.flatMap(\.value.undelivered.values)
            .sorted { ($0.subscription, $0.number) < ($1.subscription, $1.number) }
        let start = Int(min(max(0, skip), Int64(all.count)))
        let end = min(start + limit, all.count)
        return UndeliveredList(
            subscriptions: standings.filter { (name ?? $0.subscription) == $0.subscription },
            changes: Array(all[start..<end]), next: end < all.count ? Int64(end) : nil,
            discarded: contents.sorted { $0.key < $1.key }.flatMap(\.value.discarded))
    }

    /// Strikes one change off the list, or all that a subscription has put aside, one too that the
    /// settings lack by now. Blocks.
    /// - Returns: nil for a subscription or a change that there is not.
    package func discard(
        _ number: Int64?, of name: String, by actor: String, because reason: String
    ) throws(EngineError) -> DiscardedChanges? {
        try journal { journal throws(LedgerError) in
            let kept = journal[name].undelivered
            let isKnown = number.map { kept[$0] != nil } ?? !kept.isEmpty
            guard isKnown else { return nil }
            let discarded = DiscardedChanges(
                subscription: name, number: number, changes: number == nil ? Int64(kept.count) : 1,
                at: surroundings.now(), actor: actor, reason: reason)
            try journal.discard(discarded)
            return discarded
        }
    }

    /// Has one change, or all that a subscription has put aside, sent again. Blocks.
    /// - Returns: how many; nil for a subscription or a change that there is not.
    package func sendAgain(
        _ number: Int64?, of name: String
    ) throws(EngineError) -> Int64? {
        guard subscriptions.contains(where: { $0.name == name }) else { return nil }
        return try journal { journal throws(LedgerError) in
            let kept = journal[name].undelivered
            let wanted =
                if let number { kept[number].map { [$0] } ?? [] } else {
                    kept.values.sorted { $0.number < $1.number }
                }
            guard number == nil || !wanted.isEmpty else { return nil }
            for var change in wanted where !change.isSentAgain {
                change.isSentAgain = true
                try journal.update(change)
            }
            return Int64(wanted.count)
        }
    }
}
