internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import Testing

/// The app itself as a purchase, from Apple's signed app transaction to the answer (spec 1.13).
@Suite("The app as a purchase", .timeLimit(.minutes(20)))
struct AppPurchaseTests {
    private static let rules = """
        app_purchase:
          - name: paid for the app
            when: {first_version: before 3.0}
            grants: [premium]
          - name: an early buyer
            when: {bought: before 2025-01-01}
            grants: [forever]
        account_switch:
          - name: the app moves along
            when: {product: app-purchase, moment: restore}
            then: transfer
            limits: {cooldown: 1d}
        """

    private static func app(
        _ shop: Shop, _ version: String, of appleID: String? = "700", bought: String = "2024-05-01",
        in environment: StoreEnvironment = .production
    ) throws -> [UInt8] {
        var app = SimulatedAppTransaction(
            bundleID: "com.example.shop", appAppleID: environment == .production ? 77 : nil,
            appTransactionID: appleID,
            originalPurchaseDate: try #require(Instant(rfc3339: bought)),
            signedDate: shop.clock.now())
        app.originalVersion = version
        app.environment = environment
        return shop.store.sign(app.payload)
    }

    @Test(
        "gives by its first version and by its date, whichever rule matches",
        arguments: [
            ("2.10", "2024-05-01", ["premium", "forever"]), ("3", "2024-05-01", ["forever"]),
            ("2", "2025-01-01", ["premium"]), ("10.0", "2025-06-01", []),
            ("beta", "2024-12-31", ["forever"]),
        ])
    func gives(_ version: String, _ bought: String, _ given: [String]) async throws {
        let shop = try await Shop(rules: Self.rules)
        try await shop.present(Self.app(shop, version, bought: bought), as: "alice", moment: nil)
        for name in ["premium", "forever"] {
            let answer = try shop.answer("alice", name)
            #expect(answer.decision == given.contains(name), "\(name)")
            #expect(try !shop.answer("bob", name).decision)
        }
    }

    @Test("belongs to who presented it, and moves by the rules for claims")
    func moves() async throws {
        let shop = try await Shop(rules: Self.rules)
        let bytes = try Self.app(shop, "2.4")
        try await shop.present(bytes, as: "alice", moment: nil)
        let other = try #require(try await shop.present(bytes, as: "bob", moment: nil).judged)
        #expect(other.transactions.map(\.standing) == [.denied(.ownedByOther)])
        #expect(try !shop.answer("bob", "premium").decision)
        try shop.clock.set("2026-03-05")
        try await shop.present(bytes, as: "bob", moment: .restore)
        #expect(try shop.answer("bob", "premium").decision)
        #expect(try !shop.answer("alice", "premium").decision)
        try await shop.present(bytes, as: "alice", moment: .restore)
        #expect(try !shop.answer("alice", "premium").decision, "the cool-down")
    }

    @Test("the sandbox's version counts only by a rule that names the sandbox")
    func sandbox() async throws {
        let shop = try await Shop(rules: Self.rules)
        let bytes = try Self.app(shop, "1.0", in: .sandbox)
        try await shop.present(bytes, as: "alice", moment: nil)
        for environment in [StoreEnvironment.production, .sandbox] {
            #expect(try !shop.answer("alice", "premium", environment: environment).decision)
        }
        let named = try await Shop(
            rules: Self.rules.replacing("before 3.0", with: "before 3.0, environment: sandbox"))
        let again = try Self.app(named, "1.0", in: .sandbox)
        try await named.present(again, as: "alice", moment: nil)
        #expect(try named.answer("alice", "premium", environment: .sandbox).decision)
    }

    @Test("without a rule for it nothing is recorded but the app transaction")
    func withoutRules() async throws {
        let shop = try await Shop()
        let before = shop.engine.revision.number
        let report = try #require(
            try await shop.present(Self.app(shop, "2.4"), as: "alice", moment: nil).judged)
        #expect(report.transactions.isEmpty)
        #expect(shop.engine.revision.number == before + 2)
    }

    @Test("what was presented before there was a rule is read again, for who came first")
    func earlier() async throws {
        let shop = try await Shop()
        let bytes = try Self.app(shop, "2.4")
        for account in ["alice", "bob"] {
            try await shop.present(bytes, as: account, moment: .restore)
        }
        try await shop.present(Self.app(shop, "2.4", of: "701"), as: "carol", moment: nil)
        try await shop.present(Self.app(shop, "2.4", of: nil), as: "dana", moment: nil)
        let rules = Shop.policy(trusting: shop.store, rules: Self.rules)
        guard case .activated = try await shop.engine.activate(rules) else {
            Issue.record("the policy comes into force")
            return
        }
        try await shop.engine.presentAppsAgain()
        for (account, isGiven) in [("alice", true), ("bob", false), ("carol", true)] {
            #expect(try shop.answer(account, "premium").decision == isGiven, "\(account)")
        }
        let head = shop.engine.revision
        try await shop.engine.presentAppsAgain()
        #expect(shop.engine.revision == head)
    }

    @Test("an app transaction that does not say whose it is gives nothing")
    func nameless() async throws {
        let shop = try await Shop(rules: Self.rules)
        let report = try #require(
            try await shop.present(Self.app(shop, "2.4", of: nil), as: "alice").judged)
        #expect(report.transactions.isEmpty)
        #expect(try !shop.answer("alice", "premium").decision)
    }

    @Test("is explained by its rule, and everything that was recorded is what the evidence says")
    func audit() async throws {
        let shop = try await Shop(rules: Self.rules, on: .file)
        try await shop.present(Self.app(shop, "2.4"), as: "alice", moment: nil)
        let report = try shop.engine.questions.explain(
            RightKey(.production, EntitlementName(unchecked: "premium")),
            of: AccountID(unchecked: "alice"), at: shop.clock.now())
        #expect(report.answer.rule.name == "paid for the app")
        #expect(report.units.map(\.product) == [.app])
        try shop.engine.close()
        let audit = try shop.ledger.audit()
        #expect(audit.problems == [])
        #expect(audit.evidence == 1 && audit.decisions == 1)
    }
}
