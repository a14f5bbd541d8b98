internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import GRDB
internal import LedgerModel
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("A subscription that goes on under another id", .timeLimit(.minutes(20)))
struct SuccessionTests {
    private static let named = JSONMember("previousOriginalTransactionId", "1")

    private static func older(_ shop: Shop) throws -> [UInt8] {
        try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
    }

    private static func newer(_ shop: Shop) throws -> [UInt8] {
        try shop.purchase(
            "gold", .autoRenewable, id: "5", at: "2026-02-25", until: "2026-03-25"
        ) { $0.otherFields = [named] }
    }

    @Test("has the owner of the older one as soon as anybody tells of it")
    func follows() async throws {
        let shop = try await Shop(on: .file)
        try await shop.present(Self.older(shop), as: "alice")
        let told = try await shop.present(Self.newer(shop), as: nil)
        #expect(told.judged?.transactions.map(\.owners) == [["al***"]])
        try shop.clock.set("2026-03-22")
        let answer = try shop.answer("alice", "premium")
        #expect(answer.decision)
        #expect(answer.until == Instant(rfc3339: "2026-03-25T01:00:00Z"))
        // Whoever presents it later comes too late, and nothing is decided twice.
        let late = try await shop.present(Self.newer(shop), as: "bob")
        #expect(late.judged?.transactions.map(\.standing) == [.denied(.kept)])
        let made = try Self.successions(shop.ledger)
        #expect(made.map(\.ownersAfter) == [["alice"]])
        #expect(made.map(\.from) == [.distantPast])
        try shop.engine.close()
        let audit = try shop.ledger.audit()
        #expect(audit.problems == [])
        #expect(audit.decisions == 3)
    }

    @Test("stays with whoever claimed it before, and both learn of it")
    func earlierClaim() async throws {
        let shop = try await Shop(on: .file)
        let first = try shop.purchase(
            "gold", .autoRenewable, id: "5", at: "2026-02-25", until: "2026-03-25")
        try await shop.present(Self.older(shop), as: "alice")
        try await shop.present(first, as: "bob")
        let again = try shop.purchase(
            "gold", .autoRenewable, id: "5", at: "2026-02-25", until: "2026-03-25"
        ) {
            $0.otherFields = [Self.named]
            $0.signedDate = $0.signedDate.advanced(byMilliseconds: 1_000)
        }
        try await shop.present(again, as: nil)
        let made = try Self.successions(shop.ledger)
        #expect(made.map(\.outcome) == [.denied(.kept)])
        #expect(made.map(\.ownersAfter) == [["bob"]])
        for account in ["alice", "bob"] {
            let reader = try shop.ledger.openForReading()
            defer { try? reader.close() }
            let facts = try reader.read {
                try $0.facts(forAccount: AccountID(unchecked: account))
            }
            let timeline = deriveAccount(
                AccountID(unchecked: account), policies: shop.engine.policy.history, facts: facts)
            let found = timeline.findings.filter { $0.kind == .accountSwitch }
            #expect(found.map(\.accounts) == [["alice", "bob"]])
        }
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems == [])
    }

    @Test("is known of ledgers whose program did not read the field, from their evidence")
    func earlierProgram() async throws {
        let shop = try await Shop(on: .file)
        try await shop.present(Self.newer(shop), as: nil)
        try shop.engine.close()
        let copy = try await shop.rewritten { entry, _ in
            guard case .transaction(var fact) = entry else { return entry }
            fact.snapshot.previousOriginalTransactionID = nil
            return .transaction(fact)
        }
        let ledger = TestLedger(.file, in: copy)
        let file = try DatabaseQueue(path: ledger.path)
        try await file.write {
            try $0.execute(
                sql: """
                    DROP TABLE reread_predecessor; DROP TABLE change;
                    DROP TABLE feed_subject; DROP TABLE feed;
                    DELETE FROM grdb_migrations WHERE CAST(identifier AS INTEGER) >= 5;
                    """)
        }
        try file.close()
        let opened = try ledger.open()
        let facts = try opened.read {
            try $0.facts(forLineage: LineageKey(.production, "1"))
        }
        #expect(facts.transactions.map(\.value.previousOriginalTransactionID) == ["1"])
        try opened.close()
        #expect(try ledger.audit().problems == [])
    }

    private static func successions(_ ledger: TestLedger) throws -> [OwnershipDecision] {
        let reader = try ledger.openForReading()
        defer { try? reader.close() }
        return try reader.read { try $0.entries(after: .zero, limit: 1_000) }.compactMap { entry in
            guard case .decision(let decision) = entry.value, decision.rule == .succession else {
                return nil
            }
            return decision
        }
    }
}
