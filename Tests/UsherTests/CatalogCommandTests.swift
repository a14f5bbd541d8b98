internal import EntitlementModel
internal import EntitlementServer
internal import TestSupport
internal import Testing

@Suite("usher catalog", .timeLimit(.minutes(20)))
struct CatalogCommandTests {
    @Test("catalog lists what the app sells, what is owned, and what is left out")
    func catalogue() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let ledger = shop.folder.path + "/ledger"
        func usher(_ words: [String], language: String = "en") throws -> Program.Output {
            try Program.run(words + ["--sockets", service.sockets, "--lang", language])
        }
        let payload = try shop.purchase("unlock", .nonConsumable, id: 1)
        let body = shop.body(payload, account: "alice")
        #expect(try service.operations.post("/v1/evidence", json: body).status == 200)
        let report = try service.operations.post(
            "/v1/accounts/mallory/catalog/reports",
            json: Array(#"{"invalid_products":["unlock"]}"#.utf8))
        #expect(report.status == 200)
        for (language, own, other) in [
            (
                "en",
                """
                coins           proceed
                unlock  active  block  [already-owned, apple-id-unknown]

                """,
                """
                coins  proceed
                not listed, because the client reports them as invalid: unlock

                """
            ),
            (
                "zh",
                """
                coins         可以继续
                unlock  有效  阻止  [already-owned，apple-id-unknown]

                """,
                """
                coins  可以继续
                未列出（应用报告为无效）：unlock

                """
            ),
        ] {
            func lines(_ account: String) throws -> String {
                let told = try usher(["catalog", account], language: language).output
                let read = try Program.run(
                    ["catalog", account, "--ledger", ledger, "--lang", language])
                #expect(read.output == told)
                return told
            }
            let told = try lines("alice")
            #expect(told == own, "\(told)")
            #expect(try lines("mallory") == other)
        }
        let findings = try usher(["findings", "mallory"])
        #expect(findings.output.contains("[invalid-product]"), "\(findings.output)")
        #expect(try usher(["catalog", "alice", "--storefront", "us"]).status == 64)
        #expect(try usher(["catalog", "alice", "--storefront", "USA"]).status == 0)
        #expect(service.stop() == 0)
    }
}
