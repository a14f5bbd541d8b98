internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import Testing

private let support = AdminActionCause(actor: "uid:7", reason: "a test")

extension AdminActionReport {
    fileprivate var refusal: AdminActionRejection? {
        guard case .rejected(let refusal) = self else { return nil }
        return refusal
    }

    fileprivate var done: Done? {
        guard case .done(let done) = self else { return nil }
        return done
    }
}

@Suite("Admin actions by hand", .timeLimit(.minutes(20)))
struct AdminActionTests {
    private let alice: AccountID = "alice"

    @Test("give a right at once, once, and take it back")
    func grants() async throws {
        let shop = try await Shop()
        _ = try shop.answer("alice", "premium")
        let request = GrantRequest(
            id: "g1", account: alice, gift: .entitlement("premium"), cause: support)
        let first = try #require(try await shop.engine.grant(request).done)
        #expect(try shop.answer("alice", "premium").grant == "g1")
        try shop.clock.set("2026-03-02")
        let again = try #require(try await shop.engine.grant(request).done)
        #expect(again == first)
        var other = request
        other.until = shop.clock.now().advanced(byMilliseconds: 1_000)
        #expect(try await shop.engine.grant(other).refusal == .conflict)
        let revoked = try #require(try await shop.engine.revokeGrant("g1", support).done)
        #expect(try shop.answer("alice", "premium").decision == false)
        #expect(try await shop.engine.revokeGrant("g1", support).done == revoked)
        #expect(try await shop.engine.revokeGrant("g2", support).refusal == .unknownGrant)
    }

    @Test(
        "are known by their key for ever, and purchases by theirs",
        arguments: ["2026-03-31", "2027-03-01", "2046-03-01"])
    func keysLast(until later: String) async throws {
        let shop = try await Shop()
        let grant = GrantRequest(
            id: "g1", account: alice, gift: .credit("coins", units: 5), cause: support)
        let first = try #require(try await shop.engine.grant(grant).done)
        let coins = try shop.purchase("coins", .consumable, id: "2")
        try await shop.present(coins, as: "alice")
        let revision = shop.engine.revision
        try shop.clock.set(later)
        #expect(try await shop.engine.grant(grant).done == first)
        try await shop.present(coins, as: "alice")
        #expect(shop.engine.revision == revision)
        #expect(try shop.coins("alice") == 105)
    }

    /// The first keeps the key for a name; the others' names are made of it, also where it is
    /// as long as a key may be.
    @Test("know a key as its user's own", arguments: ["g1", String(repeating: "g", count: 128)])
    func keysOfUsers(key: String) async throws {
        let shop = try await Shop()
        let id = try #require(GrantID(key))
        var request = GrantRequest(
            id: id, account: alice, gift: .credit("coins", units: 5), cause: support)
        let first = try #require(try await shop.engine.grant(request).done)
        #expect(first.grant.value.id == id)
        // Another user's own name for something else, which is in the way.
        request.cause.actor = "uid:9"
        request.id = try #require(GrantID(key.count > 9 ? "other" : "g1@uid:8"))
        _ = try #require(try await shop.engine.grant(request).done)
        request.cause.actor = "uid:8"
        (request.id, request.gift) = (id, .entitlement("premium"))
        let second = try #require(try await shop.engine.grant(request).done)
        #expect(second.grant.value.id != id)
        #expect(second.grant.value.actor == "uid:8")
        let revision = shop.engine.revision
        #expect(try await shop.engine.grant(request).done == second)
        request.until = shop.clock.now().advanced(byMilliseconds: 1_000)
        #expect(try await shop.engine.grant(request).refusal == .conflict)
        request = GrantRequest(
            id: id, account: alice, gift: .credit("coins", units: 5), cause: support)
        #expect(try await shop.engine.grant(request).done == first)
        #expect(shop.engine.revision == revision)
        let block = try #require(BlockID(key))
        let mine = try #require(try await shop.engine.block("bob", id: block, support).done)
        let other = AdminActionCause(actor: "uid:8", reason: "a test")
        let theirs = try #require(try await shop.engine.block("carol", id: block, other).done)
        #expect(mine.block.value.id == block)
        #expect(theirs.block.value.id != block)
        #expect(try await shop.engine.block("carol", id: block, other).done == theirs)
        #expect(try await shop.engine.block("carol", id: block, support).refusal == .conflict)
    }

    @Test("refuse grants that give nothing")
    func emptyGrants() async throws {
        let shop = try await Shop()
        let cases: [(GrantedGift, AdminActionRejection)] = [
            (.entitlement("nothing"), .unknownGift(name: "nothing", nearest: nil)),
            (.credit("gems", units: 1), .unknownGift(name: "gems", nearest: nil)),
            (.credit("coins", units: 0), .emptyGift), (.credit("coins", units: -1), .emptyGift),
        ]
        for (gift, refusal) in cases {
            let request = GrantRequest(id: "g", account: alice, gift: gift, cause: support)
            #expect(try await shop.engine.grant(request).refusal == refusal)
        }
        let over = GrantRequest(
            id: "g", account: alice, gift: .entitlement("premium"), until: shop.clock.now(),
            cause: support)
        #expect(try await shop.engine.grant(over).refusal == .emptyGift)
        #expect(shop.engine.revision == LedgerSequence(1))
    }

    @Test("give credits")
    func credits() async throws {
        let shop = try await Shop()
        let request = GrantRequest(
            id: "g1", account: alice, gift: .credit("coins", units: 5), cause: support)
        _ = try await shop.engine.grant(request)
        _ = try await shop.engine.grant(request)
        #expect(try shop.coins("alice") == 5)
    }

    @Test("block an account until every block is lifted")
    func blocks() async throws {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        let engine = shop.engine
        let first = try #require(try await engine.block(alice, id: "b1", support).done)
        #expect(try await engine.block(alice, id: "b1", support).done == first)
        #expect(try await engine.block("bob", id: "b1", support).refusal == .conflict)
        _ = try await engine.block(alice, id: "b2", support)
        #expect(try shop.answer("alice", "premium").decision == false)
        try shop.clock.set("2026-03-02")
        _ = try await engine.liftBlock("b1", support)
        #expect(try shop.answer("alice", "premium").decision == false)
        let lifted = try #require(try await engine.liftBlock("b2", support).done)
        #expect(try await engine.liftBlock("b2", support).done == lifted)
        #expect(try shop.answer("alice", "premium").decision)
        #expect(try await engine.liftBlock("b3", support).refusal == .unknownBlock)
    }

    @Test("close an account, which then gets nothing until it is reopened")
    func closures() async throws {
        let shop = try await Shop()
        let engine = shop.engine
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: alice.text)
        let closed = try #require(try await engine.close(alice, id: "c1", support).done)
        #expect(try await engine.close(alice, id: "c2", support).done == closed)
        #expect(try shop.answer("alice", "premium").decision == false)
        let coins = try shop.purchase("coins", .consumable, id: "2")
        let refused = try #require(try await shop.present(coins, as: alice.text).judged)
        #expect(refused.transactions.map(\.standing) == [.denied(.accountClosed)])
        let revision = engine.revision
        _ = try await shop.present(coins, as: alice.text)
        #expect(engine.revision == revision)
        #expect(try shop.coins("alice") == nil)
        try shop.clock.set("2026-03-02")
        let reopened = try #require(try await engine.reopen(alice, support).done)
        #expect(reopened.removal?.value.block == "c1")
        #expect(try shop.answer("alice", "premium").decision)
        #expect(try shop.coins("alice") == 100)
        #expect(try await engine.reopen(alice, support).refusal == .notClosed)
        _ = try await engine.close(alice, id: "c3", support)
        #expect(try await engine.liftBlock("c3", support).done?.removal != nil)
        #expect(try await engine.reopen(alice, support).refusal == .notClosed)
    }

    @Test("block one right of an account, or one of its credits")
    func partialBlocks() async throws {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        try await shop.present(
            try shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        let engine = shop.engine
        let scope = BlockScope(entitlements: ["premium"], credits: [])
        let put = try #require(
            try await engine.block(alice, scope: scope, id: "b1", support).done)
        #expect(try await engine.block(alice, scope: scope, id: "b1", support).done == put)
        #expect(try await engine.block(alice, id: "b1", support).refusal == .conflict)
        let misspelt = BlockScope(entitlements: ["premuim"], credits: [])
        let rejected = try await engine.block(alice, scope: misspelt, id: "b2", support)
        #expect(rejected.refusal == .unknownGift(name: "premuim", nearest: "premium"))
        #expect(try shop.answer("alice", "premium").decision == false)
        #expect(try shop.answer("alice", "forever").decision)
        let (free, _) = try engine.account(alice)
        #expect(!free.isStopped("coins", at: shop.clock.now()))
        let coins = BlockScope(entitlements: [], credits: ["coins"])
        _ = try await engine.block(alice, scope: coins, id: "b3", support)
        let (stopped, _) = try engine.account(alice)
        #expect(stopped.isStopped("coins", at: shop.clock.now()))
        #expect(try shop.answer("alice", "forever").decision)
        _ = try await engine.liftBlock("b1", support)
        #expect(try shop.answer("alice", "premium").decision)
    }

    @Test("let a token mean one account")
    func tokens() async throws {
        let shop = try await Shop()
        let token = try #require(AppAccountToken("6F9619FF-8B86-D011-B42D-00CF4FC964FF"))
        let first = try #require(try await shop.engine.register(token, for: alice, support).done)
        #expect(try await shop.engine.register(token, for: alice, support).done == first)
        #expect(try await shop.engine.register(token, for: "bob", support).refusal == .tokenTaken)
    }

    @Test("refuse the id of one account as the token of another")
    func tokensThatAreAccounts() async throws {
        let shop = try await Shop()
        let ids = [
            "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "7F9619FF-8B86-D011-B42D-00CF4FC964FF",
        ]
        for (number, id) in ids.enumerated() {
            let token = try #require(AppAccountToken(id))
            try await shop.present(
                shop.purchase("unlock", .nonConsumable, id: "\(number + 1)"), as: id)
            let engine = shop.engine
            #expect(try await engine.register(token, for: alice, support).refusal == .tokenTaken)
            let own = try #require(AccountID(id))
            #expect(try await engine.register(token, for: own, support).done != nil)
        }
    }

    @Test("leave the names of moved grants to merges")
    func namesOfMerges() async throws {
        let shop = try await Shop()
        let request = GrantRequest(
            id: "merge-5-1", account: alice, gift: .entitlement("premium"), cause: support)
        #expect(try await shop.engine.grant(request).refusal == .conflict)
    }

    @Test("undo a ruling on a purchase whose smaller name came later")
    func smallerNames() async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("pass", .nonRenewing, id: "9"), as: "alice")
        try await shop.present(shop.purchase("pass", .nonRenewing, id: "9"), as: "bob")
        let report = try shop.engine.questions.report(on: "bob", at: shop.clock.now())
        let claim = try #require(report.claims.first).claim
        func rule(_ verb: Ruling.Verb) async throws -> AdminActionReport<RulingRecord> {
            try shop.clock.set(shop.clock.now().advanced(byMilliseconds: 1_000).rfc3339)
            return try await shop.engine.rule(
                RulingRequest(verb: verb, claim: claim, cause: support))
        }
        #expect(try await rule(.transfer).done != nil)
        try await shop.present(
            shop.purchase("pass", .nonRenewing, id: "5") { $0.originalTransactionID = "9" },
            as: "bob")
        #expect(try await rule(.release).done != nil)
        #expect(try await rule(.undo).done?.decisions.map(\.value.ownersAfter) == [["bob"]])
        #expect(try await rule(.undo).done?.decisions.map(\.value.ownersAfter) == [["alice"]])
        // What is left is the first owning.
        #expect(try await rule(.undo).refusal == .ruling(.nothingToUndo))
    }

    @Test("rule on claims that wait, and undo it")
    func rulings() async throws {
        let shop = try await Shop(
            rules: "account_switch: [{name: ask, when: {kind: auto-renewable}, then: ask}]")
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: "alice")
        try await shop.present(gold, as: "bob")
        try await shop.present(gold, as: "carol")
        let waiting = try shop.engine.questions.waitingClaims().claims
        #expect(waiting.map(\.account.text) == ["bob", "carol"])
        let page = try shop.engine.questions.waitingClaims(limit: 1)
        let last = try shop.engine.questions.waitingClaims(
            after: #require(page.next), limit: 1)
        #expect([page, last].map { $0.claims.map(\.account.text) } == [["bob"], ["carol"]])
        #expect(last.next == nil)
        let bobs = try #require(waiting.first).claim
        let approved = RulingRequest(verb: .approve, claim: bobs, cause: support)
        let record = try #require(try await shop.engine.rule(approved).done)
        #expect(record.decisions.map(\.value.ownersAfter) == [["bob"], ["bob"]])
        #expect(try shop.answer("bob", "premium").decision)
        #expect(try shop.answer("alice", "premium").decision == false)
        #expect(try shop.engine.questions.waitingClaims().claims.isEmpty)
        #expect(try await shop.engine.rule(approved).refusal == .ruling(.notWaiting))
        try shop.clock.set("2026-03-02")
        _ = try await shop.engine.rule(RulingRequest(verb: .undo, claim: bobs, cause: support))
        #expect(try shop.answer("alice", "premium").decision)
        #expect(try shop.answer("bob", "premium").decision == false)
    }

    @Test("an undo that would take back what another claim has moved names that decision")
    func undoOfAnother() async throws {
        let shop = try await Shop(
            rules: "account_switch: [{name: move, when: {moment: support}, then: transfer}]")
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: "alice")
        try await shop.present(gold, as: "bob", moment: .support)
        func claim(of account: String) throws -> LedgerSequence {
            let account = try #require(AccountID(account))
            let report = try shop.engine.questions.report(on: account, at: shop.clock.now())
            return try #require(report.claims.first { $0.account == account }).claim
        }
        let (first, second) = (try claim(of: "alice"), try claim(of: "bob"))
        func undo(_ claim: LedgerSequence) async throws -> AdminActionReport<RulingRecord> {
            try await shop.engine.rule(RulingRequest(verb: .undo, claim: claim, cause: support))
        }
        let decision = LedgerSequence(second.number + 1)
        #expect(try await undo(first).refusal == .newerDecision(decision))
        #expect(try await undo(second).done?.decisions.map(\.value.ownersAfter) == [["alice"]])
        #expect(try await undo(second).refusal == .ruling(.nothingToUndo))
        // Whom it was taken from needs a person's word now.
        try await shop.present(gold, as: "bob", moment: .support)
        #expect(try shop.answer("alice", "premium").decision)
    }

    @Test("what waited for a blocked account is its own once the block is lifted")
    func liftedBlocks() async throws {
        let shop = try await Shop()
        let token = try #require(AppAccountToken("6f9619ff-8b86-d011-b42d-00cf4fc964ff"))
        _ = try await shop.engine.register(token, for: alice, support)
        _ = try await shop.engine.block(alice, id: "b1", support)
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20") {
            $0.appAccountToken = token.text
        }
        try await shop.present(gold, as: nil)
        let told = try shop.engine.questions.report(on: alice, at: shop.clock.now())
        #expect(told.claims.isEmpty)
        _ = try await shop.engine.liftBlock("b1", support)
        #expect(try shop.answer("alice", "premium").decision)
    }

    @Test("transfer and release what was claimed")
    func transfers() async throws {
        let shop = try await Shop()
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: "alice")
        try await shop.present(gold, as: "bob")
        let bob = AccountID("bob")
        let report = try shop.engine.questions.report(on: bob, at: shop.clock.now())
        let claim = try #require(report.claims.first).claim
        try shop.clock.set("2026-03-02")
        _ = try await shop.engine.rule(
            RulingRequest(verb: .transfer, claim: claim, cause: support))
        #expect(try shop.answer("bob", "premium").decision)
        try shop.clock.set("2026-03-03")
        _ = try await shop.engine.rule(
            RulingRequest(verb: .release, claim: claim, cause: support))
        #expect(try shop.answer("bob", "premium").decision == false)
        let unknown = RulingRequest(verb: .approve, claim: LedgerSequence(1), cause: support)
        #expect(try await shop.engine.rule(unknown).refusal == .unknownClaim)
    }
}
