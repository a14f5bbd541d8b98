internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import TestSupport
internal import Testing

/// Every command that the list of lost orders prints is accepted, ends what it is printed for, and
/// takes nothing from anybody whom it does not name.
@Suite("Advice on lost orders", .timeLimit(.minutes(20)))
struct LostAdviceTests {
    private static let person = AdminActionCause(actor: "uid:0", reason: "as advised")

    private func make(
        _ shop: Shop, _ account: AccountID, _ product: ProductID = "coins"
    ) async throws -> OrderID {
        let report = try await shop.engine.makeOrder(
            OrderRequest(account: account, product: product, actor: "uid:7")
        ).report
        guard case .done(let history) = report else { throw CancellationError() }
        return history.id
    }

    private func report(
        _ shop: Shop, _ order: OrderID, _ kind: OrderEventKind, _ named: TransactionID? = nil
    ) async throws {
        _ = try await shop.engine.report(
            OrderEventRequest(order: order, kind: kind, transaction: named, actor: "uid:7"))
    }

    private func coins(
        _ shop: Shop, _ id: String, for token: OrderID? = nil, as account: String?,
        refunded: Bool = false
    ) async throws {
        try await shop.present(
            try shop.purchase("coins", .consumable, id: id, at: "2026-03-01T00:00:01Z") {
                $0.appAccountToken = token?.text
                guard refunded else { return }
                $0.revocation = Revocation(date: $0.purchaseDate)
                $0.signedDate = $0.signedDate.advanced(byMilliseconds: 1_000)
            }, as: account)
    }

    private func listed(_ shop: Shop) throws -> [LostOrder] {
        try shop.engine.questions.lostOrders(after: .zero, at: shop.clock.now(), limit: 100).orders
    }

    /// Does what the command says.
    private func follow(_ lost: LostOrder, in shop: Shop) async throws -> Bool {
        let words = lost.command.split(separator: " ").map(String.init)
        let named = words.first { $0.hasPrefix("--transaction=") }
            .flatMap { TransactionID(String($0.dropFirst("--transaction=".count))) }
        switch Array(words[1...2]) {
        case ["orders", "refuse"], ["orders", "settle"]:
            let order = try #require(lost.id)
            #expect(words.contains(order.text))
            let ruling: OrderRuling = words[2] == "refuse" ? .refuse : .settle(named)
            guard case .done = try await shop.engine.rule(on: order, ruling, Self.person) else {
                return false
            }
            return true
        case ["claims", "give"]:
            let transaction = try #require(lost.transaction)
            #expect(words.contains(transaction.text) && words.contains("ACCOUNT"))
            let report = try await shop.engine.give(
                TransactionKey(lost.environment, transaction), to: "finder", Self.person)
            guard case .done = report else { return false }
            return true
        default: return false
        }
    }

    /// One of each kind, each of an account of its own.
    private func lose(in shop: Shop) async throws {
        _ = try await make(shop, "never")
        try await report(shop, try await make(shop, "outcome"), .paying)
        try await report(shop, try await make(shop, "unknown"), .paying, "700")
        try await report(shop, try await make(shop, "receipt"), .noReceipt)
        let faked = try await make(shop, "faked")
        try await report(shop, faked, .noReceipt)
        _ = try await shop.engine.submit([
            EvidenceSubmission(payload: Array("fake".utf8), account: "faked", order: faked)
        ])
        try await report(shop, try await make(shop, "deferred"), .deferred)
        let given = try await make(shop, "given")
        _ = try await shop.engine.rule(on: given, .settle(nil), Self.person)
        try await coins(shop, "711", for: try await make(shop, "unfinished"), as: "unfinished")
        try await coins(shop, "712", for: try await make(shop, "apple"), as: nil)
        let refunded = try await make(shop, "refunded")
        try await coins(shop, "713", for: refunded, as: "refunded")
        try await coins(shop, "713", for: refunded, as: "refunded", refunded: true)
        try await coins(shop, "714", as: nil)
        for _ in 0..<2 { _ = try await make(shop, "tied") }
        try await coins(shop, "715", as: "tied")
        // Reported for two accounts' orders; one of them has it.
        let lender = try await make(shop, "lender")
        try await report(shop, try await make(shop, "reporter"), .paying, "716")
        try await coins(shop, "716", for: lender, as: "lender")
        try await report(shop, lender, .finished)
    }

    @Test("is accepted, ends each of them, and takes from nobody whom it does not name")
    func advice() async throws {
        let shop = try await Shop()
        try await lose(in: shop)
        try shop.clock.set("2026-04-15T00:00:00Z")
        var steps: Set<LostOrderStep> = []
        for _ in 0..<60 {
            guard let lost = try listed(shop).first else { break }
            steps.insert(lost.step)
            let names = [
                "never", "outcome", "unknown", "receipt", "faked", "given", "unfinished", "apple",
                "tied", "lender", "reporter",
            ]
            let before = try names.map { try shop.coins($0) ?? 0 }
            #expect(try await follow(lost, in: shop), "\(lost.reason): \(lost.command)")
            for (name, had) in zip(names, before)
            where lost.takesFrom?.contains(where: { $0.text == name }) != true {
                #expect(try shop.coins(name) ?? 0 >= had, "\(name) by \(lost.command)")
            }
            let again = try listed(shop).contains {
                $0.id == lost.id && $0.transaction == lost.transaction && $0.step == lost.step
            }
            #expect(!again, "\(lost.reason): \(lost.command)")
            if again { break }
        }
        #expect(try listed(shop).isEmpty)
        #expect(
            steps.isSuperset(of: [
                .close, .askApp, .refusedEvidence, .leave, .deliver, .settle, .finish,
                .closeGift, .acknowledge, .give,
            ]), "\(steps)")
        // What was refused is not delivered, and what another order has is not delivered twice.
        #expect(try shop.coins("faked") ?? 0 == 0)
        #expect(try shop.coins("unknown") ?? 0 == 0)
        #expect(try shop.coins("reporter") ?? 0 == 0)
        #expect(try shop.coins("lender") == 100)
        try shop.engine.close()
    }

    @Test("a released payment is on the list again, and is given to an account once")
    func released() async throws {
        let shop = try await Shop()
        try await coins(shop, "801", as: "bob")
        #expect(try listed(shop).isEmpty)
        let report = try shop.engine.questions.report(on: "bob", at: shop.clock.now())
        let claim = try #require(report.claims.first).claim
        _ = try await shop.engine.rule(
            RulingRequest(verb: .release, claim: claim, cause: Self.person))
        try shop.clock.set("2026-03-01T01:00:00Z")
        let lost = try #require(try listed(shop).first)
        #expect(lost.reason == .unclaimedPayment)
        #expect(lost.command == "usher claims give 801 ACCOUNT --reason '…'")
        let key = TransactionKey(.production, "801")
        guard case .done = try await shop.engine.give(key, to: "alice", Self.person) else {
            Issue.record("not given")
            return
        }
        #expect(try listed(shop).isEmpty)
        #expect(try shop.coins("alice") == 100)
        guard
            case .rejected(.ownedByOther) =
                try await shop.engine.give(key, to: "carol", Self.person)
        else {
            Issue.record("taken from its owner")
            return
        }
        try shop.engine.close()
    }

    @Test("a paid order whose line is another's names from whom its payment would be taken")
    func takes() async throws {
        let shop = try await Shop()
        func unlock(_ id: String, _ token: OrderID?) throws -> [UInt8] {
            try shop.purchase("unlock", .nonConsumable, id: id, at: "2026-03-01T00:00:01Z") {
                $0.originalTransactionID = "900"
                $0.appAccountToken = token?.text
            }
        }
        try await shop.present(try unlock("900", nil), as: "bob")
        let order = try await make(shop, "alice", "unlock")
        try await shop.present(try unlock("901", order), as: nil)
        let lost = try #require(try listed(shop).first)
        #expect(lost.reason == .notDelivered)
        #expect(lost.step == .take && lost.owners == ["bob"] && lost.takesFrom == ["bob"])
        guard case .done = try await shop.engine.rule(on: order, .refuse, Self.person) else {
            Issue.record("cannot be closed")
            return
        }
        #expect(try listed(shop).isEmpty)
        try shop.clock.set("2026-03-01T00:01:00Z")
        #expect(try shop.answer("bob", "forever").decision)
        try shop.engine.close()
    }
}
