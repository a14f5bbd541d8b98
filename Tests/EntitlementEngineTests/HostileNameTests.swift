internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import Testing

/// Names that a database, a shell or a pattern would act on (THREATS.md F13).
@Suite("Hostile names are names", .timeLimit(.minutes(20)))
struct HostileNameTests {
    static let names = [
        "'OR'1'='1", "'OR/**/1=1--", "';DROP/**/TABLE/**/entry;--", "\"", "\"\"", "'", "''", "`",
        "%", "%%", "a%", "_", "alic_", "*", "alic*", "?", "?1", ":account", "@account", "$account",
        "--", "/*", "*/", "||'x'", "x'00'", "char(97)", "NULL", "null", "0", "-1", "1e3", "0x61",
        "true", "[a]", "{}", "\\", "\\n", "\\u0061lice", "&#97;", "%61lice", "../alice", "~", "!",
        "alice'", "alice--", "Alice", "alice;",
    ]

    /// Each of them is an account, a transaction, a product and a grant of its own, and
    /// nobody else's: in memory, and read again.
    @Test("in every field, and nobody gets or loses anything by another's")
    func eachIsItself() async throws {
        let shop = try await Shop()
        for name in Self.names {
            let bought = try shop.purchase("unlock", .nonConsumable, id: name) {
                $0.webOrderLineItemID = name
                $0.subscriptionGroupID = name
                $0.appTransactionID = name
            }
            #expect(try await shop.present(bought, as: name).judged != nil, "\(name)")
            let unknown = try shop.purchase(name, .nonConsumable, id: name + "-2")
            #expect(try await shop.present(unknown, as: name).judged != nil, "\(name)")
            try await give(name, in: shop)
        }
        try check(shop.engine, at: shop.clock.now())
        let reopened = try await shop.reopened()
        try check(reopened, at: shop.clock.now())
        try reopened.close()
        let audit = try shop.ledger.audit()
        #expect(audit.problems == [])
    }

    /// Credits for the account, by a grant of its name.
    private func give(_ name: String, in shop: Shop) async throws {
        let grant = GrantRequest(
            id: try #require(GrantID(name)), account: try #require(AccountID(name)),
            gift: .credit("coins", units: 3), cause: AdminActionCause(actor: "uid:7", reason: name))
        guard case .done = try await shop.engine.grant(grant) else {
            Issue.record("\(name): no grant")
            return
        }
    }

    private func check(_ engine: EntitlementEngine, at now: Instant) throws {
        for name in Self.names {
            let (packed, revision) = try engine.account(try #require(AccountID(name)))
            let granted = try packed.answers(in: .production, at: now, revision: revision)
                .map(ToldAnswer.init).filter(\.decision)
            #expect(granted.map(\.entitlement) == ["forever"], "\(name)")
            #expect(
                granted.map { $0.json["source"]?["transaction"]?.string } == [name], "\(name)")
            #expect(packed.balances(in: .production, at: now).map(\.balance) == [3], "\(name)")
        }
        let (nobody, revision) = try engine.account("alice")
        let answers = nobody.answers(in: .production, at: now, revision: revision)
        #expect(answers.filter(\.decision).isEmpty)
    }
}
