internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

@Suite("Threats to orders", .timeLimit(.minutes(20)))
struct OrderThreatTests {
    private static let cause = AdminActionCause(actor: "uid:0", reason: "a test")

    @Test("an order keeps the policy under which it was made (THREATS.md D29)")
    func pinned() async throws {
        let shop = try await Shop(rules: "orders: {pay_within: 1h}", policyGuard: .warn)
        let first = try await shop.order("coins")
        let texts = Shop.policy(trusting: shop.store, rules: "orders: {pay_within: 1d}")
        let dearer = texts.map { text in
            guard text.path == "policy.yaml" else { return text }
            let changed = String(decoding: text.bytes, as: UTF8.self)
                .replacing("units: 100", with: "units: 7")
            return PolicyText(path: text.path, text: changed)
        }
        let activation = try await shop.engine.activate(dearer)
        guard case .activated = activation else {
            Issue.record("not activated: \(activation)")
            return
        }
        let second = try await shop.order("coins")
        try shop.clock.set("2026-03-01T02:00:00Z")
        #expect(try shop.state(of: first) == .abandoned)
        #expect(try shop.state(of: second) == .created)
        for (order, coins) in [(first, 100), (second, 107)] as [(OrderID, Int128)] {
            _ = try await shop.engine.rule(on: order, .settle(nil), Self.cause)
            #expect(try shop.coins("alice") == coins)
        }
        try shop.engine.close()
    }

    @Test("a lost order is delivered once, in whatever order everything arrives (THREATS.md D31)")
    func interleavings() async throws {
        for steps in Step.orders {
            let shop = try await Shop(on: .memory)
            let order = try await shop.order("coins")
            let payment = try shop.purchase("coins", .consumable, id: "501", at: "2026-03-01") {
                $0.appAccountToken = order.text
            }
            for step in steps {
                switch step {
                case .settled: _ = try await shop.engine.rule(on: order, .settle(nil), Self.cause)
                case .told: try await shop.present(payment, as: nil)
                case .sent: try await shop.present(payment, as: "alice")
                case .cancelled:
                    _ = try await shop.engine.report(
                        OrderEventRequest(order: order, kind: .cancelled, actor: "uid:7"))
                }
            }
            #expect(try shop.coins("alice") == 100, "\(steps)")
            #expect(try shop.state(of: order) == .delivered, "\(steps)")
            try shop.engine.close()
        }
    }

    @Test("a gift is not forgotten where a later ruling is undone: it goes with the delivery")
    func undoneBeside() async throws {
        let shop = try await Shop()
        // Bob's claim comes first: alice's order is paid by what she does not own.
        let payment = try shop.purchase("unlock", .nonConsumable, id: "501", at: "2026-03-01")
        try await shop.present(payment, as: "bob")
        let order = try await shop.order("unlock")
        _ = try await shop.engine.rule(on: order, .settle(nil), Self.cause)
        _ = try await shop.engine.submit([
            EvidenceSubmission(payload: payment, account: "alice", order: order)
        ])
        _ = try await shop.engine.rule(on: order, .reassign("carol"), Self.cause)
        _ = try await shop.engine.rule(on: order, .undo, Self.cause)
        #expect(try shop.state(of: order) == .paid)
        let claims = try shop.engine.questions.report(on: "alice", at: shop.clock.now()).claims
        let claim = try #require(claims.first { $0.account == "alice" })
        _ = try await shop.engine.rule(
            RulingRequest(verb: .transfer, claim: claim.claim, cause: Self.cause))
        #expect(try shop.state(of: order) == .delivered)
        let grants = try shop.engine.questions.report(on: "alice", at: shop.clock.now()).grants
        #expect(grants.allSatisfy { $0.revoked != nil } && !grants.isEmpty)
        try shop.engine.close()
    }

    @Test("what is given by hand to an account that was merged away pays no order by comparison")
    func mergedAway() async throws {
        let shop = try await Shop()
        let order = try await shop.order("unlock")
        let payment = try shop.purchase("unlock", .nonConsumable, id: "501", at: "2026-03-01")
        try await shop.present(payment, as: "carol")
        _ = try await shop.engine.merge(
            AccountMerge(from: "alice", into: "bob", actor: "uid:0", reason: "a test"))
        let claims = try shop.engine.questions.report(on: "carol", at: shop.clock.now()).claims
        let claim = try #require(claims.first)
        _ = try await shop.engine.rule(
            RulingRequest(
                verb: .transfer, claim: claim.claim, account: "alice", cause: Self.cause))
        #expect(try shop.state(of: order) == .created)
        _ = try await shop.engine.rule(
            RulingRequest(verb: .transfer, claim: claim.claim, account: "bob", cause: Self.cause))
        #expect(try shop.state(of: order) == .delivered)
        try shop.engine.close()
    }

    /// What can happen to a lost order.
    private enum Step: CaseIterable {
        case settled, told, sent, cancelled

        /// All of them, in each of the 24 orders.
        static var orders: [[Step]] { permutations(of: Array(allCases)) }

        private static func permutations(of steps: [Step]) -> [[Step]] {
            guard !steps.isEmpty else { return [[]] }
            return steps.flatMap { step in
                permutations(of: steps.filter { $0 != step }).map { [step] + $0 }
            }
        }
    }
}

extension Shop {
    /// Alice's order of a product.
    fileprivate func order(_ product: ProductID) async throws -> OrderID {
        let report = try await engine.makeOrder(
            OrderRequest(account: "alice", product: product, actor: "uid:7")
        ).report
        guard case .done(let history) = report else {
            throw Unexpected(description: "\(report)")
        }
        return history.id
    }

    fileprivate func state(of order: OrderID) throws -> OrderState? {
        try engine.questions.order(order, at: clock.now())?.state
    }

    private struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }
}
