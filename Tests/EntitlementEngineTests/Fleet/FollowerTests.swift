internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import MemoryLedger
internal import StoreBox
internal import Synchronization
internal import TestSupport
internal import Testing

/// A node that follows answers by the policy in force, or not at all (docs/FLEET.md).
@Suite("A node that follows", .timeLimit(.minutes(5)))
struct FollowerTests {
    private let memory = MemoryLedger()
    private let store: StoreSimulator
    private let clock: SetClock
    private let leader: EntitlementEngine

    init() async throws {
        let now = try #require(Instant(rfc3339: "2026-03-01"))
        store = StoreSimulator(seed: 7, now: now)
        clock = SetClock(now)
        leader = try await EntitlementEngine.open(
            EngineOptions(
                ledger: memory, policyTexts: Shop.policy(trusting: store), clock: clock))
        var transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "gold", kind: .autoRenewable,
            transactionID: "1", purchaseDate: try #require(Instant(rfc3339: "2026-02-20")),
            expiresDate: Instant(rfc3339: "2026-03-20"))
        transaction.environment = .production
        _ = try await leader.submit([
            EvidenceSubmission(
                payload: store.sign(transaction.payload), account: AccountID("alice"))
        ])
    }

    private func follow(_ ledger: FollowedLedger) async throws -> EntitlementEngine {
        try await EntitlementEngine.open(
            EngineOptions(ledger: ledger, policyTexts: [], clock: clock))
    }

    private func answer(_ engine: EntitlementEngine) throws -> ToldAnswer {
        let (packed, revision) = try engine.account(AccountID("alice"))
        let key = RightKey(.production, EntitlementName("premium"))
        return try ToldAnswer(packed.answer(key, at: clock.now(), revision: revision))
    }

    @Test("answers by each policy that the leader puts into force")
    func adoption() async throws {
        let follower = try await follow(FollowedLedger(memory))
        let before = try answer(follower)
        #expect(try before == answer(leader))
        _ = try await leader.activate(Shop.policy(trusting: store, leeway: "2h"))
        #expect(try answer(follower) == answer(leader))
        #expect(try answer(follower).policy != before.policy)
    }

    @Test("answers nothing once a policy is in force that it cannot read, whatever comes later")
    func unreadablePolicy() async throws {
        let ledger = FollowedLedger(memory)
        let follower = try await follow(ledger)
        _ = try answer(follower)
        let revision = follower.revision
        let told = ToldCodes()
        follower.watchAdoption { told.add($0?.code) }
        let entry = try await memory.activateUnreadablePolicy(at: clock.now())
        #expect(!follower.answersQuestions && follower.unreadablePolicy == entry)
        #expect(!ledger.isEligible && follower.revision == revision)
        #expect(throws: EngineError.self) { try answer(follower) }
        await #expect(throws: EngineError.self) { try await follower.forwardToLeader([]) }
        #expect(ledger.passedOn == 0)
        // What it missed stays missed: a later policy does not say what was sold before.
        _ = try await leader.activate(Shop.policy(trusting: store, leeway: "2h"))
        follower.adoptAgain()
        #expect(!follower.answersQuestions && follower.revision == revision)
        #expect(throws: EngineError.self) { try answer(follower) }
        #expect(told.codes == ["policy.history-unreadable"])
        // It could not start either.
        await #expect(throws: EngineError.self) { try await follow(FollowedLedger(memory)) }
    }

    @Test("answers again once it can read what it could not read for a moment")
    func unreadMoment() async throws {
        let ledger = FollowedLedger(memory)
        let follower = try await follow(ledger)
        let told = ToldCodes()
        follower.watchAdoption { told.add($0?.code) }
        ledger.failNextReads(1)
        _ = try await leader.activate(Shop.policy(trusting: store, leeway: "2h"))
        #expect(!follower.answersQuestions && follower.unreadablePolicy == nil)
        #expect(!ledger.isEligible)
        #expect(throws: EngineError.self) { try answer(follower) }
        follower.adoptAgain()
        #expect(follower.answersQuestions && ledger.isEligible)
        #expect(try answer(follower) == answer(leader))
        #expect(told.codes == ["ledger.duplicate", nil])
    }
}

/// What was told, in its order.
private final class ToldCodes: Sendable {
    private let kept = Mutex<[String?]>([])

    var codes: [String?] { kept.withLock(\.self) }

    func add(_ code: String?) { kept.withLock { $0.append(code) } }
}
