internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import Testing

@Suite("Two accounts become one", .timeLimit(.minutes(20)))
struct MergeTests {
    @Test("what a guest bought follows, survives a restart, and comes back with the undo")
    func mergeAndUndo() async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "guest")
        try await shop.present(
            shop.purchase("coins", .consumable, id: "5") { $0.quantity = 3 }, as: "guest")
        #expect(try shop.coins("guest") == 300)
        #expect(try !shop.answer("alice", "forever").decision)

        let report = try await shop.engine.merge(try cause(undoing: nil))
        guard case .done(let merge) = report else {
            Issue.record("the merge was refused: \(report)")
            return
        }
        #expect(try shop.answer("alice", "forever").decision)
        #expect(try !shop.answer("guest", "forever").decision)
        #expect(try shop.coins("alice") == 300)
        #expect(try shop.coins("guest") == 0)

        let head = shop.engine.revision
        let again = try await shop.engine.merge(try cause(undoing: nil))
        #expect(again == report)
        #expect(shop.engine.revision == head)

        _ = try await shop.engine.merge(try cause(undoing: merge.sequence))
        #expect(try !shop.answer("alice", "forever").decision)
        #expect(try shop.answer("guest", "forever").decision)
        #expect(try shop.coins("guest") == 300)

        let reopened = try await shop.reopened()
        let guest = AccountID("guest")
        let forever = RightKey(.production, EntitlementName("forever"))
        let (view, revision) = try reopened.account(guest)
        #expect(view.answer(forever, at: shop.clock.now(), revision: revision).decision)
        try reopened.close()
    }

    @Test("a refusal writes nothing", arguments: [MergeObstacle.sameAccount, .unknownMerge])
    func refusals(_ obstacle: MergeObstacle) async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "guest")
        let head = shop.engine.revision
        var wish = try cause(undoing: obstacle == .unknownMerge ? LedgerSequence(1) : nil)
        if obstacle == .sameAccount { wish.into = wish.from }
        #expect(try await shop.engine.merge(wish) == .rejected(.merge(obstacle)))
        #expect(shop.engine.revision == head)
    }

    @Test("evidence of a merged account claims for the other one, and the answer says so")
    func evidence() async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "guest")
        let merge = try #require(try await shop.engine.merge(cause(undoing: nil)).merge)
        let coins = try shop.purchase("coins", .consumable, id: "5")
        let judged = try #require(try await shop.present(coins, as: "guest").judged)
        #expect(judged.mergedInto == "alice")
        #expect(judged.transactions.map(\.standing) == [.owned])
        #expect(judged.transactions.map(\.owners) == [["alice"]])
        #expect(judged.packed?.account == "alice")
        #expect(try shop.coins("alice") == 100)
        #expect(try await shop.present(coins, as: "bob").judged?.mergedInto == nil)
        _ = try await shop.engine.merge(try cause(undoing: merge.sequence))
        let pass = try shop.purchase("pass", .nonRenewing, id: "6")
        #expect(try await shop.present(pass, as: "guest").judged?.mergedInto == nil)
        #expect(try shop.answer("guest", "pass").decision)
    }

    @Test("a merge of nothing is none; one into a merged account goes on to where that stands")
    func targets() async throws {
        let shop = try await Shop()
        #expect(
            try await shop.engine.merge(cause(undoing: nil)) == .rejected(.merge(.nothingToMerge)))
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "guest")
        _ = try await shop.engine.merge(try cause(undoing: nil))
        try await shop.present(shop.purchase("pass", .nonRenewing, id: "6"), as: "bob")
        let merge = try #require(
            try await shop.engine.merge(
                AccountMerge(from: "bob", into: "guest", actor: "uid:0", reason: "signed up")
            ).merge)
        #expect(merge.value.into == "alice")
        #expect(try shop.answer("alice", "pass").decision)
        let itself = AccountMerge(from: "guest", into: "guest", actor: "uid:0", reason: "a slip")
        #expect(try await shop.engine.merge(itself) == .rejected(.merge(.sameAccount)))
    }

    @Test(
        "the token of an account merged twice goes by the purchase, and the ledger is sound",
        arguments: [("2026-02-20", "alice"), ("2026-03-02", "bob")])
    func lateToken(bought: String, owner: String) async throws {
        let shop = try await Shop()
        let token = "00000000-0000-4000-8000-00000000000a"
        let support = AdminActionCause(actor: "uid:7", reason: "a test")
        _ = try await shop.engine.register(
            try #require(AppAccountToken(token)), for: "guest", support)
        let merges: [(day: String, into: AccountID, isUpToNow: Bool)] = [
            ("2026-03-01", "alice", true), ("2026-03-03", "bob", false),
        ]
        for (day, into, isUpToNow) in merges {
            try shop.clock.set(day)
            try await shop.present(
                shop.purchase("unlock", .nonConsumable, id: isUpToNow ? "2" : "3", at: day),
                as: "guest")
            let grant = GrantRequest(
                id: GrantID(unchecked: "g-\(into)"), account: "guest",
                gift: .entitlement("premium"), cause: support)
            guard case .done = try await shop.engine.grant(grant),
                case .done = try await shop.engine.merge(
                    AccountMerge(
                        from: "guest", into: into, isUpToNow: isUpToNow, actor: "uid:7",
                        reason: "a test"))
            else {
                Issue.record("not granted or not merged into \(into)")
                return
            }
        }
        try shop.clock.set("2026-03-04")
        let coins = try shop.purchase("coins", .consumable, id: "9", at: bought) {
            $0.appAccountToken = token
        }
        try await shop.present(coins, as: nil)
        #expect(try shop.coins(owner) == 100)
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems == [])
    }

    private func cause(undoing merge: LedgerSequence?) throws -> AccountMerge {
        AccountMerge(
            from: AccountID("guest"), into: AccountID("alice"),
            undoes: merge, actor: "uid:0", reason: "signed up")
    }
}

extension AdminActionReport<Recorded<AccountMerge>> {
    fileprivate var merge: Recorded<AccountMerge>? {
        guard case .done(let merge) = self else { return nil }
        return merge
    }
}
