internal import EntitlementAnswers
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import MemoryLedger
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// What the writer keeps of those who spend, beside what is derived for each spend.
/// `RANDOM_SPENDINGS` says over how many histories.
@Suite("Kept credits", .timeLimit(.minutes(240)))
struct CreditCacheTests {
    private static let count =
        Int(ProcessInfo.processInfo.environment["RANDOM_SPENDINGS"] ?? "") ?? 6
    private static let steps = 160

    @Test(
        "over random histories every report and every entry is as without them",
        arguments: TestLedger.Store.allCases)
    func histories(on store: TestLedger.Store) async throws {
        var (spent, denied) = (0, 0)
        for seed in 1...UInt64(Self.count) {
            // All, some and none of it is kept.
            let random = try await RandomSpending(seed: seed, keeping: [65_536, 6, 0], on: store)
            for step in 0..<Self.steps {
                let told = try await random.step()
                let isSame = told.allSatisfy { $0 == told[0] }
                #expect(isSame, "seed \(seed), step \(step): \(told)")
                guard isSame else { return }
                try random.remember()
            }
            let entries = try random.shops.map { shop in
                try shop.ledger.openForReading().read {
                    try $0.entries(after: .zero, limit: 100_000)
                }
            }
            #expect(entries.allSatisfy { $0 == entries[0] }, "seed \(seed)")
            #expect(random.shops[2].engine.creditCache.count == 0)
            for past in random.pasts {
                let recalled = try random.recalled(past)
                #expect(recalled == past.balances, "seed \(seed), known at \(past.knownAt)")
            }
            (spent, denied) = (spent + random.spent, denied + random.denied)
            try random.close()
            #expect(try random.shops[0].ledger.audit().problems == [], "seed \(seed)")
        }
        #expect(spent >= 10 * Self.count && denied >= 10 * Self.count, "\(spent), \(denied)")
    }

    @Test(
        "a write that is undone within a commit leaves nothing behind",
        arguments: TestLedger.Store.allCases)
    func undone(on store: TestLedger.Store) async throws {
        let shop = try await Shop(on: store)
        let engine = shop.engine
        _ = try await engine.grant(Self.coins(100, to: "alice"))
        _ = try await engine.spend(Self.spend(1, key: "before"))
        #expect(engine.creditCache.count == 1)
        // The writer is kept busy until all three wait: they share one commit.
        let gate = Gate()
        async let busy: Void = engine.commit(calledAt: shop.clock.now()) { _ in
            gate.wait()
            return ((), [])
        }
        try await yieldUntil("the writer is busy") { gate.isReached }
        async let first = engine.spend(Self.spend(10, key: "first"))
        try await yieldUntil("one waits") { try Self.waiting(engine) == 1 }
        async let failing: Void = engine.commit(calledAt: shop.clock.now()) {
            ledger throws(LedgerError) in
            _ = try CreditLedger(ledger).spend(Self.spend(20, key: "failing"))
            throw LedgerError(thrown: MemoryFailure.duplicate)
        }
        try await yieldUntil("two wait") { try Self.waiting(engine) == 2 }
        async let last = engine.spend(Self.spend(30, key: "last"))
        try await yieldUntil("three wait") { try Self.waiting(engine) == 3 }
        gate.open()
        try await busy
        let reports = try await [first, last].compactMap(\.balance)
        do {
            try await failing
            Issue.record("a body that throws fails")
        } catch { #expect(error is EngineError) }
        #expect(reports == [89, 59])
        #expect(try shop.coins("alice") == 59)
        // And what comes next goes on from there.
        #expect(try await engine.spend(Self.spend(9, key: "next")).balance == 50)
    }

    @Test("another end of the ledger than was written makes it forget")
    func otherEnd() async throws {
        let shop = try await Shop()
        _ = try await shop.engine.grant(Self.coins(100, to: "alice"))
        _ = try await shop.engine.spend(Self.spend(1, key: "a"))
        let (kept, policy) = (shop.engine.creditCache, shop.engine.policy.mark)
        let credits = try #require(kept.take("alice"))
        let (one, other) = (EntryHash.digest(of: [1]), EntryHash.digest(of: [2]))
        kept.begin(at: one, policy: policy)
        kept.end(at: one, touched: [], keeping: ["alice": credits])
        kept.begin(at: one, policy: policy)
        #expect(kept.count == 1)
        kept.begin(at: other, policy: policy)
        #expect(kept.count == 0)
        kept.end(at: one, touched: ["alice"], keeping: ["alice": credits, "bob": credits])
        kept.begin(at: one, policy: policy)
        kept.end(at: other, touched: ["bob"], keeping: [:])
        #expect(kept.count == 1)
        #expect(kept.take("bob") == nil)
        #expect(kept.take("alice") != nil)
    }

    @Test("what is kept has a limit")
    func limit() async throws {
        let shop = try await Shop(creditsInMemory: 20)
        for number in 0..<40 {
            let account = AccountID(unchecked: "a-\(number)")
            _ = try await shop.engine.grant(Self.coins(100, to: account))
            _ = try await shop.engine.spend(Self.spend(1, key: "k-\(number)", as: account))
            #expect(shop.engine.creditCache.count <= 20)
        }
        #expect(shop.engine.creditCache.count >= 2)
    }

    @Test("64 clients on one account are served in the ledger's order, each after the one before")
    func many() async throws {
        let shop = try await Shop()
        _ = try await shop.engine.grant(Self.coins(1_000, to: "alice"))
        let done = try await withThrowingTaskGroup(of: [CreditActionAnswer].self) { group in
            for client in 0..<64 {
                group.addTask {
                    var done: [CreditActionAnswer] = []
                    for number in 0..<10 {
                        let spend = Self.spend(2, key: "k-\(client)-\(number)")
                        guard case .done(let answer) = try await shop.engine.spend(spend) else {
                            continue
                        }
                        done.append(answer)
                    }
                    return done
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let sorted = done.sorted { ($0.id ?? .zero) < ($1.id ?? .zero) }
        #expect(sorted.count == 500)
        #expect(sorted.map { $0.balances[0].balance } == (0..<500).map { 998 - 2 * $0 })
    }
}

extension CreditCacheTests {
    /// Keeps the writer's thread until it is opened.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let reached = Atomic(false)

        var isReached: Bool { reached.load(ordering: .acquiring) }

        func wait() {
            reached.store(true, ordering: .releasing)
            semaphore.wait()
        }

        func open() { semaphore.signal() }
    }

    private static func waiting(_ engine: EntitlementEngine) throws -> Int {
        try engine.ledgerCondition().waitingWrites
    }

    private static func coins(_ units: Int64, to account: AccountID) -> GrantRequest {
        GrantRequest(
            id: GrantID(unchecked: "gift-\(account)"), account: account,
            gift: .credit("coins", units: units),
            cause: AdminActionCause(actor: "uid:0", reason: "a test"))
    }

    private static func spend(
        _ units: Int64, key: String, as account: AccountID = "alice"
    ) -> SpendRequest {
        SpendRequest(
            account: account, parts: [CreditPart("coins", units)], key: key,
            cause: CreditCause(actor: "uid:7"))
    }
}

extension CreditReport {
    fileprivate var balance: Int128? {
        guard case .done(let answer) = self else { return nil }
        return answer.balances.first?.balance
    }
}
