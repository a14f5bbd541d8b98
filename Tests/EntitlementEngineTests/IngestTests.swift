internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel
internal import StoreBox
internal import Testing

@Suite("Evidence in, rights out", .timeLimit(.minutes(20)))
struct IngestTests {
    @Test("each of the five kinds gives its right to the account that presents it")
    func fiveKinds() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        try await shop.present(shop.purchase("pass", .nonRenewing, id: "3"), as: "alice")
        try await shop.present(shop.purchase("weekly", nil, id: "4"), as: "alice")
        try await shop.present(
            shop.purchase("coins", .consumable, id: "5") { $0.quantity = 3 }, as: "alice")
        #expect(
            try shop.answer("alice", "premium").until == Instant(rfc3339: "2026-03-20T01:00:00Z"))
        #expect(try shop.answer("alice", "forever").until == nil)
        #expect(try shop.answer("alice", "pass").until == Instant(rfc3339: "2026-03-22"))
        for entitlement in ["premium", "forever", "pass", "weekly"] {
            #expect(try shop.answer("alice", entitlement).decision, "\(entitlement)")
            #expect(try !shop.answer("bob", entitlement).decision, "\(entitlement)")
        }
        #expect(try shop.coins("alice") == 300)
        #expect(try shop.coins("bob") == nil)
    }

    @Test("time alone ends a right, without a new fact")
    func timeEndsRights() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        try shop.clock.set("2026-03-20T00:59:59.999Z")
        #expect(try shop.answer("alice", "premium").decision)
        try shop.clock.set("2026-03-20T01:00:00Z")
        let after = try shop.answer("alice", "premium")
        #expect(!after.decision)
        #expect(after.state == .expired)
        #expect(after.willRenew != true)
    }

    @Test("presenting again, by anybody, adds no entry and gets the same words")
    func repeating() async throws {
        let shop = try await Shop()
        let bytes = try shop.purchase("unlock", .nonConsumable, id: "2")
        let first = try #require(try await shop.present(bytes, as: "alice").judged)
        let head = shop.engine.revision
        for _ in 1...3 {
            let again = try #require(try await shop.present(bytes, as: "alice").judged)
            #expect(again.transactions.map(\.standing) == first.transactions.map(\.standing))
            #expect(again.revision == first.revision)
        }
        #expect(shop.engine.revision == head)
        let other = try #require(try await shop.present(bytes, as: "mallory").judged)
        let refused = shop.engine.revision
        let repeated = try #require(try await shop.present(bytes, as: "mallory").judged)
        #expect(other.transactions.map(\.standing) == [.denied(.kept)])
        #expect(repeated.transactions.map(\.standing) == [.denied(.kept)])
        #expect(other.transactions.map(\.finish) == [true])
        #expect(other.transactions.first?.owners == ["al***"])
        #expect(shop.engine.revision == refused)
        #expect(try !shop.answer("mallory", "forever").decision)
    }

    @Test("says who owns a purchase, whichever of its transactions tells of it")
    func namedAnew() async throws {
        let shop = try await Shop()
        var bought = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "coins", kind: .consumable,
            transactionID: "207", purchaseDate: shop.clock.now())
        bought.signedDate = shop.clock.now()
        _ = try await shop.present(shop.store.sign(bought.payload), as: "alice")
        // The purchase has the smaller of its names from now on; nobody claims anything.
        bought.transactionID = "107"
        let told = try await shop.present(shop.store.sign(bought.payload), as: nil)
        #expect(told.judged?.transactions.map(\.owners) == [["al***"]])
    }

    @Test("a refusal leaves one audit line and no right")
    func refusal() async throws {
        let shop = try await Shop()
        let stranger = StoreSimulator(seed: 8, now: shop.clock.now())
        var forged = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "unlock", kind: .nonConsumable,
            transactionID: "2", purchaseDate: shop.clock.now())
        forged.signedDate = shop.clock.now()
        let cases: [([UInt8], String)] = [
            (stranger.sign(forged.payload), "chain.root"),
            (
                try shop.purchase("unlock", .nonConsumable, id: "9") { $0.bundleID = "com.other" },
                "bind.bundle"
            ),
            (
                try shop.purchase("unlock", .nonConsumable, id: "9") { $0.environment = .xcode },
                "bind.environment"
            ),
            (Array("{\"transaction_id\":\"9\"}".utf8), "evidence.unsigned"),
        ]
        for (payload, code) in cases {
            let head = shop.engine.revision.number
            #expect(try await shop.present(payload, as: "alice").refusalCode == code)
            #expect(shop.engine.revision.number == head + 1)
        }
        #expect(try !shop.answer("alice", "forever").decision)
    }

    @Test("what is impossible is kept without effect, once")
    func quarantine() async throws {
        let shop = try await Shop()
        let bytes = try shop.purchase("coins", .consumable, id: "5") { $0.quantity = 1_000_000 }
        let report = try #require(try await shop.present(bytes, as: "alice").judged)
        #expect(report.transactions.isEmpty)
        #expect(report.quarantined.map(\.code.rawValue) == ["implausible.quantity"])
        let head = shop.engine.revision
        try await shop.present(bytes, as: "alice")
        #expect(shop.engine.revision == head)
        #expect(try shop.coins("alice") == nil)
    }

    @Test("a refund that comes without an account takes the right away")
    func refund() async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        let refundDate = try #require(Instant(rfc3339: "2026-02-25"))
        let refunded = try shop.purchase("unlock", .nonConsumable, id: "2") {
            $0.signedDate = refundDate
            $0.revocation = Revocation(date: refundDate, reason: 0)
        }
        try await shop.present(refunded, as: nil)
        #expect(try shop.answer("alice", "forever").state == .revoked)
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        #expect(try !shop.answer("alice", "forever").decision, "an old snapshot is no news")
    }

    @Test("an Apple ID answers by any of its keys")
    func appleIDs() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("unlock", .nonConsumable, id: "2") { $0.appTransactionID = "900" },
            as: nil)
        for text in ["atx:production:900", "otx:production:2"] {
            let key = try #require(AppleIDKey(text))
            let (found, revision) = try shop.engine.inOneView { view throws(LedgerError) in
                (try view.appleID(key), view.revision)
            }
            let view = try #require(found)
            #expect(view.timeline.key.text == "atx:production:900")
            let answers = view.rights.answers(
                in: .production, at: shop.clock.now(), revision: revision)
            #expect(answers.filter(\.decision).map(\.key.entitlement.text) == ["forever"])
        }
        let other = try #require(AppleIDKey("otx:sandbox:2"))
        let none = try shop.engine.inOneView { view throws(LedgerError) in try view.appleID(other) }
        #expect(none == nil)
        #expect(AppleIDKey("2") == nil)
    }

    @Test("an account that evidence of the kind has no use for is said to be unused")
    func unusedAccount() async throws {
        let shop = try await Shop()
        let renewal = SimulatedRenewal(
            originalTransactionID: "1", productID: "gold", renewalDate: nil,
            signedDate: shop.clock.now())
        func isUnused(_ payload: [UInt8], _ account: String?) async throws -> Bool? {
            guard case .judged(let judged) = try await shop.present(payload, as: account) else {
                return nil
            }
            return judged.isAccountUnused
        }
        let info = shop.store.sign(renewal.payload)
        let purchase = try shop.purchase("unlock", .nonConsumable, id: "2")
        #expect(try await isUnused(info, "alice") == true)
        #expect(try await isUnused(info, nil) == false)
        #expect(try await isUnused(purchase, "alice") == false)
    }

    @Test("an explanation names the payments on the given Apple ID that nobody claims")
    func unclaimedOnAppleID() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("unlock", .nonConsumable, id: "2") { $0.appTransactionID = "900" },
            as: nil)
        func unclaimed(_ key: String?) throws -> [OwnedUnit] {
            let explanation = try shop.engine.questions.explain(
                RightKey(.production, "forever"), of: "bob", at: shop.clock.now(),
                through: try key.map { try #require(AppleIDKey($0)) })
            return explanation.unclaimed.flatMap(\.units)
        }
        let lineage = LineageKey(.production, "2")
        #expect(try unclaimed("atx:production:900") == [.lineage(lineage)])
        #expect(try unclaimed("otx:production:2") == [.lineage(lineage)])
        #expect(try unclaimed("atx:production:901") == [])
        #expect(try unclaimed(nil) == [])
    }

    @Test("an Apple ID answers although a smaller lineage of it has no transaction yet")
    func appleIDWithoutTransaction() async throws {
        let shop = try await Shop()
        var renewal = SimulatedRenewal(
            originalTransactionID: "1", productID: "gold", renewalDate: nil,
            signedDate: shop.clock.now())
        renewal.appTransactionID = "900"
        try await shop.present(shop.store.sign(renewal.payload), as: nil)
        try await shop.present(
            shop.purchase("unlock", .nonConsumable, id: "2") { $0.appTransactionID = "900" },
            as: nil)
        let key = try #require(AppleIDKey("atx:production:900"))
        let found = try shop.engine.inOneView { view throws(LedgerError) in try view.appleID(key) }
        let view = try #require(found)
        #expect(view.timeline.key == key)
        #expect(view.timeline.lineages.map(\.originalTransactionID.text) == ["2"])
    }

    @Test("sandbox purchases answer no production question")
    func sandbox() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("unlock", .nonConsumable, id: "2") { $0.environment = .sandbox },
            as: "alice")
        #expect(try !shop.answer("alice", "forever").decision)
        #expect(try shop.answer("alice", "forever", environment: .sandbox).decision)
    }
}
