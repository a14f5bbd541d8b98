internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import Synchronization
internal import Testing

/// What Apple's servers answer, and what a reconciliation makes of it.
@Suite("Reconciliation with servers that fail", .timeLimit(.minutes(20)))
struct ReconciliationFaultTests {
    /// A failure of the second call and all after it, up to a number of calls.
    struct Fault: CustomTestStringConvertible, Sendable {
        let kind: AppStoreFailure.Kind
        var lasts = Int.max
        var retryAfter: Int64?
        let state: ReconciliationAnswer.State
        var code: String?
        var unanswered: Int64 = 0
        /// How long it takes at most, in seconds.
        var seconds: ClosedRange<Int64>

        var testDescription: String { "\(kind.rawValue) for \(lasts)" }
    }

    static let faults = [
        Fault(kind: .rateLimited, lasts: 3, retryAfter: 600, state: .finished, seconds: 720...730),
        Fault(kind: .rateLimited, lasts: 3, state: .finished, seconds: 170...200),
        // What Apple says is bounded by its own limits, which are by the hour.
        Fault(
            kind: .rateLimited, lasts: 1, retryAfter: 1_000_000_000, state: .finished,
            seconds: 3_900...3_910),
        Fault(
            kind: .rateLimited, state: .stopped, code: "app-store.rate-limited",
            seconds: 700...800),
        Fault(kind: .unavailable, lasts: 3, state: .finished, seconds: 7...8),
        Fault(
            kind: .unavailable, state: .stopped, code: "app-store.unavailable",
            seconds: 127...130),
        Fault(kind: .network, lasts: 6, state: .finished, seconds: 63...65),
        Fault(kind: .network, state: .stopped, code: "app-store.network", seconds: 127...130),
        Fault(
            kind: .unauthorized, state: .stopped, code: "app-store.unauthorized", seconds: 0...1),
        Fault(kind: .rejected, lasts: 1, state: .finished, unanswered: 1, seconds: 0...1),
        Fault(kind: .badAnswer, lasts: 1, state: .finished, unanswered: 1, seconds: 0...1),
    ]

    @Test("after a run that stopped, the schedule rests, longer each time")
    func rest() async throws {
        let world = try await ReconciledShop(customers: 3)
        let servers = world.apple.failing { _, _ in AppStoreFailure(.unauthorized) }
        let reconciler = world.reconciler(asking: servers)
        for minutes in [15, 30] as [Int64] {
            #expect(reconciler.requestIfDue(everyHours: 24))
            #expect(await reconciler.runPending())
            #expect(reconciler.last?.state == .stopped)
            let stopped = world.shop.clock.now()
            world.shop.clock.set(stopped.advanced(byMilliseconds: minutes * 60_000 - 1_000))
            #expect(!reconciler.requestIfDue(everyHours: 24))
            world.shop.clock.set(stopped.advanced(byMilliseconds: minutes * 60_000 + 1_000))
        }
        #expect(reconciler.requestIfDue(everyHours: 24))
    }

    @Test("waits, goes on without one customer, or stops", arguments: faults)
    func reaction(fault: Fault) async throws {
        let world = try await ReconciledShop(customers: 10)
        let start = world.shop.clock.now()
        let servers = world.apple.failing { number, name in
            // The calls of one customer, behind those for the notifications.
            let first = 3
            guard name != "notifications", number >= first, number - first < fault.lasts else {
                return nil
            }
            let at = fault.retryAfter.map { start.advanced(byMilliseconds: $0 * 1_000) }
            return AppStoreFailure(fault.kind, retryAt: at)
        }
        let (answer, _) = try await world.run(world.reconciler(asking: servers)) { $0.limit = 1 }
        #expect(answer.state == fault.state)
        #expect(answer.code == fault.code)
        #expect(answer.tally.unanswered == fault.unanswered)
        let waited = world.shop.clock.now().milliseconds(since: start) / 1_000
        #expect(fault.seconds.contains(waited), "\(waited) s")
        // What was stopped is gone on with.
        guard answer.state == .stopped else { return }
        let resumed = try await world.run(world.reconciler())
        #expect(resumed.answer.isResumed)
        #expect(resumed.answer.state == .finished)
        #expect(resumed.drift.compared == world.expected)
    }

    @Test("stops where one customer after the other gets no usable answer")
    func onlyBadAnswers() async throws {
        let world = try await ReconciledShop(customers: 80)
        let servers = world.apple.failing { _, name in
            name == "notifications" ? nil : AppStoreFailure(.badAnswer)
        }
        let (answer, drift) = try await world.run(world.reconciler(asking: servers))
        #expect(answer.state == .stopped)
        #expect(answer.code == "app-store.bad-answer")
        #expect(answer.tally.unanswered < 60)
        #expect(drift.allSatisfy { $0.cause == .missedNotification })
    }

    @Test(
        "a notification history that cannot be read, or never ends, is told; customers are asked",
        arguments: [nil, .endless, .samePage] as [HostileServers.Lie?])
    func unreadableNotifications(lie: HostileServers.Lie?) async throws {
        let world = try await ReconciledShop(customers: 3)
        let stranger = StoreSimulator(seed: 99, now: world.shop.clock.now())
        let servers: any AppStoreServers =
            if let lie {
                HostileServers(lie, world.apple, stranger, inHistories: false)
            } else {
                world.apple.failing { _, name in
                    name == "notifications" ? AppStoreFailure(.badAnswer) : nil
                }
            }
        let (answer, drift) = try await world.run(world.reconciler(asking: servers))
        #expect(answer.state == .finished)
        #expect(!answer.isComplete)
        #expect(answer.tally.visited == 3)
        #expect(drift.contains { $0.cause == .notificationsUnreadable })
        if let hostile = servers as? HostileServers {
            #expect(hostile.notificationCalls.withLock { $0 } <= 210)
        }
        // The next run looks at all of it.
        let again = try await world.run(world.reconciler())
        #expect(again.answer.state == .finished)
        #expect(again.answer.isComplete)
    }

    @Test("what is not Apple's, or not this customer's, is refused and takes nothing away")
    func hostileAnswers() async throws {
        let world = try await ReconciledShop(customers: 2)
        let stranger = StoreSimulator(seed: 99, now: world.shop.clock.now())
        for lie in HostileServers.Lie.allCases {
            let head = world.shop.engine.revision
            let servers = HostileServers(lie, world.apple, stranger)
            let reconciler = Reconciler(
                engine: world.shop.engine, servers: servers, store: nil,
                context: ClockContext(clock: world.shop.clock), callsPerSecond: 1_000)
            var request = ReconciliationRequest(callsPerSecond: 1_000)
            request.scope = .account("user-1")
            #expect(reconciler.request(request) != nil)
            #expect(await reconciler.runPending())
            let answer = try #require(reconciler.last)
            #expect(!answer.isComplete, "\(lie)")
            // At most an audit line of what was refused.
            #expect(world.shop.engine.revision.number - head.number <= 1, "\(lie)")
            #expect(servers.calls.withLock { $0 } <= 2_010, "\(lie)")
        }
    }
}

/// Servers that answer what Apple's never would.
final class HostileServers: AppStoreServers {
    enum Lie: CaseIterable {
        /// A page that leads to itself.
        case samePage
        /// A history that has no end.
        case endless
        case tooManyItems
        case otherEnvironment
        case forged
        /// A status that is said to be of another lineage.
        case otherLineage
        case noJWS
    }

    let calls = Mutex(0)
    let notificationCalls = Mutex(0)
    private let lie: Lie
    private let liesInHistories: Bool
    private let honest: CustomerAppStore
    private let stranger: StoreSimulator

    init(
        _ lie: Lie, _ honest: CustomerAppStore, _ stranger: StoreSimulator,
        inHistories: Bool = true
    ) {
        self.lie = lie
        liesInHistories = inHistories
        self.honest = honest
        self.stranger = stranger
    }

    func statuses(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedStatuses {
        calls.withLock { $0 += 1 }
        var answer = try await honest.statuses(of: id, in: environment)
        switch lie {
        case .otherEnvironment: answer.environment = .sandbox
        case .otherLineage:
            answer.items = answer.items.map {
                FetchedStatuses.Item(
                    lineage: "1", status: 2, signedTransaction: $0.signedTransaction,
                    signedRenewal: $0.signedRenewal)
            }
        case .tooManyItems:
            answer.items = Array(repeating: answer.items[0], count: 1_001)
        case .forged:
            let forged = SimulatedTransaction(
                bundleID: "com.example.shop", productID: "gold", kind: .autoRenewable,
                transactionID: id.text, purchaseDate: Instant(milliseconds: 1_768_435_200_000),
                expiresDate: Instant(milliseconds: 1_968_435_200_000))
            answer.items[0].signedTransaction = String(
                decoding: stranger.sign(forged.payload), as: UTF8.self)
        case .noJWS: answer.items[0].signedTransaction = "{}"
        case .samePage, .endless: break
        }
        return answer
    }

    func history(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        let count = calls.withLock { calls in
            calls += 1
            return calls
        }
        var answer = try await honest.history(of: id, in: environment, after: nil)
        guard liesInHistories else { return answer }
        switch lie {
        case .samePage: (answer.hasMore, answer.revision) = (true, "same")
        case .endless: (answer.hasMore, answer.revision) = (true, "\(count)")
        default: break
        }
        return answer
    }

    func refunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        try await honest.refunds(of: id, in: environment, after: revision)
    }

    func notifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        after token: String?
    ) async throws(AppStoreFailure) -> FetchedNotifications {
        let count = notificationCalls.withLock { count in
            count += 1
            return count
        }
        switch lie {
        case .endless: return FetchedNotifications(signedPayloads: [], nextToken: "\(count)")
        case .samePage:
            let first = try await honest.notifications(
                in: environment, from: start, to: end, after: nil)
            return FetchedNotifications(
                signedPayloads: first.signedPayloads, nextToken: "\(count)")
        default:
            return try await honest.notifications(
                in: environment, from: start, to: end, after: token)
        }
    }

    func verifyReceipt(_ receipt: String) async throws(AppStoreFailure) -> FetchedReceipt {
        throw AppStoreFailure(.rejected)
    }

    func transaction(
        _ id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedTransaction {
        throw AppStoreFailure(.rejected)
    }

    func setAccountToken(
        _ token: String, for lineage: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        throw AppStoreFailure(.rejected)
    }

    func sendConsumption(
        _ report: ConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) { throw AppStoreFailure(.rejected) }

    func sendConsumption(
        _ report: FirstConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) { throw AppStoreFailure(.rejected) }

    func finish(
        _ id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        throw AppStoreFailure(.rejected)
    }
}
