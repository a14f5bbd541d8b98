package import EntitlementModel
package import LedgerModel
internal import PolicyLoading
internal import Synchronization

/// An engine whose ledger several nodes share: one writes, all of them answer (docs/FLEET.md).
extension EntitlementEngine {
    /// Whether this engine writes. Only a node of a fleet may not.
    package var leads: Bool { fleet?.leads ?? true }

    /// This node's part in its fleet; nil for a ledger of its own.
    package var fleet: FleetCondition? { sharedLedger?.fleet }

    /// Has the node that leads answer a call, as `answerForwardedCalls` does there.
    ///
    /// - Throws: `ledger.not-leader` if none is known, `ledger.outcome-unknown` if it was sent and
    ///   no answer has come.
    package func forwardToLeader(_ call: [UInt8]) async throws(EngineError) -> [UInt8] {
        guard let sharedLedger else { preconditionFailure("only a fleet has other nodes") }
        try requireAdoption()
        do throws(LedgerError) {
            return try await sharedLedger.forwardToLeader(call)
        } catch {
            throw .ledger(error)
        }
    }

    /// Calls `tell` once with the newest entry of the database, on any thread; nil if the database
    /// does not answer, or the ledger is not a fleet's.
    package func askNewestRevision(_ tell: @escaping @Sendable (LedgerSequence?) -> Void) {
        guard let sharedLedger else { return tell(nil) }
        sharedLedger.askNewest(tell)
    }

    /// Gives up the lead of a node whose clock is not trusted: one with a correct clock accepts
    /// what this one has to reject.
    package func resignForClock() { sharedLedger?.resign() }

    /// From now on answers the calls that other nodes pass on while this one leads.
    package func answerForwardedCalls(_ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]) {
        sharedLedger?.answerCalls(answer)
    }

    /// Takes in what other nodes write from now on, and what time drives while this one leads.
    func followFleet() {
        guard let ledger = sharedLedger else { return }
        ledger.watchChanges { [weak self] in self?.pass(on: $0) }
        ledger.watchLead { [weak self] leads in
            guard let self else { return }
            leads ? beginLead() : appStoreQueue.empty()
            leadChanges.tell()
            jobs.wake(JobKind.allCases)
        }
    }

    /// Everything that is in memory of what only the one who writes keeps is read once more.
    private func beginLead() {
        feed.forgetPolicies()
        appStoreQueue.empty()
        // What cannot be read now is not asked about before the next lead.
        try? loadTickets()
        // Before any other write; if it fails, it is tried again at the next lead.
        Task { try? await recordRules() }
    }

    /// Calls the feed's followers with changes of another node.
    private func pass(on numbers: ClosedRange<Int64>) {
        var last = numbers.lowerBound - 1
        while last < numbers.upperBound {
            let limit = Int(min(numbers.upperBound - last, 1_000))
            let run = try? ledger.reading { [last] reader throws(LedgerError) in
                try reader.changes(after: last, matching: ChangeFilter(), limit: limit)
            }
            guard let run, !run.changes.isEmpty else { return }
            last = run.last
            feed.followers.tell(run.changes)
        }
    }

    /// Takes in the entries that another node has written: the policies among them come into
    /// force, and what they touch is derived again. On the writer's thread, once they are in the
    /// file, so that nothing is judged before.
    ///
    /// If that fails, the revision stays, and nothing is answered or written here until it
    /// succeeds: the policy known to this node may not be in force.
    func adoptEntries(through head: LedgerHead) {
        guard let sharedLedger else { return }
        adoption.inTurn {
            let before = revision
            guard before < head.sequence, !adoption.isOver else { return }
            do throws(EngineError) {
                try adopt(after: before, through: head)
                if !adoption.isGoingOn { sharedLedger.setEligible(true) }
                adoption.end(with: nil)
            } catch {
                // Before anyone is told: the node could become leader next.
                sharedLedger.setEligible(false)
                adoption.end(with: error)
                jobs.wake([.adoption])
            }
        }
    }

    private func adopt(
        after before: LedgerSequence, through head: LedgerHead
    ) throws(EngineError) {
        let news = try ledger.reading { [policy] reader throws(LedgerError) in
            try EntryEffects(reader, after: before, through: head.sequence, policy)
        }
        if let schedules = news.schedules { self.schedules.take(schedules) }
        // Whose they were that are gone is nowhere any more: no answer in memory stays.
        if news.hasErased { forgetAnswers(at: head) }
        guard news.activations.isEmpty else { return try adopt(news, at: head) }
        publish(touched: news.accounts, head: head.sequence)
    }

    private func adopt(_ news: EntryEffects, at head: LedgerHead) throws(EngineError) {
        var history = policy.history
        for activation in news.activations {
            let texts = activation.value.files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
            guard let policy = loadOldPolicy(texts) else {
                throw .policyHistoryUnreadable(activation.sequence)
            }
            history.activate(policy, at: activation.recordedAt)
        }
        putIntoForce(ActivePolicy(history), at: head)
    }
}

/// What time drives, on the node that leads only (docs/FLEET.md).
extension EntitlementEngine {
    /// Which lead of this node it is; nil while another node leads. On a ledger of its own it is
    /// always the same.
    package var lead: Int64? {
        guard let fleet else { return 0 }
        return fleet.leads ? fleet.epoch : nil
    }

    /// Does `work`, and cancels it once `begun` is not this node's lead any more.
    package func during(_ begun: Int64?, _ work: @escaping @Sendable () async -> Void) async {
        guard sharedLedger != nil else { return await work() }
        let changes = leadChanges.follow()
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask(operation: work)
            tasks.addTask { [self] in
                var changes = changes.makeAsyncIterator()
                while lead == begun, await changes.next() != nil {}
            }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    /// The shared journals of a fleet; nil if the ledger is this node's alone.
    ///
    /// - Parameter before: as `FleetLedger.journal` has it.
    package func sharedJournal(
        _ journal: SharedJournal, before: (any JournalStore)? = nil
    ) -> (any ReconciliationStore)? {
        sharedLedger?.journal(journal, before: before)
    }
}

/// Wakes those who do something only for as long as one node leads.
final class LeadChanges: Sendable {
    private let followers = Mutex<[AsyncStream<Void>.Continuation]>([])

    /// An element for each change from now on; unread ones are merged.
    func follow() -> AsyncStream<Void> {
        let (changes, follower) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        followers.withLock { $0.append(follower) }
        return changes
    }

    func tell() {
        followers.withLock { followers in
            followers.removeAll { if case .terminated = $0.yield() { true } else { false } }
        }
    }
}

/// Whether a node of a fleet goes by all that the others have written. While it cannot, it answers
/// nothing: the policy that it knows may not be in force any more.
final class Adoption: Sendable {
    private struct State {
        var failure: EngineError?
        var watchers: [@Sendable (EngineError?) -> Void] = []
    }

    /// Looked at by every question.
    private let isHalted = Atomic<Bool>(false)
    private let state = Mutex(State())
    /// Entries are adopted by one thread at a time.
    private let turn = Mutex(())

    var isGoingOn: Bool { !isHalted.load(ordering: .acquiring) }

    /// Nil while it succeeds.
    var failure: EngineError? { state.withLock(\.failure) }

    /// Whether nothing but another version of the program can go on: the ledger's history holds
    /// what this one cannot read, whatever comes behind it.
    var isOver: Bool {
        guard case .policyHistoryUnreadable = failure else { return false }
        return true
    }

    func inTurn(_ body: () -> Void) { turn.withLock { _ in body() } }

    /// Calls `tell` with why adoption has halted, and with nil when it continues, once each; at
    /// once if it has halted already.
    func watch(_ tell: @escaping @Sendable (EngineError?) -> Void) {
        let failure = state.withLock { state in
            state.watchers.append(tell)
            return state.failure
        }
        if let failure { tell(failure) }
    }

    /// - Parameter failure: nil where everything was adopted.
    func end(with failure: EngineError?) {
        guard failure != nil || !isGoingOn else { return }
        isHalted.store(failure != nil, ordering: .releasing)
        let watchers = state.withLock { state in
            defer { state.failure = failure }
            let isNews = (state.failure == nil) != (failure == nil)
            return isNews ? state.watchers : []
        }
        for tell in watchers { tell(failure) }
    }
}

extension EntitlementEngine {
    /// Whether questions may be answered: false where another node has written what this program
    /// cannot go by, such as a policy of a newer version. Cheap.
    package var answersQuestions: Bool { adoption.isGoingOn }

    /// Why they may not; nil where they may.
    package var adoptionFailure: EngineError? { adoption.failure }

    /// The entry with a policy that this version cannot read; nil if there is none.
    package var unreadablePolicy: LedgerSequence? {
        guard case .policyHistoryUnreadable(let entry)? = adoption.failure else { return nil }
        return entry
    }

    /// Calls `tell` with why nothing is answered, and with nil when questions are answered again,
    /// once each; at once if nothing is answered now.
    package func watchAdoption(_ tell: @escaping @Sendable (EngineError?) -> Void) {
        adoption.watch(tell)
    }

    /// - Throws: what keeps this node from answering.
    package func requireAdoption() throws(EngineError) {
        guard !adoption.isGoingOn, let failure = adoption.failure else { return }
        throw failure
    }

    /// Tries once more what could not be read of the others' entries, if that can help. Blocks.
    package func adoptAgain() {
        guard !adoption.isGoingOn, !adoption.isOver else { return }
        adoptWhatIsThere()
    }

    /// Adopts what the ledger has now.
    func adoptWhatIsThere() {
        guard sharedLedger != nil,
            let head = try? ledger.reading({ reader throws(LedgerError) in try reader.head() })
        else { return }
        adoptEntries(through: head)
        revisionWaiters.reach(revision)
    }
}

/// The effects of a run of entries on an engine that has not written them.
struct EntryEffects {
    private static let part = 256

    var accounts: Set<AccountID> = []
    var activations: [Recorded<PolicyActivation>] = []
    var schedules: PolicySchedules?
    private(set) var hasErased = false

    init(
        _ reader: any LedgerReading, after first: LedgerSequence,
        through last: LedgerSequence, _ policy: ActivePolicy
    ) throws(LedgerError) {
        var reading = ChangeReading(reader)
        var place = first
        var isScheduling = false
        while place < last {
            let entries = try reader.entries(after: place, limit: Self.part)
            guard let newest = entries.last else { break }
            for entry in entries where entry.sequence <= last {
                switch entry.value {
                case .policyActivation(let activation):
                    activations.append(entry.with(activation))
                    isScheduling = true
                case .policySchedule, .policyScheduleEnd: isScheduling = true
                case .erasure: hasErased = true
                default:
                    accounts.formUnion(try reading.changes(by: entry, policy).accounts)
                }
            }
            place = newest.sequence
        }
        if isScheduling { schedules = try PolicySchedules(recordedIn: reader) }
    }
}
