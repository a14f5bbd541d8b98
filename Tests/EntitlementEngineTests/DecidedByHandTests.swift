internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Testing

private let support = AdminActionCause(actor: "uid:7", reason: "ticket 4711")

/// What persons have decided stays visible where it acted, and what waits names what may end it.
@Suite("What was decided by hand", .timeLimit(.minutes(20)))
struct DecidedByHandTests {
    private func report(_ shop: Shop, _ account: AccountID) throws -> AccountReport {
        try shop.engine.questions.report(on: account, at: shop.clock.now())
    }

    @Test("a transfer is told with its reason; the claims before it are superseded")
    func transfer() async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "1"), as: "alice")
        let claim = try #require(try report(shop, "alice").claims.first)
        #expect(claim.supersededBy == nil)
        _ = try await shop.engine.rule(
            RulingRequest(
                verb: .transfer, claim: claim.claim, account: "bob", cause: support))
        for account: AccountID in ["alice", "bob"] {
            let report = try report(shop, account)
            let owner = try #require(report.units.first?.owners.last)
            let action = try #require(report.actions.first)
            #expect(report.actions.count == 1 && action.sequence == owner.decision)
            #expect(owner.account == "bob" && action.decision.verb == .transfer)
            #expect(action.action.actor == "uid:7" && action.action.reason == "ticket 4711")
            #expect(report.claims.map(\.supersededBy) == [owner.decision])
        }
        _ = try await shop.engine.rule(
            RulingRequest(verb: .undo, claim: claim.claim, cause: support))
        #expect(try report(shop, "alice").actions.map(\.decision.verb) == [.transfer, .undo])
    }

    @Test("a claim that a person approves is not superseded by that")
    func approval() async throws {
        let rules = "account_switch: [{name: ask, then: ask}]"
        let shop = try await Shop(rules: rules)
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "1"), as: "alice")
        try await shop.present(
            shop.purchase("unlock", .nonConsumable, id: "1"), as: "bob", moment: .restore)
        let waiting = try #require(try shop.engine.questions.waitingClaims().claims.first)
        _ = try await shop.engine.rule(
            RulingRequest(verb: .approve, claim: waiting.claim, cause: support))
        let claims = try report(shop, "bob").claims
        #expect(claims.map(\.outcome) == [.accepted, .approved])
        #expect(claims.map { $0.supersededBy == nil } == [false, true])
    }

    @Test("an answer's history begins with what it was, and says since when it is so")
    func overTime() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "1", until: "2026-02-25"), as: "alice")
        let key = RightKey(.production, "premium")
        let now = shop.clock.now()
        let history = try shop.engine.questions.history(
            of: key, of: "alice", at: now, limit: 10)
        let stretches = try #require(history.overTime)
        #expect(stretches.map(\.decision).contains(true) && stretches.last?.decision == false)
        let explanation = try shop.engine.questions.explain(key, of: "alice", at: now)
        let granted = try #require(stretches.last { $0.decision }?.interval.end)
        #expect(explanation.decidedSince == granted)
        let expected = try shop.engine.questions.firstWrong(.yes, key, of: "alice", at: now)
        #expect(expected.overTime == nil)
    }

    @Test("an order that waits names the payments of its product that nobody owns")
    func possiblePayments() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("coins", .consumable, id: "1", at: "2026-03-01"), as: nil)
        try await shop.present(
            shop.purchase("coins", .consumable, id: "2", at: "2026-03-01"), as: "bob")
        try await shop.present(
            shop.purchase("unlock", .nonConsumable, id: "3", at: "2026-03-01"), as: nil)
        try await shop.present(
            shop.purchase("coins", .consumable, id: "4", at: "2026-02-20"), as: nil)
        let made = try await shop.engine.makeOrder(
            OrderRequest(account: "alice", product: "coins", actor: "uid:7")
        ).report
        guard case .done(let order) = made else { throw CancellationError() }
        _ = try await shop.engine.report(
            OrderEventRequest(order: order.id, kind: .noReceipt, actor: "uid:7"))
        try shop.clock.set("2026-03-02")
        let now = shop.clock.now()
        let asked = try #require(try shop.engine.questions.order(order.id, at: now))
        #expect(asked.possiblePayments?.map(\.transaction) == ["1"])
        let lost = try shop.engine.questions.lostOrders(after: .zero, at: now, limit: 10).orders
        #expect(lost.first { $0.id == order.id }?.possiblePayments.map(\.transaction) == ["1"])
        let others = lost.filter { $0.id == nil }.flatMap(\.possiblePayments)
        #expect(others.isEmpty)
        _ = try await shop.engine.rule(on: order.id, .settle("1"), support)
        let settled = try #require(try shop.engine.questions.order(order.id, at: now))
        #expect(settled.possiblePayments == nil && settled.transaction == "1")
    }

    @Test("the accounts in each cell are counted by a job, anew by another policy and in a day")
    func counts() async throws {
        let shop = try await Shop()
        for (account, end) in [("alice", "2026-02-25"), ("bob", "2026-03-20")] {
            try await shop.present(
                shop.purchase("gold", .autoRenewable, id: "1\(account.count)", until: end),
                as: account)
        }
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "3"), as: "bob")
        #expect(shop.engine.policyCounts == nil)
        shop.engine.keepCounts()
        while shop.engine.policyCounts == nil { await Task.yield() }
        let counts = try #require(shop.engine.policyCounts)
        #expect(counts.accounts == 2 && counts.at == shop.clock.now())
        let cells = counts.cells.map { "\($0.kind) \($0.state) \($0.accounts)" }
        #expect(
            cells == [
                "autoRenewable active 1", "autoRenewable expired 1", "nonConsumable active 1",
            ])
        try shop.clock.set("2026-03-21")
        shop.engine.clockWasSet()
        while shop.engine.policyCounts?.at == counts.at { await Task.yield() }
        let later = try #require(shop.engine.policyCounts).cells
        #expect(later.first { $0.state == .expired }?.accounts == 2)
    }
}
