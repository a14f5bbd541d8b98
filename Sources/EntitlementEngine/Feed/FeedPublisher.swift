package import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// Keeps the change feed up to date with the ledger and with time (spec 1.10), strictly in the
/// ledger's order: changes due by the time of an entry are published before it.
///
/// Changes are derived in a view of the ledger and written in one transaction with the feed's new
/// position: each is published once, even if the process ends. Nothing else writes these tables,
/// and one portion at a time is in progress.
package final class FeedPublisher: Sendable {
    private let ledger: any Ledger
    private let active: PolicyInForce
    package let followers = FeedFollowers()
    private let portion: Int
    private let policies = Mutex(Policies())
    /// Whether recorded and due changes come before the next accounts to apply a policy to.
    private let isOthersTurn = Mutex(false)
    private let isEnding = Atomic<Bool>(false)

    /// The policies that the feed has passed.
    private struct Policies {
        /// Their activations; nil before they are read.
        var places: [LedgerSequence]?
        /// The one that was looked up last, with the number of activations before it.
        var last: (count: Int, policy: ActivePolicy)?
        /// The rights that were derived last by one of them.
        var latest: LatestRights?
        /// Whose records the policy of that activation may change.
        var differing: (activation: LedgerSequence, accounts: [AccountID])?
    }

    /// - Parameter portion: how many entries, or accounts that are derived, are taken at once.
    init(ledger: any Ledger, active: PolicyInForce, portion: Int = 256) {
        self.ledger = ledger
        self.active = active
        self.portion = portion
    }

    /// Another node may have kept the feed meanwhile: activations are read again.
    func forgetPolicies() { policies.withLock { $0 = Policies() } }

    /// Begins nothing more, and abandons the derivation in progress.
    func end() { isEnding.store(true, ordering: .relaxed) }

    /// The next step.
    enum Step: Sendable {
        /// Nothing before that instant, as far as is known; nil for ever.
        case nothing(until: Instant?)
        /// Something is due by time.
        case time
        case write(FeedDerivation.Batch)
    }

    /// Does the next portion.
    /// - Returns: whether there may be more to do at once.
    func advance(at now: Instant) async throws(EngineError) -> Bool {
        try await perform(plan(at: now), at: now)
    }

    /// Plans the next step. Blocks while it reads and derives.
    func plan(at now: Instant) throws(EngineError) -> Step {
        let deadline = ViewDeadline { [self] in isEnding.load(ordering: .relaxed) }
        return try ledger.reading { reader throws(LedgerError) in
            let place = try reader.feedPlace()
            let activations = try activations(upTo: place.place, reader)
            var derivation = try FeedDerivation(
                reader, from: place, activations: activations, portion: portion,
                deadline: deadline, latest: policies.withLock { $0.latest.take() },
                differing: place.scan == nil ? nil : differing(after: activations, reader)
            ) { [self] in policy(after: $0) }
            defer { policies.withLock { $0.latest = derivation.latest } }
            let entries = try reader.entries(after: place.place, limit: portion)
            note(entries)
            if let scan = place.scan {
                return try plan(
                    behind: entries, at: now, scan, &derivation, try reader.nextDue())
            }
            let due = try reader.nextDue()
            guard !entries.isEmpty else {
                if let due, due <= now { return .time }
                let head = try reader.head().sequence
                guard place.place < head else { return .nothing(until: due) }
                // Only entries that were erased are left.
                var batch = derivation.batch
                batch.place.place = head
                return .write(batch)
            }
            let batch = try derivation.takeEntries(entries)
            // More is due by the first entry than one portion holds.
            if let batch, batch.place == place { return .time }
            return batch.map { .write($0) } ?? .nothing(until: nil)
        }
    }

    /// Whose records the policy that is being applied may change, by name; nil where it may be
    /// anybody's.
    private func differing(
        after activations: [LedgerSequence], _ reader: any LedgerReading
    ) throws(LedgerError) -> [AccountID]? {
        guard let activation = activations.last, let policy = policy(after: activations.count),
            let difference = policy.difference
        else { return nil }
        let known = policies.withLock { $0.differing }
        if let known, known.activation == activation { return known.accounts }
        guard let recent = try difference.recentAccounts(before: activation, policy, reader) else {
            return nil
        }
        let accounts =
            recent.isEmpty
            ? difference.accounts : recent.union(difference.accounts).sorted()
        policies.withLock { $0.differing = (activation, accounts) }
        return accounts
    }

    /// While a policy is applied: alternates between the next accounts and recorded or due changes.
    private func plan(
        behind entries: [Recorded<LedgerEntry>], at now: Instant, _ scan: String,
        _ derivation: inout FeedDerivation, _ due: Instant?
    ) throws(LedgerError) -> Step {
        var batch: FeedDerivation.Batch?
        let isOthersTurn = isOthersTurn.withLock { turn in
            defer { turn = !turn }
            return turn && scan != FeedSubject.lastOther
        }
        let limit = min(entries.first?.recordedAt ?? now, now)
        if isOthersTurn, let first = entries.first, !first.value.isPolicyActivation {
            batch = try derivation.takeEntries(entries)
            guard batch != nil else { return .nothing(until: nil) }
        }
        if isOthersTurn, batch.map({ $0.place == $0.before }) ?? true, let due, due <= limit {
            batch = try derivation.takeDue(by: limit)
            guard batch != nil else { return .nothing(until: nil) }
        }
        if let batch, batch.isAnything { return .write(batch) }
        return try derivation.scan(after: scan).map { .write($0) } ?? .nothing(until: nil)
    }

    /// - Returns: whether there may be more to do at once.
    func perform(_ step: Step, at now: Instant) async throws(EngineError) -> Bool {
        switch step {
        case .nothing: return false
        case .time: return try await emitDue(at: now)
        case .write(let batch): return try await write(batch)
        }
    }

    private func write(_ batch: FeedDerivation.Batch) async throws(EngineError) -> Bool {
        _ = try await ledger.writing(
            { transaction throws(LedgerError) -> [PublishedChange] in
                guard try transaction.mayTell(batch) else { return [] }
                let batch = try batch.withoutErased(in: transaction)
                var told: [PublishedChange] = []
                for change in batch.changes {
                    told.append(
                        PublishedChange(number: try transaction.tell(change), change: change))
                }
                for (subject, outlook) in batch.changedOutlooks {
                    try transaction.setOutlook(outlook, of: subject)
                }
                try transaction.setFeedPlace(batch.place)
                return told
            }, committed: { [followers] told, _ in followers.tell(told) })
        return true
    }

    /// Publishes due changes without deriving anything. All is decided in the writer: an entry
    /// recorded meanwhile is published after the changes due by its instant.
    private func emitDue(at now: Instant) async throws(EngineError) -> Bool {
        let told = try await ledger.writing(
            { transaction throws(LedgerError) -> [PublishedChange] in
                var place = try transaction.feedPlace()
                guard place.scan == nil else { return [] }
                let next = try transaction.entries(after: place.place, limit: 1).first
                let limit = next?.recordedAt ?? now
                let due = try transaction.outlooks(dueBy: limit, limit: FeedDerivation.duePortion)
                // The others are due at the last one's instant or later.
                let horizon =
                    due.count < FeedDerivation.duePortion ? limit : due.last?.outlook.due ?? limit
                var changes: [FeedChange] = []
                for (subject, known) in due {
                    var outlook = known
                    let owner = subject.account ?? outlook.account
                    for difference in outlook.advance(to: horizon) {
                        changes.append(difference.change(of: owner, revision: place.place))
                    }
                    try transaction.setOutlook(outlook, of: subject)
                }
                // The sort is stable for equal instants.
                changes = changes.enumerated().sorted {
                    $0.element.at == $1.element.at
                        ? $0.offset < $1.offset : $0.element.at < $1.element.at
                }.map(\.element)
                var told: [PublishedChange] = []
                for change in changes {
                    told.append(
                        PublishedChange(number: try transaction.tell(change), change: change))
                }
                guard let last = changes.last else { return [] }
                place.reached = last.at
                try transaction.setFeedPlace(place)
                return told
            }, committed: { [followers] told, _ in followers.tell(told) })
        return !told.isEmpty
    }

    /// The activations before the entry.
    private func activations(
        upTo place: LedgerSequence, _ reader: any LedgerReading
    ) throws(LedgerError) -> [LedgerSequence] {
        let known = policies.withLock { $0.places }
        let places: [LedgerSequence]
        if let known {
            places = known
        } else {
            places = try reader.policyActivations().map(\.sequence)
            policies.withLock { $0.places = places }
        }
        return places.filter { $0 <= place }
    }

    /// Takes down the policies among the entries.
    private func note(_ entries: [Recorded<LedgerEntry>]) {
        policies.withLock { policies in
            for entry in entries where entry.value.isPolicyActivation {
                guard entry.sequence > policies.places?.last ?? .zero else { continue }
                policies.places?.append(entry.sequence)
            }
        }
    }

    /// The policy in force after that many activations; nil if it is not published yet. Entries
    /// before the first policy are read by it.
    private func policy(after count: Int) -> ActivePolicy? {
        let current = active.current
        let activations = current.history.activations
        let count = max(count, 1)
        guard count <= activations.count else { return nil }
        if count == activations.count { return current }
        if let last = policies.withLock({ $0.last }), last.count == count { return last.policy }
        var history = PolicyHistory(activations[0])
        for activation in activations[1..<count] {
            history.activate(activation.policy, at: activation.activatedAt)
        }
        let policy = ActivePolicy(history)
        policies.withLock { $0.last = (count, policy) }
        return policy
    }
}

extension LedgerReading {
    /// Whether nothing was published meanwhile, and no entry was recorded that has to come first.
    fileprivate func mayTell(_ batch: FeedDerivation.Batch) throws(LedgerError) -> Bool {
        guard try feedPlace() == batch.before, try feedHead() == batch.head,
            try newestErasure() == batch.erasure
        else { return false }
        guard batch.place.reached > batch.before.reached else { return true }
        let next = try entries(after: batch.place.place, limit: 1).first
        return next.map { $0.recordedAt >= batch.place.reached } ?? true
    }
}

/// When a view of the ledger has to be released: changes should be published early, and a long view
/// keeps the ledger's log from being checkpointed.
struct ViewDeadline {
    private static let longest = Duration.milliseconds(200)

    private let begun = ContinuousClock.now
    private let ends: () -> Bool

    init(until ends: @escaping () -> Bool) {
        self.ends = ends
    }

    /// Whether the result is not needed any more.
    var isEnding: Bool { ends() }
    /// Whether the rest can wait for the next view.
    var isLate: Bool { isEnding || ContinuousClock.now - begun > Self.longest }
}

extension FeedSubject {
    /// Nil for entries and orders.
    var account: AccountID? {
        guard case .account(let account) = self else { return nil }
        return account
    }
}

/// The followers of the feed, called with the changes as they are published. Earlier changes are
/// read from the ledger.
package final class FeedFollowers: Sendable {
    private let followers = Mutex<[@Sendable ([PublishedChange]) -> Void]>([])

    init() {}

    /// Hands all changes to `follower` in their order, those of one commit at once, when they are
    /// durable; on the writer's thread. It must not block.
    package func follow(_ follower: @escaping @Sendable ([PublishedChange]) -> Void) {
        followers.withLock { $0.append(follower) }
    }

    /// By the writer's thread only, once the changes are durable.
    func tell(_ changes: [PublishedChange]) {
        guard !changes.isEmpty else { return }
        for follower in followers.withLock(\.self) { follower(changes) }
    }
}

/// Keeps the feed up to date, in portions.
struct FeedJob: Job {
    weak let engine: EntitlementEngine?
    var kind: JobKind { .feed }

    /// If the ledger cannot be read or written, nothing is published until it can.
    func run() async -> JobPause {
        // Another node publishes, or this one once it leads.
        guard let engine, engine.leads else { return JobPause() }
        let now = engine.now()
        do throws(EngineError) {
            let step = try engine.feed.plan(at: now)
            if case .nothing(let due) = step { return JobPause(due: due) }
            let isMore = try await engine.feed.perform(step, at: now)
            return isMore ? .none : JobPause(longest: .milliseconds(10))
        } catch {
            return JobPause(longest: .seconds(1))
        }
    }
}

extension EntitlementEngine {
    /// Begins to keep the change feed, in the background.
    package func startFeed() { jobs.start(FeedJob(engine: self)) }

    /// Publishes the next portion of changes by the given instant. Without `startFeed`, nothing
    /// else does.
    ///
    /// - Returns: whether there may be more to publish at once.
    package func advanceFeed(at now: Instant) async throws(EngineError) -> Bool {
        try await feed.advance(at: now)
    }

    /// Whether changes have been coming faster than they are published, for seconds without a
    /// pause.
    package var isFeedBehind: Bool { jobs.busyFor(.feed).map { $0 > .seconds(5) } ?? false }

    /// The followers of published changes.
    package var feedFollowers: FeedFollowers { feed.followers }
}
