internal import Crypto
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import Testing

private let support = AdminActionCause(actor: "uid:7", reason: "a test")

extension Shop {
    fileprivate func explain(
        _ account: String, _ entitlement: String = "premium", at date: String? = nil
    ) throws -> Explanation {
        let instant = try date.map { try #require(Instant(rfc3339: $0)) } ?? clock.now()
        return try engine.questions.explain(
            RightKey(.production, try #require(EntitlementName(entitlement))),
            of: try #require(AccountID(account)), at: instant)
    }

    fileprivate func report(_ account: String) throws -> AccountReport {
        try engine.questions.report(on: try #require(AccountID(account)), at: clock.now())
    }
}

@Suite("Reports", .timeLimit(.minutes(20)))
struct ReportTests {
    @Test("explain an answer by its facts, with their evidence")
    func facts() async throws {
        let shop = try await Shop()
        let payload = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(payload, as: "alice")
        let explanation = try shop.explain("alice")
        #expect(try ToldAnswer(explanation.answer) == (shop.answer("alice", "premium")))
        #expect(explanation.facts.map(\.kind) == [.transaction, .decision])
        let evidence = try #require(explanation.facts[0].evidence)
        #expect(evidence.sha256 == Digest256(SHA256.hash(data: payload)))
        #expect(explanation.units.map(\.isOwned) == [true])
        #expect(explanation.claims.map(\.outcome) == [.accepted])
    }

    @Test("tell how a subscription goes on, and not that it expires while it renews")
    func renewal() async throws {
        let shop = try await Shop()
        let end = try #require(Instant(rfc3339: "2026-03-20"))
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        let untold = try #require(try shop.report("alice").units.first)
        #expect(untold.renewal == RenewalOutlook(willRenew: nil, at: end, product: "gold"))
        #expect(untold.states.allSatisfy { !$0.isBehindRenewal })
        #expect(untold.states.map(\.state) == [.active, .renewing, .expired])

        var info = SimulatedRenewal(
            originalTransactionID: "1", productID: "gold", renewalDate: end,
            signedDate: shop.clock.now())
        info.autoRenewProductID = "silver"
        info.renewalPrice = Price(milliunits: 4_990, currency: "USD")
        try await shop.present(shop.store.sign(info.payload), as: nil)
        let told = try #require(try shop.report("alice").units.first)
        let outlook = RenewalOutlook(
            willRenew: true, at: end, product: "silver",
            price: Price(milliunits: 4_990, currency: "USD"))
        #expect(told.renewal == outlook)
        #expect(try shop.explain("alice").units.map(\.renewal) == [outlook])
        #expect(told.states.last?.isBehindRenewal == true)
        #expect(told.states.dropLast().allSatisfy { $0.state == .active })
        #expect(told.states.last?.interval == Interval(from: end, to: nil))
        #expect(told.states.last?.product == "silver")

        info.autoRenewStatus = false
        info.signedDate = info.signedDate.advanced(byMilliseconds: 1_000)
        shop.clock.set(info.signedDate)
        try await shop.present(shop.store.sign(info.payload), as: nil)
        let cancelled = try #require(try shop.report("alice").units.first)
        #expect(cancelled.renewal == RenewalOutlook(willRenew: false))
        #expect(cancelled.states.last?.isBehindRenewal == false)
    }

    @Test("find the smallest change that gives a right")
    func nearestGift() async throws {
        let shop = try await Shop()
        let alice = AccountID("alice")
        #expect(try shop.explain("alice").nearestMiss == NearestMissAnswer(.buy, product: "gold"))
        #expect(throws: EngineError.self) {
            try shop.explain("alice", "nothing")
        }
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: "alice")
        #expect(
            try shop.explain("alice", at: "2026-04-01").nearestMiss
                == NearestMissAnswer(.renew, lineage: "1", product: "gold"))
        _ = try await shop.engine.block(alice, id: "b1", support)
        #expect(try shop.explain("alice").nearestMiss == NearestMissAnswer(.liftBlock, block: "b1"))
        try await shop.present(gold, as: "bob")
        let refused = try #require(try shop.report("bob").claims.first)
        #expect(
            try shop.explain("bob").nearestMiss
                == NearestMissAnswer(.transferClaim, claim: refused.claim))
    }

    @Test(
        "say until when a purchase stays that has moved too lately, or too often",
        arguments: [("cooldown: 7d", "2026-03-08"), ("moves: 1 per 30d", "2026-03-31")])
    func limited(limits: String, end: String) async throws {
        let shop = try await Shop(
            rules: """
                account_switch:
                  - name: what is restored moves
                    when: {kind: non-consumable, moment: restore}
                    then: transfer
                    limits: {\(limits)}
                """)
        let unlock = try shop.purchase("unlock", .nonConsumable, id: "1")
        try await shop.present(unlock, as: "alice")
        try await shop.present(unlock, as: "bob", moment: .restore)
        try shop.clock.set("2026-03-03")
        try await shop.present(unlock, as: "carol", moment: .restore)
        let denied = try #require(try shop.report("carol").claims.first)
        let miss = try shop.explain("carol", "forever").nearestMiss
        let until = try #require(Instant(rfc3339: end))
        #expect(miss == NearestMissAnswer(.transferClaim, at: until, claim: denied.claim))
        try shop.clock.set(end)
        try await shop.present(unlock, as: "carol", moment: .restore)
        #expect(try shop.answer("carol", "forever").decision)
    }

    @Test("say who moved a purchase and why, and that it can be moved back")
    func moved() async throws {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        let claim = try #require(try shop.report("alice").claims.first).claim
        let request = RulingRequest(verb: .transfer, claim: claim, account: "bob", cause: support)
        _ = try await shop.engine.rule(request)
        #expect(
            try shop.explain("alice").nearestMiss
                == NearestMissAnswer(.transferClaim, claim: claim))
        let causes = try shop.explain("bob").facts.compactMap { fact in
            fact.decision.verb.map {
                "\($0) by \(fact.action.actor ?? ""): \(fact.action.reason ?? "")"
            }
        }
        #expect(causes == ["transfer by \(support.actor): \(support.reason)"])
        let firsts = try shop.explain("alice").facts.compactMap(\.decision.claim)
        #expect(firsts == [claim])
    }

    @Test("find the refund that took a right away")
    func nearestRefund() async throws {
        let shop = try await Shop()
        let refunded = try shop.purchase("unlock", .nonConsumable, id: "1") {
            $0.revocation = Revocation(date: $0.purchaseDate)
        }
        try await shop.present(refunded, as: "alice")
        #expect(
            try shop.explain("alice", "forever").nearestMiss
                == NearestMissAnswer(.reverseRefund, transaction: "1"))
    }

    @Test(
        "tell nobody of a refund where Apple took back what was shared or assigned",
        arguments: [
            (RevocationType.family, NearestMissAnswer.Change.shareAgain), (.assigned, .assignAgain),
            (.full, .reverseRefund),
        ])
    func nearestSharing(type: RevocationType, change: NearestMissAnswer.Change) async throws {
        let shop = try await Shop()
        let taken = try shop.purchase("unlock", .nonConsumable, id: "1") {
            $0.revocation = Revocation(date: $0.purchaseDate, type: .known(type))
        }
        try await shop.present(taken, as: "alice")
        #expect(
            try shop.explain("alice", "forever").nearestMiss
                == NearestMissAnswer(change, transaction: "1"))
    }

    @Test("find the smallest change that takes a right away")
    func nearestLoss() async throws {
        let shop = try await Shop()
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: "alice")
        let explanation = try shop.explain("alice")
        let end = try #require(explanation.answer.until)
        #expect(explanation.nearestMiss == NearestMissAnswer(.time, decision: false, at: end))
        try await shop.present(try shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        #expect(
            try shop.explain("alice", "forever").nearestMiss
                == NearestMissAnswer(.refund, decision: false, transaction: "2"))
        let alice = AccountID("alice")
        _ = try await shop.engine.grant(
            GrantRequest(
                id: "g1", account: alice, gift: .entitlement("forever"), cause: support))
        #expect(try shop.explain("alice", "forever").nearestMiss.change == .block)
    }

    @Test("list the newest orders of an account, of an Apple ID, and of who was merged into it")
    func orders() async throws {
        let shop = try await Shop()
        func order(_ product: ProductID) async throws -> OrderID {
            let request = OrderRequest(account: "alice", product: product, actor: "uid:7")
            guard case .done(let history) = try await shop.engine.makeOrder(request).report else {
                throw CancellationError()
            }
            return history.id
        }
        let unpaid = try await order("unlock")
        try shop.clock.set("2026-03-02")
        let paid = try await order("gold")
        try await shop.present(
            try shop.purchase(
                "gold", .autoRenewable, id: "501", at: "2026-03-02", until: "2026-04-02"
            ) {
                $0.appAccountToken = paid.text
            }, as: "alice")
        try shop.clock.set("2026-03-03")
        _ = try await shop.engine.report(
            OrderEventRequest(order: paid, kind: .finished, actor: "uid:7"))
        let told = try shop.report("alice").orders
        #expect(told.map(\.id) == [paid, unpaid])
        #expect(told.map(\.state) == [.finished, .abandoned])
        #expect(told.map { $0.transaction?.text } == ["501", nil])
        let second = Instant(rfc3339: "2026-03-02")
        #expect(told.map(\.deliveredAt) == [second, nil])
        #expect(told.map(\.paidAt) == [second, nil])
        #expect(told.map(\.finishedAt) == [shop.clock.now(), nil])
        let questions = shop.engine.questions
        #expect(
            try questions.timeline(of: "alice", at: shop.clock.now()).orders.map(\.json)
                == told.map(\.json))
        #expect(try shop.explain("alice", "premium").orders.map(\.id) == [paid])
        #expect(try shop.explain("alice", "forever").orders.map(\.id) == [unpaid])
        func limited(
            _ environment: StoreEnvironment?, _ appleID: String?
        ) throws -> [OrderID] {
            try questions.report(
                on: "alice", at: shop.clock.now(), in: environment,
                through: appleID.flatMap { AppleIDKey($0) }
            ).orders.map(\.id)
        }
        #expect(try limited(.sandbox, nil) == [])
        #expect(try limited(nil, "otx:production:501") == [paid])
        #expect(try limited(nil, "atx:production:9") == [])
        _ = try await shop.engine.merge(
            AccountMerge(from: "alice", into: "bob", actor: "uid:7", reason: "a test"))
        #expect(try shop.report("bob").orders.map(\.id) == [paid, unpaid])
        try shop.engine.close()
    }

    /// What was written is read again, and written the same.
    private func expectRoundTrip<Shape: WireObject>(_ answer: Shape) throws {
        let json = try parseJSON(answer.json)
        #expect(try Shape.read(json).json == answer.json)
    }

    @Test("are JSON that can be read, for every account and the unknown one")
    func json() async throws {
        let shop = try await Shop()
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: "alice")
        try await shop.present(gold, as: "bob")
        for name in ["alice", "bob", "nobody", "a\"\\b"] {
            let account = try #require(AccountID(name))
            let questions = shop.engine.questions
            try expectRoundTrip(shop.report(name))
            try expectRoundTrip(questions.timeline(of: account, at: shop.clock.now()))
            try expectRoundTrip(questions.findings(of: account, at: shop.clock.now()))
            try expectRoundTrip(shop.explain(name))
        }
    }
}
