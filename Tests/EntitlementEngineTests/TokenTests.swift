internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import Testing

private let support = AdminActionCause(actor: "uid:7", reason: "a test")
private let token = "00000000-0000-4000-8000-00000000000a"
private let other = "00000000-0000-4000-8000-00000000000b"

extension Shop {
    fileprivate func register(
        _ token: String, for account: AccountID
    ) async throws -> AdminActionReport<Recorded<AccountTokenRegistration>> {
        try await engine.register(try #require(AppAccountToken(token)), for: account, support)
    }

    fileprivate func pass(_ seconds: Int64) {
        clock.set(clock.now().advanced(byMilliseconds: seconds * 1_000))
    }

    /// What stands about an account now.
    fileprivate func found(_ account: AccountID) throws -> [String] {
        let report = try engine.questions.report(on: account, at: clock.now())
        return report.findings.filter { $0.interval.contains(clock.now()) }.map {
            "\($0.kind.rawValue) \($0.accounts.map(\.text).joined(separator: ","))"
        }
    }

    fileprivate func merge(
        _ from: AccountID, _ into: AccountID, isUpToNow: Bool = false
    ) async throws {
        let report = try await engine.merge(
            AccountMerge(
                from: from, into: into, isUpToNow: isUpToNow, actor: "uid:7", reason: "a test"))
        guard case .done = report else {
            Issue.record("not merged: \(report)")
            return
        }
    }
}

@Suite("Tokens and names", .timeLimit(.minutes(20)))
struct TokenTests {
    @Test("a token that is registered late gives what waited for it, at once")
    func registeredLate() async throws {
        let shop = try await Shop()
        let coins = try shop.purchase("coins", .consumable, id: "1", at: "2026-02-28") {
            $0.appAccountToken = token
        }
        let gold = try shop.purchase(
            "gold", .autoRenewable, id: "2", at: "2026-02-28", until: "2026-03-28"
        ) { $0.appAccountToken = token }
        for evidence in [coins, gold] { try await shop.present(evidence, as: nil) }
        #expect(try !shop.answer("ann", "premium").decision)
        guard case .done = try await shop.register(token, for: "ann") else {
            Issue.record("not registered")
            return
        }
        #expect(try shop.answer("ann", "premium").decision)
        #expect(try shop.coins("ann") == 100)
        let bobs = try await shop.present(coins, as: "bob").judged
        #expect(bobs?.transactions.first?.standing != .owned)
        #expect(try shop.coins("ann") == 100)
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems == [])
    }

    @Test("a token that is registered when another account has the purchase is a finding from then")
    func registeredTooLate() async throws {
        let shop = try await Shop()
        let coins = try shop.purchase("coins", .consumable, id: "1", at: "2026-02-28T23:00:00Z") {
            $0.appAccountToken = token
        }
        try await shop.present(coins, as: "bob")
        shop.pass(60)
        #expect(try shop.found("bob") == [])
        _ = try await shop.register(token, for: "ann")
        let finding = "paid-without-right ann,bob"
        #expect(try shop.found("ann") == [finding])
        #expect(try shop.found("bob") == [finding])
        #expect(try shop.coins("bob") == 100)
    }

    @Test("a merge makes no false past")
    func mergedLater() async throws {
        let shop = try await Shop()
        _ = try await shop.register(token, for: "guest")
        try await shop.present(
            shop.purchase("coins", .consumable, id: "1", at: "2026-02-28T23:00:00Z") {
                $0.appAccountToken = token
            }, as: "guest")
        shop.pass(60)
        try await shop.merge("guest", "ann")
        let report = try shop.engine.questions.report(on: "ann", at: shop.clock.now())
        #expect(report.findings == [])
    }

    @Test(
        "a token that the line carried before names nobody anew; another one is a finding on both")
    func inherited() async throws {
        let shop = try await Shop()
        for (name, account) in [(token, "ann"), (other, "bob")] as [(String, AccountID)] {
            _ = try await shop.register(name, for: account)
        }
        func period(_ id: String, _ start: String, _ end: String, _ token: String) throws -> [UInt8]
        {
            try shop.purchase("gold", .autoRenewable, id: id, at: start, until: end) {
                $0.originalTransactionID = "1"
                $0.appAccountToken = token
                if id == "3" { $0.reason = .renewal }
            }
        }
        try await shop.present(period("1", "2026-01-01", "2026-02-01", token), as: "ann")
        let claim = try #require(
            shop.engine.questions.report(on: "ann", at: shop.clock.now()).claims.first)
        _ = try await shop.engine.rule(
            RulingRequest(
                verb: .transfer, claim: claim.claim, account: "carol", cause: support))
        shop.pass(60)
        // Ann's token goes on; the line is Carol's.
        try await shop.present(
            period("2", "2026-02-28T23:00:00Z", "2026-03-01T00:30:00Z", token), as: nil)
        #expect(try shop.found("carol") == [])
        shop.pass(3_600)
        try await shop.present(period("3", "2026-03-01T00:30:00Z", "2026-04-01", other), as: nil)
        #expect(try shop.found("bob") == ["token-of-another bob,carol"])
        #expect(try shop.found("carol") == ["token-of-another bob,carol"])
        #expect(try shop.answer("carol", "premium").decision)
    }

    @Test("a call that names a merged account is rejected, and says where it went")
    func merged() async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("coins", .consumable, id: "1"), as: "ann")
        try await shop.merge("ann", "new")
        let expected = AdminActionRejection.merged(into: "new")
        let grant = GrantRequest(
            id: "g", account: "ann", gift: .entitlement("premium"), cause: support)
        #expect(try await shop.engine.grant(grant) == .rejected(expected))
        #expect(try await shop.engine.block("ann", id: "b", support) == .rejected(expected))
        #expect(try await shop.register(token, for: "ann") == .rejected(expected))
        let spend = SpendRequest(
            account: "ann", parts: [CreditPart("coins", 1)], key: "k",
            cause: CreditCause(actor: "uid:7"))
        guard case .rejected(.merged(into: "new")) = try await shop.engine.spend(spend) else {
            Issue.record("spent for a merged account")
            return
        }
        let report = try shop.engine.questions.report(on: "ann", at: shop.clock.now())
        #expect(report.frame.mergedInto == "new")
        try await shop.merge("new", "ann")
        #expect(try await shop.engine.grant(grant).isDone)
    }

    @Test("a merge up to now takes what was bought before, and leaves what comes to the next guest")
    func upToNow() async throws {
        let shop = try await Shop()
        let order = try await shop.order("guest")
        func coins(_ id: String, _ start: String, _ token: String?) throws -> [UInt8] {
            try shop.purchase("coins", .consumable, id: id, at: start) {
                $0.appAccountToken = token
            }
        }
        try await shop.present(coins("1", "2026-02-28T23:00:00Z", nil), as: "guest")
        shop.pass(60)
        try await shop.merge("guest", "reg", isUpToNow: true)
        #expect(try shop.coins("reg") == 100)
        shop.pass(3_600)
        // Bought before, and handed in after it.
        let late = try await shop.present(coins("2", "2026-02-28T23:30:00Z", nil), as: "guest")
        #expect(late.judged?.mergedInto == "reg")
        #expect(try shop.coins("reg") == 200)
        // Ordered before, and paid after it.
        try await shop.present(coins("3", "2026-03-01T00:30:00Z", order), as: nil)
        #expect(try shop.coins("reg") == 300)
        let next = try await shop.present(coins("4", "2026-03-01T00:40:00Z", nil), as: "guest")
        #expect(next.judged?.mergedInto == nil)
        #expect(try shop.coins("guest") == 100)
        let spend = SpendRequest(
            account: "guest", parts: [CreditPart("coins", 1)], key: "k",
            cause: CreditCause(actor: "uid:7"))
        guard case .done = try await shop.engine.spend(spend) else {
            Issue.record("the next guest cannot spend")
            return
        }
        let list = try shop.engine.questions.orders(of: "reg", at: shop.clock.now(), limit: 10)
        #expect(list.orders.map(\.id.text) == [order])
        #expect(list.orders.map(\.state) == [.delivered])
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems == [])
    }
}

extension Shop {
    /// Of coins; its id is the token of its payment.
    fileprivate func order(_ account: AccountID) async throws -> String {
        let made = try await engine.makeOrder(
            OrderRequest(account: account, product: "coins", actor: "uid:7"))
        guard case .done(let order) = made.report else {
            throw TokenTestError()
        }
        return order.id.text
    }
}

private struct TokenTestError: Error {}

extension AdminActionReport {
    fileprivate var isDone: Bool {
        guard case .done = self else { return false }
        return true
    }
}
