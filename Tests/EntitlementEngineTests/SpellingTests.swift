internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// Under `account_token: is-account-id` a UUID is one account whatever its case.
@Suite("Accounts that are UUIDs", .timeLimit(.minutes(20)))
struct SpellingTests {
    private static let lower: AccountID = "00000000-0000-4000-8000-00000000000c"
    private static let upper: AccountID = "00000000-0000-4000-8000-00000000000C"
    private static let cause = AdminActionCause(actor: "uid:0", reason: "a test")

    private static func texts(_ shop: Shop, isAccountID: Bool) -> [PolicyText] {
        Shop.policy(trusting: shop.store).map { text in
            guard text.path == "policy.yaml", isAccountID else { return text }
            return PolicyText(
                path: text.path,
                text: String(decoding: text.bytes, as: UTF8.self).replacing(
                    "newsstand: true", with: "newsstand: true, account_token: is-account-id"))
        }
    }

    @Test("are one account in every call, however they are written")
    func together() async throws {
        let shop = try await Shop()
        #expect(await shop.engine.activate(loaded: Self.texts(shop, isAccountID: true)))
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"),
            as: Self.upper.text)
        for account in [Self.lower, Self.upper] {
            #expect(try shop.answer(account.text, "premium").decision)
            let report = try shop.engine.questions.report(on: account, at: shop.clock.now())
            #expect(report.frame.account == Self.lower)
            #expect(report.claims.count == 1)
            let cached = try #require(shop.engine.cachedAccount(account))
            #expect(cached.packed.account == Self.lower)
            let named = shop.engine.cachedAccount(named: account.text.utf8.span)
            #expect(named?.packed.account == Self.lower)
        }
        _ = try await shop.engine.block(Self.upper, id: "b1", Self.cause)
        #expect(try !shop.answer(Self.lower.text, "premium").decision)
        let merge = AccountMerge(
            from: Self.upper, into: Self.lower, actor: "uid:0", reason: "a test")
        #expect(try await shop.engine.merge(merge) == .rejected(.merge(.sameAccount)))
        let accounts = try shop.engine.questions.accounts(after: nil, limit: 10)
        #expect(accounts == [Self.lower])
    }

    @Test("that were two before are read as one, and what was judged between them is a finding")
    func before() async throws {
        let shop = try await Shop()
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: Self.upper.text)
        try await shop.present(gold, as: Self.lower.text)
        #expect(try !shop.answer(Self.lower.text, "premium").decision)
        #expect(try shop.answer(Self.upper.text, "premium").decision)
        #expect(try shop.engine.questions.accounts(after: nil, limit: 10).count == 2)

        #expect(await shop.engine.activate(loaded: Self.texts(shop, isAccountID: true)))
        #expect(try shop.answer(Self.lower.text, "premium").decision)
        #expect(try shop.answer(Self.upper.text, "premium").decision)
        let report = try shop.engine.questions.report(on: Self.upper, at: shop.clock.now())
        #expect(report.findings.map(\.kind) == [.accountCaseConflict])
        let claim = try #require(report.claims.last).claim
        let ruling = try await shop.engine.rule(
            RulingRequest(verb: .transfer, claim: claim, account: "alice", cause: Self.cause))
        guard case .done = ruling else {
            Issue.record("the ruling is possible")
            return
        }
        try shop.clock.set("2026-03-02")
        let after = try shop.engine.questions.report(on: Self.lower, at: shop.clock.now())
        #expect(
            after.findings.filter { $0.interval.contains(shop.clock.now()) } == [])
        try shop.engine.close()
        let audit = try shop.ledger.audit()
        #expect(audit.problems == [])
    }

    @Test("are two accounts where the policy does not say so")
    func apart() async throws {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"),
            as: Self.upper.text)
        #expect(try !shop.answer(Self.lower.text, "premium").decision)
        #expect(try shop.answer(Self.upper.text, "premium").decision)
    }
}

extension EntitlementEngine {
    /// Whether the policy came into force.
    func activate(loaded texts: [PolicyText]) async -> Bool {
        let report = loadPolicy(texts)
        guard report.policy != nil else { return false }
        guard case .activated = try? await activate(texts) else { return false }
        return true
    }
}
