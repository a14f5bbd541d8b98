internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// When Apple is told something about a refund, and when not (spec 1.12).
@Suite("Answers to refund requests", .timeLimit(.minutes(20)))
struct RefundAnswerTests {
    @Test("nothing is sent before the customer consents, and then once")
    func consent() async throws {
        let shop = try await RefundShop()
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "gamer")
        try await shop.ask(about: coins)
        await shop.answer()
        #expect(shop.appStore.calls == [])
        let waiting = try shop.first
        #expect(waiting.state == .open)
        #expect(waiting.obstacle?.obstacle == .noConsent)
        #expect(waiting.rule?.name == "no games")
        #expect(waiting.reason == "OTHER")
        #expect(waiting.statement?.statement.preference == .decline)
        try await shop.consent("gamer")
        await shop.answer()
        await shop.answer()
        let report = ConsumptionReport(
            delivery: .delivered, hadSample: false, preference: .decline, consumedMilliPercent: 0)
        #expect(shop.appStore.consumption == ["10": [report]])
        let sent = try shop.first
        #expect(sent.state == .sent)
        #expect(sent.rule?.file == "policy.yaml")
        #expect(sent.statement?.statement.preference == .decline)
        #expect(sent.answered?.policy == shop.engine.policy.digest)
        #expect(shop.engine.refundOutcomes == [.sent: 1])
        let open = try shop.engine.questions.refundRequests(
            after: .zero, onlyOpen: true, at: shop.engine.now(), limit: 10)
        #expect(open.requests.isEmpty)
    }

    @Test("a consent that is withdrawn is none, and the account shows its last word")
    func withdrawn() async throws {
        let shop = try await RefundShop()
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        try await shop.consent("ana")
        let revision = shop.engine.revision
        try await shop.consent("ana")
        #expect(shop.engine.revision == revision)
        try await shop.consent("ana", false)
        try await shop.ask(about: coins)
        await shop.answer()
        #expect(shop.appStore.calls == [])
        let report = try shop.engine.questions.report(on: "ana", at: shop.engine.now())
        #expect(report.refundConsent?.consent.isGiven == false)
        let other = try shop.engine.questions.report(on: "bob", at: shop.engine.now())
        #expect(other.refundConsent == nil)
    }

    @Test("what is told of each kind of product")
    func kinds() async throws {
        let shop = try await RefundShop()
        try await shop.consent("ana")
        let gold = try await shop.buy("gold", .autoRenewable, id: "10", as: "ana")
        let pass = try await shop.buy("pass", .nonRenewing, id: "11", as: "ana")
        let unlock = try await shop.buy("unlock", .nonConsumable, id: "12", as: "ana")
        let coins = try await shop.buy("coins", .consumable, id: "13", as: "ana")
        for (number, bought) in [gold, pass, unlock, coins].enumerated() {
            try await shop.ask(about: bought, number)
        }
        await shop.answer()
        func report(_ preference: ConsumptionReport.Preference, _ used: Int64?) -> ConsumptionReport
        {
            ConsumptionReport(
                delivery: .delivered, hadSample: false, preference: preference,
                consumedMilliPercent: used)
        }
        #expect(
            shop.appStore.consumption == [
                "10": [report(.grantProrated, nil)], "11": [report(.grantProrated, 30_000)],
                "12": [report(.grantFull, nil)], "13": [report(.grantFull, 0)],
            ])
        let preview = try shop.engine.questions.previewRefunds(
            under: nil, at: shop.engine.now(), limit: 10)
        let notes = preview.requests.map { $0.notes.map(\.note) }
        #expect(notes == [[.countedByApple], [], [.notMeasured], [.nothingUsed]])
        // Nine of 28 days, rounded down.
        #expect(preview.requests.map(\.consumed) == [32_142, 30_000, nil, 0])
        #expect(preview.counts.map(\.answer) == [.grantFull, .grantProrated])
        #expect(preview.counts.map(\.count) == [2, 2])
        #expect(preview.counts.map { $0.amounts.map(\.milliunits) } == [[19_980], [19_980]])
    }

    @Test("a share of a subscription is told with a full refund, rounded down")
    func rounded() async throws {
        let shop = try await RefundShop()
        try await shop.consent("friend")
        let gold = try await shop.buy("gold", .autoRenewable, id: "10", as: "friend")
        try await shop.ask(about: gold)
        #expect(try shop.first.notes.map(\.note) == [.roundedDown])
        await shop.answer()
        let report = ConsumptionReport(
            delivery: .delivered, hadSample: false, preference: .grantFull,
            consumedMilliPercent: 32_142)
        #expect(shop.appStore.consumption == ["10": [report]])
    }

    @Test("what was spent of a delivery is told, and what was spent after the question is not")
    func spent() async throws {
        let shop = try await RefundShop()
        try await shop.consent("ana")
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        let cause = CreditCause(actor: "uid:7")
        _ = try await shop.engine.spend(
            SpendRequest(
                account: "ana", parts: [CreditPart("coins", 25)], key: "k-1", cause: cause))
        try await shop.ask(about: coins)
        shop.pass(hours: 1)
        _ = try await shop.engine.spend(
            SpendRequest(
                account: "ana", parts: [CreditPart("coins", 50)], key: "k-2", cause: cause))
        await shop.answer()
        let report = ConsumptionReport(
            delivery: .delivered, hadSample: false, preference: .grantProrated,
            consumedMilliPercent: 25_000)
        #expect(shop.appStore.consumption == ["10": [report]])
    }

    @Test("what the other account had spent before a merge is told too")
    func spentAndMerged() async throws {
        let shop = try await RefundShop()
        try await shop.consent("bob")
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        _ = try await shop.engine.spend(
            SpendRequest(
                account: "ana", parts: [CreditPart("coins", 75)], key: "k-1",
                cause: CreditCause(actor: "uid:7")))
        shop.pass(hours: 1)
        _ = try await shop.engine.merge(
            AccountMerge(from: "ana", into: "bob", actor: "uid:0", reason: "one customer"))
        shop.pass(hours: 1)
        try await shop.ask(about: coins)
        await shop.answer()
        #expect(shop.appStore.consumption["10"]?.map(\.consumedMilliPercent) == [75_000])
    }

    @Test("a merge after a refund of a part changes no share")
    func refundedInPartAndMerged() async throws {
        let shop = try await RefundShop()
        let coins = try await shop.buy("coins", .consumable, id: "10", as: "ana")
        let cause = CreditCause(actor: "uid:7")
        _ = try await shop.engine.spend(
            SpendRequest(
                account: "ana", parts: [CreditPart("coins", 25)], key: "k-1", cause: cause))
        var after = coins
        after.signedDate = shop.engine.now()
        after.revocation = Revocation(
            date: shop.engine.now(), type: .known(.prorated), percentage: 50_000)
        try await shop.tell("REFUND", of: after, 1)
        shop.pass(hours: 1)
        try await shop.ask(about: after, 2)
        let before = try shop.requests().map(\.consumed)
        shop.pass(hours: 1)
        _ = try await shop.engine.merge(
            AccountMerge(from: "ana", into: "bob", actor: "uid:0", reason: "one customer"))
        shop.pass(hours: 1)
        try await shop.ask(about: after, 3)
        #expect(try before + [25_000] == shop.requests().map(\.consumed))
        #expect(before == [25_000])
    }

    @Test("a free trial before is told")
    func sample() async throws {
        let shop = try await RefundShop()
        try await shop.consent("ana")
        try await shop.buy("gold", .autoRenewable, id: "10", as: "ana") {
            $0.offer = Offer(type: 1, discountType: "FREE_TRIAL")
            $0.expiresDate = $0.purchaseDate.advanced(byMilliseconds: 86_400_000)
        }
        let paid = try await shop.buy("gold", .autoRenewable, id: "11", as: "ana") {
            $0.originalTransactionID = "10"
            $0.purchaseDate = $0.purchaseDate.advanced(byMilliseconds: 86_400_000)
        }
        try await shop.ask(about: paid)
        await shop.answer()
        #expect(shop.appStore.consumption["11"]?.map(\.hadSample) == [true])
    }

    @Test("Advanced Commerce takes the first version of the call")
    func advancedCommerce() async throws {
        let shop = try await RefundShop()
        try await shop.consent("ana")
        let pass = try await shop.buy("pass", .nonRenewing, id: "10", as: "ana") {
            $0.otherFields = [JSONMember("advancedCommerceInfo", ["items": []])]
        }
        try await shop.ask(about: pass)
        await shop.answer()
        var report = FirstConsumptionReport(hadSample: false)
        for (field, number) in [
            (FirstConsumptionReport.Field.consumptionStatus, Int64(2)), (.deliveryStatus, 0),
            (.refundPreference, 1),
        ] {
            let isSet = report.set(field, to: number)
            #expect(isSet)
        }
        #expect(shop.appStore.firstConsumption == ["10": [report]])
        #expect(shop.appStore.consumption.isEmpty)
        let told = try shop.first
        #expect(told.statement?.statement.isFirstVersion == true)
    }

    @Test("why nothing is told", arguments: Silence.all)
    func silence(_ silence: Silence) async throws {
        let shop = try await RefundShop()
        try await shop.consent("ana")
        let bought = try await shop.buy(
            "gold", .autoRenewable, id: "10", as: silence.account, changing: silence.change)
        try await shop.ask(about: bought)
        await shop.answer()
        #expect(shop.appStore.calls == [])
        #expect(try shop.first.obstacle?.obstacle == silence.obstacle)
        #expect(try shop.first.statement == nil)
        #expect(shop.engine.openRefunds == [silence.obstacle: 1])
    }

    struct Silence: CustomTestStringConvertible, Sendable {
        let obstacle: RefundObstacle
        var account: AccountID? = "ana"
        var change: @Sendable (inout SimulatedTransaction) -> Void = { _ in }

        var testDescription: String { obstacle.rawValue }

        static let all = [
            Silence(obstacle: .assigned) { $0.ownership = "ASSIGNED" },
            Silence(obstacle: .familyShared) { $0.ownership = "FAMILY_SHARED" },
            Silence(obstacle: .unknownOwnership) { $0.ownership = "LENT" },
            Silence(obstacle: .unowned, account: nil),
            Silence(obstacle: .rule) { $0.environment = .sandbox },
            Silence(obstacle: .unknownTransaction) { $0.quantity = 0 },
        ]
    }

    @Test("without a rule nothing is told")
    func builtIn() async throws {
        let shop = try await RefundShop(rules: "")
        try await shop.consent("ana")
        try await shop.ask(about: try await shop.buy("coins", .consumable, id: "10", as: "ana"))
        await shop.answer()
        #expect(shop.appStore.calls == [])
        #expect(try shop.first.rule?.file == "built-in")
        #expect(try shop.first.obstacle?.obstacle == .rule)
    }
}
