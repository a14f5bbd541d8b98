internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox
internal import Testing

@Suite("Claims, reviewed", .timeLimit(.minutes(20)))
struct ClaimReviewTests {
    private static let moves = "account_switch: [{name: moves, then: transfer}]"
    private static let asks = "account_switch: [{name: asks, then: ask}]"
    private static let cause = AdminActionCause(actor: "uid:0", reason: "a test")

    private static func restore(
        _ id: String = "1", as account: String, in shop: Shop
    ) async throws {
        let bytes = try shop.purchase("unlock", .nonConsumable, id: id) {
            $0.appTransactionID = "7\(id)"
            $0.reason = .renewal
        }
        try await shop.present(bytes, as: account)
    }

    private static func review(_ shop: Shop) throws -> [ReviewedClaim] {
        try shop.engine.questions.reviewedClaims(
            after: .zero, at: shop.clock.now(), limit: 100
        ).claims
    }

    private static func activate(_ rules: String, in shop: Shop) async throws {
        let report = try await shop.engine.activate(
            Shop.policy(trusting: shop.store, rules: rules))
        guard case .activated = report else {
            Issue.record("not activated: \(report)")
            return
        }
    }

    /// What the program prints is what a person does.
    private static func apply(_ claim: ReviewedClaim, in shop: Shop) async throws {
        _ = try await shop.engine.rule(
            RulingRequest(
                verb: try #require(claim.ruling), claim: claim.claim.claim,
                decision: claim.ruling == .undo ? claim.claim.decision?.sequence : nil,
                cause: cause))
    }

    private struct Case: CustomTestStringConvertible, Sendable {
        var first: String
        var then: String
        var ruling: Ruling.Verb
        var today: ClaimStanding
        var owner: String

        var testDescription: String { ruling.rawValue }
    }

    @Test(
        "are listed where another policy would decide otherwise, until a person has applied it",
        arguments: [
            Case(first: "", then: moves, ruling: .transfer, today: .accepted, owner: "bob"),
            Case(first: moves, then: "", ruling: .undo, today: .kept, owner: "alice"),
            Case(first: asks, then: moves, ruling: .approve, today: .accepted, owner: "bob"),
            Case(first: asks, then: "", ruling: .refuse, today: .kept, owner: "alice"),
        ])
    private func applied(_ given: Case) async throws {
        let shop = try await Shop(rules: given.first, policyGuard: .warn)
        try await Self.restore(as: "alice", in: shop)
        try await Self.restore(as: "bob", in: shop)
        #expect(try Self.review(shop).isEmpty, "nothing has changed")
        try await Self.activate(given.then, in: shop)
        let reviewed = try #require(try Self.review(shop).first)
        #expect(try Self.review(shop).count == 1)
        #expect(reviewed.claim.account == "bob")
        #expect(reviewed.today.outcome == given.today)
        #expect(reviewed.ruling == given.ruling)
        let number = reviewed.claim.claim.number
        let command = try #require(reviewed.command)
        #expect(command.hasPrefix("usher claims \(given.ruling.rawValue) \(number) "))
        try await Self.apply(reviewed, in: shop)
        #expect(try shop.answer(given.owner, "forever").decision)
        #expect(try Self.review(shop).isEmpty)
        try shop.engine.close()
    }

    @Test("are listed without a ruling where a person would be asked")
    func asked() async throws {
        let shop = try await Shop(policyGuard: .warn)
        try await Self.restore(as: "alice", in: shop)
        try await Self.restore(as: "bob", in: shop)
        try await Self.activate(Self.asks, in: shop)
        let reviewed = try Self.review(shop)
        #expect(reviewed.map(\.today.outcome) == [.waiting])
        #expect(reviewed.map(\.ruling) == [nil] && reviewed.map(\.command) == [nil])
        try shop.engine.close()
    }

    @Test("come page by page, an Apple ID at a time")
    func pages() async throws {
        let shop = try await Shop(policyGuard: .warn)
        for id in ["1", "2", "3"] {
            try await Self.restore(id, as: "alice", in: shop)
            try await Self.restore(id, as: "bob", in: shop)
        }
        try await Self.activate(Self.moves, in: shop)
        var (transactions, place): ([String], LedgerSequence?) = ([], .zero)
        while let after = place {
            let page = try shop.engine.questions.reviewedClaims(
                after: after, at: shop.clock.now(), limit: 1)
            #expect(page.claims.count <= 1)
            transactions += page.claims.map(\.claim.transaction.text)
            place = page.next
        }
        #expect(transactions == ["1", "2", "3"])
        try shop.engine.close()
    }
}
