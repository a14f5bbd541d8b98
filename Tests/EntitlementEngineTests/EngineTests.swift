internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import Testing

@Suite("The engine's life", .timeLimit(.minutes(20)))
struct EngineTests {
    @Test("closing and opening again changes no answer")
    func reopening() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        let before = try shop.answer("alice", "premium")
        let engine = try await shop.reopened()
        let alice = AccountID("alice")
        let key = RightKey(.production, EntitlementName("premium"))
        let (packed, revision) = try engine.account(alice)
        let after = packed.answer(key, at: shop.clock.now(), revision: revision)
        #expect(try ToldAnswer(after) == before)
        try engine.close()
    }

    @Test("a ledger file is read beside the running engine")
    func readingBeside() async throws {
        let shop = try await Shop(on: .file)
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        let questions = try LedgerQuestions(shop.ledger.openForReading())
        let key = RightKey(.production, EntitlementName("forever"))
        let (packed, revision) = try questions.account(AccountID("alice"))
        let answer = packed.answer(key, at: shop.clock.now(), revision: revision)
        #expect(try ToldAnswer(answer) == shop.answer("alice", "forever"))
    }

    @Test("a second engine on the ledger is refused")
    func secondEngine() async throws {
        let shop = try await Shop(on: .file)
        await #expect(throws: EngineError.self) {
            _ = try await EntitlementEngine.open(
                EngineOptions(
                    ledger: shop.ledger,
                    policyTexts: Shop.policy(trusting: shop.store), clock: shop.clock))
        }
    }

    @Test("a policy change is recorded once, and answers follow it at once")
    func policyChange() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        let before = try shop.answer("alice", "premium")
        let texts = Shop.policy(trusting: shop.store, leeway: "2h")
        guard case .activated(let digest, _) = try await shop.engine.activate(texts) else {
            Issue.record("a valid policy is activated")
            return
        }
        let after = try shop.answer("alice", "premium")
        #expect(after.policy == digest.hexadecimal)
        #expect(after.policy != before.policy)
        #expect(after.until == Instant(rfc3339: "2026-03-20T02:00:00Z"))
        let head = shop.engine.revision
        guard case .unchanged = try await shop.engine.activate(texts) else {
            Issue.record("the same texts change nothing")
            return
        }
        #expect(shop.engine.revision == head)
    }

    @Test("a policy with errors changes nothing")
    func brokenPolicy() async throws {
        let shop = try await Shop()
        let before = shop.engine.policy.digest
        let texts = [PolicyText(path: "policy.yaml", text: "usher: 1\napp: {bundle: x}\n")]
        guard case .rejected(let diagnostics) = try await shop.engine.activate(texts) else {
            Issue.record("errors are refused")
            return
        }
        #expect(!diagnostics.isEmpty)
        #expect(shop.engine.policy.digest == before)
    }

    @Test("what was sold keeps the duration of its time, across a restart")
    func soldIsSold() async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("pass", .nonRenewing, id: "3"), as: "alice")
        let before = try shop.answer("alice", "pass")
        let engine = try await shop.reopened(leeway: "3h")
        let key = RightKey(.production, EntitlementName("pass"))
        let (packed, revision) = try engine.account(AccountID("alice"))
        let after = try ToldAnswer(
            packed.answer(key, at: shop.clock.now(), revision: revision))
        #expect(after.until == before.until)
        #expect(after.policy != before.policy)
        try engine.close()
    }

    @Test("many accounts claiming one purchase at once leave one owner")
    func race() async throws {
        let shop = try await Shop()
        let bytes = try shop.purchase("unlock", .nonConsumable, id: "2")
        let owners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...64 {
                group.addTask {
                    let report = try await shop.present(bytes, as: "racer-\(number)")
                    return report.judged?.transactions.first?.standing == .owned
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(owners == 1)
        let granted = try (1...64).count { try shop.answer("racer-\($0)", "forever").decision }
        #expect(granted == 1)
    }
}
