internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import Testing

private let support = AdminActionCause(actor: "uid:7", reason: "a test")
private let token = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"

extension Shop {
    /// The meanings of an id: kind, environment, accounts, lineages and products.
    fileprivate func find(_ id: String) throws -> [String] {
        try engine.questions.find(try #require(SoughtID(id))).meanings.map { meaning in
            let names = [
                meaning.accounts.map(\.text), meaning.lineages.map(\.text),
                meaning.products.map(\.text),
            ].map { $0.joined(separator: ",") }
            let words = [meaning.kind.rawValue, meaning.environment?.rawValue ?? "-"] + names
            let also = meaning.presentedBy.map { "also " + $0.text }
            let merged = meaning.mergedInto.map { ["into " + $0.text] } ?? []
            return (words + also + merged).joined(separator: " ")
        }
    }

    /// Where the first meaning of an id is recorded.
    fileprivate func place(_ id: String) throws -> LedgerSequence? {
        try engine.questions.find(try #require(SoughtID(id))).meanings.first?.sequence
    }
}

@Suite("Finding an id", .timeLimit(.minutes(20)))
struct FindTests {
    /// Alice has a subscription in its second period, QA has one of the same number in the
    /// sandbox.
    private func shop() async throws -> Shop {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase(
                "gold", .autoRenewable, id: "1001", at: "2026-01-20", until: "2026-02-20"
            ) {
                $0.appTransactionID = "9009"
                $0.appAccountToken = token
            }, as: "alice")
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1002", until: "2026-03-20") {
                $0.originalTransactionID = "1001"
                $0.originalPurchaseDate = $0.originalPurchaseDate
                    .advanced(byMilliseconds: -31 * 86_400_000)
            }, as: "alice")
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1001", until: "2026-03-20") {
                $0.environment = .sandbox
            }, as: "qa")
        return shop
    }

    @Test("tells purchases by transaction, lineage, Apple ID and token, in each environment")
    func purchases() async throws {
        let shop = try await shop()
        let (alice, qa) = ("production alice 1001 gold", "sandbox qa 1001 gold")
        let all = ["transaction", "lineage"].flatMap { ["\($0) \(alice)", "\($0) \(qa)"] }
        #expect(try shop.find("1001") == all)
        #expect(try shop.find("1002") == ["transaction \(alice)"])
        for key in ["atx:production:9009", "otx:production:1001"] {
            #expect(try shop.find(key) == ["apple-id \(alice)"])
        }
        #expect(try shop.find("otx:sandbox:1001") == ["apple-id \(qa)"])
        #expect(try shop.find(token.uppercased()) == ["token \(alice)"])
        _ = try await shop.engine.register(
            try #require(AppAccountToken(token)), for: "alice", support)
        #expect(try shop.find(token) == ["token - alice  ", "token \(alice)"])
        #expect(try shop.place(token) == shop.engine.revision)
        // A consumable has an owner of its own.
        try await shop.present(try shop.purchase("coins", .consumable, id: "1003"), as: "bob")
        #expect(
            try shop.find("1003")
                == ["transaction", "lineage"].map { "\($0) production bob 1003 coins" })
    }

    @Test("tells who presented what another account has, and periods by their line item")
    func presented() async throws {
        let shop = try await shop()
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1002", until: "2026-03-20") {
                $0.originalTransactionID = "1001"
                $0.appTransactionID = "9009"
                $0.webOrderLineItemID = "5005"
            }, as: "bob")
        let alice = "production alice 1001 gold also bob"
        #expect(try shop.find("1002") == ["transaction \(alice)"])
        #expect(try shop.find("atx:production:9009") == ["apple-id \(alice)"])
        #expect(try shop.find("5005") == ["line-item \(alice)"])
        #expect(try shop.find("bob") == ["account - bob 1001 gold"])
        #expect(try shop.find("5006") == [])
    }

    @Test("tells claims, grants, blocks, merges and accounts, and that an id is unknown")
    func others() async throws {
        let shop = try await shop()
        let claims = try shop.engine.questions.report(on: "alice", at: shop.clock.now()).claims
        let claim = try #require(claims.first).claim
        #expect(try shop.find("\(claim)") == ["claim production alice 1001 gold"])
        #expect(try shop.place("\(claim)") == claim)
        _ = try await shop.engine.grant(
            GrantRequest(
                id: "g1", account: "bob", gift: .entitlement("premium"), cause: support))
        #expect(try shop.find("g1") == ["grant production bob  "])
        #expect(try shop.place("g1") == shop.engine.revision)
        _ = try await shop.engine.block("carol", id: "b1", support)
        #expect(try shop.find("b1") == ["block - carol  "])
        #expect(try shop.place("b1") == shop.engine.revision)
        let report = try await shop.engine.merge(
            AccountMerge(from: "bob", into: "alice", actor: "uid:7", reason: "a test"))
        guard case .done(let merge) = report else {
            Issue.record("the merge was refused: \(report)")
            return
        }
        #expect(try shop.find("\(merge.sequence)") == ["merge - bob,alice  "])
        #expect(try shop.find("carol") == ["account - carol  "])
        // The old name leads to the new one, and an account to what it claimed.
        #expect(try shop.find("bob") == ["account - bob   into alice"])
        #expect(try shop.find("alice") == ["account - alice 1001 gold"])
        // A policy activation has a number too, and none of these names is known.
        for id in ["1", "0", "+4", "99999999999999999999", "nobody", "otx:production:7"] {
            #expect(try shop.find(id) == [], "\(id)")
        }
    }
}
