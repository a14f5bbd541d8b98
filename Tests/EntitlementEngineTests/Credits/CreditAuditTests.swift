internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import TestSupport
internal import Testing

@Suite("Audit of credits", .timeLimit(.minutes(20)))
struct CreditAuditTests {
    @Test(
        "a merge that says it moved other units than were left is a forgery",
        arguments: [nil, -29, -31, 30] as [Int64?])
    func forged(units: Int64?) async throws {
        let shop = try await Shop(on: .file)
        try await shop.present(shop.purchase("coins", .consumable, id: "1"), as: "alice")
        _ = try await shop.engine.spend(
            SpendRequest(
                account: "alice", parts: [CreditPart("coins", 30)], key: "a",
                cause: CreditCause(actor: "uid:7")))
        let merge = AccountMerge(from: "alice", into: "bob", actor: "uid:0", reason: "a test")
        guard case .done(let merged) = try await shop.engine.merge(merge) else {
            Issue.record("the merge is done")
            return
        }
        #expect(merged.value.credits.map(\.units) == [-30])
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems == [])
        let copy = try await shop.rewritten { entry, _ in
            guard case .accountMerge(var merge) = entry else { return entry }
            merge.credits =
                units.map {
                    [CarriedCredit(environment: .production, credit: "coins", units: $0)]
                } ?? []
            return .accountMerge(merge)
        }
        defer { withExtendedLifetime(copy) {} }
        let audit = try TestLedger(.file, in: copy).audit()
        #expect(audit.problems.first?.code == "decision-differs")
        #expect(audit.problems.first?.sequence == merged.sequence)
    }
}
