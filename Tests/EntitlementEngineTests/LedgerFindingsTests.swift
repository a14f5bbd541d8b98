internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import TestSupport
internal import Testing

/// The list of all findings, kept in step with a ledger.
@Suite("All findings of a ledger", .timeLimit(.minutes(20)))
struct LedgerFindingsTests {
    @Test("has what belongs to no account, and loses what is claimed")
    func unclaimed() async throws {
        let shop = try await Shop()
        #expect(try shop.findings() == [])
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: nil)
        #expect(try shop.findings() == [.unclaimedPayment])
        #expect(shop.engine.findingCounts(at: shop.clock.now()).counts[.unclaimedPayment] == 1)
        try await shop.present(gold, as: "alice")
        #expect(try shop.findings() == [])
        #expect(try shop.kinds(of: shop.engine.questions) == [])
    }

    @Test("is made anew by another policy, and at the next start")
    func remade() async throws {
        let shop = try await Shop()
        let odd = try shop.purchase("odd", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(odd, as: "alice")
        #expect(try shop.findings() == [.unmappedProduct])
        let texts = Shop.policy(
            trusting: shop.store, rules: "  odd: {kind: auto-renewable, period: 1mo, grants: []}")
        let report = await shop.engine.activate(loaded: texts)
        #expect(report)
        #expect(try shop.findings() == [])
        // A product less, which the guard lets pass.
        let engine = try await shop.reopened(policyGuard: .warn)
        let page = try Shop.all(of: engine, at: shop.clock.now())
        #expect(page == [.unmappedProduct])
        try engine.close()
    }

    @Test("ends what time ends, without anything that is new")
    func time() async throws {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: nil)
        #expect(try shop.findings() == [.unclaimedPayment])
        try shop.clock.set("2026-04-20")
        #expect(try shop.findings() == [])
    }

    @Test(
        "knows of a purchase for another than its token names, unless its owner came by it later",
        arguments: [false, true])
    func resubscribed(isGivenLater: Bool) async throws {
        let token = "00000000-0000-4000-8000-00000000000b"
        let shop = try await Shop(now: "2026-02-10", rules: "")
        if isGivenLater { try shop.clock.set("2026-03-01") }
        _ = try await shop.engine.register(
            try #require(AppAccountToken(token)), for: "bob",
            AdminActionCause(actor: "uid:0", reason: "a test"))
        try await shop.present(
            try shop.purchase(
                "gold", .autoRenewable, id: "1", at: "2026-01-01", until: "2026-02-01"),
            as: "alice")
        try shop.clock.set("2026-03-01")
        let again = try shop.purchase(
            "gold", .autoRenewable, id: "2", at: "2026-02-28T12:00:00Z", until: "2026-03-28"
        ) {
            $0.originalTransactionID = "1"
            $0.appAccountToken = token
        }
        try await shop.present(again, as: nil)
        let expected: [Finding.Kind] = isGivenLater ? [] : [.paidWithoutRight]
        #expect(try shop.findings() == expected)
        let report = try shop.engine.questions.report(on: "bob", at: shop.clock.now())
        #expect(report.findings.map(\.kind) == expected)
    }

    @Test("follows merges of whom a token names, and their undo", arguments: ["alice", "carol"])
    func merged(owner: String) async throws {
        let token = "00000000-0000-4000-8000-00000000000b"
        let shop = try await Shop(now: "2026-02-10", rules: "")
        _ = try await shop.engine.register(
            try #require(AppAccountToken(token)), for: "alice",
            AdminActionCause(actor: "uid:0", reason: "a test"))
        try await shop.present(
            try shop.purchase(
                "gold", .autoRenewable, id: "1", at: "2026-01-01", until: "2026-02-01"),
            as: owner)
        try shop.clock.set("2026-03-01")
        let again = try shop.purchase(
            "gold", .autoRenewable, id: "2", at: "2026-02-28T12:00:00Z", until: "2026-03-28"
        ) {
            $0.originalTransactionID = "1"
            $0.appAccountToken = token
        }
        try await shop.present(again, as: nil)
        var undone: LedgerSequence?
        for holder in ["alice", "bob", "alice"] {
            if holder == "bob" || undone != nil {
                let merge = AccountMerge(
                    from: "alice", into: "bob", undoes: undone, actor: "uid:0", reason: "a test")
                guard case .done(let merged) = try await shop.engine.merge(merge) else {
                    Issue.record("nothing was merged")
                    return
                }
                undone = merged.sequence
            }
            // Whoever owns it has paid for it; nobody else is to be told.
            let expected: [Finding.Kind] = owner == "alice" ? [] : [.paidWithoutRight]
            #expect(try shop.findings() == expected)
            let page = try shop.engine.findings(
                of: .paidWithoutRight, after: nil, at: shop.clock.now(), limit: 10)
            #expect(page.findings.allSatisfy { $0.accounts.map(\.text) == [holder, "carol"] })
            for account in ["alice", "bob", "carol"] as [AccountID] {
                let report = try shop.engine.questions.report(on: account, at: shop.clock.now())
                let found = report.findings
                let concerns = [holder, "carol"].contains(account.text)
                #expect(found.map(\.kind) == (concerns ? expected : []), "\(account)")
                #expect(found.allSatisfy { $0.accounts.map(\.text) == [holder, "carol"] })
            }
        }
    }
}

extension Shop {
    /// The kinds of all that stands now.
    fileprivate func findings() throws -> [Finding.Kind] {
        try Self.all(of: engine, at: clock.now())
    }

    fileprivate static func all(
        of engine: EntitlementEngine, at instant: Instant
    ) throws -> [Finding.Kind] {
        var found: [Finding.Kind] = []
        var place: FindingPosition?
        while true {
            var page = try engine.findings(of: nil, after: place, at: instant, limit: 1)
            try waitUntil("the list is complete") {
                page = try engine.findings(of: nil, after: place, at: instant, limit: 1)
                return page.isComplete
            }
            found += page.findings.map(\.kind)
            guard let next = page.next else { return found }
            place = next
        }
    }

    fileprivate func kinds(of questions: LedgerQuestions) throws -> [Finding.Kind] {
        try questions.findings(of: nil, after: nil, at: clock.now(), limit: 100)
            .findings.map(\.kind)
    }
}
