internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import TestSupport
internal import Testing

private let support = AdminActionCause(actor: "uid:0", reason: "a test")
private let game = CreditCause(actor: "uid:7", reference: "game 17")

extension CreditReport {
    fileprivate var done: CreditActionAnswer? {
        guard case .done(let answer) = self else { return nil }
        return answer
    }

    fileprivate var rejection: CreditRejection? {
        guard case .rejected(let rejection) = self else { return nil }
        return rejection
    }
}

extension Shop {
    fileprivate func spend(
        _ units: Int64, key: String, as account: AccountID = "alice", until: String? = nil,
        of credit: CreditName = "coins"
    ) async throws -> CreditReport {
        let until = try until.map { try #require(Instant(rfc3339: $0)) }
        return try await engine.spend(
            SpendRequest(
                account: account, parts: [CreditPart(credit, units)], until: until, key: key,
                cause: game))
    }

    fileprivate func reverse(
        _ spend: LedgerSequence, _ units: Int64?, key: String
    ) async throws -> CreditReport {
        try await engine.reverse(
            ReversalRequest(
                spend: spend, parts: units.map { [CreditPart("coins", $0)] }, key: key,
                cause: game))
    }

    fileprivate func end(
        _ hold: LedgerSequence, _ units: Int64?
    ) async throws -> CreditReport {
        let captured = units.map { $0 == 0 ? [] : [CreditPart("coins", $0)] }
        return try await engine.endHold(
            HoldEndRequest(hold: hold, captured: captured, cause: game))
    }

    fileprivate func give(
        _ units: Int64, id: GrantID, until: String? = nil, to account: AccountID = "alice"
    ) async throws {
        let until = try until.map { try #require(Instant(rfc3339: $0)) }
        _ = try await engine.grant(
            GrantRequest(
                id: id, account: account, gift: .credit("coins", units: units), until: until,
                cause: support))
    }

    fileprivate func set(_ date: String) throws {
        clock.set(try #require(Instant(rfc3339: date)))
    }

    /// A hundred coins, refunded if so.
    fileprivate func coins(
        _ id: String, refundedAt date: String? = nil, percentage: Int64? = nil
    ) throws -> [UInt8] {
        let refund = try date.map {
            Revocation(date: try #require(Instant(rfc3339: $0)), percentage: percentage)
        }
        return try purchase("coins", .consumable, id: id) {
            $0.revocation = refund
            if let refund { $0.signedDate = refund.date }
        }
    }

    fileprivate func held(_ account: AccountID = "alice") throws -> Int128? {
        let (packed, _) = try engine.account(account)
        return packed.balances(in: .production, at: clock.now()).first?.held
    }

    fileprivate func causes(_ account: AccountID = "alice") throws -> [String] {
        let (packed, _) = try engine.account(account)
        let balance = packed.balances(in: .production, at: clock.now()).first
        return (balance?.entries ?? []).map { "\($0.cause.rawValue) \($0.units)" }
    }
}

@Suite("Credits", .timeLimit(.minutes(20)))
struct CreditTests {
    @Test("a spend is done once for its key, and answered as the first time")
    func spendOnce() async throws {
        let shop = try await Shop()
        try await shop.present(shop.coins("1"), as: "alice")
        let first = try #require(try await shop.spend(30, key: "a").done)
        #expect(first.balances.map(\.balance) == [70])
        let revision = shop.engine.revision
        _ = try #require(try await shop.spend(5, key: "b").done)
        let again = try #require(try await shop.spend(30, key: "a").done)
        #expect(again.json == first.json)
        guard case .conflict = try await shop.spend(31, key: "a").rejection else {
            Issue.record("another content is a conflict")
            return
        }
        #expect(shop.engine.revision.number == revision.number + 1)
        #expect(try shop.coins("alice") == 65)
    }

    @Test("what cannot be spent is said, and nothing is written")
    func rejections() async throws {
        let shop = try await Shop()
        try await shop.present(shop.coins("1"), as: "alice")
        let revision = shop.engine.revision
        #expect(
            try await shop.spend(101, key: "a").rejection
                == .insufficient("coins", balance: 100))
        #expect(
            try await shop.spend(1, key: "a", of: "coin").rejection
                == .unknownCredit("coin", nearest: "coins"))
        #expect(try await shop.reverse(revision, nil, key: "a").rejection == .unknownSpend)
        #expect(try await shop.end(revision, nil).rejection == .unknownHold)
        #expect(try await shop.spend(1, key: "a", until: "2026-03-01").rejection == .until)
        #expect(try await shop.spend(1, key: "a", until: "2026-04-01").rejection == .until)
        let parts = [CreditPart("coins", 1), CreditPart("gems", 1)]
        let both = SpendRequest(account: "alice", parts: parts, key: "a", cause: game)
        let report = try await shop.engine.spend(both)
        #expect(report.rejection == .unknownCredit("gems", nearest: nil))
        #expect(shop.engine.revision == revision)
    }

    @Test("what is held cannot be spent, and is free again at its end by itself")
    func holds() async throws {
        let shop = try await Shop()
        try await shop.present(shop.coins("1"), as: "alice")
        let hold = try #require(try await shop.spend(60, key: "h", until: "2026-03-05").done)
        #expect(try shop.coins("alice") == 40)
        #expect(try shop.held() == 60)
        #expect(
            try await shop.spend(41, key: "a").rejection == .insufficient("coins", balance: 40))
        try shop.set("2026-03-05")
        #expect(try shop.coins("alice") == 100)
        #expect(try shop.held() == 0)
        let id = try #require(hold.id)
        #expect(try await shop.end(id, nil).rejection == .holdEnded)
    }

    @Test("a capture spends a part of a hold, and the rest is free again")
    func captures() async throws {
        let shop = try await Shop()
        try await shop.present(shop.coins("1"), as: "alice")
        let hold = try #require(try await shop.spend(60, key: "h", until: "2026-03-05").done?.id)
        #expect(try await shop.end(hold, 61).rejection == .tooMuch("coins", left: 60))
        let captured = try #require(try await shop.end(hold, 45).done)
        #expect(captured.balances.map(\.balance) == [55])
        #expect(try await shop.end(hold, 45).done?.json == captured.json)
        #expect(try await shop.end(hold, 44).rejection == .holdEnded)
        let spend = try #require(captured.id)
        #expect(
            try await shop.reverse(spend, 46, key: "r").rejection == .tooMuch("coins", left: 45))
        _ = try await shop.reverse(spend, nil, key: "r")
        #expect(try shop.coins("alice") == 100)
        #expect(
            try shop.causes()
                == ["delivery 100", "hold -60", "release 60", "spend -45", "reversal 45"])
    }

    @Test("a spend burns what expires first, and an expiry takes what is left")
    func burnOrder() async throws {
        let shop = try await Shop()
        try await shop.present(shop.coins("1"), as: "alice")
        try await shop.give(50, id: "g", until: "2026-03-10")
        let spend = try #require(try await shop.spend(30, key: "a").done?.id)
        try shop.set("2026-03-11")
        #expect(try shop.coins("alice") == 100)
        // What comes back to a lot that has expired expires, and a line says so.
        _ = try await shop.reverse(spend, 10, key: "r")
        #expect(try shop.coins("alice") == 100)
        #expect(
            try shop.causes() == [
                "delivery 100", "grant 50", "spend -30", "expiry -20", "reversal 10", "expiry -10",
            ])
    }

    @Test("a refund of what is spent leaves a debt that a person finds and the next purchase pays")
    func debt() async throws {
        let shop = try await Shop()
        try await shop.present(shop.coins("1"), as: "alice")
        _ = try await shop.spend(80, key: "a")
        try shop.set("2026-03-04")
        try await shop.present(
            shop.coins("1", refundedAt: "2026-03-03", percentage: 99_999), as: nil)
        // 99.999 % of 100 are 99: never rounded against the customer.
        #expect(try shop.coins("alice") == -79)
        let found = try shop.engine.questions.findings(of: "alice", at: shop.clock.now())
        #expect(found.findings.map(\.kind) == [.balanceBelowZero])
        try await shop.present(shop.purchase("coins", .consumable, id: "2"), as: "alice")
        #expect(try shop.coins("alice") == 21)
    }

    @Test("a refund that freezes stops spending until a person lifts it, once")
    func freeze() async throws {
        let shop = try await Shop(coins: "title: Coins, on_refund: freeze")
        try await shop.present(shop.coins("1"), as: "alice")
        try await shop.present(shop.purchase("coins", .consumable, id: "2"), as: "alice")
        let hold = try #require(try await shop.spend(10, key: "h", until: "2026-03-20").done?.id)
        try shop.set("2026-03-04")
        try await shop.present(shop.coins("1", refundedAt: "2026-03-03"), as: nil)
        #expect(try shop.coins("alice") == 90)
        #expect(try await shop.spend(1, key: "a").rejection == .frozen("coins"))
        #expect(try await shop.end(hold, nil).rejection == .frozen("coins"))
        let wish = ThawRequest(
            account: "alice", environment: .production, credit: "coins", cause: support)
        #expect(try await shop.engine.thaw(wish).done?.lifted == ["1"])
        #expect(try await shop.engine.thaw(wish).done?.lifted == [])
        #expect(try await shop.spend(1, key: "a").done != nil)
    }

    @Test("a block stops spending and capturing, and neither a release nor a reversal")
    func blocked() async throws {
        let shop = try await Shop()
        try await shop.present(shop.coins("1"), as: "alice")
        let spend = try #require(try await shop.spend(10, key: "a").done?.id)
        let hold = try #require(try await shop.spend(10, key: "h", until: "2026-03-20").done?.id)
        _ = try await shop.engine.block("alice", id: "b", support)
        #expect(try await shop.spend(1, key: "c").rejection == .blocked("coins"))
        #expect(try await shop.end(hold, nil).rejection == .blocked("coins"))
        #expect(try await shop.end(hold, 0).done != nil)
        #expect(try await shop.reverse(spend, nil, key: "r").done != nil)
        #expect(try shop.coins("alice") == 100)
    }

    @Test("a merge moves lots, holds and what is spent, and an undo brings them back")
    func merges() async throws {
        let shop = try await Shop()
        try await shop.present(shop.coins("1"), as: "alice")
        try await shop.give(20, id: "g", until: "2026-03-20")
        let spend = try #require(try await shop.spend(50, key: "a").done?.id)
        let hold = try #require(try await shop.spend(10, key: "h", until: "2026-03-20").done?.id)
        let merge = AccountMerge(from: "alice", into: "bob", actor: "uid:0", reason: "one person")
        guard case .done(let merged) = try await shop.engine.merge(merge) else {
            Issue.record("the merge is done")
            return
        }
        #expect(try shop.coins("alice") == 0)
        #expect(try shop.coins("bob") == 60)
        #expect(try shop.held("bob") == 10)
        #expect(try await shop.end(hold, 4).done?.account == "bob")
        #expect(try await shop.reverse(spend, 5, key: "r").done?.account == "bob")
        #expect(try shop.coins("bob") == 71)
        _ = try await shop.engine.undoMerge(merged.sequence, support)
        // What was done while the merge stood stays where it was done.
        #expect(try shop.coins("alice") == 70)
        #expect(try shop.coins("bob") == 1)
        #expect(
            try await shop.reverse(spend, 46, key: "s").rejection == .tooMuch("coins", left: 45))
    }

    @Test("64 clients on one account are served in order, and none gets what is not there")
    func many() async throws {
        let shop = try await Shop()
        try await shop.give(50, id: "g")
        let done = try await withThrowingTaskGroup(of: Bool.self) { group in
            for client in 0..<64 {
                group.addTask { try await shop.spend(1, key: "k-\(client)").done != nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(done == 50)
        #expect(try shop.coins("alice") == 0)
    }
}
