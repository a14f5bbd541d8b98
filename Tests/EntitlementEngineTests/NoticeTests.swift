internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("Notifications that carry no purchase", .timeLimit(.minutes(20)))
struct NoticeTests {
    private func notification(
        _ type: String, of shop: Shop, uuid: Int = 1,
        changing change: (inout SimulatedNotification) -> Void = { _ in }
    ) -> [UInt8] {
        var notification = SimulatedNotification(
            type: type, uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb2\(uuid)",
            bundleID: "com.example.shop", appAppleID: 77, signedDate: shop.clock.now())
        change(&notification)
        return shop.store.sign(notification.payload)
    }

    private func appTransaction(_ id: String, of shop: Shop) -> [UInt8] {
        shop.store.sign(
            SimulatedAppTransaction(
                bundleID: "com.example.shop", appAppleID: 77, appTransactionID: id,
                originalPurchaseDate: shop.clock.now(), signedDate: shop.clock.now()
            ).payload)
    }

    /// The notices in the list of all findings, and on the pages of accounts.
    private func notices(of shop: Shop) throws -> [Finding] {
        var found: [Finding] = []
        try waitUntil("the list is complete") {
            let page = try shop.engine.findings(
                of: .appleNotice, after: nil, at: shop.clock.now(), limit: 10)
            found = page.findings
            return page.isComplete
        }
        return found
    }

    private func notices(of shop: Shop, on account: AccountID) throws -> [String?] {
        try shop.engine.questions.findings(of: account, at: shop.clock.now()).findings
            .filter { $0.kind == .appleNotice }.map(\.notification)
    }

    @Test("a consent taken back reaches whoever presented the app on that Apple ID, for 30 days")
    func consent() async throws {
        let shop = try await Shop()
        try await shop.present(appTransaction("9009", of: shop), as: "son")
        try await shop.present(
            try shop.purchase("unlock", .nonConsumable, id: "1001") {
                $0.appTransactionID = "9009"
            }, as: "mother")
        try await shop.present(
            try shop.purchase("unlock", .nonConsumable, id: "1002") {
                $0.appTransactionID = "9010"
            }, as: "stranger")
        try await shop.present(
            notification("RESCIND_CONSENT", of: shop) {
                $0.subject = .appData
                $0.appTransaction = appTransaction("9009", of: shop)
            }, as: nil)
        let finding = try #require(try notices(of: shop).first)
        #expect(finding.accounts == ["mother", "son"])
        #expect(finding.notification == "RESCIND_CONSENT")
        for account in finding.accounts {
            #expect(try notices(of: shop, on: account) == ["RESCIND_CONSENT"])
        }
        #expect(try notices(of: shop, on: "stranger") == [])
        try shop.clock.set("2026-03-31T00:00:01Z")
        #expect(try notices(of: shop) == [])
    }

    @Test("one that names a line reaches its owner, one that names nobody is in the list")
    func others() async throws {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1001", until: "2026-03-20"),
            as: "alice")
        try await shop.present(
            notification("UNCLAIM_SEATS", of: shop) {
                $0.otherFields = [JSONMember("originalTransactionId", "1001")]
            }, as: nil)
        try await shop.present(
            notification("RENEWAL_EXTENSION", of: shop, uuid: 2) {
                $0.subject = .summary
                $0.subtype = "SUMMARY"
                $0.otherFields = [JSONMember("productId", "gold")]
            }, as: nil)
        try await shop.present(notification("TEST", of: shop, uuid: 3), as: nil)
        let found = try notices(of: shop)
        #expect(found.map(\.notification) == ["UNCLAIM_SEATS", "RENEWAL_EXTENSION SUMMARY"])
        #expect(found.map(\.accounts) == [["alice"], []])
        #expect(found.map { $0.product?.text } == [nil, "gold"])
        #expect(try notices(of: shop, on: "alice") == ["UNCLAIM_SEATS"])
    }

    @Test("one that carries a purchase is none")
    func purchase() async throws {
        let shop = try await Shop()
        let purchase = try shop.purchase("unlock", .nonConsumable, id: "1001")
        try await shop.present(
            notification("ONE_TIME_CHARGE", of: shop) { $0.transaction = purchase }, as: nil)
        #expect(try notices(of: shop) == [])
    }
}
