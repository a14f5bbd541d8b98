internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreSimulator
internal import Testing

@Suite("Two accounts become one")
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
        guard case .merged(let merge) = report else {
            Issue.record("the merge was refused: \(report)")
            return
        }
        #expect(try shop.answer("alice", "forever").decision)
        #expect(try !shop.answer("guest", "forever").decision)
        #expect(try shop.coins("alice") == 300)
        #expect(try shop.coins("guest") == 0)

        let head = shop.engine.revision
        let again = try await shop.engine.merge(try cause(undoing: nil))
        #expect(again == .refused(.nothingToMerge))
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
        #expect(try await shop.engine.merge(wish) == .refused(obstacle))
        #expect(shop.engine.revision == head)
    }

    private func cause(undoing merge: LedgerSequence?) throws -> AccountMerge {
        AccountMerge(
            from: AccountID("guest"), into: AccountID("alice"),
            undoes: merge, actor: "uid:0", reason: "signed up")
    }
}
