package import EntitlementModel
package import LedgerModel
package import PolicyLoading
internal import Synchronization

/// The only place where pure meets effect: verified evidence goes to the ledger, timelines are
/// derived from it, and questions are answered from memory.
package final class EntitlementEngine: Sendable {
    package let clock: any EngineClock
    /// Apple's servers; nil where they are not to be asked.
    package let appStore: (any AppStoreServers)?
    let processorClock: any ProcessorClock
    let ledger: any Ledger
    /// The same where several nodes share it.
    let sharedLedger: (any FleetLedger)?
    let refreshAge: Int64?
    let privacyKey: PrivacyKey?
    package let appStoreQueue = AppStoreQueue()
    package let refundQueue = RefundQueue()
    /// Whether the engine answers Apple's refund requests itself.
    package let sendsRefundAnswers: Bool
    let cache: AccountCache
    let creditCache: CreditCache
    let active: PolicyInForce
    let refusals = RefusalThrottle()
    let rederivation = Rederivation(workers: 2)
    /// The handling of a folder by which an account may lose something.
    package let policyGuard: PolicyGuard
    /// What the policy put into force at the start may take away; it was accepted.
    package let lossesAtStart: [PolicyLoss]
    let findings: LedgerFindings
    let cellCounts = CellCounts()
    let feed: FeedPublisher
    /// The jobs, driven by time and by recorded entries.
    package let jobs: JobScheduler
    /// Whether a check of the policy folder was requested.
    let isFolderWanted = Atomic(false)
    let leadChanges = LeadChanges()
    let impacts = ImpactJobs()
    let schedules: CommittedSchedules
    let adoption = Adoption()
    /// Where it is remembered who was asked about last; nil before `warmUp`.
    let hint = Mutex<WarmUp?>(nil)
    let scheduleCounts = ScheduleCounts()
    private let floor: ClockFloor
    private let waiting = WaitingClaims()
    private let pastPolicies = PastPolicies()
    package let revisionWaiters = RevisionWaiters()

    init(
        ledger: any Ledger, policy: ActivePolicy, head: LedgerHead, lossesAtStart: [PolicyLoss],
        options: EngineOptions
    ) {
        self.ledger = ledger
        sharedLedger = ledger as? any FleetLedger
        refreshAge = options.refreshAge
        privacyKey = options.privacyKey
        findings = LedgerFindings(privacyKey: options.privacyKey)
        sendsRefundAnswers = options.sendsRefundAnswers
        clock = options.clock
        appStore = options.appStore
        processorClock = options.processorClock
        policyGuard = options.policyGuard
        self.lossesAtStart = lossesAtStart
        cache = AccountCache(head: head.sequence, limit: options.accountsInMemory)
        creditCache = CreditCache(limit: options.creditsInMemory)
        let floor = ClockFloor(recordedAt: head.recordedAt)
        self.floor = floor
        let jobs = JobScheduler { [clock] in floor.instant(shownAs: clock.now()) }
        self.jobs = jobs
        schedules = CommittedSchedules { jobs.wake([.schedules]) }
        active = PolicyInForce(policy)
        feed = FeedPublisher(ledger: ledger, active: active)
        ledger.follow { [weak self] in self?.reach($0) }
        followFleet()
    }

    deinit {
        jobs.end()
    }

    /// The policy that questions are answered by.
    package var policy: ActivePolicy { active.current }

    /// Questions whose answers are read from the ledger each time.
    package var questions: LedgerQuestions {
        var questions = LedgerQuestions(
            ledger: ledger, policy: policy, waiting: waiting,
            queue: appStore == nil ? nil : appStoreQueue,
            refunds: sendsRefundAnswers && appStore?.hasServerAPI == true ? refundQueue : nil,
            pastPolicies: pastPolicies)
        questions.privacyKey = privacyKey
        return questions
    }

    /// What keeps the policy folder from coming into force; empty while nothing does.
    package var policyProblems: [PolicyProblem] {
        active.refusal.filter { $0.severity == .error }.map(PolicyProblem.init)
    }

    /// The errors among it, with whatever else was found in the folder.
    package var policyRefusal: [Diagnostic] { active.refusal }

    /// What waits in the policy folder until it is accepted; nil while nothing does.
    package var waitingPolicy: WaitingPolicy? { active.waiting }

    /// Who gains and who loses by it, as far as they are counted; nil where nothing waits, or what
    /// waits is held back whatever it gives.
    package var waitingWalk: WaitingWalk? { active.walk }

    /// Reads the ledger. Blocks.
    package func reading<Value>(
        _ body: (any LedgerReading) throws(LedgerError) -> Value
    ) throws(EngineError) -> Value {
        try ledger.reading(body)
    }

    /// The newest ledger entry that answers reflect.
    package var revision: LedgerSequence { cache.head }

    /// How many accounts are in memory.
    package var accountsInMemory: Int { cache.count }

    /// How far the accounts that the last policy change dropped from memory are back.
    package var rederivationProgress: RederivationProgress { rederivation.progress }

    /// Whether evidence can be recorded: false once a failure has left the state on the disk
    /// unknown.
    package var acceptsWrites: Bool { ledger.acceptsWrites }

    /// Whether writing has stopped because the ledger was moved, or another program wrote to it.
    /// Questions are answered from the open file.
    package var isLedgerReplaced: Bool {
        ledger.stopped?.kind == .replaced
    }

    /// Calls `tell` with notices on the ledger, on any thread: with earlier ones at once.
    package func onLedgerNotice(_ tell: @escaping @Sendable (any LedgerNotice) -> Void) {
        ledger.onNotice(tell)
    }

    /// Whether the ledger's disk is full: writes are tried and fail, questions are answered. It
    /// recovers without help.
    package var isDiskFull: Bool { ledger.isFull }

    /// Calls `tell` when the disk is found full and when it has space again, once each, on any
    /// thread.
    package func watchDisk(_ tell: @escaping @Sendable (_ isFull: Bool) -> Void) {
        ledger.watchRoom(tell)
    }

    /// The ledger, where it can be copied to a file.
    package var copyableLedger: (any CopyableLedger)? { ledger as? any CopyableLedger }

    /// Refusals that got no audit line of their own, since the engine was opened.
    package var refusalsLeftOut: Int64 { refusals.leftOut }

    /// As of when questions are answered and evidence is judged: what the clock shows, and never
    /// more than five minutes before the newest entry of the ledger.
    package func now() -> Instant { floor.instant(shownAs: clock.now()) }

    /// Whether the clock was set back so far that it is not believed.
    package var isClockBehind: Bool {
        let shown = clock.now()
        return shown < floor.instant(shownAs: shown)
    }

    /// Makes a commit visible to every question; called once it is durable and before anyone is
    /// told.
    func publish(touched accounts: some Sequence<AccountID>, head: LedgerSequence) {
        // A folded name is touched by any recorded spelling.
        let names = accounts.flatMap { $0.isFolded ? [$0] : [$0, $0.folded] }
        cache.publish(touched: names, head: head)
    }

    /// Follows the ledger: once for all writes of a commit, after each of them was published.
    private func reach(_ head: LedgerHead) {
        floor.raise(to: head.recordedAt)
        adoptEntries(through: head)
        revisionWaiters.reach(head.sequence)
        jobs.wake([.feed, .findings, .refunds])
    }

    /// How the ledger is kept. Blocks while it reads.
    package func ledgerCondition() throws(EngineError) -> LedgerCondition {
        do {
            return try ledger.condition()
        } catch {
            throw .ledger(error)
        }
    }

    /// From now on the engine's own threads give way to those that answer questions. To be called
    /// once the latter run: threads are as their makers were.
    package func lowerBackgroundPriority() {
        rederivation.keepUrgentThread()
        ledger.prepareWritingThreads { ThreadPriority.background.apply() }
    }

    /// Waits for the writes under way and closes the ledger.
    package func close() throws(EngineError) {
        rederivation.stop()
        impacts.stop()
        feed.end()
        jobs.stop()
        if let hint = hint.withLock(\.self) { rememberRecent(hint) }
        do {
            try ledger.close()
        } catch {
            throw .ledger(error)
        }
    }
}

/// Questions.
extension EntitlementEngine {
    /// The account, if it is in memory, and the revision that it reflects.
    package func cachedAccount(
        _ account: AccountID
    ) -> (packed: PackedAccount, revision: LedgerSequence)? {
        cache.packed(of: account.isFolded ? account : policy.name(account))
    }

    /// The same, by the bytes of the account's name, whatever they are.
    package func cachedAccount(
        named name: Span<UInt8>
    ) -> (packed: PackedAccount, revision: LedgerSequence)? {
        guard AccountID.maybeUnfolded(name), let account = AccountID(name) else {
            return cache.packed(named: name)
        }
        return cachedAccount(account)
    }

    /// The accounts whose names are at those ranges of `bytes`, all as of one revision; nil unless
    /// all are in memory.
    package func cachedAccounts(
        named names: [Range<Int>], in bytes: Span<UInt8>
    ) -> (packedAccounts: [PackedAccount], revision: LedgerSequence)? {
        // Names with another spelling are looked up one by one.
        if names.contains(where: { AccountID.maybeUnfolded(bytes.extracting($0)) }) { return nil }
        return cache.packedAccounts(named: names, in: bytes)
    }

    /// The same for accounts that may have other spellings.
    package func cachedAccounts(
        _ accounts: [AccountID]
    ) -> (packedAccounts: [PackedAccount], revision: LedgerSequence)? {
        var (bytes, names): ([UInt8], [Range<Int>]) = ([], [])
        for account in accounts {
            let start = bytes.count
            bytes += (account.isFolded ? account : policy.name(account)).text.utf8
            names.append(start..<bytes.count)
        }
        return cache.packedAccounts(named: names, in: bytes.span)
    }

    /// The accounts, all as of one revision, each read and derived where it is not in memory.
    /// Blocks while it reads.
    package func accounts(
        _ accounts: [AccountID]
    ) throws(EngineError) -> (packedAccounts: [PackedAccount], revision: LedgerSequence) {
        for account in accounts { _ = try self.account(account) }
        if let cached = cachedAccounts(accounts) { return cached }
        // Some have changed meanwhile, or there are more than fit in memory.
        return try inOneView { view throws(LedgerError) in
            var packed: [PackedAccount] = []
            for account in accounts { packed.append(try view.account(account, through: nil)) }
            return (packed, view.revision)
        }
    }

    /// Prefetches the accounts asked about next, all at once. A hint only.
    package func prefetch(named names: [Range<Int>], in bytes: Span<UInt8>) {
        cache.fetch(named: names, in: bytes)
    }

    /// The account, read and derived on first use. Blocks while it reads.
    package func account(
        _ account: AccountID
    ) throws(EngineError) -> (packed: PackedAccount, revision: LedgerSequence) {
        let account = account.isFolded ? account : policy.name(account)
        while true {
            try requireAdoption()
            if let cached = cache.packed(of: account) { return cached }
            let begun = cache.beginLoad()
            let packed: PackedAccount
            do throws(EngineError) {
                packed = try inOneView { view throws(LedgerError) in
                    try view.account(account, through: nil)
                }
            } catch {
                cache.abandonLoad()
                throw error
            }
            if let revision = cache.finishLoad(packed, begunAt: begun) {
                // Its facts may include entries that could not be adopted meanwhile.
                try requireAdoption()
                return (packed, revision)
            }
        }
    }
}
