internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementEngine
package import EntitlementModel
internal import EvidenceVerification
package import LedgerModel
package import PolicyLoading
internal import Sentences
internal import StoreBox
internal import Synchronization

/// With what stories are played.
package struct StoryOptions: Sendable {
    /// The policy under test.
    package var texts: [PolicyText]
    package var policy: Policy
    /// Makes a ledger for one story, and takes it away when the story is over.
    package var makeLedger: @Sendable () throws -> StoryLedger
    /// The texts of a policy folder that a step puts into force; nil where it cannot be read.
    package var readFolder: @Sendable (String) -> [PolicyText]?
    /// What keys and ids are made of.
    package var seed: UInt64 = 2026

    package init(
        texts: [PolicyText], policy: Policy,
        makeLedger: @escaping @Sendable () throws -> StoryLedger,
        readFolder: @escaping @Sendable (String) -> [PolicyText]? = { _ in nil }
    ) {
        self.texts = texts
        self.policy = policy
        self.makeLedger = makeLedger
        self.readFolder = readFolder
    }
}

/// A ledger that lasts as long as one story.
package struct StoryLedger: Sendable {
    var location: any LedgerLocation
    var remove: @Sendable () -> Void

    package init(_ location: any LedgerLocation, remove: @escaping @Sendable () -> Void = {}) {
        self.location = location
        self.remove = remove
    }
}

/// What came of one story.
package struct StoryResult: Sendable {
    package var story: Story
    /// What was not as it should have been, with notes of where the answer came from; empty where the
    /// story passes.
    package var failures: [Diagnostic] = []
    package var expectations = 0
    package var coverage = StoryCoverage()
    /// Why it could not be played to its end.
    package var problem: EngineError?
}

/// Plays a story through the engine, with signed evidence and a clock that it sets.
package func playStory(
    _ story: Story, _ options: StoryOptions, language: Language = .english
) async -> StoryResult {
    var result = StoryResult(story: story)
    do {
        let ledger = try options.makeLedger()
        defer { ledger.remove() }
        do throws(EngineError) {
            var run = try await StoryRun(story, options, ledger.location, language)
            try await run.play()
            result.failures = run.failures
            result.expectations = run.expectations
            result.coverage = run.coverage
            try run.engine.close()
        } catch {
            result.problem = error
        }
    } catch {
        result.problem = .noPolicy
    }
    return result
}

/// A clock that shows what it was set to.
final class StoryClock: EngineClock {
    private let instant: Mutex<Instant>

    init(_ instant: Instant) {
        self.instant = Mutex(instant)
    }

    func now() -> Instant { instant.withLock { $0 } }

    /// Never back.
    func advance(to instant: Instant) {
        self.instant.withLock { $0 = max($0, instant) }
    }
}

/// A story while it is played.
struct StoryRun {
    let story: Story
    let options: StoryOptions
    let language: Language
    let clock: StoryClock
    let engine: EntitlementEngine
    let appStore = StoryAppStore()
    var store: SimulatedStore
    var signing: PlaySigning
    var failures: [Diagnostic] = []
    var expectations = 0
    var coverage = StoryCoverage()
    /// What the story calls things.
    var orders: [String: OrderID] = [:]
    var entries: [SentenceSlot: [String: LedgerSequence]] = [:]
    var gifts: [String: GrantID] = [:]
    var blocks: [String: BlockID] = [:]
    var accounts: Set<AccountID> = []
    /// Why the last step was rejected, until an expectation says so.
    var rejection: (code: String, step: StoryStep)?
    /// Until when the service looks every minute for refund requests.
    var refundsUntil = Instant.distantPast
    private var serial = 0

    init(
        _ story: Story, _ options: StoryOptions, _ ledger: any LedgerLocation,
        _ language: Language
    ) async throws(EngineError) {
        self.story = story
        self.options = options
        self.language = language
        let play = story.play(with: options.policy)
        store = SimulatedStore(play, seed: options.seed)
        signing = PlaySigning(play, seed: options.seed)
        clock = StoryClock(story.extent.first)
        var engineOptions = EngineOptions(
            ledger: ledger, policyTexts: Self.trusting(&signing, story, options.texts),
            clock: clock, accountsInMemory: 1_000)
        engineOptions.policyGuard = .warn
        engineOptions.appStore = appStore
        engineOptions.privacyKey = PrivacyKey([UInt8](repeating: 0, count: PrivacyKey.length))
        engine = try await EntitlementEngine.open(engineOptions)
    }

    static func trusting(
        _ signing: inout PlaySigning, _ story: Story, _ texts: [PolicyText]
    ) -> [PolicyText] {
        let showsReceipts = story.steps.contains {
            $0.sentence.verb == StoreVerb.showsReceipt.rawValue
        }
        let receipts = showsReceipts ? signing.receiptSimulator().root.der : nil
        return StoryTrust(root: signing.store.root.der, receiptRoot: receipts).added(to: texts)
    }

    mutating func play() async throws(EngineError) {
        for step in story.steps {
            try await pass(until: step.at)
            if let expectation = StoryExpectation(rawValue: step.sentence.verb) {
                expectations += 1
                try await check(expectation, step)
                try collectCoverage()
            } else {
                reportRejection()
                try await perform(step)
                await askApple()
            }
        }
        reportRejection()
        try collectCoverage()
    }

    /// A rejection that nothing expected is a failure of its step.
    mutating func reportRejection() {
        guard let (code, step) = rejection else { return }
        rejection = nil
        fail(step, .stepFailed, [.plain(code)])
    }

    mutating func fail(
        _ step: StoryStep, _ id: DiagnosticID, _ facts: [Fact], _ explanation: [String] = []
    ) {
        var diagnostic = Diagnostic(id: id, place: step.place, facts: facts)
        diagnostic.notes = explanation
        failures.append(diagnostic)
    }

    /// A key that no other call of the story has.
    mutating func nextKey(_ name: String) -> String {
        serial += 1
        return "story-\(serial)-\(name)"
    }

    // MARK: Time

    /// What happens by itself until an instant: automatic renewals, and answers to Apple.
    mutating func pass(until instant: Instant) async throws(EngineError) {
        while let (name, due) = nextDue(before: instant) {
            await answerRefunds(until: due)
            store.move(to: due)
            do throws(PlayMistake) {
                try store.proceed(name)
            } catch {
                return
            }
            try await submitEvents()
        }
        await answerRefunds(until: instant)
        clock.advance(to: instant)
        await askApple()
        store.move(to: max(instant, store.at))
    }

    private func nextDue(before instant: Instant) -> (String, Instant)? {
        store.purchases.keys.sorted()
            .compactMap { name in store.due(name).map { (name, $0) } }
            .filter { $0.1 <= instant }.min { $0.1 < $1.1 }
    }

    /// The service looks every minute while Apple waits for an answer.
    func answerRefunds(until instant: Instant) async {
        guard refundsUntil > clock.now() else { return }
        while clock.now() < min(instant, refundsUntil) {
            while await engine.answerRefunds().looks > 0 {}
            clock.advance(to: min(instant, clock.now().advanced(byMilliseconds: 60_000)))
        }
        while await engine.answerRefunds().looks > 0 {}
    }

    /// What is due of what waits for Apple: the service looks whenever something happens.
    func askApple() async {
        while await engine.askApple().attempts > 0 {}
    }

    // MARK: Evidence

    /// Hands in what the store did since the last time.
    mutating func submitEvents() async throws(EngineError) {
        for event in store.takeEvents() {
            signing.sign(event)
            guard let piece = signing.evidence.last else { continue }
            clock.advance(to: piece.at)
            try await submit(piece.bytes, for: piece.account, piece.moment)
        }
    }

    mutating func submit(
        _ payload: [UInt8], for account: String?, _ moment: ClaimMoment? = nil,
        order: OrderID? = nil, at step: StoryStep? = nil
    ) async throws(EngineError) {
        let account = account.map { AccountID(unchecked: $0) }
        if let account { accounts.insert(account) }
        var submission = EvidenceSubmission(payload: payload, account: account, moment: moment)
        submission.order = order
        guard let report = try await engine.submit([submission]).first else { return }
        let step = step ?? current
        switch report {
        case .refused(let refusal): reject(refusal.code.rawValue, step)
        case .judged(let judged):
            if let problem = judged.orderProblem { reject(problem.rawValue, step) }
        case .waiting, .unanswerable: break
        }
    }

    /// The step that is being played.
    var current: StoryStep? {
        story.steps.last { $0.at <= clock.now() && !$0.isExpectation }
    }

    mutating func reject(_ code: String, _ step: StoryStep?) {
        guard let step else { return }
        if rejection == nil { rejection = (code, step) }
    }
}

/// Apple's servers in a story: they take what they are told about refunds, unless they are away.
final class StoryAppStore: AppStoreServers {
    private struct State {
        var isAway = false
        var told: [(transaction: TransactionID, report: ConsumptionReport)] = []
        var tokens: [TransactionID: String] = [:]
        var numbers: [(transaction: TransactionID, report: FirstConsumptionReport)] = []
    }

    private let state = Mutex(State())
    private static let unknown = AppStoreFailure(.notFound, code: 4_040_010, httpStatus: 404)

    var hasVerifyReceipt: Bool { false }

    /// What was told of refunds, in order.
    var told: [(transaction: TransactionID, report: ConsumptionReport)] {
        state.withLock { $0.told }
    }

    /// What was told in the first version of the call, in order.
    var toldInNumbers: [(transaction: TransactionID, report: FirstConsumptionReport)] {
        state.withLock { $0.numbers }
    }

    /// The account tokens that were set, by lineage.
    var tokens: [TransactionID: String] { state.withLock { $0.tokens } }

    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    private func check() throws(AppStoreFailure) {
        if state.withLock({ $0.isAway }) { throw AppStoreFailure(.unavailable, httpStatus: 503) }
    }

    func verifyReceipt(_ receipt: String) async throws(AppStoreFailure) -> FetchedReceipt {
        throw Self.unknown
    }

    func transaction(
        _ id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedTransaction {
        throw Self.unknown
    }

    func history(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        throw Self.unknown
    }

    func statuses(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedStatuses {
        throw Self.unknown
    }

    func refunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        throw Self.unknown
    }

    func notifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        after token: String?
    ) async throws(AppStoreFailure) -> FetchedNotifications {
        throw Self.unknown
    }

    func setAccountToken(
        _ token: String, for lineage: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try check()
        state.withLock { $0.tokens[lineage] = token }
    }

    func sendConsumption(
        _ report: ConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try check()
        state.withLock { $0.told.append((id, report)) }
    }

    func sendConsumption(
        _ report: FirstConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try check()
        state.withLock { $0.numbers.append((id, report)) }
    }

    func finish(
        _ id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try check()
    }
}
