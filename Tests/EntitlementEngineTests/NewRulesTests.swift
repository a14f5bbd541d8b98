internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import TestSupport
internal import Testing

@Suite("A program with newer rules", .timeLimit(.minutes(20)))
struct NewRulesTests {
    /// The ledger of a purchase, and of one that nobody owns, as a program with those rules wrote
    /// it.
    private func ledger(by rules: Int64) async throws -> (shop: Shop, folder: TemporaryFolder) {
        let shop = try await Shop(on: .file)
        let unlock = try shop.purchase("unlock", .nonConsumable, id: "2")
        try await shop.present(unlock, as: "alice")
        let left = try shop.purchase("unlock", .nonConsumable, id: "3")
        try await shop.present(left, as: nil)
        try shop.engine.close()
        let folder = try await shop.rewritten { entry, _ in
            switch entry {
            case .policyActivation(var activation):
                activation.rules = rules
                return .policyActivation(activation)
            case .decision(var decision):
                decision.rules = rules
                return .decision(decision)
            default: return entry
            }
        }
        return (shop, folder)
    }

    private func open(_ shop: Shop, in folder: TemporaryFolder) async throws -> EntitlementEngine {
        try await EntitlementEngine.open(
            EngineOptions(
                ledger: TestLedger(.file, in: folder),
                policyTexts: Shop.policy(trusting: shop.store), clock: shop.clock))
    }

    private func activations(in folder: TemporaryFolder) throws -> [PolicyActivation] {
        let reader = try TestLedger(.file, in: folder).openForReading()
        defer { try? reader.close() }
        return try reader.read { try $0.policyActivations() }.map(\.value)
    }

    @Test("records them once, with the policy in force; it is no step of a rollback")
    func recorded() async throws {
        let (shop, folder) = try await ledger(by: 4)
        try shop.clock.set("2026-03-09")
        let engine = try await open(shop, in: folder)
        let since = engine.policy.activatedAt
        #expect(since == Instant(rfc3339: "2026-03-01"))
        let text = try engine.questions.policyInForce()
        #expect(text?.since == since)
        let cause = AdminActionCause(actor: "uid:7", reason: "a test")
        guard case .nothing = try await engine.rollBackPolicy(cause) else {
            Issue.record("there was no policy before")
            return
        }
        try engine.close()
        for _ in 0..<2 {
            let recorded = try activations(in: folder)
            #expect(recorded.map(\.rules) == [4, ClaimRules.version])
            #expect(Set(recorded.map(\.digest)).count == 1)
            try await open(shop, in: folder).close()
        }
        let audit = try TestLedger(.file, in: folder).audit()
        #expect(audit.problems == [])
        #expect(audit.decisionsByOtherRules == [4: 1] && audit.decisions == 0)
    }

    private func left(
        in engine: EntitlementEngine, at instant: Instant
    ) throws -> [LostOrder]? {
        let page = try engine.questions.reviewedClaims(after: .zero, at: instant, limit: 9)
        return page.leftByOlderRules
    }

    @Test("lists what the older ones left to a person, until it is settled")
    func listed() async throws {
        let (shop, folder) = try await ledger(by: 4)
        try shop.clock.set("2026-03-09")
        let engine = try await open(shop, in: folder)
        // What comes later is no business of the older rules.
        let later = EvidenceSubmission(
            payload: try shop.purchase("unlock", .nonConsumable, id: "4"), account: nil)
        _ = try await engine.submit([later])
        let listed = try #require(try left(in: engine, at: shop.clock.now()))
        #expect(listed.map(\.transaction?.text) == ["3"])
        #expect(listed.first?.command == "usher claims give 3 ACCOUNT --reason '…'")
        let payment = TransactionKey(.production, "3")
        let cause = AdminActionCause(actor: "uid:7", reason: "a test")
        _ = try await engine.give(payment, to: "bob", cause)
        #expect(try left(in: engine, at: shop.clock.now())?.isEmpty == true)
        try engine.close()
        let young = try await Shop(on: .file)
        #expect(try left(in: young.engine, at: shop.clock.now()) == nil, "it has known no others")
    }

    @Test("a ledger with rules that are newer than the program's is refused")
    func newer() async throws {
        let (shop, folder) = try await ledger(by: ClaimRules.version + 1)
        await #expect {
            _ = try await open(shop, in: folder)
        } throws: { error in
            (error as? EngineError)?.code == "ledger.unreadable"
        }
    }
}
